//! Why something was not done: a refusal (the caller's to mend), or a store that failed (the service's).

use fives_rules::play::Illegal;
use fives_rules::seat::Seat;
use fives_rules::view::ScoredPlay;
use thiserror::Error;

use crate::cursor::Cursor;
use crate::store::StoreError;

/// Everything that can come of a call instead of its answer.
#[derive(Debug, Error)]
pub enum Error {
    /// The caller asked for something that cannot be; nothing has changed.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why a request is refused. Nothing has changed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Refusal {
    /// No such match, or not any more.
    #[error("there is no such match")]
    MatchNotFound,
    /// No such player.
    #[error("there is no such player")]
    PlayerNotFound,
    /// A new player needs a name.
    #[error("a new player needs a name")]
    NameRequired,
    /// No match has this code.
    #[error("no match has this invite code")]
    InviteNotFound,
    /// The invite's time is over.
    #[error("the invite has expired")]
    InviteExpired,
    /// The invite was used as often as it may be.
    #[error("the invite is used up")]
    InviteUsedUp,
    /// The match has as many invites as one may have.
    #[error("the match has had {most} invites: it cannot have more")]
    TooManyInvites {
        /// How many one may have.
        most: usize,
    },
    /// A private match, and its code was not given.
    #[error("the match is private: its invite code is needed")]
    InviteRequired,
    /// Strangers may not watch this match.
    #[error("the match allows no spectators")]
    SpectatorsNotAllowed,
    /// The player has no seat here.
    #[error("you have no seat at this match")]
    NotSeated,
    /// The player has a seat here already.
    #[error("you have seat {seat} of this match already")]
    AlreadySeated {
        /// Which.
        seat: Seat,
    },
    /// Somebody has that seat.
    #[error("seat {seat} is taken")]
    SeatTaken {
        /// Which.
        seat: Seat,
    },
    /// The match has no such seat.
    #[error("the match has no seat {seat}")]
    NoSuchSeat {
        /// Which.
        seat: Seat,
    },
    /// The match has not started.
    #[error("the match has not started")]
    NotStarted,
    /// The match has started.
    #[error("the match has started")]
    AlreadyStarted,
    /// The match is over.
    #[error("the match is over")]
    Over,
    /// The match was closed before it started, or voided.
    #[error("the match was closed: it has no result")]
    Closed,
    /// The match is not over.
    #[error("the match is not over")]
    NotFinished,
    /// The seat's player has resigned.
    #[error("the player of the seat has resigned: a bot plays it")]
    Resigned,
    /// No bot keeps the player's seat.
    #[error("no bot keeps your seat: it is yours")]
    SeatNotKept,
    /// The play is for a round that is not the current one.
    #[error("round {current} is being played")]
    OldRound {
        /// The current one.
        current: u32,
    },
    /// Another seat is on turn.
    #[error("it is the turn of seat {turn}")]
    NotYourTurn {
        /// The seat on turn.
        turn: Seat,
    },
    /// The rules refuse the play.
    #[error("{reason}")]
    IllegalPlay {
        /// Why.
        reason: Illegal,
        /// What would be legal.
        legal: Vec<ScoredPlay>,
    },
    /// The match is not where the caller thought.
    #[error("the match is at revision {}", current.revision)]
    StaleCursor {
        /// Where it is.
        current: Cursor,
    },
    /// Others were faster, several times.
    #[error("others changed the match each time this was tried: try again")]
    Conflict,
    /// The request id stands for something else.
    #[error("the request id was used for something else")]
    RequestIdReused,
    /// The creator asked for more than one seat.
    #[error("one person takes one seat")]
    TwoSeatsForOne,
    /// As many tables of the creator wait for players as one may have.
    #[error("you have {most} tables that wait for players: leave one first")]
    TooManyTables {
        /// How many one may have.
        most: usize,
    },
    /// There are not as many seats as players.
    #[error("there must be as many seats as players")]
    WrongSeatCount,
}
