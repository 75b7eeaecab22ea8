//! Matches to keep, made without a referee: everything follows from a number, so that a sample is the same every time.

use std::sync::Arc;

use fives_bots::BotKind;
use fives_referee::audit::Operator;
use fives_referee::batch::{Author, Batch, NewTable, Spectators, TableEvent, Visibility};
use fives_referee::clock::TurnClock;
use fives_referee::command::{Command, Intervention};
use fives_referee::cursor::Cursor;
use fives_referee::error::Refusal;
use fives_referee::id::{InviteCode, MatchId, PlayerId};
use fives_referee::player::{DeviceHash, DisplayName, Player};
use fives_referee::request::{Fingerprint, RequestId};
use fives_referee::table::{Occupant, Table};
use fives_referee::time::UnixMillis;
use fives_rules::deal::{Entropy, Master};
use fives_rules::game::Action;
use fives_rules::options::MatchOptions;
use fives_rules::seat::{Players, Seat};
use fives_rules::view::{View, Viewer};

/// When the matches here are created, by their number: one a minute.
const FIRST_CREATION: u64 = 1_790_000_000_000;

/// How long an action takes here, in milliseconds.
const ACTION_MS: u64 = 1_500;

/// A state of a match, and the batch that made it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Made {
    /// The state.
    pub table: Arc<Table>,
    /// How it came about.
    pub batch: Batch,
}

/// What a match here is made with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Terms {
    /// Who sits where; as many as the options have players.
    pub occupants: Vec<Occupant>,
    /// What it is played with.
    pub options: MatchOptions,
    /// Who may find it.
    pub visibility: Visibility,
    /// Whether strangers may watch.
    pub spectators: Spectators,
    /// How long a person may think.
    pub clock: Option<TurnClock>,
    /// Whether its result counts for ratings.
    pub ranked: bool,
}

impl Terms {
    /// A public match for these, with the default options; there must be two to four of them.
    #[must_use]
    pub fn of(occupants: &[Occupant]) -> Self {
        Self {
            occupants: occupants.to_vec(),
            options: MatchOptions::all_fives(Players::new(occupants.len()).unwrap_or(Players::Two)),
            visibility: Visibility::Public,
            spectators: Spectators::UNDELAYED,
            clock: None,
            ranked: false,
        }
    }

    /// The same, but with a clock.
    #[must_use]
    pub fn timed(self, clock: TurnClock) -> Self {
        Self {
            clock: Some(clock),
            ..self
        }
    }

    /// The same, but for ratings.
    #[must_use]
    pub fn ranked(self) -> Self {
        Self { ranked: true, ..self }
    }

    /// The same, but private, with the code of this number.
    #[must_use]
    pub fn private(self, number: u64) -> Self {
        Self {
            visibility: Visibility::Private(code(number)),
            ..self
        }
    }

    /// The same, but with nobody watching.
    #[must_use]
    pub fn unwatched(self) -> Self {
        Self {
            spectators: Spectators::Forbidden,
            ..self
        }
    }
}

/// The person of this number, seated.
#[must_use]
pub fn person(number: u64) -> Occupant {
    Occupant::Person {
        player: player_id(number),
        name: player(number).name,
    }
}

/// The person of this number, with a device.
#[must_use]
pub fn player(number: u64) -> Player {
    let name = DisplayName::new(&format!("Žofie {number}"));
    Player {
        id: player_id(number),
        // A number is at most 20 characters.
        name: name.unwrap_or_else(|_| unreachable!("a short name of letters and digits")),
        device: Some(DeviceHash(bytes(b"device", number))),
        created_at: UnixMillis(FIRST_CREATION),
    }
}

/// The id of the person of this number.
#[must_use]
pub fn player_id(number: u64) -> PlayerId {
    PlayerId::from_bytes(Fingerprint::of(&[b"player", &number.to_be_bytes()]).0)
}

/// The id of the match of this number.
#[must_use]
pub fn match_id(number: u64) -> MatchId {
    MatchId::from_bytes(Fingerprint::of(&[b"match", &number.to_be_bytes()]).0)
}

/// The invite code of this number.
#[must_use]
pub fn code(number: u64) -> InviteCode {
    InviteCode::from_random(number.to_be_bytes())
}

/// 32 bytes that follow from a number, other ones for each purpose.
fn bytes(purpose: &[u8], number: u64) -> [u8; 32] {
    let half = |which: u8| Fingerprint::of(&[purpose, &[which], &number.to_be_bytes()]).0;
    let mut bytes = [0; 32];
    bytes[..16].copy_from_slice(&half(0));
    bytes[16..].copy_from_slice(&half(1));
    bytes
}

/// A person who acts under this request id, which must be one.
#[must_use]
pub fn author(player: PlayerId, seat: Option<Seat>, request: &str) -> Author {
    Author::Player {
        player,
        seat,
        request: RequestId::new(request).unwrap_or_else(|_| unreachable!("`{request}` is a request id")),
        fingerprint: Fingerprint::of(&[request.as_bytes()]),
    }
}

