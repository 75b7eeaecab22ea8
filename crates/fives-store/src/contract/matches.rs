//! Creating, loading, committing; the log.

use std::sync::Arc;

use fives_bots::BotKind;
use fives_referee::batch::Batch;
use fives_referee::cursor::Cursor;
use fives_referee::store::{Committed, Created, SharedStore, StoreError};
use fives_referee::table::{MatchState, Occupant, Table};

use super::Outcome;
use super::sample::{self, Made, Terms};

const BOT: Occupant = Occupant::Bot(BotKind::Greedy);

/// Keeps a whole match, and gives its last state.
pub(super) async fn keep(store: &SharedStore, whole: impl IntoIterator<Item = Made>) -> Result<Vec<Made>, StoreError> {
    let mut kept: Vec<Made> = Vec::new();
    for made in whole {
        match kept.last() {
            None => assert_eq!(store.create(&made.table, &made.batch).await?, Created::New),
            Some(last) => {
                let committed = store.commit(last.table.cursor, &made.table, &made.batch).await?;
                assert_eq!(committed, Committed::Done);
            }
        }
        kept.push(made);
    }
    Ok(kept)
}

/// What the log folds to.
pub(super) async fn folded(store: &SharedStore, table: &Table) -> Result<Option<Arc<Table>>, StoreError> {
    let log = store.batches(&table.id, 1, usize::MAX).await?;
    let mut folded = log.first().and_then(Table::begin);
    if let Some(folded) = &mut folded {
        log.iter().skip(1).for_each(|batch| folded.fold(batch));
    }
    Ok(folded.map(Arc::new))
}

pub(super) async fn clock(store: SharedStore) -> Outcome {
    let mut last = store.now().await?;
    for _ in 0..1000 {
        let now = store.now().await?;
        assert!(now >= last);
        last = now;
    }
    Ok(())
}

pub(super) async fn created(store: SharedStore) -> Outcome {
    let first = sample::create(1, &Terms::of(&[sample::person(0), Occupant::Open]));
    assert_eq!(store.load(&first.table.id).await?, None);
    assert_eq!(store.batches(&first.table.id, 1, 10).await?, []);
    assert_eq!(store.create(&first.table, &first.batch).await?, Created::New);

    let other = sample::create(1, &Terms::of(&[BOT, BOT]).private(1));
    assert_eq!(other.table.id, first.table.id);
    assert_eq!(store.create(&other.table, &other.batch).await?, Created::Exists);
    assert_eq!(store.load(&first.table.id).await?, Some(first.table.clone()));
    assert_eq!(store.batches(&first.table.id, 1, 10).await?, [first.batch]);
    assert_eq!(store.find_invite(&sample::code(1)).await?, None);
    assert_eq!(store.due(first.table.changed_at.plus_ms(1 << 32), 10).await?, []);
    Ok(())
}

pub(super) async fn whole_match(store: SharedStore) -> Outcome {
    let terms = Terms::of(&[
        sample::person(1),
        BOT,
        sample::person(2),
        Occupant::Bot(BotKind::Random),
    ]);
    let kept = keep(&store, sample::whole(1, &terms)).await?;
    let last = kept.last().ok_or("a match has a last state")?;
    assert_eq!(last.table.state(), MatchState::Finished);
    assert_eq!(store.load(&last.table.id).await?.as_ref(), Some(&last.table));
    let batches: Vec<Batch> = kept.iter().map(|made| made.batch.clone()).collect();
    assert_eq!(store.batches(&last.table.id, 1, usize::MAX).await?, batches);
    assert_eq!(folded(&store, &last.table).await?.as_ref(), Some(&last.table));

    let mut open = keep(
        &store,
        [sample::create(
            2,
            &Terms::of(&[sample::person(0), Occupant::Open, Occupant::Open]),
        )],
    )
    .await?;
    for command in [sample::join(1), fives_referee::command::Command::Leave, sample::join(1)] {
        let before = open.last().ok_or("a match has a state")?.table.clone();
        let after = sample::command(&before, 1, &command)?;
        assert_eq!(
            store.commit(before.cursor, &after.table, &after.batch).await?,
            Committed::Done
        );
        assert_eq!(store.load(&after.table.id).await?.as_ref(), Some(&after.table));
        assert_eq!(folded(&store, &after.table).await?.as_ref(), Some(&after.table));
        open.push(after);
    }
    Ok(())
}

pub(super) async fn conflict(store: SharedStore) -> Outcome {
    let terms = Terms::of(&[sample::person(0), sample::person(1)]);
    let kept = keep(&store, sample::whole(1, &terms).take(4)).await?;
    let [.., before, newest] = kept.as_slice() else {
        return Err("the match is too short".into());
    };
    let wrong_stamp = Cursor {
        stamp: newest.table.cursor.stamp ^ 1,
        ..newest.table.cursor
    };
    // From an older state, from a state of another history, and the same commit once more.
    let ahead = sample::play(&newest.table).ok_or("the match goes on")?;
    let late = sample::next(
        &before.table,
        sample::author(sample::player_id(1), None, "late"),
        newest.batch.events.clone(),
    );
    for (expected, made) in [
        (before.table.cursor, &late),
        (before.table.cursor, newest),
        (wrong_stamp, &ahead),
    ] {
        let committed = store.commit(expected, &made.table, &made.batch).await?;
        assert_eq!(committed, Committed::Conflict, "at {expected:?}");
        assert_eq!(store.load(&newest.table.id).await?.as_ref(), Some(&newest.table));
        let log = store.batches(&newest.table.id, 1, 100).await?;
        assert_eq!(log.len(), kept.len());
        assert_eq!(log.last(), Some(&newest.batch));
    }
    let committed = store.commit(newest.table.cursor, &ahead.table, &ahead.batch).await?;
    assert_eq!(committed, Committed::Done);
    Ok(())
}

pub(super) async fn missing(store: SharedStore) -> Outcome {
    let terms = Terms::of(&[BOT, BOT]);
    let first = sample::create(1, &terms);
    let second = sample::play(&first.table).ok_or("a bot is on turn")?;
    let committed = store.commit(first.table.cursor, &second.table, &second.batch).await?;
    assert_eq!(committed, Committed::Missing);
    assert_eq!(store.load(&first.table.id).await?, None);
    assert_eq!(store.batches(&first.table.id, 1, 10).await?, []);
    assert_eq!(store.due(second.table.changed_at.plus_ms(1 << 32), 10).await?, []);
    Ok(())
}

pub(super) async fn ranges(store: SharedStore) -> Outcome {
    let bots = Terms::of(&[BOT, BOT]);
    // A neighbour on either side, so that a range that runs over the end of its match is noticed.
    for number in [1, 2, 3] {
        keep(&store, sample::whole(number, &bots).take(5)).await?;
    }
    let kept = keep(&store, sample::whole(4, &bots).take(20)).await?;
    let id = sample::match_id(4);
    let all: Vec<Batch> = kept.into_iter().map(|made| made.batch).collect();
    for (from, limit) in [
        (0, 100),
        (1, 100),
        (1, 7),
        (8, 7),
        (20, 7),
        (20, 1),
        (21, 7),
        (u64::MAX, 7),
        (5, 0),
    ] {
        let begin = usize::try_from(from.saturating_sub(1)).unwrap_or(usize::MAX);
        let expected: Vec<Batch> = all.iter().skip(begin).take(limit).cloned().collect();
        assert_eq!(store.batches(&id, from, limit).await?, expected, "{limit} from {from}");
    }
    Ok(())
}
