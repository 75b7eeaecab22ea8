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
