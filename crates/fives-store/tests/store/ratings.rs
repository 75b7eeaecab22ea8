//! Ratings in bytes, and in a folder that is opened again.

use std::time::Duration;

use fives_lobby::rating::{LISTED_AFTER, Pool, Rating, RatingBook, RatingChange, SettledRow, Settlement, Standing};
use fives_lobby::store::{RatingStore, Settled, SharedLobbyStore};
use fives_referee::store::Created;
use fives_referee::time::UnixMillis;
use fives_store::codec;
use fives_store::contract::sample::{self, Terms};
use fives_store::embedded::{Config, EmbeddedStore};
use fives_store::retention::Retention;

const AT: UnixMillis = UnixMillis(1_790_000_000_000);

fn rating() -> Rating {
    Rating::new(1662.25, 290.5, 0.0599).expect("a rating")
}

fn standing() -> Standing {
    Standing::NEWCOMER.next(rating(), AT)
}

fn settlement() -> Settlement {
    Settlement {
        match_id: sample::match_id(1),
        pool: Pool::Partners,
        at: AT,
        rows: (1..=4)
            .map(|number| SettledRow {
                player: sample::player_id(number),
                before: Standing::NEWCOMER,
                after: standing(),
            })
            .collect(),
    }
}

fn change() -> RatingChange {
    let (_, change) = settlement().changes().next().expect("it has four");
    change
}

/// What golden files hold of ratings, by name.
pub(crate) fn encoded() -> [(&'static str, Vec<u8>); 3] {
    [
        ("standing", codec::encode_standing(&standing())),
        ("settlement", codec::encode_settlement(&settlement())),
        ("change", codec::encode_rating_change(&change())),
    ]
}

/// Whether a golden file is still read as what it is.
pub(crate) fn read(name: &str, bytes: &[u8]) {
    match name {
        "standing" => assert_eq!(codec::decode_standing(bytes).expect(name), standing()),
        "settlement" => assert_eq!(codec::decode_settlement(bytes).expect(name), settlement()),
        "change" => assert_eq!(codec::decode_rating_change(bytes).expect(name), change()),
        _ => panic!("rating-{name} is of no known kind"),
    }
}

/// Does with bytes whatever a service does with those of ratings.
pub(crate) fn use_bytes(bytes: &[u8]) {
    if let Ok(standing) = codec::decode_standing(bytes) {
        let again = codec::decode_standing(&codec::encode_standing(&standing));
        assert_eq!(again.expect("what was read can be written"), standing);
        let _ = standing.place(sample::player_id(1));
        let _ = standing.next(Rating::NEWCOMER, AT);
    }
    if let Ok(settlement) = codec::decode_settlement(bytes) {
        let again = codec::decode_settlement(&codec::encode_settlement(&settlement));
        assert_eq!(again.expect("what was read can be written"), settlement);
    }
    if let Ok(change) = codec::decode_rating_change(bytes) {
        let again = codec::decode_rating_change(&codec::encode_rating_change(&change));
        assert_eq!(again.expect("what was read can be written"), change);
    }
}

#[tokio::test]
async fn a_folder_that_is_opened_again_has_its_leaderboard() {
    let folder = tempfile::tempdir().expect("a folder");
    let listed = |number: u64| {
        let after = Standing {
            rating: Rating::new(1500.0 + number as f64, 50.0, 0.06).expect("a rating"),
            matches: LISTED_AFTER,
            reached_at: AT,
        };
        Settlement {
            match_id: sample::match_id(number),
            pool: Pool::Singles,
            at: AT,
            rows: vec![SettledRow {
                player: sample::player_id(number),
                before: Standing::NEWCOMER,
                after,
            }],
        }
    };
    let before = {
        let store = EmbeddedStore::open(folder.path()).expect("a store");
        for number in 1..=5 {
            let settled = store.settle_ratings(&listed(number)).await.expect("kept");
            assert_eq!(settled, Settled::Done);
        }
        store.places(Pool::Singles, 0, 10).await.expect("an answer")
    };
    assert_eq!(before.len(), 5);
    let store = EmbeddedStore::open(folder.path()).expect("a store");
    assert_eq!(store.places(Pool::Singles, 0, 10).await.expect("an answer"), before);
    let again = store.settle_ratings(&listed(3)).await.expect("an answer");
    assert_eq!(again, Settled::Already(listed(3)));
}

/// The note that a match is settled is kept as long as the match, and goes with it.
#[tokio::test]
async fn a_note_goes_with_its_match() {
    let config = Config {
        retention: Retention {
            settled: Duration::from_secs(60),
            ..Retention::default()
        },
        ..Config::default()
    };
    let folder = tempfile::tempdir().expect("a folder");
    let clock = std::sync::Arc::new(std::sync::atomic::AtomicU64::new(0));
    let told = std::sync::Arc::clone(&clock);
    let store = EmbeddedStore::open_with(folder.path(), config).expect("a store");
    let store = store.with_clock(move || told.load(std::sync::atomic::Ordering::SeqCst));
    let store: SharedLobbyStore = std::sync::Arc::new(store);
    let terms = Terms::of(&[sample::person(1), sample::person(2)]).ranked();
    let last = sample::whole(1, &terms).last().expect("it ends");
    let (table, ended) = (&last.table, last.table.changed_at);
    clock.store(ended.0, std::sync::atomic::Ordering::SeqCst);
    assert_eq!(store.create(table, &last.batch).await.expect("kept"), Created::New);
    for number in 1..=2 {
        store.create_player(&sample::player(number)).await.expect("kept");
    }
    let book = RatingBook::new(std::sync::Arc::clone(&store));
    let settled = book.settle(&table.id).await.expect("an answer").expect("it is rated");
    assert_eq!(store.expire().await.expect("an answer"), 0);
    assert_eq!(book.settle(&table.id).await.expect("an answer"), Some(settled.clone()));

    clock.store(ended.plus_ms(61_000).0, std::sync::atomic::Ordering::SeqCst);
    assert_eq!(store.expire().await.expect("an answer"), 1);
    assert_eq!(book.settle(&table.id).await.expect("an answer"), None);
    let standings = store
        .standings(Pool::Singles, &[sample::player_id(1), sample::player_id(2)])
        .await;
    let after: Vec<_> = settled.rows.iter().map(|row| Some(row.after)).collect();
    assert_eq!(standings.expect("an answer"), after, "what it has changed stays");
    // Only the note would say that it was settled before.
    let other = store.settle_ratings(&settled).await.expect("an answer");
    assert_eq!(other, Settled::Conflict);
}
