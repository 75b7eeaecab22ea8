//! Why something was not done: a refusal of the lobby or of a table (the caller's to mend), or a store that failed (the service's).

use fives_referee::store::StoreError;
use thiserror::Error;

/// Everything that can come of a call instead of its answer.
#[derive(Debug, Error)]
pub enum Error {
    /// The caller asked for something that cannot be; nothing has changed.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// A table refused it, or its store failed.
    #[error(transparent)]
    Table(#[from] fives_referee::error::Error),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why a request is refused. Nothing has changed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Refusal {
    /// The match is over for so long that only its record is left.
    #[error("the match is over, and only its record is left: ask for its replay")]
    Archived,
    /// No dead letter of this name, or not any more.
    #[error("there is no such dead letter")]
    DeadLetterNotFound,
}
