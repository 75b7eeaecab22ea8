//! A clock that a story sets.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use fives_lobby::store::SharedLobbyStore;
use fives_store::embedded::EmbeddedStore;

/// Stands still until it is moved.
#[derive(Clone)]
pub(crate) struct SetClock(Arc<AtomicU64>);

impl SetClock {
    pub(crate) fn new() -> Self {
        Self(Arc::new(AtomicU64::new(1_800_000_000_000)))
    }

    /// A store by this clock.
    pub(crate) fn store(&self) -> SharedLobbyStore {
        let Self(now) = self.clone();
        let store = EmbeddedStore::temporary().expect("a store in a temporary folder");
        Arc::new(store.with_clock(move || now.load(Ordering::SeqCst)))
    }

    pub(crate) fn pass(&self, ms: u64) {
        self.0.fetch_add(ms, Ordering::SeqCst);
    }
}
