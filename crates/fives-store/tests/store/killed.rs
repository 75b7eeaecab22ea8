//! `kill -9` under load: whatever was acknowledged is there.

use std::collections::HashMap;
use std::sync::Arc;

use fives_bots::BotKind;
use fives_referee::cursor::Cursor;
use fives_referee::id::MatchId;
use fives_referee::store::{Committed, Created, MatchStore};
use fives_referee::table::{Occupant, Table};
use fives_store::contract::sample::{self, Terms};
use fives_store::embedded::EmbeddedStore;

use crate::child;

/// How many matches the child plays at once.
const MATCHES: u64 = 16;

/// After how many acknowledgements it is killed, each time over the same folder.
const KILLED_AFTER: [usize; 5] = [1, 17, 200, 1_000, 3_000];

/// Checks that a match is as its log says and that it can be found, and gives it.
pub(crate) async fn whole(store: &EmbeddedStore, id: &MatchId) -> Arc<Table> {
    let table = store.load(id).await.expect("it loads").expect("it is there");
    let log = store.batches(id, 1, usize::MAX).await.expect("its log is whole");
    assert_eq!(log.len() as u64, table.cursor.revision);
    let mut folded = Table::begin(&log[0]).expect("its log begins it");
    log[1..].iter().for_each(|batch| folded.fold(batch));
    assert_eq!(folded, *table);
    for listing in table.listings() {
        let list = store.list(&listing, None, usize::MAX).await.expect("a list");
        assert!(list.iter().any(|position| position.id == *id), "{id} in {listing:?}");
    }
    if let Some(at) = table.next_due {
        assert!(store.due(at, usize::MAX).await.expect("a list").contains(id));
    }
    table
}

/// Checks that all of this was kept.
pub(crate) async fn check(store: &EmbeddedStore, acknowledged: &HashMap<MatchId, Vec<Cursor>>) {
    for (id, cursors) in acknowledged {
        whole(store, id).await;
        let log = store.batches(id, 1, usize::MAX).await.expect("its log is whole");
        for cursor in cursors {
            assert!(
                log.iter().any(|batch| batch.cursor == *cursor),
                "{id} has lost {cursor:?}"
            );
        }
    }
}

#[test]
fn what_was_acknowledged_survives() {
    let folder = tempfile::tempdir().expect("a folder");
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("a runtime");
    let mut acknowledged: HashMap<MatchId, Vec<Cursor>> = HashMap::new();
    for after in KILLED_AFTER {
        let mut child = child::run("killed::plays_until_killed", folder.path(), "");
        let mut count = 0;
        while let Some((id, cursor)) = child.next() {
            acknowledged.entry(id).or_default().push(cursor);
            count += 1;
            if count == after {
                child.kill();
            }
        }
        // What was on its way when the kill came was acknowledged as well.
        assert!(count >= after, "the child ended by itself after {count}");
        assert!(!child.wait());
        let store = EmbeddedStore::open(folder.path()).expect("the folder opens again");
        runtime.block_on(check(&store, &acknowledged));
    }
    assert!(acknowledged.len() as u64 >= MATCHES);
}

/// The child's part: plays on at all unfinished matches, and begins new ones, for ever.
#[test]
#[ignore = "only as a child of what_was_acknowledged_survives"]
fn plays_until_killed() {
    let Some(folder) = child::folder() else { return };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .build()
        .expect("a runtime");
    runtime.block_on(async {
        let store = Arc::new(EmbeddedStore::open(&folder).expect("the folder opens"));
        let players = (0..MATCHES).map(|first| tokio::spawn(play_for_ever(Arc::clone(&store), first)));
        for player in players.collect::<Vec<_>>() {
            player.await.expect("it plays until it is killed");
        }
    });
}

async fn play_for_ever(store: Arc<EmbeddedStore>, first: u64) {
    let terms = Terms::of(&[
        sample::person(1),
        Occupant::Bot(BotKind::Greedy),
        Occupant::Bot(BotKind::Random),
    ]);
    for number in (first..).step_by(MATCHES as usize) {
        let mut table = match store.load(&sample::match_id(number)).await.expect("it loads") {
            Some(table) => table,
            None => {
                let made = sample::create(number, &terms);
                assert_eq!(
                    store.create(&made.table, &made.batch).await.expect("it is kept"),
                    Created::New
                );
                child::acknowledge(made.table.id, made.table.cursor);
                made.table
            }
        };
        while let Some(made) = sample::play(&table) {
            let committed = store.commit(table.cursor, &made.table, &made.batch).await;
            assert_eq!(committed.expect("it is kept"), Committed::Done);
            child::acknowledge(made.table.id, made.table.cursor);
            table = made.table;
        }
    }
}
