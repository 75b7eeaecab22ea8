//! The embedded store keeps the contract.

use std::path::Path;
use std::sync::Arc;

use fives_lobby::store::SharedLobbyStore;
use fives_store::embedded::{Config, EmbeddedStore};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_embedded_store_keeps_the_contract() {
    fives_store::contract::all(|| async {
        let store: SharedLobbyStore = Arc::new(EmbeddedStore::temporary().expect("a store"));
        store
    })
    .await;
}

/// With nothing in memory and a queue of one, everything takes the long way.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn also_within_the_narrowest_bounds() {
    let folder = tempfile::tempdir().expect("a folder");
    let config = Config {
        cache_bytes: 0,
        write_buffer_bytes: 4096,
        journal_bytes: 0,
        open_files: 0,
        recent_tables: 0,
        queued_writes: 0,
        group_writes: 0,
        ..Config::default()
    };
    let open = |path: &Path| EmbeddedStore::open_with(path, config).expect("a store");
    let opened = std::sync::atomic::AtomicUsize::new(0);
    fives_store::contract::all(|| async {
        let number = opened.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let store: SharedLobbyStore = Arc::new(open(&folder.path().join(number.to_string())));
        store
    })
    .await;
}
