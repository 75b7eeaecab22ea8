//! Who is being erased, and what goes for it.

use fives_lobby::store::SharedLobbyStore;
use fives_referee::erased::{self, ErasedMark};
use fives_referee::id::PlayerId;
use fives_referee::listing::Listing;
use fives_referee::player::Player;
use fives_referee::store::{Committed, Created};
use fives_referee::table::Occupant;
use fives_referee::time::UnixMillis;
use tokio::task::JoinSet;

use super::Outcome;
use super::sample::{self, Terms};

/// Longer than any case takes.
const LONG_MS: u64 = 3_600_000;

pub(super) async fn claimed(store: SharedLobbyStore) -> Outcome {
    let players = [1, 2].map(sample::player_id);
    assert_eq!(store.claim_erasure(LONG_MS).await?, None);
    for player in &players {
        store.begin_erasure(player).await?;
        // A second time is as good as once.
        store.begin_erasure(player).await?;
    }
    let marks = store.erased(UnixMillis(0), 10).await?;
    let mut marked: Vec<ErasedMark> = marks.iter().map(|(_, mark)| *mark).collect();
    marked.sort_unstable();
    let mut expected = players.map(|player| ErasedMark::of(&player));
    expected.sort_unstable();
    assert_eq!(marked, expected);

    let mut claims = JoinSet::new();
    for _ in 0..8 {
        let store = SharedLobbyStore::clone(&store);
        claims.spawn(async move { store.claim_erasure(LONG_MS).await });
    }
    let mut claimed = Vec::new();
    while let Some(claim) = claims.join_next().await {
        claimed.extend(claim??.map(|unfinished| unfinished.player));
    }
    claimed.sort_unstable();
    let mut both = players;
    both.sort_unstable();
    assert_eq!(claimed, both, "each by one");

    let [first, second] = players;
    store.defer_erasure(&first, 0).await?;
    let again = store.claim_erasure(LONG_MS).await?.ok_or("it may be claimed again")?;
    assert_eq!(again.player, first);
    store.end_erasure(&first).await?;
    store.defer_erasure(&first, 0).await?;
    assert_eq!(
        store.claim_erasure(LONG_MS).await?,
        None,
        "what has ended does not come back"
    );
    store.end_erasure(&second).await?;

    let newest = marks.last().ok_or("there are marks")?.0;
    store.drop_marks(newest).await?;
    assert!(
        store
            .erased(UnixMillis(0), 10)
            .await?
            .iter()
            .all(|(at, _)| *at >= newest)
    );
    store.drop_marks(newest.plus_ms(1)).await?;
    assert_eq!(store.erased(UnixMillis(0), 10).await?, []);
    Ok(())
}

pub(super) async fn removed(store: SharedLobbyStore) -> Outcome {
    let player = sample::player(1);
    let device = player.device.ok_or("player 1 has a device")?;
    store.create_player(&player).await?;
    store.remove_player(&player.id).await?;
    store.remove_player(&player.id).await?;
    assert_eq!(store.load_player(&player.id).await?, None);
    assert_eq!(store.find_device(&device).await?, None);
    assert!(!store.update_player(&player).await?);

    let next = Player {
        id: sample::player_id(2),
        ..player.clone()
    };
    assert_eq!(store.create_player(&next).await?, Created::New, "the device is free");
    store.remove_player(&player.id).await?;
    assert_eq!(store.find_device(&device).await?, Some(next.id));
    Ok(())
}

pub(super) async fn rewritten(store: SharedLobbyStore) -> Outcome {
    let made: Vec<_> = sample::whole(1, &Terms::of(&[sample::person(1), sample::person(2)]))
        .take(5)
        .collect();
    let [first, .., last] = made.as_slice() else {
        return Err("a match has some revisions".into());
    };
    store.create(&first.table, &first.batch).await?;
    for pair in made.windows(2) {
        let [before, after] = pair else { continue };
        store.commit(before.table.cursor, &after.table, &after.batch).await?;
    }
    let (player, nobody) = (sample::player_id(1), PlayerId::of_nobody([7; 8]));
    let log = store.batches(&last.table.id, 1, 100).await?;
    let history = erased::rewritten(log, &player, nobody, 9).ok_or("a match")?;
    assert_ne!(history.table.cursor, last.table.cursor);
    assert_eq!(history.table.cursor.revision, last.table.cursor.revision);
    assert_eq!(
        store.rewrite(history.table.cursor, &history).await?,
        Committed::Conflict
    );
    assert_eq!(store.rewrite(last.table.cursor, &history).await?, Committed::Done);
    assert_eq!(store.rewrite(last.table.cursor, &history).await?, Committed::Conflict);

    let kept = store.load(&last.table.id).await?.ok_or("it is there")?;
    assert_eq!(*kept, history.table);
    assert!(!kept.knows(&player) && kept.seat_of(&nobody).is_some());
    assert_eq!(store.batches(&kept.id, 1, 100).await?, history.log);
    assert_eq!(store.list(&Listing::Of(player), None, 10).await?, []);
    for listing in [Listing::Live, Listing::Of(sample::player_id(2))] {
        let listed = store.list(&listing, None, 10).await?;
        assert!(listed.iter().any(|position| position.id == kept.id), "{listing:?}");
    }
    // It goes on, for those who know the new history and nobody else.
    let next = sample::play(&kept).ok_or("it goes on")?;
    assert_eq!(
        store.commit(last.table.cursor, &next.table, &next.batch).await?,
        Committed::Conflict
    );
    assert_eq!(
        store.commit(kept.cursor, &next.table, &next.batch).await?,
        Committed::Done
    );
    let gone = erased::Rewritten {
        table: fives_referee::table::Table {
            id: sample::match_id(7),
            ..history.table.clone()
        },
        log: history.log,
    };
    assert_eq!(store.rewrite(kept.cursor, &gone).await?, Committed::Missing);
    Ok(())
}

pub(super) async fn left(store: SharedLobbyStore) -> Outcome {
    let made = sample::create(1, &Terms::of(&[Occupant::Open, Occupant::Open]));
    store.create(&made.table, &made.batch).await?;
    let joined = sample::command(&made.table, 1, &sample::join(1))?;
    store.commit(made.table.cursor, &joined.table, &joined.batch).await?;
    let player = sample::player_id(1);
    assert_eq!(store.left(&player).await?, []);
    let rose = sample::command(&joined.table, 1, &fives_referee::command::Command::Leave)?;
    store.commit(joined.table.cursor, &rose.table, &rose.batch).await?;
    assert_eq!(store.left(&player).await?, [made.table.id]);
    assert_eq!(store.list(&Listing::Of(player), None, 10).await?, []);
    store.drop_lists(&player).await?;
    assert_eq!(store.left(&player).await?, []);
    Ok(())
}
