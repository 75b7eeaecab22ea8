//! What is kept of matches that are over, measured.

use fives_lobby::archive::Archived;
use fives_lobby::store::{ArchiveStore, Change};
use fives_referee::id::{MatchId, PlayerId};
use fives_referee::listing::ListPosition;
use fives_referee::store::{Created, StoreError};
use fives_rules::record::Record;

use super::Measured;

#[tonic::async_trait]
impl ArchiveStore for Measured {
    async fn archive(&self, archived: &Archived, record: Option<&Record>) -> Result<Created, StoreError> {
        self.measured("store.archive", self.store.archive(archived, record))
            .await
    }

    async fn archived(&self, id: &MatchId) -> Result<Option<Archived>, StoreError> {
        self.measured("store.archived", self.store.archived(id)).await
    }

    async fn archived_record(&self, id: &MatchId) -> Result<Option<Record>, StoreError> {
        self.measured("store.archived_record", self.store.archived_record(id))
            .await
    }

    async fn played(
        &self,
        player: &PlayerId,
        after: Option<ListPosition>,
        limit: usize,
    ) -> Result<Vec<(ListPosition, Option<Archived>)>, StoreError> {
        self.measured("store.played", self.store.played(player, after, limit))
            .await
    }

    async fn change_archived(&self, id: &MatchId, change: Change<'_>) -> Result<bool, StoreError> {
        self.measured("store.change_archived", self.store.change_archived(id, change))
            .await
    }
}
