//! Keeping what the people of a finished match say to another one.

use async_trait::async_trait;
use fives_referee::id::MatchId;
use fives_referee::store::StoreError;

use crate::rematch::Rematch;

/// Keeps one record beside each finished match that somebody wants to play again; it goes when the match does.
#[async_trait]
pub trait RematchStore: Send + Sync + 'static {
    /// What is kept beside this match.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn rematch(&self, of: &MatchId) -> Result<Option<Rematch>, StoreError>;

    /// Keeps `rematch` durably before it answers, if the version before its own is there (for the first version: nothing) and so is
    /// the match; false otherwise, and nothing has changed.
    ///
    /// # Errors
    /// [`StoreError`]; [`StoreError::Unconfirmed`] if it is perhaps kept.
    async fn keep_rematch(&self, rematch: &Rematch) -> Result<bool, StoreError>;
}
