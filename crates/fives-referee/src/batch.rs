//! The log of a match: one batch a revision, with everything that followed from one action (law 1).

use fives_rules::deal::{Entropy, Master};
use fives_rules::event::Event;
use fives_rules::options::MatchOptions;
use fives_rules::seat::Seat;

use crate::audit::Operator;
use crate::clock::TurnClock;
use crate::cursor::Cursor;
use crate::id::{InviteCode, MatchId, PlayerId};
use crate::invite::InviteEvent;
use crate::player::DisplayName;
use crate::request::{Fingerprint, RequestId};
use crate::table::Occupant;
use crate::time::UnixMillis;
use crate::trace::TraceParent;

/// One revision.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Batch {
    /// The state after it.
    pub cursor: Cursor,
    /// When it was made.
    pub at: UnixMillis,
    /// Whose action it was.
    pub author: Author,
    /// When the table will act by itself; `None` if it waits for a person, or for nobody any more.
    pub next_due: Option<UnixMillis>,
    /// What happened, in order; never empty.
    pub events: Vec<TableEvent>,
    /// The call that made it, if that is traced.
    pub traced: Option<TraceParent>,
}

/// Whose action made a revision.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Author {
    /// A person, by a request.
    Player {
        /// Who.
        player: PlayerId,
        /// The person's seat, if there is one.
        seat: Option<Seat>,
        /// Under which id.
        request: RequestId,
        /// For what.
        fingerprint: Fingerprint,
    },
    /// The bot that plays this seat.
    Bot(Seat),
    /// The clock of this seat, which has run out.
    Clock(Seat),
    /// An administrator.
    Admin(Operator),
    /// The service itself: a queue has found everybody.
    House,
}

impl Author {
    /// The seat that acted, if one did.
    #[must_use]
    pub const fn seat(&self) -> Option<Seat> {
        match self {
            Self::Player { seat, .. } => *seat,
            Self::Bot(seat) | Self::Clock(seat) => Some(*seat),
            Self::Admin(_) | Self::House => None,
        }
    }
}

/// One thing that happened at a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TableEvent {
    /// The table was made; always the first event of revision 1.
    Created(Box<NewTable>),
    /// A person sat down.
    SeatTaken {
        /// Where.
        seat: Seat,
        /// Who.
        player: PlayerId,
        /// What the person is called now.
        name: DisplayName,
        /// What the person adds to the deals.
        entropy: Entropy,
    },
    /// A person stood up before the start.
    SeatLeft {
        /// From where.
        seat: Seat,
        /// Who.
        player: PlayerId,
    },
    /// All seats are taken; the first deal follows.
    Started,
    /// The table was given up before the start.
    Closed,
    /// An administrator ended the match without a result.
    Voided {
        /// What all its deals followed from.
        master: Master,
    },
    /// A person did not play in time; what a bot plays instead follows, or a resignation.
    TurnTimedOut {
        /// In which seat.
        seat: Seat,
        /// How many turns in a row the person has missed now.
        missed_turns: u8,
    },
    /// A person has missed too many turns: a bot plays the seat until the person takes it back.
    SeatKeptByBot {
        /// Which.
        seat: Seat,
    },
    /// A person has taken the seat back from the bot.
    SeatReclaimed {
        /// Which.
        seat: Seat,
    },
    /// A turn waits for a person who is not there; at most once a turn.
    TurnWaiting {
        /// In which seat.
        seat: Seat,
    },
    /// Something happened to an invite.
    Invite(InviteEvent),
    /// Something happened in the game.
    Game(Event),
}

/// What a table begins with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewTable {
    /// The match.
    pub id: MatchId,
    /// Who made it.
    pub creator: PlayerId,
    /// What it is played with.
    pub options: MatchOptions,
    /// Who may find it.
    pub visibility: Visibility,
    /// Whether strangers may watch, and how far behind.
    pub spectators: Spectators,
    /// How long a person may think; `None` for as long as they like.
    pub clock: Option<TurnClock>,
    /// Whether its result counts for ratings: only a queue makes such matches.
    pub ranked: bool,
    /// What its deals follow from.
    pub master: Master,
    /// Who sits where from the beginning; as many as the options have players.
    pub occupants: Vec<Occupant>,
}

/// Who may find a match, and sit down at it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Visibility {
    /// Listed; anybody may sit down.
    Public,
    /// Not listed; only the code opens it.
    Private(InviteCode),
}

/// Whether strangers may watch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spectators {
    /// They may not.
    Forbidden,
    /// They may, behind while the match is live: they see a revision when both delays allow it.
    Allowed {
        /// By how many revisions (0 to [`Spectators::MAX_DELAY_REVISIONS`]).
        delay_revisions: u16,
        /// By how much time, in milliseconds (0 to [`Spectators::MAX_DELAY_MS`]).
        delay_ms: u32,
    },
}

impl Spectators {
    /// The longest delay by revisions.
    pub const MAX_DELAY_REVISIONS: u16 = 1000;
    /// The longest delay by time, in milliseconds: an hour.
    pub const MAX_DELAY_MS: u32 = 60 * 60 * 1000;
    /// Whoever may watch, of what the moment brings.
    pub const UNDELAYED: Self = Self::Allowed {
        delay_revisions: 0,
        delay_ms: 0,
    };

    /// Whether those who watch are behind.
    #[must_use]
    pub const fn is_delayed(&self) -> bool {
        match self {
            Self::Forbidden => false,
            Self::Allowed {
                delay_revisions,
                delay_ms,
            } => *delay_revisions > 0 || *delay_ms > 0,
        }
    }
}
