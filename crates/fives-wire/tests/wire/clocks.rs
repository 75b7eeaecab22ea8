//! Tables with a clock, in the words of the wire.

use std::sync::Arc;

use fives_referee::batch::{Author, NewTable, Spectators, TableEvent};
use fives_referee::clock::{AfterMisses, ClockFace, TurnClock};
use fives_referee::table::{Occupant, Table};
use fives_referee::time::{Outage, UnixMillis};
use fives_referee::view::{MatchView, SeenBatch};
use fives_rules::view::Viewer;
use fives_wire::v1::event::Kind;
use fives_wire::{encode, v1};

use crate::support::{ANNA, BELA, CREATED_AT, Log, batch, name, new_table, person, push, seat, viewers};

/// A match of two people and a bot, dealt at once, in which nobody on turn ever plays in time.
fn absent(spectators: Spectators, after_misses: AfterMisses) -> Log {
    let sits = |player, text| Occupant::Person {
        player,
        name: name(text),
    };
    let mut new = NewTable {
        spectators,
        clock: Some(TurnClock {
            turn_time_ms: 10_000,
            missed_turns_max: 2,
            after_misses,
        }),
        ..new_table()
    };
    new.occupants[0] = sits(ANNA, "anna");
    new.occupants[1] = sits(BELA, "bela");
    let mut first = batch(1, person(ANNA, 0, "create"), vec![TableEvent::Created(Box::new(new))]);
    first.events = Table::begin(&first).unwrap().with_start(first.events);
    let table = Table::begin(&first).unwrap();
    let mut log = vec![(first, table)];
    for _ in 0..9 {
        let table = &log.last().unwrap().1;
        let (author, events) = match (table.timed_seat(), table.bot_play()) {
            (Some(seat), _) => (Author::Clock(seat), table.time_out().unwrap()),
            (None, Some((seat, play))) => {
                let play = fives_rules::game::Action::Play(play);
                (Author::Bot(seat), table.act(seat, play).unwrap())
            }
            (None, None) => break,
        };
        push(&mut log, author, events);
    }
    log
}

fn face(now: u64, outages: &[Outage]) -> ClockFace {
    ClockFace {
        now: UnixMillis(now),
        outages: Arc::from(outages),
    }
}

fn shown(table: &Table, viewer: Viewer, face: &ClockFace) -> v1::MatchView {
    encode::match_view(&MatchView::of(table, viewer, false).with_timer(table.timer(viewer, face)))
}

#[test]
fn who_is_on_turn_and_how_much_time_is_left() {
    let undelayed = Spectators::UNDELAYED;
    for (_, table) in absent(undelayed, AfterMisses::BotKeepsSeat) {
        let turn = table.game().unwrap().turn().unwrap();
        let began_at = table.changed_at.0;
        let away = Outage {
            from: UnixMillis(began_at + 1_000),
            to: UnixMillis(began_at + 61_000),
        };
        for viewer in viewers(&table.options) {
            for (now, outages, deadline, remaining_ms) in [
                (began_at + 1, &[][..], began_at + 10_000, 9_999),
                (began_at + 70_000, &[], began_at + 10_000, 0),
                (began_at + 61_500, &[away], began_at + 70_000, 8_500),
            ] {
                let view = shown(&table, viewer, &face(now, outages));
                let clock = view.turn_clock.unwrap();
                assert_eq!((clock.turn_time_ms, clock.missed_turns_max), (10_000, 2));
                let expected = v1::TurnTimer {
                    seat: turn.index() as u32,
                    server_time: Some(encode::timestamp(UnixMillis(now))),
                    deadline: Some(encode::timestamp(UnixMillis(deadline))),
                    remaining_ms,
                };
                let person_is_on_turn = table.bot_of(turn).is_none();
                assert_eq!(view.turn_timer, person_is_on_turn.then_some(expected), "{viewer:?}");
            }
        }
    }
}

