//! How the platform is kept informed, in numbers. No label names a match or a player.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use fives_lobby::store::SharedLobbyStore;
use fives_referee::notice::Lane;
use fives_referee::store::StoreError;
use opentelemetry::metrics::Counter;
use opentelemetry::{KeyValue, global};
use tokio::time::{MissedTickBehavior, interval};
use tracing::debug;

/// How often the store is asked how much there is to tell.
const COUNT_INTERVAL: Duration = Duration::from_secs(5);

/// What is counted with each try.
pub(super) struct Vitals {
    tries: Counter<u64>,
}

impl Vitals {
    pub(super) fn new() -> Self {
        let tries = global::meter("fives")
            .u64_counter("fives.hooks.tries")
            .with_unit("{delivery}")
            .with_description("Deliveries to the webhook that this process tried")
            .build();
        // From the beginning: an alarm about the first one needs to see that there was none.
        for outcome in ["delivered", "failed"] {
            tries.add(0, &[KeyValue::new("outcome", outcome)]);
        }
        Self { tries }
    }

    pub(super) fn tried(&self, has_arrived: bool) {
        let outcome = if has_arrived { "delivered" } else { "failed" };
        self.tries.add(1, &[KeyValue::new("outcome", outcome)]);
    }
}

/// What the store knows, of all processes together.
#[derive(Default)]
struct Kept {
    dead_letters: AtomicU64,
    oldest_ms: AtomicU64,
}

impl Kept {
    async fn ask(&self, store: &SharedLobbyStore) -> Result<(), StoreError> {
        let (backlog, now) = (store.backlog(Lane::Hooks).await?, store.now().await?);
        let age = backlog.since.map(|since| now.since(since)).unwrap_or_default();
        self.oldest_ms.store(age.as_millis() as u64, Ordering::Relaxed);
        self.dead_letters
            .store(store.dead_letter_count().await?, Ordering::Relaxed);
        Ok(())
    }
}

/// Has observed how much there is to tell, until it is dropped.
pub(crate) async fn observe(store: SharedLobbyStore) {
    let kept = Arc::new(Kept::default());
    let meter = global::meter("fives");
    let seen = Arc::clone(&kept);
    meter
        .u64_observable_gauge("fives.hooks.dead_letters")
        .with_unit("{delivery}")
        .with_description("Deliveries that were given up and wait for an administrator, of the whole store")
        .with_callback(move |observer| observer.observe(seen.dead_letters.load(Ordering::Relaxed), &[]))
        .build();
    let seen = Arc::clone(&kept);
    meter
        .f64_observable_gauge("fives.hooks.oldest")
        .with_unit("s")
        .with_description("How long the oldest delivery waits that has not arrived, of the whole store")
        .with_callback(move |observer| observer.observe(seen.oldest_ms.load(Ordering::Relaxed) as f64 / 1000.0, &[]))
        .build();
    let mut ticks = interval(COUNT_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        if let Err(error) = kept.ask(&store).await {
            debug!(
                error = &error as &dyn std::error::Error,
                "what is to be told was not counted"
            );
        }
    }
}
