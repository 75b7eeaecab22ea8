//! Real tables and what happened at them, in the words of the wire.

use std::sync::Arc;

use fives_referee::batch::TableEvent;
use fives_referee::cursor::Cursor;
use fives_referee::feed::{Encoded, Update};
use fives_referee::player::Player;
use fives_referee::presence::Connection;
use fives_referee::referee::Answer;
use fives_referee::time::UnixMillis;
use fives_referee::view::{MatchView, SeenBatch};
use fives_rules::event::Event;
use fives_rules::game::{Action, Game};
use fives_rules::record::{Record, Recorder, SeedLabel};
use fives_rules::view::Viewer;
use fives_wire::v1::event::Kind;
use fives_wire::{encode, v1};

use crate::support::{ANNA, BELA, CREATED_AT, Log, MATCH, code, created, finished, name, person, push, seat, started};

fn views(log: &Log, viewer: Viewer) -> Vec<v1::MatchView> {
    log.iter()
        .map(|(_, table)| encode::match_view(&MatchView::of(table, viewer, true)))
        .collect()
}

fn events(log: &Log, viewer: Viewer) -> Vec<Kind> {
    log.iter()
        .flat_map(|(batch, table)| encode::batch(&SeenBatch::of(batch, &table.options, viewer)).events)
        .map(|event| event.kind.unwrap())
        .collect()
}

#[test]
fn a_table_that_waits() {
    let view = views(&created(), Viewer::Seat(seat(0))).remove(0);
    assert_eq!(view.match_id, MATCH.to_string());
    assert_eq!(
        view.cursor,
        Some(v1::Cursor {
            revision: 1,
            stamp: 1000
        })
    );
    assert_eq!(
        (view.state(), view.visibility()),
        (v1::MatchState::Open, v1::MatchVisibility::Private)
    );
    assert_eq!(view.invite_code, code().to_string());
    assert_eq!(view.creator_player_id, ANNA.to_string());
    let created_at = view.create_time.unwrap();
    assert_eq!((created_at.seconds, created_at.nanos), (1_800_000_000, 123_000_000));
    assert_eq!((view.spectators_allowed, view.spectator_delay_revisions), (true, 2));
    assert_eq!(view.spectator_delay_s, 5);
    assert_eq!((view.viewer_seat, view.scores.as_slice()), (Some(0), &[0, 0, 0][..]));
    assert_eq!(
        (view.commitment.len(), view.round, view.revealed_seed, view.outcome),
        (32, None, None, None)
    );
    assert!(view.master.is_empty());
    let seats: Vec<(u32, u32, &str, v1::BotKind)> = view
        .seats
        .iter()
        .map(|seat| (seat.seat, seat.side, seat.display_name.as_str(), seat.bot_kind()))
        .collect();
    let nobody = v1::BotKind::Unspecified;
    assert_eq!(
        seats,
        [
            (0, 0, "anna", nobody),
            (1, 1, "", nobody),
            (2, 2, "", v1::BotKind::Random)
        ]
    );
    assert_eq!(view.options.unwrap().target_points, Some(30));
}

#[test]
fn a_table_that_has_started() {
    let log = started();
    let game = log[1].1.game().unwrap();
    let turn = game.turn().unwrap();
    for viewer in [Viewer::Seat(seat(0)), Viewer::Seat(seat(1)), Viewer::Spectator] {
        let view = views(&log, viewer).remove(1);
        let round = view.round.unwrap();
        assert_eq!(
            (view.state, view.viewer_seat),
            (v1::MatchState::Live.into(), viewer.seat().map(|s| s.index() as u32))
        );
        assert_eq!(round.seat_on_turn, Some(turn.index() as u32));
        assert_eq!((round.round, round.starter), (0, turn.index() as u32));
        assert_eq!((round.boneyard_count, round.total, round.commitment.len()), (7, 0, 32));
        assert!(round.layout.is_empty() && round.open_ends.is_empty());
        let hand: Vec<v1::Tile> = viewer
            .seat()
            .map(|seat| game.round().hands()[seat].iter().map(encode::tile).collect())
            .unwrap_or_default();
        assert_eq!(round.hand, hand, "own tiles, high to low");
        assert_eq!(
            round.legal_plays.is_empty(),
            viewer != Viewer::Seat(turn),
            "only for the seat on turn"
        );
        assert_eq!(
            view.seats.iter().map(|seat| seat.tile_count).collect::<Vec<_>>(),
            [7, 7, 7]
        );
        assert_eq!(&view.seats[1].entropy[..], b"bela");
    }
}

