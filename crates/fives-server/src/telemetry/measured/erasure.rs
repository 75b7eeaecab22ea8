//! Erasures, measured.

use fives_lobby::store::{ErasureStore, Unfinished};
use fives_referee::cursor::Cursor;
use fives_referee::erased::{ErasedMark, Rewritten};
use fives_referee::id::{MatchId, PlayerId};
use fives_referee::store::{Committed, StoreError};
use fives_referee::time::UnixMillis;

use super::Measured;

#[tonic::async_trait]
impl ErasureStore for Measured {
    async fn begin_erasure(&self, player: &PlayerId) -> Result<(), StoreError> {
        self.measured("store.begin_erasure", self.store.begin_erasure(player))
            .await
    }

    async fn claim_erasure(&self, for_ms: u64) -> Result<Option<Unfinished>, StoreError> {
        self.measured("store.claim_erasure", self.store.claim_erasure(for_ms))
            .await
    }

    async fn defer_erasure(&self, player: &PlayerId, for_ms: u64) -> Result<(), StoreError> {
        self.measured("store.defer_erasure", self.store.defer_erasure(player, for_ms))
            .await
    }

    async fn end_erasure(&self, player: &PlayerId) -> Result<(), StoreError> {
        self.measured("store.end_erasure", self.store.end_erasure(player)).await
    }

    async fn erased(&self, since: UnixMillis, limit: usize) -> Result<Vec<(UnixMillis, ErasedMark)>, StoreError> {
        self.measured("store.erased", self.store.erased(since, limit)).await
    }

    async fn drop_marks(&self, before: UnixMillis) -> Result<(), StoreError> {
        self.measured("store.drop_marks", self.store.drop_marks(before)).await
    }

    async fn remove_player(&self, player: &PlayerId) -> Result<(), StoreError> {
        self.measured("store.remove_player", self.store.remove_player(player))
            .await
    }

    async fn drop_lists(&self, player: &PlayerId) -> Result<(), StoreError> {
        self.measured("store.drop_lists", self.store.drop_lists(player)).await
    }

    async fn left(&self, player: &PlayerId) -> Result<Vec<MatchId>, StoreError> {
        self.measured("store.left", self.store.left(player)).await
    }

    async fn rewrite(&self, expected: Cursor, history: &Rewritten) -> Result<Committed, StoreError> {
        self.measured("store.rewrite", self.store.rewrite(expected, history))
            .await
    }
}
