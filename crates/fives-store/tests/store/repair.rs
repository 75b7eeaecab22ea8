//! Index entries that were lost or made up by hand come back, or go, when they are repaired.

use std::collections::BTreeSet;
use std::path::Path;

use fives_bots::BotKind;
use fives_referee::listing::Listing;
use fives_referee::store::{AdminStore, Index, MatchStore, Repair};
use fives_referee::table::Occupant;
use fives_referee::time::UnixMillis;
use fives_store::contract::sample::{self, Made, Terms};
use fives_store::embedded::EmbeddedStore;
use fjall::{Database, Keyspace, KeyspaceCreateOptions, PersistMode};

const ALWAYS: UnixMillis = UnixMillis(u64::MAX);

/// Works on a folder that no store has, as with a tool of the engine's own.
fn by_hand(path: &Path, work: impl FnOnce(&dyn Fn(&str) -> Keyspace)) {
    let database = Database::builder(path).open().expect("nobody has the folder");
    let keyspace = |name: &str| {
        let keyspace = database.keyspace(name, KeyspaceCreateOptions::default);
        keyspace.expect("it is there")
    };
    work(&keyspace);
    database.persist(PersistMode::SyncAll).expect("written");
}

fn keys(keyspace: &Keyspace) -> Vec<Vec<u8>> {
    let keys = keyspace.iter().map(|entry| entry.key().expect("a key").to_vec());
    keys.collect()
}

/// A match that is due and live, and a private one that waits.
fn matches() -> [Made; 2] {
    let bots = [sample::person(1), Occupant::Bot(BotKind::Greedy)];
    let open = Terms::of(&[sample::person(2), Occupant::Open]).private(2);
    let live = std::iter::successors(Some(sample::create(1, &Terms::of(&bots))), |made| {
        sample::play(&made.table)
    });
    let due = live.take(20).find(|made| made.table.next_due.is_some());
    [due.expect("a bot comes on turn"), sample::create(2, &open)]
}

/// Whether everything that is found by an index is found.
async fn check(store: &EmbeddedStore, matches: &[Made]) {
    let due = store.due(ALWAYS, 10).await.expect("an answer");
    for made in matches {
        let table = &made.table;
        assert_eq!(due.contains(&table.id), table.next_due.is_some());
        for listing in table.listings().into_iter().chain([Listing::Open, Listing::Live]) {
            let listed = store.list(&listing, None, 10).await.expect("an answer");
            let is_listed = listed.iter().any(|position| position.id == table.id);
            assert_eq!(is_listed, table.listings().contains(&listing), "{listing:?}");
        }
        if let Some(code) = table.invite() {
            let found = store.find_invite(&code).await.expect("an answer");
            assert_eq!(found, Some(table.id));
        }
    }
}

#[tokio::test]
async fn what_was_lost_comes_back_and_what_was_made_up_goes() {
    let folder = tempfile::tempdir().expect("a folder");
    let made = matches();
    let ids = made.clone().map(|made| made.table.id);
    {
        let store = EmbeddedStore::open(folder.path()).expect("a store");
        for made in &made {
            store.create(&made.table, &made.batch).await.expect("kept");
        }
        assert_eq!(store.repair_indexes(&ids).await.expect("an answer"), []);
        check(&store, &made).await;
    }
    by_hand(folder.path(), |keyspace| {
        let (due, lists) = (keyspace("due"), keyspace("lists"));
        let [entry] = keys(&due).try_into().expect("one is due");
        let mut long_ago: Vec<u8> = entry;
        long_ago[..8].fill(0);
        let mut open = keys(&lists).into_iter().find(|key| key[0] == 1).expect("one is live");
        open[0] = 0;
        for name in ["due", "lists", "invites", "ends"] {
            for key in keys(&keyspace(name)) {
                keyspace(name).remove(key).expect("removed");
            }
        }
        due.insert(long_ago, []).expect("inserted");
        lists.insert(open, []).expect("inserted");
    });
    {
        let store = EmbeddedStore::open(folder.path()).expect("a store");
        let repaired = store.repair_indexes(&ids).await.expect("repaired");
        let repairs = repaired.into_iter().map(|repaired| {
            let repairs: BTreeSet<Repair> = repaired.repairs.into_iter().collect();
            (repaired.id, repairs)
        });
        let [live, open] = ids;
        let expected = [
            (
                live,
                BTreeSet::from([
                    Repair::Added(Index::Due),
                    Repair::Added(Index::Live),
                    Repair::Added(Index::Player),
                    Repair::Added(Index::Expiry),
                    Repair::Removed(Index::Due),
                    Repair::Removed(Index::Open),
                ]),
            ),
            (
                open,
                BTreeSet::from([
                    Repair::Added(Index::Player),
                    Repair::Added(Index::Invite),
                    Repair::Added(Index::Expiry),
                ]),
            ),
        ];
        assert_eq!(repairs.collect::<Vec<_>>(), expected);
        check(&store, &made).await;
    }
    let store = EmbeddedStore::open(folder.path()).expect("a store");
    check(&store, &made).await;
    assert_eq!(store.repair_indexes(&ids).await.expect("an answer"), [], "it was kept");
}

/// What one damaged snapshot would hide from a walk is nothing but itself.
#[tokio::test]
async fn a_walk_passes_over_what_is_damaged() {
    let folder = tempfile::tempdir().expect("a folder");
    let made = matches();
    {
        let store = EmbeddedStore::open(folder.path()).expect("a store");
        for made in &made {
            store.create(&made.table, &made.batch).await.expect("kept");
        }
    }
    let damaged = made[0].table.id;
    by_hand(folder.path(), |keyspace| {
        keyspace("tables")
            .insert(damaged.as_bytes(), "garbage")
            .expect("inserted");
    });
    let store = EmbeddedStore::open(folder.path()).expect("a store");
    let walked = store.walk(None, 10).await.expect("an answer");
    assert_eq!((walked.matches.len(), walked.next), (2, None));
    for (id, table) in walked.matches {
        assert_eq!(table.is_err(), id == damaged, "{id}");
    }
}