#[test]
fn every_tile_of_a_layout_is_there_with_its_ends() {
    let mut with_arm = 0;
    for lot in 0..6 {
        for (_, table) in finished(lot) {
            let view = encode::match_view(&MatchView::of(&table, Viewer::Spectator, false));
            let Some(round) = view.round else { continue };
            let layout = table.game().unwrap().round().layout();
            assert_eq!(round.layout.len(), layout.len());
            assert_eq!(round.total, u32::from(layout.total()));
            let counted: u32 = round.open_ends.iter().filter_map(|end| end.counted).sum();
            assert_eq!(counted, round.total, "the ends add up");
            for placed in &round.layout {
                let tile = placed.tile.unwrap();
                assert!(tile.high >= tile.low && placed.branch() != v1::Branch::Unspecified);
                assert_eq!(placed.crosswise, tile.high == tile.low);
                assert!([tile.high, tile.low].contains(&placed.outward_pip));
            }
            let is_lead = |placed: &v1::PlacedTile| placed.end() == v1::End::Unspecified;
            assert!(
                round
                    .layout
                    .iter()
                    .enumerate()
                    .all(|(at, placed)| is_lead(placed) == (at == 0))
            );
            assert!(round.layout.iter().filter(|placed| placed.spinner).count() <= 1);
            with_arm += usize::from(round.open_ends.iter().any(|end| end.counted.is_none()));
        }
    }
    assert!(with_arm > 0, "arms that have not begun count nothing");
}

#[test]
fn a_match_that_is_over() {
    let log = finished(0);
    let (_, table) = log.last().unwrap();
    let view = views(&log, Viewer::Spectator).pop().unwrap();
    let outcome = table.game().unwrap().outcome().unwrap();
    assert_eq!(view.state(), v1::MatchState::Finished);
    assert_eq!(&view.master[..], [42; 32], "the master is revealed");
    assert_eq!(view.revealed_seed.unwrap().seed.len(), 32);
    assert_eq!(view.round.unwrap().seat_on_turn, None);
    let told = view.outcome.unwrap();
    assert_eq!(told.ended_by(), v1::EndedBy::Target);
    assert_eq!(told.winner_side, outcome.winner.map(|side| side.index() as u32));
    assert_eq!(told.ranks.len(), 3);
    assert_eq!(told.ranks[told.winner_side.unwrap() as usize], 1);

    let summary = encode::match_summary(&MatchView::of(table, Viewer::Spectator, false));
    assert_eq!(summary.seat_on_turn, None);
    assert_eq!(
        (summary.state(), summary.scores),
        (v1::MatchState::Finished, view.scores)
    );
    assert_eq!(summary.round, Some(table.game().unwrap().round_number()));
}

