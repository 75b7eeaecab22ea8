//! How fast the embedded store is: `cargo bench -p fives-store --bench commits`.
//!
//! A commit is what a move costs the store: the match is loaded, and its next revision is kept durably. In flight are
//! as many matches as said, each waiting for its own commit before the next. Beside it, in the same run, the bare
//! engine writes the same bytes, as many moves at a time: what group commit could reach at most.

#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a benchmark prints its figures, and says what it expects by failing"
)]

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use fives_bots::BotKind;
use fives_referee::store::{Committed, MatchStore};
use fives_referee::table::Occupant;
use fives_referee::time::UnixMillis;
use fives_store::codec;
use fives_store::contract::sample::{self, Made, Terms};
use fives_store::embedded::{Config, EmbeddedStore};
use fjall::{Database, KeyspaceCreateOptions, PersistMode};
use tokio::runtime::Runtime;

/// How many revisions of each match are kept.
const REVISIONS: usize = 40;

/// How many commits a figure is made of, at least.
const COMMITS: usize = 10_000;

fn main() {
    // `cargo test --benches` runs this, too, with an argument that says so; there is nothing to measure then.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    let runtime = Runtime::new().expect("a runtime");
    println!("two people, a move each time; snapshots and batches as in a match of {REVISIONS} revisions");
    for in_flight in [1, 32, 256] {
        // Fewer where each one waits for the disk alone.
        let commits = if in_flight == 1 { COMMITS / 5 } else { COMMITS * 4 };
        let matches = matches_of(commits);
        let store = rate(commits, || runtime.block_on(commit_all(&matches, in_flight)));
        let engine = rate(commits, || engine_alone(&matches, in_flight));
        println!(
            "{in_flight:4} in flight: {store:8.0} commits/s, the bare engine {engine:8.0} moves/s: {:.2}",
            store / engine
        );
    }
    loads(&runtime);
    due(&runtime);
}

/// The figure of a run: how many a second. `run` gives the time that counts.
fn rate(count: usize, run: impl FnOnce() -> Duration) -> f64 {
    count as f64 / run().as_secs_f64()
}

/// As many matches as hold this many commits, all revisions of each.
fn matches_of(commits: usize) -> Vec<Vec<Made>> {
    let terms = Terms::of(&[sample::person(1), sample::person(2)]);
    let numbers = 0..(commits / REVISIONS) as u64;
    let played = numbers.map(|number| sample::whole(number, &terms).take(REVISIONS + 1).collect::<Vec<_>>());
    played.collect()
}

async fn commit_all(matches: &[Vec<Made>], in_flight: usize) -> Duration {
    let store = Arc::new(EmbeddedStore::temporary().expect("a store"));
    let mut lanes: Vec<Vec<Vec<Made>>> = vec![Vec::new(); in_flight];
    for (number, made) in matches.iter().enumerate() {
        store.create(&made[0].table, &made[0].batch).await.expect("it is kept");
        lanes[number % in_flight].push(made.clone());
    }
    let begin = Instant::now();
    let lanes: Vec<_> = lanes
        .into_iter()
        .map(|lane| {
            let store = Arc::clone(&store);
            tokio::spawn(async move {
                for made in lane.iter().flat_map(|made| &made[1..]) {
                    let table = store
                        .load(&made.table.id)
                        .await
                        .expect("it loads")
                        .expect("it is there");
                    let committed = store.commit(table.cursor, &made.table, &made.batch).await;
                    assert_eq!(committed.expect("it is kept"), Committed::Done);
                }
            })
        })
        .collect();
    for lane in lanes {
        lane.await.expect("all is kept");
    }
    begin.elapsed()
}

