//! Ten thousand random matches over all options.

use fives_rules::event::{Event, RoundResult};
use fives_rules::game::EndedBy;

use super::{any_options, outcomes, play_match, steps};
use crate::support::Dice;

/// How often each thing that can happen did: a law that was never put to the test proves nothing.
#[derive(Debug, Default)]
struct Tally {
    steps: usize,
    draws: usize,
    passes: usize,
    outs: usize,
    blocks: usize,
    targets: usize,
    round_caps: usize,
    resignations: usize,
    draws_without_winner: usize,
}

impl Tally {
    fn count(&mut self, event: &Event) {
        match event {
            Event::TilesDrawn { .. } => self.draws += 1,
            Event::TurnPassed { .. } => self.passes += 1,
            Event::RoundEnded { result, .. } => match result {
                RoundResult::Out(_) => self.outs += 1,
                RoundResult::Blocked => self.blocks += 1,
                RoundResult::Target { .. } | RoundResult::Resigned => {}
            },
            Event::MatchEnded { outcome, .. } => {
                match outcome.ended_by {
                    EndedBy::Target => self.targets += 1,
                    EndedBy::MaxRounds => self.round_caps += 1,
                    EndedBy::Resignation => self.resignations += 1,
                }
                self.draws_without_winner += usize::from(outcome.winner.is_none());
            }
            Event::RoundStarted { .. } | Event::TilePlayed { .. } | Event::SeatResigned { .. } => {}
        }
    }

    fn least(&self) -> usize {
        let often = [self.steps, self.draws, self.passes, self.outs, self.blocks];
        let ends = [
            self.targets,
            self.round_caps,
            self.resignations,
            self.draws_without_winner,
        ];
        often.into_iter().chain(ends).min().unwrap_or(0)
    }
}

#[test]
fn ten_thousand_random_matches_break_no_law() {
    let mut dice = Dice::new(2);
    let mut tally = Tally::default();
    for number in 0..10_000 {
        let options = any_options(&mut dice);
        let resign_one_in = dice.one_of(&[20, 200, usize::MAX]);
        // Trying all plays at every step is dear: a sample of the matches will do.
        let tries_all_plays = number % 20 == 0;
        play_match(&mut dice, options, resign_one_in, |step| {
            tally.steps += 1;
            step.events.iter().for_each(|event| tally.count(event));
            steps::the_28_tiles_are_all_there(step.after);
            steps::somebody_can_play_or_the_match_is_over(step.after);
            steps::folding_the_events_gives_the_state(step);
            steps::a_setup_brings_the_game_back(step.after);
            steps::scores_add_up(step);
            if outcomes::judge(step).is_none() {
                outcomes::judge_going_on(step);
            }
            if tries_all_plays {
                steps::exactly_the_legal_plays_are_accepted(step.after);
                steps::exactly_those_who_have_not_resigned_may_resign(step.after);
            }
        });
    }
    assert!(tally.least() >= 100, "{tally:?}");
}