/// Creates the match of this number; the person of number 0 does it.
#[must_use]
pub fn create(number: u64, terms: &Terms) -> Made {
    let creator = player_id(0);
    let new = NewTable {
        id: match_id(number),
        creator,
        options: terms.options,
        visibility: terms.visibility,
        spectators: terms.spectators,
        clock: terms.clock,
        ranked: terms.ranked,
        master: Master::new(bytes(b"master", number)),
        occupants: terms.occupants.clone(),
    };
    let author = author(creator, None, "create");
    let batch = Batch {
        cursor: Cursor {
            revision: 1,
            stamp: stamp(&new.id, 1, &author),
        },
        at: UnixMillis(FIRST_CREATION + 60_000 * number),
        author,
        next_due: None,
        events: vec![TableEvent::Created(Box::new(new))],
        traced: None,
    };
    let begin = |batch: &Batch| Table::begin(batch).unwrap_or_else(|| unreachable!("the batch creates a table"));
    let events = begin(&batch).with_start(batch.events.clone());
    let batch = Batch { events, ..batch };
    with_due(begin(&batch), batch)
}

/// The next state of a match, after these events.
#[must_use]
pub fn next(table: &Table, author: Author, events: Vec<TableEvent>) -> Made {
    let revision = table.cursor.revision + 1;
    let batch = Batch {
        cursor: Cursor {
            revision,
            stamp: stamp(&table.id, revision, &author),
        },
        at: table.changed_at.plus_ms(ACTION_MS),
        author,
        next_due: None,
        events,
        traced: None,
    };
    let mut table = table.clone();
    table.fold(&batch);
    with_due(table, batch)
}

/// The next state after a command of the person of this number; the request is named after the revision.
///
/// # Errors
/// Why the table refuses it.
pub fn command(table: &Table, number: u64, command: &Command) -> Result<Made, Refusal> {
    let player = player_id(number);
    let events = table.decide(&player, command)?;
    let request = format!("request-{}-{}", number, table.cursor.revision);
    Ok(next(table, author(player, table.seat_of(&player), &request), events))
}

/// The command of the person of this number to sit down, with something added to the deals.
#[must_use]
pub fn join(number: u64) -> Command {
    Command::Join {
        seat: None,
        entropy: Entropy::new(&bytes(b"entropy", number)).unwrap_or_default(),
        code: None,
        name: player(number).name,
    }
}

/// The next state after whoever is on turn has played as the greedy bot would; `None` if nobody is on turn.
#[must_use]
pub fn play(table: &Table) -> Option<Made> {
    let game = table.game()?;
    let seat = game.turn()?;
    let revision = table.cursor.revision + 1;
    let mut stream = game.fairness().bot_stream(seat, revision);
    let play = BotKind::Greedy.decide(&View::of(game, Viewer::Seat(seat)), &mut stream)?;
    let author = match table.chairs.get(seat.index()).map(|chair| &chair.occupant) {
        Some(Occupant::Person { player, .. }) if !table.is_kept(seat) => {
            author(*player, Some(seat), &format!("play-{revision}"))
        }
        _ => Author::Bot(seat),
    };
    let events = table.act(seat, Action::Play(play)).ok()?;
    Some(next(table, author, events))
}

/// The next state after the clock of whoever is on turn has run out; `None` if none runs.
#[must_use]
pub fn time_out(table: &Table) -> Option<Made> {
    let seat = table.timed_seat()?;
    Some(next(table, Author::Clock(seat), table.time_out().ok()?))
}

/// The whole match of this number, from its creation to the last play.
pub fn whole(number: u64, terms: &Terms) -> impl Iterator<Item = Made> {
    std::iter::successors(Some(create(number, terms)), |made| play(&made.table))
}

/// The next state after an administrator called `anna` has done this.
///
/// # Errors
/// Why the table refuses it.
pub fn intervene(table: &Table, intervention: Intervention) -> Result<Made, Refusal> {
    let events = table.intervene(intervention)?;
    Ok(next(table, Author::Admin(operator()), events))
}

fn operator() -> Operator {
    Operator::new("anna").unwrap_or_else(|_| unreachable!("a short name of letters"))
}

/// A table that waits for a bot is due when it was made, one with a clock when it runs out.
fn with_due(mut table: Table, mut batch: Batch) -> Made {
    batch.next_due = table.due_from(batch.at, 0);
    table.next_due = batch.next_due;
    Made {
        table: Arc::new(table),
        batch,
    }
}

/// Another one for each author and revision, as the random ones of a referee are.
fn stamp(id: &MatchId, revision: u64, author: &Author) -> u64 {
    let author = match author {
        Author::Player { request, .. } => request.as_str(),
        Author::Bot(_) => "",
        Author::Clock(_) => "clock",
        Author::Admin(operator) => operator.as_str(),
    };
    let hash = Fingerprint::of(&[id.as_bytes(), &revision.to_be_bytes(), author.as_bytes()]).0;
    hash.iter().fold(0, |stamp: u64, byte| stamp << 4 ^ u64::from(*byte))
}
