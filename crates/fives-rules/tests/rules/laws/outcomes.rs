//! How matches may end, and who is ahead then.

use fives_rules::event::{Event, RoundResult, StarterReason};
use fives_rules::game::{EndedBy, Game, Outcome};
use fives_rules::options::WinCheck;
use fives_rules::seat::{Seat, Side};

use super::Step;
use super::steps::side_of;

/// The end of the match that a step brought, if it brought one; everything about it is judged.
pub(crate) fn judge(step: &Step<'_>) -> Option<EndedBy> {
    let outcome = step.after.outcome()?;
    ranks_follow_from_scores(step.after, outcome);
    let Some(Event::MatchEnded { outcome: told, master }) = step.events.last() else {
        panic!("the last event of a match is its end");
    };
    assert_eq!(told, outcome);
    assert_eq!(
        *master,
        step.after.fairness().master,
        "however a match ends, its seeds are revealed"
    );
    let (result, settled) = last_round(step.events);
    let (game, options) = (step.after, step.after.options());
    let best = sides(game).map(|side| game.scores()[side]).max().unwrap();
    match outcome.ended_by {
        EndedBy::Target if options.win_check() == WinCheck::Immediate => {
            assert!(matches!(result, RoundResult::Target { .. }));
            assert!(!settled && best >= options.target_points());
        }
        EndedBy::Target => {
            assert!(settled && best >= options.target_points());
            assert_eq!(
                sides(game).filter(|&side| game.scores()[side] == best).count(),
                1,
                "A11"
            );
        }
        EndedBy::MaxRounds => {
            assert!(settled);
            assert_eq!(Some(game.round_number() + 1), options.max_rounds().map(|cap| cap.get()));
        }
        EndedBy::Resignation => {
            assert_eq!(result, RoundResult::Resigned);
            assert!(!settled);
            let left: Vec<Side> = sides(game).filter(|&side| !has_resigned(game, side)).collect();
            assert_eq!(outcome.winner.as_slice(), left);
        }
    }
    Some(outcome.ended_by)
}

/// A10, R9, A18: while the match goes on, no side is at a target that would have ended it, and rounds begin as they should.
pub(crate) fn judge_going_on(step: &Step<'_>) {
    let (game, options) = (step.after, step.after.options());
    if options.win_check() == WinCheck::Immediate {
        assert!(sides(game).all(|side| game.scores()[side] < options.target_points()));
    }
    for pair in step.events.windows(2) {
        if let [
            Event::RoundEnded {
                round: ended,
                result,
                seed,
                ..
            },
            Event::RoundStarted {
                round, starter, reason, ..
            },
        ] = pair
        {
            assert_eq!(*round, ended + 1);
            assert_eq!(*seed, game.fairness().seed(options.players(), *ended));
            match result.out_seat() {
                Some(out) => assert_eq!((*starter, *reason), (out, StarterReason::Out)),
                None => assert_eq!(*reason, StarterReason::Random),
            }
        }
    }
}

fn last_round(events: &[Event]) -> (RoundResult, bool) {
    let ends: Vec<_> = events
        .iter()
        .filter_map(|event| match event {
            Event::RoundEnded { result, subtracted, .. } => Some((*result, subtracted.is_some())),
            _ => None,
        })
        .collect();
    assert_eq!(ends.len(), 1);
    ends[0]
}

/// Who resigned ranks after everybody who did not; otherwise more points rank higher, and equal points alike.
fn ranks_follow_from_scores(game: &Game, outcome: &Outcome) {
    let key = |side| (has_resigned(game, side), -game.scores()[side]);
    let mut order: Vec<_> = sides(game).map(key).collect();
    order.sort_unstable();
    for side in sides(game) {
        let place = order.iter().position(|&other| other == key(side)).unwrap();
        assert_eq!(usize::from(outcome.ranks[side]), place + 1);
    }
    let first: Vec<Side> = sides(game).filter(|&side| outcome.ranks[side] == 1).collect();
    match outcome.winner {
        Some(winner) => assert_eq!(first, [winner]),
        None => assert!(first.len() > 1),
    }
    let unused = game.options().seating().side_count()..;
    assert!(outcome.ranks.0[unused].iter().all(|&rank| rank == 0));
}

fn sides(game: &Game) -> impl Iterator<Item = Side> {
    game.options().seating().sides()
}

fn has_resigned(game: &Game, side: Side) -> bool {
    Seat::ALL
        .into_iter()
        .filter(|&seat| game.resigned()[seat])
        .any(|seat| side_of(game.options(), seat) == side)
}
