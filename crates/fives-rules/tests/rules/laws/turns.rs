//! Every turn of random matches against the plain referee.

use fives_rules::event::Event;

use super::plain_round::PlainRound;
use super::{any_options, play_match};
use crate::support::Dice;

#[test]
fn a_plain_referee_finds_no_fault_in_random_matches() {
    let mut dice = Dice::new(1);
    for _ in 0..2000 {
        let options = any_options(&mut dice);
        let mut round: Option<PlainRound> = None;
        play_match(&mut dice, options, 100, |step| {
            for event in step.events {
                if let Event::RoundStarted { deck, starter, .. } = event {
                    round = Some(PlainRound::deal(options, deck, *starter));
                }
                round.as_mut().expect("a match begins with a deal").observe(event);
            }
            if step.after.turn().is_some() {
                round.as_ref().expect("it was dealt").compare(step.after);
            }
        });
    }
}
