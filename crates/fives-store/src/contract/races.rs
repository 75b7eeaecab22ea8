//! Many at once.

use std::error::Error;
use std::sync::Arc;

use fives_bots::BotKind;
use fives_referee::batch::TableEvent;
use fives_referee::listing::ListPosition;
use fives_referee::store::{Committed, Created, Hint, SharedStore};
use fives_referee::table::{MatchState, Occupant, Table};
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::Outcome;
use super::matches::{folded, keep};
use super::sample::{self, Made, Terms};

const BOT: Occupant = Occupant::Bot(BotKind::Greedy);

type Failure = Box<dyn Error + Send + Sync>;

/// Waits for the hint that a match has come to `revision`. A single hint may be missing, but the newest may not be, as
/// long as the store works.
async fn reach(mut hints: watch::Receiver<Hint>, revision: u64) -> Outcome {
    hints.wait_for(|newest| newest.revision >= revision).await?;
    Ok(())
}

pub(super) async fn watchers(store: SharedStore) -> Outcome {
    let terms = Terms::of(&[BOT, BOT]);
    let first = sample::create(1, &terms);
    // Before the match is there, and of a match that stays as it is.
    let early = store.watch(&first.table.id).await?;
    let mut elsewhere = store.watch(&sample::match_id(2)).await?;
    elsewhere.mark_unchanged();
    assert_eq!(*early.borrow(), Hint::default());
    keep(&store, [first.clone()]).await?;

    let mut watching = JoinSet::new();
    for number in 0..20 {
        let hints = if number == 0 {
            early.clone()
        } else {
            store.watch(&first.table.id).await?
        };
        watching.spawn(reach(hints, 10));
    }
    // Who leaves takes no hints from the others.
    drop((early, store.watch(&first.table.id).await?));
    let mut before = first.table;
    for made in sample::whole(1, &terms).skip(1).take(9) {
        assert_eq!(
            store.commit(before.cursor, &made.table, &made.batch).await?,
            Committed::Done
        );
        before = made.table;
    }
    while let Some(reached) = watching.join_next().await {
        reached??;
    }
    assert!(!elsewhere.has_changed()?);
    Ok(())
}

pub(super) async fn creators(store: SharedStore) -> Outcome {
    let mut tries = JoinSet::new();
    for number in 0..32 {
        let store = SharedStore::clone(&store);
        let mut made = sample::create(1, &Terms::of(&[sample::person(number), Occupant::Open]));
        // Each process has a clock of its own.
        let created_at = made.table.created_at.plus_ms(number);
        Arc::make_mut(&mut made.table).created_at = created_at;
        tries.spawn(async move {
            store
                .create(&made.table, &made.batch)
                .await
                .map(|created| (created, made))
        });
    }
    let mut new: Vec<Made> = Vec::new();
    while let Some(tried) = tries.join_next().await {
        let (created, made) = tried??;
        if created == Created::New {
            new.push(made);
        }
    }
    let [made] = new.as_slice() else {
        return Err(format!("{} were new", new.len()).into());
    };
    assert_eq!(store.load(&made.table.id).await?.as_ref(), Some(&made.table));
    assert_eq!(
        store.batches(&made.table.id, 1, 10).await?,
        std::slice::from_ref(&made.batch)
    );
    // Whoever was slower leaves no second place in a list behind.
    for listing in made.table.listings() {
        let places = store.list(&listing, None, usize::MAX).await?;
        let place = ListPosition {
            created_at: made.table.created_at,
            id: made.table.id,
        };
        assert_eq!(places, [place], "{listing:?}");
    }
    Ok(())
}

/// A change that is always possible: somebody sits down, or stands up again.
fn toggle(table: &Table, number: u64, request: &str) -> Result<Made, Failure> {
    let seated = table.chairs.iter().find_map(|chair| match &chair.occupant {
        Occupant::Person { player, .. } => Some(*player),
        Occupant::Open | Occupant::Bot(_) => None,
    });
    let events = match seated {
        Some(player) => {
            let seat = table.seat_of(&player).ok_or("a person sits somewhere")?;
            vec![TableEvent::SeatLeft { seat, player }]
        }
        None => table.decide(&sample::player_id(number), &sample::join(number))?,
    };
    Ok(sample::next(
        table,
        sample::author(sample::player_id(number), None, request),
        events,
    ))
}

