//! What several modules need: whole requests, and tables that were really played at.

use fives_bots::BotKind;
use fives_referee::batch::{Author, Batch, NewTable, Spectators, TableEvent, Visibility};
use fives_referee::cursor::Cursor;
use fives_referee::id::{InviteCode, MatchId, PlayerId};
use fives_referee::player::DisplayName;
use fives_referee::request::{Fingerprint, RequestId};
use fives_referee::table::{Occupant, Table};
use fives_referee::time::UnixMillis;
use fives_rules::deal::{Entropy, Master, Stream};
use fives_rules::game::Action;
use fives_rules::options::{MatchOptions, OptionChoices};
use fives_rules::seat::{Players, Seat};
use fives_rules::view::Viewer;
use fives_wire::v1;

pub(crate) const ANNA: PlayerId = PlayerId::from_bytes([1; 16]);
pub(crate) const BELA: PlayerId = PlayerId::from_bytes([2; 16]);
pub(crate) const MATCH: MatchId = MatchId::from_bytes([7; 16]);
pub(crate) const CREATED_AT: u64 = 1_800_000_000_123;

pub(crate) fn seat(index: u8) -> Seat {
    Seat::new(index).unwrap()
}

pub(crate) fn name(text: &str) -> DisplayName {
    DisplayName::new(text).unwrap()
}

pub(crate) fn code() -> InviteCode {
    InviteCode::from_random([1, 2, 3, 4, 5, 6, 7, 8])
}

/// Whoever can look at a match of `options`.
pub(crate) fn viewers(options: &MatchOptions) -> Vec<Viewer> {
    let seats = options.players().seats().map(Viewer::Seat);
    seats.chain([Viewer::Spectator]).collect()
}

/// A private match of a person, an open seat and a bot that ends after few plays.
pub(crate) fn new_table() -> NewTable {
    let choices = OptionChoices {
        target_points: Some(30),
        ..OptionChoices::default()
    };
    NewTable {
        id: MATCH,
        creator: ANNA,
        options: choices.resolve(Players::Three).unwrap(),
        visibility: Visibility::Private(code()),
        spectators: Spectators::Allowed {
            delay_revisions: 2,
            delay_ms: 5_000,
        },
        clock: None,
        ranked: false,
        master: Master::new([42; 32]),
        occupants: vec![
            Occupant::Person {
                player: ANNA,
                name: name("anna"),
            },
            Occupant::Open,
            Occupant::Bot(BotKind::Random),
        ],
    }
}

pub(crate) fn person(player: PlayerId, at: u8, request: &str) -> Author {
    Author::Player {
        player,
        seat: Seat::new(at),
        request: RequestId::new(request).unwrap(),
        fingerprint: Fingerprint([0; 16]),
    }
}

pub(crate) fn batch(revision: u64, author: Author, events: Vec<TableEvent>) -> Batch {
    Batch {
        cursor: Cursor {
            revision,
            stamp: revision * 1000,
        },
        at: UnixMillis(CREATED_AT + revision - 1),
        author,
        next_due: None,
        events,
        traced: None,
    }
}

/// A log and the table after each of its batches.
pub(crate) type Log = Vec<(Batch, Table)>;

/// Only the creation.
pub(crate) fn created() -> Log {
    let first = batch(
        1,
        person(ANNA, 0, "create"),
        vec![TableEvent::Created(Box::new(new_table()))],
    );
    let table = Table::begin(&first).unwrap();
    vec![(first, table)]
}

pub(crate) fn push(log: &mut Log, author: Author, events: Vec<TableEvent>) {
    let mut table = log.last().unwrap().1.clone();
    let batch = batch(table.cursor.revision + 1, author, events);
    table.fold(&batch);
    log.push((batch, table));
}

/// The creation and the second person, with whom the match starts.
pub(crate) fn started() -> Log {
    let mut log = created();
    let taken = TableEvent::SeatTaken {
        seat: seat(1),
        player: BELA,
        name: name("bela"),
        entropy: Entropy::new(b"bela").unwrap(),
    };
    let events = log[0].1.with_start(vec![taken]);
    push(&mut log, person(BELA, 1, "join"), events);
    log
}

/// A whole match, each play by lot; another one for each `lot`.
pub(crate) fn finished(lot: u8) -> Log {
    let mut log = started();
    let mut stream = Stream::new([lot; 32]);
    while let Some(turn) = log.last().unwrap().1.game().unwrap().turn() {
        let table = &log.last().unwrap().1;
        let legal = table.game().unwrap().legal();
        let play = legal.nth(stream.below(legal.len() as u32) as usize).unwrap();
        let events = table.act(turn, Action::Play(play)).unwrap();
        let author = match turn.index() {
            0 => person(ANNA, 0, "play"),
            1 => person(BELA, 1, "play"),
            _ => Author::Bot(turn),
        };
        push(&mut log, author, events);
    }
    log
}

pub(crate) fn create_request() -> v1::CreateMatchRequest {
    use v1::seat_request::{Me, Occupant, Open};
    let seat = |occupant| v1::SeatRequest {
        occupant: Some(occupant),
    };
    v1::CreateMatchRequest {
        request_id: "r1".into(),
        options: None,
        seats: vec![
            seat(Occupant::Me(Me {})),
            seat(Occupant::Open(Open {})),
            seat(Occupant::Bot(v1::BotKind::Greedy.into())),
        ],
        visibility: v1::MatchVisibility::Public.into(),
        spectators_allowed: true,
        spectator_delay_revisions: 3,
        turn_clock: None,
        spectator_delay_s: 20,
    }
}

pub(crate) fn join_request() -> v1::JoinMatchRequest {
    v1::JoinMatchRequest {
        request_id: "r1".into(),
        target: Some(v1::join_match_request::Target::MatchId(MATCH.to_string())),
        seat: Some(1),
        entropy: vec![9; 32].into(),
    }
}

pub(crate) fn play_request() -> v1::PlayTileRequest {
    v1::PlayTileRequest {
        request_id: "r1".into(),
        match_id: MATCH.to_string(),
        round: Some(0),
        play: Some(v1::Play {
            tile: Some(v1::Tile { high: 2, low: 6 }),
            end: v1::End::North.into(),
        }),
        expected_cursor: Some(v1::Cursor { revision: 5, stamp: 6 }),
        validate_only: true,
    }
}

pub(crate) fn list_request() -> v1::ListMatchesRequest {
    v1::ListMatchesRequest {
        scope: v1::MatchScope::Open.into(),
        ..Default::default()
    }
}