#[test]
fn a_log_tells_the_whole_match_to_each_viewer() {
    let log = finished(2);
    let table = &log.last().unwrap().1;
    let told = events(&log, Viewer::Seat(seat(0)));
    assert!(matches!(&told[0], Kind::MatchCreated(made) if made.seats.len() == 3 && made.commitment.len() == 32));
    assert!(matches!(&told[1], Kind::SeatTaken(taken) if taken.player_id == BELA.to_string() && taken.seat == 1));
    assert_eq!(told[2], Kind::MatchStarted(v1::MatchStarted {}));
    assert!(matches!(&told[3], Kind::RoundStarted(round) if round.hand.len() == 7 && round.tile_counts == [7, 7, 7]));
    assert!(matches!(told.last(), Some(Kind::MatchEnded(ended)) if ended.master[..] == [42; 32]));

    let mut scores = Vec::new();
    for kind in &told {
        match kind {
            Kind::TilePlayed(played) => {
                let counted: u32 = played.counted_ends.iter().map(|end| end.counted).sum();
                assert_eq!(counted, played.total);
                assert_eq!(played.points, if counted.is_multiple_of(5) { counted } else { 0 });
                scores.clone_from(&played.scores);
            }
            Kind::RoundEnded(round) => {
                assert_eq!((round.hands_left.len(), round.seed.len()), (3, 32));
                assert_eq!(round.subtracted.is_empty(), round.result() == v1::RoundResult::Target);
                scores.clone_from(&round.scores);
            }
            Kind::TilesDrawn(drawn) => {
                let shown = if drawn.seat == 0 { drawn.count as usize } else { 0 };
                assert_eq!(drawn.tiles.len(), shown, "own tiles only");
            }
            _ => {}
        }
    }
    let view = encode::match_view(&MatchView::of(table, Viewer::Spectator, false));
    assert_eq!(scores, view.scores);
    let strangers = events(&log, Viewer::Spectator);
    assert_eq!(strangers.len(), told.len(), "redacted, never dropped");
}

