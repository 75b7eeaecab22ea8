//! What is kept of matches that are over.

use async_trait::async_trait;
use fives_referee::id::{MatchId, PlayerId};
use fives_referee::listing::ListPosition;
use fives_referee::store::{Created, StoreError};
use fives_rules::record::Record;

use crate::archive::Archived;

/// Makes something else of what is archived of a match. May be asked several times for one change.
pub type Change<'a> = &'a (dyn Fn(Archived) -> Archived + Send + Sync);

/// Keeps archived matches, for as long as the store is told, and who played them.
#[async_trait]
pub trait ArchiveStore: Send + Sync + 'static {
    /// Keeps a match in the archive, durably before it answers; and before that its place in the history of everybody
    /// to whom it leads, so that what is archived of a person is always found. Says `Exists`, and keeps what is there, if it is archived already;
    /// the places are made good all the same, for whoever was interrupted.
    ///
    /// # Errors
    /// [`StoreError`]; [`StoreError::Unconfirmed`] if it is perhaps kept.
    async fn archive(&self, archived: &Archived, record: Option<&Record>) -> Result<Created, StoreError>;

    /// What is archived of a match, but for its record.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn archived(&self, id: &MatchId) -> Result<Option<Archived>, StoreError>;

    /// The record of an archived match; `None` also where there is none of it.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn archived_record(&self, id: &MatchId) -> Result<Option<Record>, StoreError>;

    /// At most `limit` places in the history of a person, the newest match first, those behind `after` only; each with its match,
    /// unless that is not archived yet or not any more.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn played(
        &self,
        player: &PlayerId,
        after: Option<ListPosition>,
        limit: usize,
    ) -> Result<Vec<(ListPosition, Option<Archived>)>, StoreError>;

    /// Changes what is archived of a match in one atomic step, durably before it answers; false if it is not there. The record stays.
    ///
    /// # Errors
    /// [`StoreError`]; [`StoreError::Unconfirmed`] if it is perhaps changed.
    async fn change_archived(&self, id: &MatchId, change: Change<'_>) -> Result<bool, StoreError>;
}
