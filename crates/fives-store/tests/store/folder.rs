//! The folder: opened again, opened twice, opened by an older release.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use fives_bots::BotKind;
use fives_referee::batch::Batch;
use fives_referee::listing::Listing;
use fives_referee::store::{Created, MatchStore, PlayerStore};
use fives_referee::table::{Occupant, Table};
use fives_referee::time::UnixMillis;
use fives_store::contract::sample::{self, Made, Terms};
use fives_store::embedded::{EmbeddedStore, OpenError};

use crate::{child, killed};

fn open(path: &Path) -> EmbeddedStore {
    EmbeddedStore::open(path).expect("the folder opens")
}

async fn keep(store: &EmbeddedStore, whole: impl IntoIterator<Item = Made>) -> Vec<(Arc<Table>, Batch)> {
    let mut kept: Vec<(Arc<Table>, Batch)> = Vec::new();
    for Made { table, batch } in whole {
        match kept.last() {
            None => _ = store.create(&table, &batch).await.expect("it is kept"),
            Some((last, _)) => _ = store.commit(last.cursor, &table, &batch).await.expect("it is kept"),
        }
        kept.push((table, batch));
    }
    kept
}

#[tokio::test]
async fn everything_is_there_after_reopening() {
    let folder = tempfile::tempdir().expect("a folder");
    let bot = || Occupant::Bot(BotKind::Greedy);
    let matches = [
        (1, Terms::of(&[sample::person(1), Occupant::Open]).private(1), 1),
        (2, Terms::of(&[sample::person(1), Occupant::Open]), 1),
        (3, Terms::of(&[sample::person(1), bot()]), 6),
        (4, Terms::of(&[bot(), bot(), bot()]), 7),
        (5, Terms::of(&[bot(), bot()]), usize::MAX),
    ];
    let mut kept = HashMap::new();
    let store = open(folder.path());
    for (number, terms, revisions) in matches {
        kept.insert(
            number,
            keep(&store, sample::whole(number, &terms).take(revisions)).await,
        );
    }
    for number in [1, 2] {
        store.create_player(&sample::player(number)).await.expect("it is kept");
    }
    let questions = async |store: &EmbeddedStore| {
        let due = store.due(UnixMillis(u64::MAX), 100).await.expect("a list");
        let mut lists = Vec::new();
        for listing in [Listing::Open, Listing::Live, Listing::Of(sample::player_id(1))] {
            lists.push(store.list(&listing, None, 100).await.expect("a list"));
        }
        (due, lists)
    };
    let mut answers = questions(&store).await;
    assert!(answers.1.iter().all(|list| !list.is_empty()));
    drop(store);

    // More than once: what is only in the journal, and what opening has sorted into the folder.
    for _ in 0..3 {
        let store = open(folder.path());
        assert_eq!(questions(&store).await, answers);
        for made in kept.values() {
            let (table, _) = made.last().expect("it has a state");
            assert_eq!(killed::whole(&store, &table.id).await, *table);
            let log = store.batches(&table.id, 1, usize::MAX).await.expect("its log is whole");
            assert!(log.iter().eq(made.iter().map(|(_, batch)| batch)));
        }
        assert_eq!(
            store.find_invite(&sample::code(1)).await.expect("an answer"),
            Some(sample::match_id(1))
        );
        for number in [1, 2] {
            let player = sample::player(number);
            assert_eq!(
                store.load_player(&player.id).await.expect("an answer").as_ref(),
                Some(&player)
            );
            let found = store.find_device(&player.device.expect("it has one")).await;
            assert_eq!(found.expect("an answer"), Some(player.id));
            assert_eq!(store.create_player(&player).await.expect("an answer"), Created::Exists);
        }
        // It goes on where it stopped.
        let (table, _) = kept[&3].last().expect("it has a state");
        let next = sample::play(table).expect("somebody is on turn");
        let mut more = kept[&3].clone();
        store
            .commit(table.cursor, &next.table, &next.batch)
            .await
            .expect("it is kept");
        more.push((next.table, next.batch));
        kept.insert(3, more);
        answers = questions(&store).await;
    }
}

#[test]
fn a_second_opener_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let refused = EmbeddedStore::open(folder.path()).err().expect("the folder is in use");
    assert!(matches!(&refused, OpenError::InUse(path) if path == folder.path()));
    assert!(
        refused.to_string().ends_with("another process serves from this folder"),
        "{refused}"
    );
    assert!(child::run("folder::is_refused", folder.path(), "").wait());
    drop(store);
    drop(open(folder.path()));
}

/// The child's part.
#[test]
#[ignore = "only as a child of a_second_opener_is_refused"]
fn is_refused() {
    let Some(folder) = child::folder() else { return };
    assert!(matches!(EmbeddedStore::open(&folder), Err(OpenError::InUse(_))));
}

#[test]
fn a_newer_layout_is_left_as_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    drop(open(folder.path()));
    let database = fjall::Database::builder(folder.path()).open().expect("a database");
    let about = database
        .keyspace("about", fjall::KeyspaceCreateOptions::default)
        .expect("a keyspace");
    about.insert("layout", [2]).expect("it is kept");
    drop((about, database));
    assert!(matches!(
        EmbeddedStore::open(folder.path()),
        Err(OpenError::NewerLayout(_))
    ));
}

#[test]
fn what_is_no_folder_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("file");
    std::fs::write(&file, "not a folder").expect("a file");
    assert!(matches!(EmbeddedStore::open(&file), Err(OpenError::Engine { .. })));
}

/// What is queued when the store is dropped is written: a caller that gave up has cut nothing in two.
#[test]
fn dropping_it_waits_for_what_is_queued() {
    let folder = tempfile::tempdir().expect("a folder");
    let bots = Terms::of(&[Occupant::Open, Occupant::Open]);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("a runtime");
    let store = open(folder.path());
    runtime.block_on(async {
        for number in 0..500 {
            let made = sample::create(number, &bots);
            let mut create = std::pin::pin!(store.create(&made.table, &made.batch));
            // Polled once: handed over, and given up.
            let polled = std::future::poll_fn(|context| std::task::Poll::Ready(create.as_mut().poll(context)));
            // It may be written already, where the disk was faster.
            let _ = polled.await;
            tokio::task::yield_now().await;
        }
    });
    drop(store);
    let store = open(folder.path());
    runtime.block_on(async {
        for number in 0..500 {
            killed::whole(&store, &sample::match_id(number)).await;
        }
    });
}
