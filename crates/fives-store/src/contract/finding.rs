//! Lists, codes, and what is due: what follows from the tables that are kept.

use std::sync::Arc;

use fives_bots::BotKind;
use fives_referee::command::{Command, Intervention};
use fives_referee::id::MatchId;
use fives_referee::listing::{ListPosition, Listing};
use fives_referee::store::{Committed, SharedStore, StoreError};
use fives_referee::table::{MatchState, Occupant, Table};
use fives_referee::time::UnixMillis;

use super::Outcome;
use super::matches::keep;
use super::sample::{self, Made, Terms};

const BOT: Occupant = Occupant::Bot(BotKind::Greedy);

/// All lists that somebody here can be in.
fn all_lists() -> [Listing; 5] {
    [
        Listing::Open,
        Listing::Live,
        Listing::Of(sample::player_id(0)),
        Listing::Of(sample::player_id(1)),
        Listing::Of(sample::player_id(2)),
    ]
}

async fn listed(store: &SharedStore, listing: Listing) -> Result<Vec<MatchId>, StoreError> {
    let positions = store.list(&listing, None, usize::MAX).await?;
    Ok(positions.into_iter().map(|position| position.id).collect())
}

/// Whether the table is in the lists that it says it is in, and in no other.
pub(super) async fn check_lists(store: &SharedStore, table: &Table) -> Outcome {
    let own = table.listings();
    for listing in all_lists() {
        let is_listed = listed(store, listing).await?.contains(&table.id);
        assert_eq!(is_listed, own.contains(&listing), "{:?} in {listing:?}", table.state());
    }
    Ok(())
}

async fn commit(store: &SharedStore, before: &Table, after: &Made) -> Outcome {
    let committed = store.commit(before.cursor, &after.table, &after.batch).await?;
    assert_eq!(committed, Committed::Done);
    Ok(())
}

pub(super) async fn pages(store: SharedStore) -> Outcome {
    let terms = Terms::of(&[sample::person(1), Occupant::Open]);
    let mut all = Vec::new();
    for number in 0..23 {
        let mut made = sample::create(number, &terms);
        if number >= 20 {
            // Made in the same millisecond: told apart by id.
            Arc::make_mut(&mut made.table).created_at = UnixMillis(1);
        }
        store.create(&made.table, &made.batch).await?;
        all.push(ListPosition {
            created_at: made.table.created_at,
            id: made.table.id,
        });
    }
    all.sort_by_key(|position| (std::cmp::Reverse(position.created_at), position.id));
    for listing in [
        Listing::Open,
        Listing::Of(sample::player_id(1)),
        Listing::Of(sample::player_id(0)),
    ] {
        assert_eq!(store.list(&listing, None, usize::MAX).await?, all, "{listing:?}");
        for page_len in [1, 5, 23, 100] {
            let mut read: Vec<ListPosition> = Vec::new();
            loop {
                let page = store.list(&listing, read.last().copied(), page_len).await?;
                assert!(page.len() <= page_len);
                if page.is_empty() {
                    break;
                }
                read.extend(page);
                assert!(read.len() <= all.len(), "{listing:?} in pages of {page_len} has no end");
            }
            assert_eq!(read, all, "{listing:?} in pages of {page_len}");
        }
        assert_eq!(store.list(&listing, None, 0).await?, []);
        // A token may name a match that has left the list, or none at all.
        let between = ListPosition {
            created_at: UnixMillis(2),
            id: MatchId::from_bytes([0; 16]),
        };
        let rest: Vec<_> = all
            .iter()
            .filter(|position| position.created_at.0 == 1)
            .copied()
            .collect();
        assert_eq!(store.list(&listing, Some(between), 10).await?, rest, "{listing:?}");
        for created_at in [0, u64::MAX] {
            for id in [[0; 16], [u8::MAX; 16]] {
                let edge = ListPosition {
                    created_at: UnixMillis(created_at),
                    id: MatchId::from_bytes(id),
                };
                let expected = if created_at == 0 { 0 } else { all.len() };
                assert_eq!(store.list(&listing, Some(edge), 100).await?.len(), expected, "{edge:?}");
            }
        }
    }
    assert_eq!(store.list(&Listing::Live, None, 100).await?, []);
    assert_eq!(store.live_count().await?, 0);
    assert_eq!(store.list(&Listing::Of(sample::player_id(9)), None, 100).await?, []);
    Ok(())
}

pub(super) async fn moving(store: SharedStore) -> Outcome {
    let terms = Terms::of(&[Occupant::Open, Occupant::Open]);
    let mut made = sample::create(1, &terms);
    keep(&store, [made.clone()]).await?;
    check_lists(&store, &made.table).await?;
    let steps = [
        (1, sample::join(1), MatchState::Open),
        (2, sample::join(2), MatchState::Live),
    ];
    for (number, command, state) in steps {
        let next = sample::command(&made.table, number, &command)?;
        commit(&store, &made.table, &next).await?;
        assert_eq!(next.table.state(), state);
        check_lists(&store, &next.table).await?;
        made = next;
    }
    let played = sample::play(&made.table).ok_or("somebody is on turn")?;
    commit(&store, &made.table, &played).await?;
    check_lists(&store, &played.table).await?;
    let over = sample::command(&played.table, 1, &Command::Resign)?;
    commit(&store, &played.table, &over).await?;
    assert_eq!(over.table.state(), MatchState::Finished);
    check_lists(&store, &over.table).await?;

    let mut made = sample::create(2, &Terms::of(&[sample::person(1), Occupant::Open, Occupant::Open]));
    keep(&store, [made.clone()]).await?;
    let steps = [
        (2, sample::join(2), MatchState::Open),
        (2, Command::Leave, MatchState::Open),
        (1, Command::Leave, MatchState::Closed),
    ];
    for (number, command, state) in steps {
        let next = sample::command(&made.table, number, &command)?;
        commit(&store, &made.table, &next).await?;
        assert_eq!(next.table.state(), state);
        check_lists(&store, &next.table).await?;
        made = next;
    }
    Ok(())
}