pub(super) async fn writers(store: SharedStore) -> Outcome {
    const WRITERS: u64 = 8;
    const COMMITS: u64 = 40;
    let first = sample::create(1, &Terms::of(&[Occupant::Open, Occupant::Open]));
    let id = first.table.id;
    keep(&store, [first.clone()]).await?;
    let end = 1 + WRITERS * COMMITS;
    let hints = store.watch(&id).await?;
    let watcher = tokio::spawn(reach(hints, end));
    let mut writing = JoinSet::new();
    for writer in 0..WRITERS {
        let store = SharedStore::clone(&store);
        writing.spawn(async move {
            let mut stamps = Vec::new();
            for commit in 0..COMMITS {
                let request = format!("{writer}-{commit}");
                loop {
                    let table = store.load(&id).await?.ok_or("it was created")?;
                    let made = toggle(&table, writer, &request)?;
                    match store.commit(table.cursor, &made.table, &made.batch).await? {
                        Committed::Done => {
                            stamps.push(made.table.cursor);
                            break;
                        }
                        Committed::Conflict => {}
                        Committed::Missing => return Err(Failure::from("it is gone")),
                    }
                }
            }
            Ok(stamps)
        });
    }
    let mut acknowledged = Vec::new();
    while let Some(written) = writing.join_next().await {
        acknowledged.extend(written??);
    }
    watcher.await??;
    acknowledged.sort_by_key(|cursor| cursor.revision);
    let log = store.batches(&id, 2, usize::MAX).await?;
    let cursors: Vec<_> = log.iter().map(|batch| batch.cursor).collect();
    assert_eq!(cursors, acknowledged);
    assert_eq!(
        cursors.iter().map(|cursor| cursor.revision).collect::<Vec<_>>(),
        (2..=end).collect::<Vec<_>>()
    );
    let newest = store.load(&id).await?;
    assert_eq!(newest, folded(&store, &first.table).await?);
    Ok(())
}

/// Whoever asks may give up at any moment; what was asked for is then done, or not, but never in part.
pub(super) async fn given_up(store: SharedStore) -> Outcome {
    let first = sample::create(1, &Terms::of(&[BOT, BOT]));
    let id = first.table.id;
    keep(&store, [first]).await?;
    for patience in 0.. {
        let Some(made) = store.load(&id).await?.and_then(|table| sample::play(&table)) else {
            break;
        };
        let before = made.table.cursor.revision - 1;
        let expected = store
            .batches(&id, before, 1)
            .await?
            .first()
            .ok_or("the log ends early")?
            .cursor;
        // Polled a few times and then dropped: sometimes before, sometimes after the commit is on its way.
        let mut commit = std::pin::pin!(store.commit(expected, &made.table, &made.batch));
        for _ in 0..patience % 4 {
            if futures::poll!(&mut commit).is_ready() {
                break;
            }
            tokio::task::yield_now().await;
        }
    }
    let newest = store.load(&id).await?.ok_or("it was created")?;
    assert_eq!(newest.state(), MatchState::Finished);
    assert_eq!(folded(&store, &newest).await?.as_ref(), Some(&newest));
    Ok(())
}

pub(super) async fn strangers(store: SharedStore) -> Outcome {
    let terms = Terms::of(&[sample::person(1), BOT]);
    let mut playing = JoinSet::new();
    for number in 0..32 {
        let (store, terms) = (SharedStore::clone(&store), terms.clone());
        playing.spawn(async move { keep(&store, sample::whole(number, &terms).take(20)).await });
    }
    while let Some(played) = playing.join_next().await {
        let kept = played??;
        let last = kept.last().ok_or("a match has a last state")?;
        assert_eq!(store.load(&last.table.id).await?.as_ref(), Some(&last.table));
        assert_eq!(folded(&store, &last.table).await?.as_ref(), Some(&last.table));
    }
    Ok(())
}
