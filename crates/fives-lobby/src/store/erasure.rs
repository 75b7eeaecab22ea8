//! What a store must do so that a person can be erased, whatever happens meanwhile.

use async_trait::async_trait;
use fives_referee::cursor::Cursor;
use fives_referee::erased::{ErasedMark, Rewritten};
use fives_referee::id::{MatchId, PlayerId};
use fives_referee::store::{Committed, StoreError};
use fives_referee::time::UnixMillis;

/// An erasure that is not finished.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unfinished {
    /// Who is erased.
    pub player: PlayerId,
    /// When it was asked for.
    pub begun_at: UnixMillis,
}

/// Keeps who is being erased, and by whose tokens nobody comes in any more.
#[async_trait]
pub trait ErasureStore: Send + Sync + 'static {
    /// Keeps that a person is to be erased, and the mark of one who is, in one atomic step and durably before it answers. Nothing
    /// changes if that is under way already.
    ///
    /// # Errors
    /// [`StoreError`]; [`StoreError::Unconfirmed`] if it is perhaps kept.
    async fn begin_erasure(&self, player: &PlayerId) -> Result<(), StoreError>;

    /// An erasure that is not finished and that nobody has claimed; it is claimed for `for_ms` then.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn claim_erasure(&self, for_ms: u64) -> Result<Option<Unfinished>, StoreError>;

    /// Has an erasure rest for so long before it can be claimed again.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn defer_erasure(&self, player: &PlayerId, for_ms: u64) -> Result<(), StoreError>;

    /// Forgets an erasure that is finished; the mark stays.
    ///
    /// # Errors
    /// [`StoreError`]; [`StoreError::Unconfirmed`] if it is perhaps forgotten.
    async fn end_erasure(&self, player: &PlayerId) -> Result<(), StoreError>;

    /// At most `limit` marks of persons who were erased at `since` or later, oldest first, with when that was.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn erased(&self, since: UnixMillis, limit: usize) -> Result<Vec<(UnixMillis, ErasedMark)>, StoreError>;

    /// Lets go of the marks of those who were erased before this: no token of theirs is valid any more.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn drop_marks(&self, before: UnixMillis) -> Result<(), StoreError>;

    /// Removes a person and the device that leads there. Nothing happens if they are gone.
    ///
    /// # Errors
    /// [`StoreError`]; [`StoreError::Unconfirmed`] if it is perhaps done.
    async fn remove_player(&self, player: &PlayerId) -> Result<(), StoreError>;

    /// Removes the lists of a person's matches: whoever needs them to find something has done so before.
    ///
    /// # Errors
    /// [`StoreError`]; [`StoreError::Unconfirmed`] if it is perhaps done.
    async fn drop_lists(&self, player: &PlayerId) -> Result<(), StoreError>;

    /// The matches at whose tables a person stood up before the start, as far as they are kept: no list has them any more.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn left(&self, player: &PlayerId) -> Result<Vec<MatchId>, StoreError>;

    /// If the match is at `expected`: puts another history in the place of its own, snapshot and log in one atomic step and durably
    /// before it answers. How long it is kept does not change.
    ///
    /// # Errors
    /// [`StoreError`]; [`StoreError::Unconfirmed`] if it is perhaps done.
    async fn rewrite(&self, expected: Cursor, history: &Rewritten) -> Result<Committed, StoreError>;
}
