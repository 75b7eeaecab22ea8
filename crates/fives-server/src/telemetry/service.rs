//! What the service looks like now: live matches, watchers, streams, and whether the store answers.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use fives_referee::feed::Feed;
use fives_referee::store::SharedStore;
use opentelemetry::global;
use tokio::time::{MissedTickBehavior, interval};
use tracing::debug;

use crate::probes::Readiness;
use crate::services::stream::Streams;

/// How often the live matches of the whole store are counted.
const COUNT_INTERVAL: Duration = Duration::from_secs(10);

/// Has all of it observed, and counts live matches until it is dropped.
pub(crate) async fn observe(store: SharedStore, feed: Feed, streams: Streams, readiness: Readiness) {
    let live = Arc::new(AtomicU64::new(0));
    let meter = global::meter("fives");
    let counted = Arc::clone(&live);
    meter
        .u64_observable_gauge("fives.matches.live")
        .with_unit("{match}")
        .with_description("Live matches of the whole store")
        .with_callback(move |observer| observer.observe(counted.load(Ordering::Relaxed), &[]))
        .build();
    meter
        .u64_observable_gauge("fives.watchers")
        .with_unit("{stream}")
        .with_description("Streams of this process that watch a match without a seat")
        .with_callback(move |observer| observer.observe(feed.watcher_count(), &[]))
        .build();
    meter
        .u64_observable_gauge("fives.streams")
        .with_unit("{stream}")
        .with_description("All open streams of this process")
        .with_callback(move |observer| observer.observe(streams.open_count(), &[]))
        .build();
    meter
        .u64_observable_gauge("fives.store.up")
        .with_description("1 while the store answers and the process is not stopping")
        .with_callback(move |observer| observer.observe(readiness.is_ready().into(), &[]))
        .build();
    let mut ticks = interval(COUNT_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        match store.live_count().await {
            Ok(count) => live.store(count, Ordering::Relaxed),
            Err(error) => debug!(
                error = &error as &dyn std::error::Error,
                "live matches were not counted"
            ),
        }
    }
}
