//! A disk that fails: the write in doubt is said to be so, later ones surely are not written, reading goes on.

use std::collections::HashMap;

use fives_bots::BotKind;
use fives_referee::cursor::Cursor;
use fives_referee::id::MatchId;
use fives_referee::store::{Committed, Created, MatchStore, PlayerStore, StoreError};
use fives_referee::table::Occupant;
use fives_store::contract::sample::{self, Made, Terms};
use fives_store::embedded::EmbeddedStore;

use crate::{child, killed};

/// No file may grow beyond half a mebibyte (`ulimit` counts 512 bytes), and one that would does not end the process.
const SMALL_FILES: &str = "trap '' XFSZ; ulimit -f 1024";

#[test]
fn a_write_that_failed_is_in_doubt() {
    let folder = tempfile::tempdir().expect("a folder");
    // Its journal is made at its full length, which the child could not do.
    drop(EmbeddedStore::open(folder.path()).expect("a store"));
    let mut child = child::run("failing_disk::writes_until_refused", folder.path(), SMALL_FILES);
    let mut acknowledged: HashMap<MatchId, Vec<Cursor>> = HashMap::new();
    while let Some((id, cursor)) = child.next() {
        acknowledged.entry(id).or_default().push(cursor);
    }
    assert!(child.wait());
    assert!(!acknowledged.is_empty());
    let store = EmbeddedStore::open(folder.path()).expect("the folder opens again");
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("a runtime");
    runtime.block_on(killed::check(&store, &acknowledged));
}

/// The child's part.
#[test]
#[ignore = "only as a child of a_write_that_failed_is_in_doubt"]
fn writes_until_refused() {
    let Some(folder) = child::folder() else { return };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("a runtime");
    runtime.block_on(async {
        let store = EmbeddedStore::open(&folder).expect("the folder opens");
        let bots = Terms::of(&[Occupant::Bot(BotKind::Greedy), Occupant::Bot(BotKind::Random)]);
        for number in 0.. {
            let mut before: Option<Made> = None;
            for made in sample::whole(number, &bots) {
                let written = write(&store, before.as_ref(), &made).await;
                if let Err(error) = written {
                    assert!(matches!(error, StoreError::Unconfirmed(_)), "{error:?}");
                    after_the_failure(&store, before.as_ref(), &made).await;
                    return;
                }
                child::acknowledge(made.table.id, made.table.cursor);
                before = Some(made);
            }
        }
    });
}

async fn write(store: &EmbeddedStore, before: Option<&Made>, made: &Made) -> Result<(), StoreError> {
    match before {
        None => assert_eq!(store.create(&made.table, &made.batch).await?, Created::New),
        Some(before) => {
            let committed = store.commit(before.table.cursor, &made.table, &made.batch).await?;
            assert_eq!(committed, Committed::Done);
        }
    }
    Ok(())
}

/// Nothing of the write in doubt is seen, and nothing more is taken.
async fn after_the_failure(store: &EmbeddedStore, before: Option<&Made>, made: &Made) {
    let id = &made.table.id;
    let kept = store.load(id).await.expect("it loads");
    assert_eq!(kept.as_ref(), before.map(|before| &before.table));
    let newest = made.table.cursor.revision;
    assert_eq!(store.batches(id, newest, 1).await.expect("it is read"), []);
    let again = write(store, before, made).await.err();
    let player = store.create_player(&sample::player(1)).await.err();
    for error in [again, player] {
        assert!(matches!(error, Some(StoreError::Unavailable(_))), "{error:?}");
    }
}
