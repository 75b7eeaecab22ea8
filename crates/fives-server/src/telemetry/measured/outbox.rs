//! What is to be told of matches, measured.

use fives_lobby::store::{Backlog, DeadLetter, Errand, OutboxStore, Parcel};
use fives_referee::notice::{Lane, NoticeId};
use fives_referee::store::StoreError;
use fives_referee::time::UnixMillis;

use super::Measured;

#[tonic::async_trait]
impl OutboxStore for Measured {
    async fn errands(&self, lane: Lane, now: UnixMillis, limit: usize) -> Result<Vec<Errand>, StoreError> {
        self.measured("store.errands", self.store.errands(lane, now, limit))
            .await
    }

    async fn take_errand(&self, lane: Lane, errand: Errand, until: UnixMillis) -> Result<Option<Parcel>, StoreError> {
        self.measured("store.take_errand", self.store.take_errand(lane, errand, until))
            .await
    }

    async fn settle_notice(&self, lane: Lane, id: &NoticeId) -> Result<bool, StoreError> {
        self.measured("store.settle_notice", self.store.settle_notice(lane, id))
            .await
    }

    async fn postpone_notice(&self, lane: Lane, id: &NoticeId, at: UnixMillis, tries: u32) -> Result<bool, StoreError> {
        let postponed = self.store.postpone_notice(lane, id, at, tries);
        self.measured("store.postpone_notice", postponed).await
    }

    async fn bury_notice(&self, letter: &DeadLetter) -> Result<bool, StoreError> {
        self.measured("store.bury_notice", self.store.bury_notice(letter)).await
    }

    async fn dead_letters(&self, limit: usize) -> Result<Vec<DeadLetter>, StoreError> {
        self.measured("store.dead_letters", self.store.dead_letters(limit))
            .await
    }

    async fn dead_letter_count(&self) -> Result<u64, StoreError> {
        self.measured("store.dead_letter_count", self.store.dead_letter_count())
            .await
    }

    async fn revive_dead_letter(&self, id: &NoticeId, now: UnixMillis) -> Result<bool, StoreError> {
        self.measured("store.revive_dead_letter", self.store.revive_dead_letter(id, now))
            .await
    }

    async fn drop_dead_letter(&self, id: &NoticeId) -> Result<(), StoreError> {
        self.measured("store.drop_dead_letter", self.store.drop_dead_letter(id))
            .await
    }

    async fn backlog(&self, lane: Lane) -> Result<Backlog, StoreError> {
        self.measured("store.backlog", self.store.backlog(lane)).await
    }
}
