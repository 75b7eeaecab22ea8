//! What must be true of every step of a match, one law a function.

use fives_rules::event::{Event, RoundResult};
use fives_rules::game::{Action, Game};
use fives_rules::options::{MatchOptions, Rounding};
use fives_rules::play::{Illegal, Legal};
use fives_rules::seat::{BySeat, BySide, Seat, Side};
use fives_rules::setup::Setup;
use fives_rules::tile::TileSet;

use super::Step;
use crate::support::all_plays;

/// R1: each tile is in one place, and nowhere else.
pub(crate) fn the_28_tiles_are_all_there(game: &Game) {
    let round = game.round();
    let hands = round.hands().0;
    let boneyard: TileSet = round.boneyard().as_slice().iter().copied().collect();
    let places = [round.layout().tiles(), hands[0], hands[1], hands[2], hands[3], boneyard];
    let everywhere = places.iter().fold(TileSet::EMPTY, |all, place| all.or(*place));
    assert_eq!(everywhere.len(), 28);
    let counted: usize = places.iter().map(|place| place.len()).sum();
    assert_eq!(counted, 28);
    assert_eq!(round.boneyard().len(), boneyard.len());
}

/// Law 2.
pub(crate) fn somebody_can_play_or_the_match_is_over(game: &Game) {
    match game.turn() {
        Some(seat) => {
            assert!(game.outcome().is_none() && !game.legal().is_empty());
            assert!(seat.index() < game.options().players().count());
        }
        None => {
            assert!(game.outcome().is_some());
            assert_eq!(game.legal(), Legal::NONE);
        }
    }
}

/// Law 3.
pub(crate) fn folding_the_events_gives_the_state(step: &Step<'_>) {
    let mut folded = *step.before;
    for event in step.events {
        folded.fold(event);
    }
    assert_eq!(folded, *step.after);
}

/// Law 6: what was stored comes back as it was.
pub(crate) fn a_setup_brings_the_game_back(game: &Game) {
    assert_eq!(Game::try_from(&Setup::from(game)), Ok(*game));
}

/// Whoever sits at the table and has not resigned may, until the match is over.
pub(crate) fn exactly_those_who_have_not_resigned_may_resign(game: &Game) {
    for seat in Seat::ALL {
        let mut events = Vec::new();
        let refused = game.apply(seat, Action::Resign, &mut events).err();
        let expected = match game.turn() {
            None => Some(Illegal::MatchOver),
            Some(turn) if !game.options().players().seats().any(|sits| sits == seat) => {
                Some(Illegal::NotYourTurn { turn })
            }
            Some(_) => game.resigned()[seat].then_some(Illegal::AlreadyResigned),
        };
        assert_eq!(refused, expected);
        assert_eq!(refused.is_some(), events.is_empty());
    }
}

/// Every play that words allow is either listed as legal or refused, and a refusal leaves nothing behind.
pub(crate) fn exactly_the_legal_plays_are_accepted(game: &Game) {
    let legal = game.legal();
    let mut accepted = 0;
    for play in all_plays() {
        for seat in Seat::ALL {
            let mut events = Vec::new();
            let applied = game.apply(seat, Action::Play(play), &mut events);
            let may = game.turn() == Some(seat) && legal.contains(play);
            assert_eq!(applied.is_ok(), may, "{play} by {seat:?}");
            assert_eq!(game.check(seat, Action::Play(play)), applied.map(|_| ()));
            match applied {
                Ok(_) => accepted += 1,
                Err(reason) => {
                    assert_eq!(events, []);
                    let late_or_early = matches!(reason, Illegal::MatchOver | Illegal::NotYourTurn { .. });
                    assert_eq!(late_or_early, game.turn() != Some(seat));
                }
            }
        }
    }
    assert_eq!(accepted, legal.len());
    assert_eq!(accepted, legal.iter().count());
}

/// R19, R21, A10, A12 to A14: points go to the side that placed, and what is left costs.
pub(crate) fn scores_add_up(step: &Step<'_>) {
    let options = step.after.options();
    let mut expected = *step.before.scores();
    for event in step.events {
        match *event {
            Event::TilePlayed {
                seat, points, scores, ..
            } => {
                expected[side_of(options, seat)] += i32::from(points);
                assert_eq!(scores, expected);
            }
            Event::RoundEnded {
                result,
                left,
                subtracted,
                scores,
                ..
            } => {
                let settles = matches!(result, RoundResult::Out(_) | RoundResult::Blocked);
                assert_eq!(subtracted, settles.then(|| cost(options, &left)));
                for (score, cost) in expected.0.iter_mut().zip(subtracted.unwrap_or_default().0) {
                    *score -= cost;
                    if settles && options.floor_zero() {
                        *score = (*score).max(0);
                    }
                }
                assert_eq!(scores, expected);
            }
            _ => {}
        }
    }
    assert_eq!(*step.after.scores(), expected);
}

/// Who scores together: opposite seats with partners, else everybody alone (A15).
pub(crate) fn side_of(options: &MatchOptions, seat: Seat) -> Side {
    let sides = options.seating().side_count();
    Side::new((seat.index() % sides) as u8).unwrap()
}

fn cost(options: &MatchOptions, left: &BySeat<TileSet>) -> BySide<i32> {
    let nearest_five = |pips: i32| (f64::from(pips) / 5.0).round() as i32 * 5;
    let mut cost = BySide::default();
    for seat in options.players().seats() {
        let pips = left[seat]
            .iter()
            .map(|tile| i32::from(tile.high().get() + tile.low().get()))
            .sum();
        cost[side_of(options, seat)] += match options.rounding() {
            Rounding::PerHand => nearest_five(pips),
            Rounding::PerSide => pips,
        };
    }
    match options.rounding() {
        Rounding::PerHand => cost,
        Rounding::PerSide => BySide(cost.0.map(nearest_five)),
    }
}
