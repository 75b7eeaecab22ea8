//! What each viewer saw of one short match, to the byte: one file a viewer in `tests/goldens`.
//!
//! Rewritten with `UPDATE_GOLDENS=1`, and read in review.

use std::fmt::Write;
use std::fs;

use fives_bots::BotKind;
use fives_referee::batch::{Author, Batch, NewTable, Spectators, TableEvent, Visibility};
use fives_referee::cursor::Cursor;
use fives_referee::id::{InviteCode, MatchId, PlayerId};
use fives_referee::player::DisplayName;
use fives_referee::request::{Fingerprint, RequestId};
use fives_referee::table::{Occupant, Table};
use fives_referee::time::UnixMillis;
use fives_referee::view::{MatchView, SeenBatch};
use fives_rules::deal::{Entropy, Master};
use fives_rules::game::Action;
use fives_rules::options::OptionChoices;
use fives_rules::seat::{Players, Seat};
use fives_rules::view::Viewer;

use crate::harness::workspace;

/// A match whose every random thing is chosen: the log of it, and the table after each revision.
fn short_match() -> Vec<(Batch, Table)> {
    let choices = OptionChoices {
        target_points: Some(30),
        ..OptionChoices::default()
    };
    let anna = PlayerId::from_bytes([1; 16]);
    let name = |text| DisplayName::new(text).expect("a name");
    let new = NewTable {
        id: MatchId::from_bytes([7; 16]),
        creator: anna,
        options: choices.resolve(Players::Three).expect("possible options"),
        visibility: Visibility::Private(InviteCode::from_random([1, 2, 3, 4, 5, 6, 7, 8])),
        spectators: Spectators::UNDELAYED,
        clock: None,
        ranked: false,
        master: Master::new([42; 32]),
        occupants: vec![
            Occupant::Person {
                player: anna,
                name: name("anna"),
            },
            Occupant::Open,
            Occupant::Bot(BotKind::Greedy),
        ],
    };
    let person = |player, seat, request: &str| Author::Player {
        player,
        seat: Seat::new(seat),
        request: RequestId::new(request).expect("an id"),
        fingerprint: Fingerprint([0; 16]),
    };
    let first = batch(1, person(anna, 0, "create"), vec![TableEvent::Created(Box::new(new))]);
    let mut table = Table::begin(&first).expect("a table");
    let mut log = vec![(first, table.clone())];

    let bela = PlayerId::from_bytes([2; 16]);
    let seat = Seat::new(1).expect("a seat");
    let entropy = Entropy::new(b"bela").expect("short");
    let taken = TableEvent::SeatTaken {
        seat,
        player: bela,
        name: name("bela"),
        entropy,
    };
    let events = table.with_start(vec![taken]);
    log.push(next(&mut table, person(bela, 1, "join"), events));
    while let Some(turn) = table.game().and_then(|game| game.turn()) {
        let game = table.game().expect("a game");
        let play = game.legal().iter().next().expect("a decision waits");
        let events = table.act(turn, Action::Play(play)).expect("a legal play");
        let author = match turn.index() {
            0 => person(anna, 0, "play"),
            1 => person(bela, 1, "play"),
            _ => Author::Bot(turn),
        };
        log.push(next(&mut table, author, events));
    }
    log
}

fn batch(revision: u64, author: Author, events: Vec<TableEvent>) -> Batch {
    let at = UnixMillis(1_800_000_000_000 + revision);
    Batch {
        cursor: Cursor {
            revision,
            stamp: revision * 1000,
        },
        at,
        author,
        next_due: None,
        events,
        traced: None,
    }
}

fn next(table: &mut Table, author: Author, events: Vec<TableEvent>) -> (Batch, Table) {
    let batch = batch(table.cursor.revision + 1, author, events);
    table.fold(&batch);
    (batch, table.clone())
}

/// All that a viewer is sent, in the words of the wire.
fn seen_by(log: &[(Batch, Table)], viewer: Viewer) -> String {
    let mut text = String::new();
    for (batch, table) in log {
        let batch = fives_wire::encode::batch(&SeenBatch::of(batch, &table.options, viewer));
        let view = fives_wire::encode::match_view(&MatchView::of(table, viewer, viewer != Viewer::Spectator));
        writeln!(text, "{batch:#?}\n{view:#?}").expect("text grows");
    }
    text
}

#[test]
fn each_viewer_sees_what_the_goldens_say() {
    let log = short_match();
    let seats = Players::Three
        .seats()
        .map(|seat| (format!("seat-{seat}"), Viewer::Seat(seat)));
    for (name, viewer) in seats.chain([("spectator".to_owned(), Viewer::Spectator)]) {
        let path = workspace().join(format!("tests/goldens/{name}.txt"));
        let seen = seen_by(&log, viewer);
        if std::env::var_os("UPDATE_GOLDENS").is_some() {
            fs::write(&path, &seen).expect("the golden can be written");
        }
        let golden = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let first_difference = seen
            .lines()
            .zip(golden.lines())
            .enumerate()
            .find(|(_, (seen, golden))| seen != golden);
        assert_eq!(
            first_difference, None,
            "{name}: the first line that differs (seen, golden)"
        );
        assert_eq!(seen.lines().count(), golden.lines().count(), "{name}");
    }
}