/// Who is held back sees another time as well.
#[test]
fn delayed_spectators_are_not_told_the_time() {
    let delays = [(1, 0), (0, 1_000)].map(|(delay_revisions, delay_ms)| Spectators::Allowed {
        delay_revisions,
        delay_ms,
    });
    let mut told = 0;
    let tables = delays.map(|delayed| absent(delayed, AfterMisses::BotKeepsSeat));
    for (_, table) in tables.into_iter().flatten() {
        let face = face(CREATED_AT, &[]);
        assert_eq!(shown(&table, Viewer::Spectator, &face).turn_timer, None);
        told += usize::from(shown(&table, Viewer::Seat(seat(0)), &face).turn_timer.is_some());
    }
    assert!(told > 0);
}

#[test]
fn missed_turns_and_the_bot_that_keeps_a_seat() {
    let log = absent(Spectators::Forbidden, AfterMisses::BotKeepsSeat);
    let told: Vec<Kind> = log
        .iter()
        .flat_map(|(batch, table)| encode::batch(&SeenBatch::of(batch, &table.options, Viewer::Seat(seat(0)))).events)
        .map(|event| event.kind.unwrap())
        .collect();
    assert!(matches!(&told[0], Kind::MatchCreated(made) if made.turn_clock.unwrap().turn_time_ms == 10_000));
    for missed in [(0, 1), (1, 1), (0, 2), (1, 2)] {
        let (seat, missed_turns) = missed;
        let event = Kind::TurnTimedOut(v1::TurnTimedOut { seat, missed_turns });
        assert_eq!(told.iter().filter(|kind| **kind == event).count(), 1, "{missed:?}");
    }
    for seat in [0, 1] {
        let event = Kind::SeatKeptByBot(v1::SeatKeptByBot {
            seat,
            bot_kind: v1::BotKind::Greedy.into(),
        });
        assert_eq!(told.iter().filter(|kind| **kind == event).count(), 1, "{seat}");
    }
    let view = shown(&log.last().unwrap().1, Viewer::Spectator, &face(CREATED_AT, &[]));
    let seats: Vec<_> = view
        .seats
        .iter()
        .map(|seat| {
            (
                seat.missed_turns,
                seat.kept_by_bot,
                seat.bot_kind(),
                seat.display_name.as_str(),
            )
        })
        .collect();
    let (greedy, random) = (v1::BotKind::Greedy, v1::BotKind::Random);
    assert_eq!(
        seats,
        [
            (2, true, greedy, "anna"),
            (2, true, greedy, "bela"),
            (0, false, random, "")
        ]
    );

    let reclaimed = TableEvent::SeatReclaimed { seat: seat(1) };
    let mut log = log;
    push(&mut log, person(BELA, 1, "back"), vec![reclaimed]);
    let (batch, table) = log.last().unwrap();
    let told = encode::batch(&SeenBatch::of(batch, &table.options, Viewer::Spectator)).events;
    assert_eq!(told[0].kind, Some(Kind::SeatReclaimed(v1::SeatReclaimed { seat: 1 })));
    let seat_view = shown(table, Viewer::Spectator, &face(CREATED_AT, &[])).seats.remove(1);
    assert_eq!((seat_view.missed_turns, seat_view.kept_by_bot), (0, false));
}

#[test]
fn a_seat_that_is_forfeited() {
    let log = absent(Spectators::Forbidden, AfterMisses::Forfeit);
    let kinds = |log: &Log| -> Vec<Kind> {
        let (batch, table) = log.last().unwrap();
        let seen = encode::batch(&SeenBatch::of(batch, &table.options, Viewer::Spectator));
        seen.events.into_iter().map(|event| event.kind.unwrap()).collect()
    };
    let view = shown(&log.last().unwrap().1, Viewer::Spectator, &face(CREATED_AT, &[]));
    assert_eq!(
        view.turn_clock.unwrap().missed_turns_policy(),
        v1::MissedTurnsPolicy::Forfeit
    );
    assert_eq!((view.state(), view.turn_timer), (v1::MatchState::Finished, None));
    match kinds(&log).as_slice() {
        [
            Kind::TurnTimedOut(missed),
            Kind::SeatResigned(resigned),
            Kind::RoundEnded(_),
            Kind::MatchEnded(ended),
        ] => {
            assert_eq!((missed.missed_turns, missed.seat), (2, resigned.seat));
            assert_eq!(ended.outcome.as_ref().unwrap().ended_by(), v1::EndedBy::Resignation);
        }
        other => panic!("{other:?}"),
    }
}
