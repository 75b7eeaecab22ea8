//! Why something around a table was not done: a refusal (the caller's to mend), a table that refused, or a store that failed.

use fives_referee::store::StoreError;
use thiserror::Error;

/// Everything that can come of a call instead of its answer.
#[derive(Debug, Error)]
pub enum Error {
    /// The caller asked for something that cannot be; nothing has changed.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// What a table, or the roster, says.
    #[error(transparent)]
    Table(#[from] fives_referee::error::Error),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why a request is refused. Nothing has changed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Refusal {
    /// No queue has this name.
    #[error("there is no such queue")]
    QueueNotFound,
    /// Somebody named a partner where nobody has one.
    #[error("nobody has a partner in this queue")]
    QueueHasNoPartners,
    /// Somebody named themselves.
    #[error("a partner is somebody else")]
    PartnerIsSelf,
    /// The player waits in this queue, with another partner or with none.
    #[error("you wait in this queue already, with another partner or with none: leave it first")]
    AlreadyQueued,
    /// The player's match is being made.
    #[error("your match is being made: it is too late to leave the queue")]
    MatchBeingMade,
    /// The player has no place on a leaderboard yet.
    #[error("no place on this leaderboard: {matches} rated matches so far, and {needed} are needed")]
    NotRanked {
        /// How many rated matches the player has finished.
        matches: u64,
        /// How many it takes to be listed.
        needed: u64,
    },
    /// The match is over for so long that only its record is left.
    #[error("the match is over, and only its record is left: ask for its replay")]
    Archived,
    /// No dead letter of this name, or not any more.
    #[error("there is no such dead letter")]
    DeadLetterNotFound,
    /// The identity is another player's, for good.
    #[error("this identity belongs to another player here")]
    IdentityLinked,
    /// The player has an identity of this issuer.
    #[error("you are linked to another identity of this issuer")]
    PlayerLinked,
}

impl From<fives_referee::error::Refusal> for Error {
    fn from(refusal: fives_referee::error::Refusal) -> Self {
        Self::Table(refusal.into())
    }
}
