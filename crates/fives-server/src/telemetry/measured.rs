//! A store whose work is timed, counted and, in a call that is traced, seen: every operation by its name and its outcome.

mod archive;
mod erasure;
mod friends;
mod identity;
mod outbox;
mod presence;
mod queue;
mod rating;

use std::sync::Arc;
use std::time::Instant;

use fives_lobby::store::SharedLobbyStore;
use fives_referee::audit::{AuditEntry, AuditRow};
use fives_referee::batch::Batch;
use fives_referee::cursor::Cursor;
use fives_referee::id::{InviteCode, MatchId, PlayerId};
use fives_referee::listing::{ListPosition, Listing};
use fives_referee::player::{DeviceHash, Player};
use fives_referee::store::{
    AdminStore, Bookmark, Committed, Created, Hint, MatchStore, PlayerStore, Repaired, StoreError, Walked,
};
use fives_referee::table::Table;
use fives_referee::time::{Outage, UnixMillis};
use fives_referee::trace::spanned;
use fives_referee::watchers::ProcessId;
use opentelemetry::metrics::{Counter, Histogram};
use opentelemetry::trace::SpanKind;
use opentelemetry::{KeyValue, global};
use tokio::sync::watch;

/// From what memory takes to what nobody waits for, in seconds.
const DURATIONS_S: [f64; 14] = [
    0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5,
];

/// A store and its instruments.
pub(crate) struct Measured {
    store: SharedLobbyStore,
    durations: Histogram<f64>,
    unconfirmed: Counter<u64>,
}

impl Measured {
    pub(crate) fn new(store: SharedLobbyStore) -> Self {
        let meter = global::meter("fives");
        let unconfirmed = meter
            .u64_counter("fives.commits.unconfirmed")
            .with_unit("{commit}")
            .with_description("Writes that are perhaps kept: whoever asked was told to send them again")
            .build();
        // From the beginning: an alarm about the first one needs to see that there was none.
        unconfirmed.add(0, &[]);
        Self {
            store,
            durations: meter
                .f64_histogram("fives.store.operation.duration")
                .with_unit("s")
                .with_description("What the store was asked for, by outcome")
                .with_boundaries(DURATIONS_S.to_vec())
                .build(),
            unconfirmed,
        }
    }

    async fn measured<T>(
        &self,
        span: &'static str,
        work: impl Future<Output = Result<T, StoreError>>,
    ) -> Result<T, StoreError> {
        let begun = Instant::now();
        let outcome = spanned(span, SpanKind::Internal, [], work).await;
        let operation = span.trim_start_matches("store.");
        let labels = [
            KeyValue::new("operation", operation),
            KeyValue::new("outcome", name(&outcome)),
        ];
        self.durations.record(begun.elapsed().as_secs_f64(), &labels);
        if matches!(outcome, Err(StoreError::Unconfirmed(_))) {
            self.unconfirmed.add(1, &[]);
        }
        outcome
    }
}

const fn name<T>(outcome: &Result<T, StoreError>) -> &'static str {
    match outcome {
        Ok(_) => "ok",
        Err(StoreError::Unavailable(_)) => "unavailable",
        Err(StoreError::Unconfirmed(_)) => "unconfirmed",
        Err(StoreError::NewerSchema { .. }) => "newer_schema",
        Err(StoreError::Damaged(_)) => "damaged",
    }
}

