//! What must hold in every match, whatever its options and whoever plays: the laws of DESIGN.md, checked on random matches.

mod chains;
mod forgeries;
mod matches;
mod outcomes;
mod plain_round;
mod secrecy;
mod setups;
mod steps;
mod turns;
mod watching;

use fives_rules::event::Event;
use fives_rules::game::Game;
use fives_rules::options::MatchOptions;
use fives_rules::record::RecordConfig;

use crate::support::Dice;

/// One action of a match, or its first deal, and what followed from it.
struct Step<'a> {
    before: &'a Game,
    events: &'a [Event],
    after: &'a Game,
}

/// Options of every kind, matches without a cap included.
fn any_options(dice: &mut Dice) -> MatchOptions {
    let mut config = RecordConfig::from(&dice.options());
    if dice.one_in(3) {
        config.target = 5 * (1 + dice.below(200) as u32);
    }
    if dice.one_in(4) {
        config.max_hands = 0;
    }
    config.options().unwrap()
}

/// Plays a random match and shows every step of it; one action in `resign_one_in` is a resignation.
///
/// A match without a cap may never end: it is left after 12 rounds.
fn play_match(dice: &mut Dice, options: MatchOptions, resign_one_in: usize, mut look: impl FnMut(&Step<'_>)) {
    let fairness = dice.fairness();
    let mut events = Vec::new();
    let mut before = Game::undealt(options, fairness);
    let mut after = Game::start(options, fairness, &mut events);
    loop {
        look(&Step {
            before: &before,
            events: &events,
            after: &after,
        });
        events.clear();
        before = after;
        if before.round_number() >= 12 {
            return;
        }
        let Some((seat, action)) = dice.action(&before, resign_one_in) else {
            return;
        };
        after = before.apply(seat, action, &mut events).unwrap();
    }
}
