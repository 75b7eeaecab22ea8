//! Matches go when they have been kept long enough, with everything that leads to them; by a clock that the test sets.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use fives_lobby::archive::Archived;
use fives_lobby::store::ArchiveStore;
use fives_referee::listing::Listing;
use fives_referee::store::{Committed, Created, MatchStore};
use fives_referee::table::{MatchState, Occupant};
use fives_store::contract::sample::{self, Made, Terms};
use fives_store::embedded::EmbeddedStore;

const MINUTE_MS: u64 = 60_000;
const DAY_MS: u64 = 24 * 60 * MINUTE_MS;

async fn keep(store: &EmbeddedStore, whole: impl IntoIterator<Item = Made>) -> Made {
    let mut last: Option<Made> = None;
    for made in whole {
        match &last {
            None => assert_eq!(
                store.create(&made.table, &made.batch).await.expect("kept"),
                Created::New
            ),
            Some(before) => {
                let committed = store.commit(before.table.cursor, &made.table, &made.batch).await;
                assert_eq!(committed.expect("kept"), Committed::Done);
            }
        }
        last = Some(made);
    }
    last.expect("it has a state")
}

async fn is_there(store: &EmbeddedStore, made: &Made) -> bool {
    let table = store.load(&made.table.id).await.expect("an answer");
    let log = store.batches(&made.table.id, 1, 10_000).await.expect("an answer");
    assert_eq!(log.is_empty(), table.is_none(), "the log goes with the table");
    for listing in made.table.listings() {
        let list = store.list(&listing, None, 100).await.expect("an answer");
        let is_listed = list.iter().any(|position| position.id == made.table.id);
        assert_eq!(is_listed, table.is_some(), "{listing:?}");
    }
    table.is_some()
}

#[tokio::test]
async fn each_state_is_kept_for_its_time() {
    let clock = Arc::new(AtomicU64::new(0));
    let told = Arc::clone(&clock);
    let store = EmbeddedStore::temporary()
        .expect("a store")
        .with_clock(move || told.load(Ordering::Relaxed));
    let two = || Terms::of(&[sample::person(1), sample::person(2)]);
    let open = keep(
        &store,
        [sample::create(
            1,
            &Terms::of(&[sample::person(1), Occupant::Open]).private(1),
        )],
    )
    .await;
    let live = keep(&store, sample::whole(2, &two()).take(20)).await;
    let finished = keep(&store, sample::whole(3, &two())).await;
    assert_eq!(finished.table.state(), MatchState::Finished);

    let set = |at_ms: u64| clock.store(at_ms, Ordering::Relaxed);
    set(open.table.changed_at.0 + 30 * MINUTE_MS - 1);
    assert_eq!(store.expire().await.expect("done"), 0);
    assert!(is_there(&store, &open).await);
    set(open.table.changed_at.0 + 30 * MINUTE_MS);
    assert_eq!(store.expire().await.expect("done"), 1);
    assert!(!is_there(&store, &open).await);
    assert_eq!(store.find_invite(&sample::code(1)).await.expect("an answer"), None);

    set(finished.table.changed_at.0 + DAY_MS / 4);
    assert_eq!(store.expire().await.expect("done"), 1);
    assert!(!is_there(&store, &finished).await);
    assert!(is_there(&store, &live).await);

    // A week after its creation, but not after its last move.
    set(live.table.created_at.0 + 7 * DAY_MS);
    assert!(live.table.created_at < live.table.changed_at);
    assert_eq!(store.expire().await.expect("done"), 0);
    assert!(is_there(&store, &live).await);
    let next = sample::play(&live.table).expect("it goes on");
    let committed = store.commit(live.table.cursor, &next.table, &next.batch).await;
    assert_eq!(committed.expect("kept"), Committed::Done);
    set(next.table.changed_at.0 + 7 * DAY_MS);
    assert_eq!(store.expire().await.expect("done"), 1);
    assert!(!is_there(&store, &next).await);
    assert_eq!(
        store
            .list(&Listing::Of(sample::player_id(1)), None, 10)
            .await
            .expect("a list"),
        []
    );
    // What is gone can come anew.
    keep(&store, [sample::create(1, &two())]).await;
}

#[tokio::test]
async fn many_that_end_together_go_a_piece_at_a_time() {
    let store = EmbeddedStore::temporary().expect("a store").with_clock(|| u64::MAX / 2);
    for number in 0..150 {
        keep(
            &store,
            [sample::create(number, &Terms::of(&[Occupant::Open, Occupant::Open]))],
        )
        .await;
    }
    let mut removed = Vec::new();
    while let count @ 1.. = store.expire().await.expect("done") {
        removed.push(count);
    }
    assert_eq!(removed.iter().sum::<usize>(), 150);
    assert!(removed.len() > 1, "others come in between: {removed:?}");
}

#[tokio::test]
async fn what_is_archived_goes_with_the_places_that_lead_to_it() {
    let clock = Arc::new(AtomicU64::new(0));
    let told = Arc::clone(&clock);
    let store = EmbeddedStore::temporary()
        .expect("a store")
        .with_clock(move || told.load(Ordering::Relaxed));
    let two = Terms::of(&[sample::person(1), sample::person(2)]);
    let last = sample::whole(1, &two).last().expect("it ends");
    let archived = Archived::of(&last.table).expect("it is over");
    let set = |at_ms: u64| clock.store(at_ms, Ordering::Relaxed);
    set(archived.ended_at.0);
    assert_eq!(store.archive(&archived, None).await.expect("kept"), Created::New);

    set(archived.ended_at.0 + 30 * DAY_MS - 1);
    assert_eq!(store.expire().await.expect("done"), 0);
    let player = sample::player_id(1);
    assert_eq!(store.played(&player, None, 10).await.expect("an answer").len(), 1);
    set(archived.ended_at.0 + 30 * DAY_MS);
    assert_eq!(store.expire().await.expect("done"), 1);
    assert_eq!(store.archived(&archived.id).await.expect("an answer"), None);
    assert_eq!(store.played(&player, None, 10).await.expect("an answer"), []);
    assert_eq!(store.expire().await.expect("done"), 0);
}