/// The same bytes under the same keys, `together` moves in each synced batch.
fn engine_alone(matches: &[Vec<Made>], together: usize) -> Duration {
    let folder = tempfile::tempdir().expect("a folder");
    let database = Database::builder(folder.path()).open().expect("a database");
    let keyspace = |name| {
        database
            .keyspace(name, KeyspaceCreateOptions::default)
            .expect("a keyspace")
    };
    let (tables, log) = (keyspace("tables"), keyspace("log"));
    let encode = |made: &Made| {
        (
            made.table.id,
            made.table.cursor.revision,
            codec::encode_table(&made.table),
            codec::encode_batch(&made.batch),
        )
    };
    let moves: Vec<_> = matches.iter().flat_map(|made| &made[1..]).map(encode).collect();
    let begin = Instant::now();
    for group in moves.chunks(together) {
        let mut batch = database.batch().durability(Some(PersistMode::SyncAll));
        for (id, revision, snapshot, events) in group {
            batch.insert(&tables, id.as_bytes(), snapshot.as_slice());
            let key = [id.as_bytes().as_slice(), &revision.to_be_bytes()].concat();
            batch.insert(&log, key, events.as_slice());
        }
        batch.commit().expect("it is kept");
    }
    begin.elapsed()
}

/// What a load costs: of what was just written, from the folder, and from the folder by way of another thread.
fn loads(runtime: &Runtime) {
    const LOADS: usize = 20_000;
    let matches = matches_of(COMMITS);
    let folder = tempfile::tempdir().expect("a folder");
    let fill = |path: &Path| {
        let store = EmbeddedStore::open(path).expect("a store");
        runtime.block_on(async {
            for made in &matches {
                let last = made.last().expect("it has a state");
                store.create(&last.table, &last.batch).await.expect("it is kept");
            }
        });
        store
    };
    let id = |n: usize| matches[n % matches.len()][0].table.id;
    let time = |store: &Arc<EmbeddedStore>, name: &str| {
        let begin = Instant::now();
        runtime.block_on(async {
            for n in 0..LOADS {
                assert!(store.load(&id(n)).await.expect("it loads").is_some());
            }
        });
        println!(
            "load, {name}: {:.1} us",
            begin.elapsed().as_secs_f64() * 1e6 / LOADS as f64
        );
    };
    let recent = Arc::new(fill(folder.path()));
    time(&recent, "just written");
    drop(recent);
    let bounds = Config {
        recent_tables: 0,
        ..Config::default()
    };
    let stored = Arc::new(EmbeddedStore::open_with(folder.path(), bounds).expect("a store"));
    time(&stored, "from the folder");
    let begin = Instant::now();
    runtime.block_on(async {
        for n in 0..LOADS {
            let (store, id, inside) = (Arc::clone(&stored), id(n), runtime.handle().clone());
            let loaded = tokio::task::spawn_blocking(move || inside.block_on(store.load(&id)));
            assert!(loaded.await.expect("it runs").expect("it loads").is_some());
        }
    });
    let each = begin.elapsed().as_secs_f64() * 1e6 / LOADS as f64;
    println!("load, from the folder by way of another thread: {each:.1} us");
}

/// What it costs to ask what is due after many moves of bots.
fn due(runtime: &Runtime) {
    const ASKED: usize = 1_000;
    let store = Arc::new(EmbeddedStore::temporary().expect("a store"));
    let bots = Terms::of(&[Occupant::Bot(BotKind::Greedy), Occupant::Bot(BotKind::Random)]);
    runtime.block_on(async {
        let matches = (0..256).map(|number| {
            let (store, bots) = (Arc::clone(&store), bots.clone());
            tokio::spawn(async move {
                let mut before = None;
                for made in sample::whole(number, &bots).take(80) {
                    match before.replace(made.table.cursor) {
                        None => _ = store.create(&made.table, &made.batch).await.expect("it is kept"),
                        Some(cursor) => {
                            _ = store
                                .commit(cursor, &made.table, &made.batch)
                                .await
                                .expect("it is kept");
                        }
                    }
                }
            })
        });
        for played in matches.collect::<Vec<_>>() {
            played.await.expect("all is kept");
        }
        let begin = Instant::now();
        for _ in 0..ASKED {
            store.due(UnixMillis(u64::MAX), 100).await.expect("a list");
        }
        let each = begin.elapsed().as_secs_f64() * 1e6 / ASKED as f64;
        println!("what is due, after 20,000 moves of bots in 256 matches: {each:.1} us");
    });
}
