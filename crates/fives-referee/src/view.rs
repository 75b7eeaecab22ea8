//! A table, and what happened at it, as one viewer may see it.

use fives_bots::BotKind;
use fives_rules::deal::{Commitment, Entropy};
use fives_rules::event::Event;
use fives_rules::options::MatchOptions;
use fives_rules::seat::Seat;
use fives_rules::view::{SeenEvent, View, Viewer};

use crate::batch::{Author, Batch, Spectators, TableEvent, Visibility};
use crate::clock::{TurnClock, TurnTimer};
use crate::cursor::Cursor;
use crate::id::{InviteCode, MatchId, PlayerId};
use crate::invite::InviteChange;
use crate::player::DisplayName;
use crate::request::RequestId;
use crate::table::{MatchState, Occupant, SUBSTITUTE, Stage, Table};
use crate::time::UnixMillis;

/// A match as one viewer sees it at one revision.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MatchView {
    /// The match.
    pub id: MatchId,
    /// Which state this is.
    pub cursor: Cursor,
    /// How far it has come.
    pub state: MatchState,
    /// What it is played with.
    pub options: MatchOptions,
    /// Whether it needs a code to be found.
    pub private: bool,
    /// The code; only for the seated and the creator.
    pub invite: Option<InviteCode>,
    /// Who made it.
    pub creator: PlayerId,
    /// When.
    pub created_at: UnixMillis,
    /// Whether strangers may watch.
    pub spectators: Spectators,
    /// How long a person may think.
    pub clock: Option<TurnClock>,
    /// Whether its result counts for ratings.
    pub ranked: bool,
    /// How much time is left for the turn, where a clock runs and the view was made to be sent to somebody who may know.
    pub timer: Option<TurnTimer>,
    /// The seats, by number.
    pub seats: Vec<SeatView>,
    /// Through whose eyes.
    pub viewer: Viewer,
    /// What the master was committed to.
    pub commitment: Commitment,
    /// The game, once it has started; gone when the match is voided.
    pub game: Option<View>,
    /// The master, if the match was voided: however a match ends, its seeds are revealed.
    pub voided: Option<[u8; 32]>,
}

/// A seat and who plays it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeatView {
    /// Who has it.
    pub occupant: Occupant,
    /// The bot that plays it: its own, or the one that plays for a person who resigned or has missed too many turns.
    pub bot: Option<BotKind>,
    /// Whether its player has resigned.
    pub resigned: bool,
    /// How many turns in a row its player has missed.
    pub missed_turns: u8,
    /// Whether a bot plays it because its player has missed too many.
    pub kept_by_bot: bool,
    /// What its player added to the deals.
    pub entropy: Entropy,
}

impl MatchView {
    /// What `viewer` may see of `table`. `knows_invite`: whether the viewer is seated or made the table.
    #[must_use]
    pub fn of(table: &Table, viewer: Viewer, knows_invite: bool) -> Self {
        let seats = table.seats().map(|(seat, chair)| SeatView {
            occupant: chair.occupant.clone(),
            bot: table.bot_of(seat),
            resigned: table.has_resigned(seat),
            missed_turns: chair.missed_turns,
            kept_by_bot: chair.kept_by_bot,
            entropy: chair.entropy,
        });
        Self {
            id: table.id,
            cursor: table.cursor,
            state: table.state(),
            options: table.options,
            private: table.visibility != Visibility::Public,
            invite: table.invite().filter(|_| knows_invite),
            creator: table.creator,
            created_at: table.created_at,
            spectators: table.spectators,
            clock: table.clock,
            ranked: table.ranked,
            timer: None,
            seats: seats.collect(),
            viewer,
            commitment: table.commitment(),
            game: table.game().map(|game| View::of(game, viewer)),
            voided: (table.stage == Stage::Voided).then(|| *table.master.reveal()),
        }
    }
}

impl MatchView {
    /// The same view, with how much time is left.
    #[must_use]
    pub fn with_timer(self, timer: Option<TurnTimer>) -> Self {
        Self { timer, ..self }
    }
}

/// A batch of the log as one viewer may see it. Redacted, never dropped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeenBatch {
    /// The state after it.
    pub cursor: Cursor,
    /// When it was made.
    pub at: UnixMillis,
    /// What the match is played with.
    pub options: MatchOptions,
    /// Whose action it was.
    pub seat: Option<Seat>,
    /// Whether an administrator did it.
    pub by_admin: bool,
    /// The request behind it, for its author alone.
    pub request: Option<RequestId>,
    /// What happened.
    pub events: Vec<SeenTableEvent>,
}