#[test]
fn who_gives_up_is_followed_by_a_bot() {
    let mut log = started();
    let resigned = log[1].1.act(seat(1), Action::Resign).unwrap();
    push(&mut log, person(BELA, 1, "resign"), resigned);
    let greedy = v1::BotKind::Greedy.into();
    let told = events(&log, Viewer::Spectator);
    assert_eq!(
        told.last(),
        Some(&Kind::SeatResigned(v1::SeatResigned {
            seat: 1,
            bot_kind: greedy
        }))
    );
    let seat_view = views(&log, Viewer::Spectator).pop().unwrap().seats.remove(1);
    assert_eq!((seat_view.resigned, seat_view.bot_kind), (true, greedy));
    assert_eq!(seat_view.display_name, "bela", "the seat is still hers");

    let resigned = log[2].1.act(seat(0), Action::Resign).unwrap();
    push(&mut log, person(ANNA, 0, "give-up"), resigned);
    let told = events(&log, Viewer::Spectator);
    let last: Vec<&Kind> = told.iter().rev().take(3).collect();
    let unspecified = v1::BotKind::Unspecified.into();
    match last.as_slice() {
        [
            Kind::MatchEnded(ended),
            Kind::RoundEnded(round),
            Kind::SeatResigned(resigned),
        ] => {
            assert_eq!(ended.outcome.as_ref().unwrap().ended_by(), v1::EndedBy::Resignation);
            assert_eq!((round.result(), round.subtracted.len()), (v1::RoundResult::Resigned, 0));
            assert_eq!(
                *resigned,
                v1::SeatResigned {
                    seat: 0,
                    bot_kind: unspecified
                }
            );
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_table_that_is_given_up() {
    let mut log = created();
    let left = TableEvent::SeatLeft {
        seat: seat(0),
        player: ANNA,
    };
    push(&mut log, person(ANNA, 0, "leave"), vec![left, TableEvent::Closed]);
    let told = events(&log, Viewer::Spectator);
    let player_id = ANNA.to_string();
    assert_eq!(
        told[1..],
        [
            Kind::SeatLeft(v1::SeatLeft { seat: 0, player_id }),
            Kind::MatchClosed(v1::MatchClosed {})
        ]
    );
    assert_eq!(views(&log, Viewer::Spectator)[1].state(), v1::MatchState::Closed);
}

#[test]
fn what_a_stream_brings() {
    use v1::match_update::Update as Kind;
    let log = started();
    let (batch, table) = &log[1];
    let view = Arc::new(MatchView::of(table, Viewer::Spectator, false));
    let batches: Arc<[SeenBatch]> = Arc::new([SeenBatch::of(batch, &table.options, Viewer::Spectator)]);
    let snapshot = Update::Snapshot {
        view: Arc::clone(&view),
        reset: true,
    };
    let expected = v1::Snapshot {
        view: Some(encode::match_view(&view)),
        reset: true,
    };
    assert_eq!(encode::update(&snapshot).update, Some(Kind::Snapshot(expected)));
    let revisions = Update::Revisions {
        batches: Arc::clone(&batches),
        view: Arc::clone(&view),
        encoded: Encoded::default(),
    };
    let expected = v1::Revisions {
        batches: vec![encode::batch(&batches[0])],
        view: Some(encode::match_view(&view)),
    };
    assert_eq!(encode::update(&revisions).update, Some(Kind::Revisions(expected)));
    for _ in ["the first who gets it", "the next one"] {
        let sent = encode::envelope(&revisions).open().expect("an update");
        assert_eq!(sent, Some(encode::update(&revisions)));
    }
    let heartbeat = Update::Heartbeat {
        cursor: Cursor { revision: 9, stamp: 8 },
        now: UnixMillis(1001),
        timer: None,
        connections: [Connection::Connected, Connection::Nobody, Connection::Left].into(),
    };
    let server_time = Some(prost_types::Timestamp {
        seconds: 1,
        nanos: 1_000_000,
    });
    let expected = v1::Heartbeat {
        cursor: Some(v1::Cursor { revision: 9, stamp: 8 }),
        server_time,
        turn_timer: None,
        connections: vec![1, 0, 3],
    };
    assert_eq!(encode::update(&heartbeat).update, Some(Kind::Heartbeat(expected)));
}

#[test]
fn answers_show_the_revision_and_the_match() {
    let log = started();
    let viewer = Viewer::Seat(seat(1));
    let answer = Answer {
        batch: SeenBatch::of(&log[1].0, &log[1].1.options, viewer),
        view: MatchView::of(&log[1].1, viewer, true),
    };
    let joined = encode::join_match(&answer);
    assert_eq!(
        joined.cursor,
        Some(v1::Cursor {
            revision: 2,
            stamp: 2000
        })
    );
    let batch = joined.batch.unwrap();
    assert_eq!((batch.request_id.as_str(), batch.seat), ("join", Some(1)));
    assert_eq!(batch.time, Some(encode::timestamp(UnixMillis(CREATED_AT + 1))));
    assert_eq!(joined.view, encode::create_match(&answer).view);
    for cursor in [
        encode::leave_match(&answer.batch).cursor,
        encode::play_tile(&answer.batch).cursor,
        encode::resign(&answer.batch).cursor,
        encode::reclaim_seat(&answer.batch).cursor,
    ] {
        assert_eq!(cursor, joined.cursor);
    }
}

#[test]
fn people_and_times() {
    let player = Player {
        id: ANNA,
        name: name("anna"),
        device: None,
        created_at: UnixMillis(0),
    };
    let expected = v1::Player {
        player_id: ANNA.to_string(),
        display_name: "anna".into(),
    };
    assert_eq!(encode::player(&player), expected);
    let never = encode::timestamp(UnixMillis(u64::MAX));
    assert!(never.seconds > 0 && (0..1_000_000_000).contains(&never.nanos));
}

#[test]
fn a_record_is_one_line_that_reads_back() {
    let log = finished(3);
    let table = &log.last().unwrap().1;
    let mut recorder = Recorder::new(Game::undealt(table.options, table.fairness()));
    let game_events = log
        .iter()
        .flat_map(|(batch, _)| &batch.events)
        .filter_map(|event| match event {
            TableEvent::Game(event) => Some(event),
            _ => None,
        });
    game_events.for_each(|event: &Event| recorder.push(event));
    let record = recorder
        .finish(SeedLabel::Text(MATCH.to_string()), "person,person,random".into())
        .unwrap();
    let written = encode::replay(&record).unwrap().record_json;
    assert!(!written.contains('\n'));
    assert_eq!(serde_json::from_str::<Record>(&written).unwrap(), record);
}