#[tonic::async_trait]
impl MatchStore for Measured {
    fn durability(&self) -> &'static str {
        self.store.durability()
    }

    // Asked for with every call and mostly known: not worth a measurement.
    async fn now(&self) -> Result<UnixMillis, StoreError> {
        self.store.now().await
    }

    async fn create(&self, table: &Arc<Table>, batch: &Batch) -> Result<Created, StoreError> {
        self.measured("store.create", self.store.create(table, batch)).await
    }

    async fn load(&self, id: &MatchId) -> Result<Option<Arc<Table>>, StoreError> {
        self.measured("store.load", self.store.load(id)).await
    }

    fn recall(&self, id: &MatchId) -> Option<Arc<Table>> {
        self.store.recall(id)
    }

    async fn commit(&self, expected: Cursor, table: &Arc<Table>, batch: &Batch) -> Result<Committed, StoreError> {
        self.measured("store.commit", self.store.commit(expected, table, batch))
            .await
    }

    async fn confirm(&self, id: &MatchId, at: Cursor) -> Result<bool, StoreError> {
        self.measured("store.confirm", self.store.confirm(id, at)).await
    }

    async fn batches(&self, id: &MatchId, from: u64, limit: usize) -> Result<Vec<Batch>, StoreError> {
        self.measured("store.batches", self.store.batches(id, from, limit))
            .await
    }

    async fn watch(&self, id: &MatchId) -> Result<watch::Receiver<Hint>, StoreError> {
        self.measured("store.watch", self.store.watch(id)).await
    }

    async fn due(&self, now: UnixMillis, limit: usize) -> Result<Vec<MatchId>, StoreError> {
        self.measured("store.due", self.store.due(now, limit)).await
    }

    async fn find_invite(&self, code: &InviteCode) -> Result<Option<MatchId>, StoreError> {
        self.measured("store.find_invite", self.store.find_invite(code)).await
    }

    async fn list(
        &self,
        listing: &Listing,
        after: Option<ListPosition>,
        limit: usize,
    ) -> Result<Vec<ListPosition>, StoreError> {
        self.measured("store.list", self.store.list(listing, after, limit))
            .await
    }

    async fn live_count(&self) -> Result<u64, StoreError> {
        self.measured("store.live_count", self.store.live_count()).await
    }

    async fn expire(&self) -> Result<usize, StoreError> {
        self.measured("store.expire", self.store.expire()).await
    }

    async fn share_watchers(&self, process: ProcessId, counts: &[(MatchId, u64)]) -> Result<(), StoreError> {
        self.measured("store.share_watchers", self.store.share_watchers(process, counts))
            .await
    }

    async fn watchers_elsewhere(&self, process: ProcessId, ids: &[MatchId]) -> Result<Vec<u64>, StoreError> {
        self.measured("store.watchers_elsewhere", self.store.watchers_elsewhere(process, ids))
            .await
    }

    async fn renew_alive(&self, silence_max_ms: u64) -> Result<(), StoreError> {
        self.measured("store.renew_alive", self.store.renew_alive(silence_max_ms))
            .await
    }

    async fn outages(&self, since: UnixMillis) -> Result<Vec<Outage>, StoreError> {
        self.measured("store.outages", self.store.outages(since)).await
    }
}

#[tonic::async_trait]
impl PlayerStore for Measured {
    async fn create_player(&self, player: &Player) -> Result<Created, StoreError> {
        self.measured("store.create_player", self.store.create_player(player))
            .await
    }

    async fn load_player(&self, id: &PlayerId) -> Result<Option<Player>, StoreError> {
        self.measured("store.load_player", self.store.load_player(id)).await
    }

    async fn find_device(&self, device: &DeviceHash) -> Result<Option<PlayerId>, StoreError> {
        self.measured("store.find_device", self.store.find_device(device)).await
    }

    async fn update_player(&self, player: &Player) -> Result<bool, StoreError> {
        self.measured("store.update_player", self.store.update_player(player))
            .await
    }
}

#[tonic::async_trait]
impl AdminStore for Measured {
    async fn append_audit(&self, entry: &AuditEntry) -> Result<(), StoreError> {
        self.measured("store.append_audit", self.store.append_audit(entry))
            .await
    }

    async fn audit(&self, before: Option<Bookmark>, limit: usize) -> Result<Vec<AuditRow>, StoreError> {
        self.measured("store.audit", self.store.audit(before, limit)).await
    }

    async fn walk(&self, after: Option<Bookmark>, limit: usize) -> Result<Walked, StoreError> {
        self.measured("store.walk", self.store.walk(after, limit)).await
    }

    async fn repair_indexes(&self, ids: &[MatchId]) -> Result<Vec<Repaired>, StoreError> {
        self.measured("store.repair_indexes", self.store.repair_indexes(ids))
            .await
    }
}