/// An event at a table as one viewer may see it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SeenTableEvent {
    /// The table was made.
    Created {
        /// Who made it.
        creator: PlayerId,
        /// Whether it needs a code to be found.
        private: bool,
        /// Whether strangers may watch.
        spectators: Spectators,
        /// How long a person may think.
        clock: Option<TurnClock>,
        /// Whether its result counts for ratings.
        ranked: bool,
        /// Who sits where from the beginning.
        occupants: Vec<Occupant>,
        /// What the master was committed to.
        commitment: Commitment,
    },
    /// A person sat down.
    SeatTaken {
        /// Where.
        seat: Seat,
        /// Who.
        player: PlayerId,
        /// What they are called.
        name: DisplayName,
        /// What they add to the deals.
        entropy: Entropy,
    },
    /// A person stood up.
    SeatLeft {
        /// From where.
        seat: Seat,
        /// Who.
        player: PlayerId,
    },
    /// All seats are taken.
    Started,
    /// The table was given up.
    Closed,
    /// An administrator ended the match without a result.
    Voided {
        /// What all its deals followed from.
        master: [u8; 32],
    },
    /// A person did not play in time.
    TurnTimedOut {
        /// In which seat.
        seat: Seat,
        /// How many turns in a row the person has missed now.
        missed_turns: u8,
    },
    /// A bot plays the seat until its person takes it back.
    SeatKeptByBot {
        /// Which seat.
        seat: Seat,
        /// Who plays it.
        bot: BotKind,
    },
    /// A person has taken the seat back.
    SeatReclaimed {
        /// Which seat.
        seat: Seat,
    },
    /// A turn waits for a person who is not there.
    TurnWaiting {
        /// In which seat.
        seat: Seat,
    },
    /// Something happened to an invite; to which, only those know who can list them.
    Invite(InviteChange),
    /// Something happened in the game.
    Game(SeenEvent),
    /// A player gave up, and a bot plays on unless the match ends with it.
    SeatResigned {
        /// Which seat.
        seat: Seat,
        /// Who plays on.
        bot: Option<BotKind>,
    },
}

impl SeenBatch {
    /// What `viewer` may see of `batch`.
    #[must_use]
    pub fn of(batch: &Batch, options: &MatchOptions, viewer: Viewer) -> Self {
        let ends_match = batch
            .events
            .iter()
            .any(|event| matches!(event, TableEvent::Game(Event::MatchEnded { .. })));
        let seen = |event: &TableEvent| match event {
            TableEvent::Created(new) => SeenTableEvent::Created {
                creator: new.creator,
                private: new.visibility != Visibility::Public,
                spectators: new.spectators,
                clock: new.clock,
                ranked: new.ranked,
                occupants: new.occupants.clone(),
                commitment: new.master.commitment(),
            },
            TableEvent::SeatTaken {
                seat,
                player,
                name,
                entropy,
            } => SeenTableEvent::SeatTaken {
                seat: *seat,
                player: *player,
                name: name.clone(),
                entropy: *entropy,
            },
            TableEvent::SeatLeft { seat, player } => SeenTableEvent::SeatLeft {
                seat: *seat,
                player: *player,
            },
            TableEvent::Started => SeenTableEvent::Started,
            TableEvent::Closed => SeenTableEvent::Closed,
            TableEvent::Voided { master } => SeenTableEvent::Voided {
                master: *master.reveal(),
            },
            TableEvent::TurnTimedOut { seat, missed_turns } => SeenTableEvent::TurnTimedOut {
                seat: *seat,
                missed_turns: *missed_turns,
            },
            TableEvent::SeatKeptByBot { seat } => SeenTableEvent::SeatKeptByBot {
                seat: *seat,
                bot: SUBSTITUTE,
            },
            TableEvent::SeatReclaimed { seat } => SeenTableEvent::SeatReclaimed { seat: *seat },
            TableEvent::TurnWaiting { seat } => SeenTableEvent::TurnWaiting { seat: *seat },
            TableEvent::Invite(event) => SeenTableEvent::Invite(event.change()),
            TableEvent::Game(Event::SeatResigned { seat }) => SeenTableEvent::SeatResigned {
                seat: *seat,
                bot: (!ends_match).then_some(SUBSTITUTE),
            },
            TableEvent::Game(event) => SeenTableEvent::Game(SeenEvent::of(event, options, viewer)),
        };
        let request = match &batch.author {
            Author::Player { seat, request, .. } if viewer.seat().is_some() && *seat == viewer.seat() => {
                Some(request.clone())
            }
            _ => None,
        };
        Self {
            cursor: batch.cursor,
            at: batch.at,
            options: *options,
            seat: batch.author.seat(),
            by_admin: matches!(batch.author, Author::Admin(_)),
            request,
            events: batch.events.iter().map(seen).collect(),
        }
    }
}