pub(super) async fn hidden(store: SharedStore) -> Outcome {
    let open = Terms::of(&[sample::person(1), Occupant::Open]);
    let live = Terms::of(&[sample::person(1), BOT]);
    let matches = [
        sample::create(1, &open.clone().private(1)),
        sample::create(2, &live.clone().private(2)),
        sample::create(3, &live.clone().unwatched()),
        sample::create(4, &open),
        sample::create(5, &live),
    ];
    for made in matches.clone() {
        keep(&store, [made]).await?;
    }
    for made in matches {
        check_lists(&store, &made.table).await?;
    }
    assert_eq!(listed(&store, Listing::Open).await?, [sample::match_id(4)]);
    assert_eq!(listed(&store, Listing::Live).await?, [sample::match_id(5)]);
    assert_eq!(store.live_count().await?, 1);
    Ok(())
}

pub(super) async fn invites(store: SharedStore) -> Outcome {
    let terms = Terms::of(&[sample::person(1), Occupant::Open]);
    for number in [1, 2] {
        keep(&store, [sample::create(number, &terms.clone().private(number))]).await?;
    }
    keep(&store, [sample::create(3, &terms)]).await?;
    for (number, expected) in [(1, Some(1)), (2, Some(2)), (3, None)] {
        let found = store.find_invite(&sample::code(number)).await?;
        assert_eq!(found, expected.map(sample::match_id), "code {number}");
    }
    Ok(())
}

pub(super) async fn due(store: SharedStore) -> Outcome {
    let now = UnixMillis(1_000_000);
    // Two at the same time are told apart by id; the one that waits for a person is not due at all.
    let times = [
        Some(30),
        Some(10),
        None,
        Some(20),
        Some(20),
        Some(1_000_000),
        Some(1_000_001),
    ];
    let mut expected = Vec::new();
    for (number, at) in (1..).zip(times) {
        let mut made = sample::create(number, &Terms::of(&[BOT, BOT]));
        Arc::make_mut(&mut made.table).next_due = at.map(UnixMillis);
        made.batch.next_due = made.table.next_due;
        store.create(&made.table, &made.batch).await?;
        expected.extend(at.map(|at| (at, made.table.id)));
    }
    expected.sort_unstable();
    expected.retain(|(at, _)| *at <= now.0);
    let ids: Vec<MatchId> = expected.into_iter().map(|(_, id)| id).collect();
    assert_eq!(store.due(now, 100).await?, ids);
    assert_eq!(store.due(now, 2).await?, ids.get(..2).unwrap_or_default());
    assert_eq!(store.due(now, 0).await?, []);
    assert_eq!(store.due(UnixMillis(9), 100).await?, []);
    assert_eq!(store.due(UnixMillis(10), 100).await?, [sample::match_id(2)]);
    assert_eq!(store.due(UnixMillis(u64::MAX), 100).await?.len(), 6);

    // What is fired moves behind the others, or is not due any more.
    let mut table = store.load(&sample::match_id(2)).await?.ok_or("it was created")?;
    for (at, first) in [
        (Some(25), sample::match_id(4).min(sample::match_id(5))),
        (Some(5), sample::match_id(2)),
    ] {
        let mut made = sample::play(&table).ok_or("a bot is on turn")?;
        Arc::make_mut(&mut made.table).next_due = at.map(UnixMillis);
        made.batch.next_due = made.table.next_due;
        commit(&store, &table, &made).await?;
        assert_eq!(store.due(now, 1).await?, [first]);
        assert_eq!(store.due(now, 100).await?.len(), ids.len());
        table = made.table;
    }
    let mut made = sample::play(&table).ok_or("a bot is on turn")?;
    Arc::make_mut(&mut made.table).next_due = None;
    made.batch.next_due = None;
    commit(&store, &table, &made).await?;
    assert_eq!(store.due(now, 100).await?.len(), ids.len() - 1);
    Ok(())
}

pub(super) async fn voided(store: SharedStore) -> Outcome {
    let bots = Terms::of(&[sample::person(1), BOT]);
    let open = Terms::of(&[sample::person(1), Occupant::Open]).private(1);
    for (number, terms) in [(1, bots), (2, open)] {
        let made = sample::create(number, &terms);
        keep(&store, [made.clone()]).await?;
        let over = sample::intervene(&made.table, Intervention::Void)?;
        commit(&store, &made.table, &over).await?;
        assert_eq!(over.table.state(), MatchState::Closed);
        check_lists(&store, &over.table).await?;
        assert_eq!(store.load(&made.table.id).await?, Some(Arc::clone(&over.table)));
        assert_eq!(store.batches(&made.table.id, 2, 1).await?, [over.batch]);
        assert_eq!(store.due(UnixMillis(u64::MAX), 10).await?, []);
    }
    Ok(())
}
