//! Invites, rematches, emotes and news.

use std::sync::Arc;
use std::time::Duration;

use fives_lobby::rematch::{Answer, Rematch, Stage};
use fives_lobby::store::SharedLobbyStore;
use fives_referee::command::Command;
use fives_referee::emote::{Emote, EmoteKind};
use fives_referee::invite::{InviteWish, Shown};
use fives_referee::request::{RequestDigest, RequestId};
use fives_referee::store::{Committed, SharedStore};
use fives_referee::table::Occupant;
use fives_referee::time::UnixMillis;
use fives_rules::seat::Seat;
use tokio::task::JoinSet;
use tokio::time::sleep;

use super::sample::{self, Made, Terms};
use super::{Outcome, matches};

type Failure = Box<dyn std::error::Error + Send + Sync>;

async fn keep(store: &SharedLobbyStore, made: [Made; 1]) -> Outcome {
    let store: SharedStore = Arc::clone(store) as _;
    matches::keep(&store, made).await?;
    Ok(())
}

fn invite(number: u64) -> Command {
    Command::Invite {
        wish: InviteWish {
            seat: Seat::new(1),
            lifetime_ms: Some(60_000),
            uses_max: Some(1),
        },
        code: sample::code(number),
        at: UnixMillis(1_000_000),
    }
}

async fn commit(store: &SharedLobbyStore, before: &Made, after: Made) -> Result<Made, Failure> {
    let committed = store.commit(before.table.cursor, &after.table, &after.batch).await?;
    assert_eq!(committed, Committed::Done);
    assert_eq!(store.load(&after.table.id).await?.as_ref(), Some(&after.table));
    assert_eq!(
        store.batches(&after.table.id, after.table.cursor.revision, 1).await?,
        std::slice::from_ref(&after.batch)
    );
    Ok(after)
}

/// A code leads to its match from the commit that makes it on, a revoked one too.
pub(super) async fn invites(store: SharedLobbyStore) -> Outcome {
    let terms = Terms::of(&[sample::person(1), Occupant::Open, Occupant::Open]);
    let created = sample::create(1, &terms);
    keep(&store, [created.clone()]).await?;
    assert_eq!(store.find_invite(&sample::code(7)).await?, None);
    let made = commit(&store, &created, sample::command(&created.table, 1, &invite(7))?).await?;
    let made = commit(&store, &made, sample::command(&made.table, 1, &invite(8))?).await?;
    let revoke = Command::RevokeInvite { code: sample::code(8) };
    let revoked = commit(&store, &made, sample::command(&made.table, 1, &revoke)?).await?;
    let Command::Join {
        seat, entropy, name, ..
    } = sample::join(2)
    else {
        return Err("it is a join".into());
    };
    let code = Some(Shown {
        code: sample::code(7),
        at: UnixMillis(1_059_999),
    });
    let join = Command::Join {
        seat,
        entropy,
        code,
        name,
    };
    let joined = commit(&store, &revoked, sample::command(&revoked.table, 2, &join)?).await?;
    let uses: Vec<(u32, bool)> = joined
        .table
        .invites
        .iter()
        .map(|invite| (invite.uses, invite.revoked))
        .collect();
    assert_eq!(uses, [(1, false), (0, true)]);
    for (number, expected) in [(7, Some(1)), (8, Some(1)), (9, None)] {
        let found = store.find_invite(&sample::code(number)).await?;
        assert_eq!(found, expected.map(sample::match_id), "code {number}");
    }
    Ok(())
}

fn answer(seat: Seat, name: &str) -> Result<Answer, Failure> {
    Ok(Answer {
        seat,
        request: RequestDigest::of(&RequestId::new(name)?),
        is_yes: true,
        is_current: true,
    })
}

/// A rematch is kept beside its match, and one version follows on another.
pub(super) async fn rematches(store: SharedLobbyStore) -> Outcome {
    let terms = Terms::of(&[sample::person(1), sample::person(2)]);
    let mut rematch = Rematch {
        of: sample::match_id(1),
        version: 1,
        offered_at: UnixMillis(1_000),
        expires_at: UnixMillis(61_000),
        stage: Stage::Offered,
        answers: vec![answer(Seat::ALL[1], "first")?],
    };
    assert_eq!(store.rematch(&rematch.of).await?, None);
    assert!(!store.keep_rematch(&rematch).await?, "nothing is kept beside nothing");
    keep(&store, [sample::create(1, &terms)]).await?;
    assert!(store.keep_rematch(&rematch).await?);
    assert!(!store.keep_rematch(&rematch).await?, "the first version is there");
    assert_eq!(store.rematch(&rematch.of).await?.as_ref(), Some(&rematch));
    for stage in [Stage::Declined { by: Seat::ALL[0] }, Stage::Agreed] {
        rematch.version += 2;
        assert!(!store.keep_rematch(&rematch).await?, "a version is missing");
        rematch.version -= 1;
        rematch.stage = stage;
        assert!(store.keep_rematch(&rematch).await?);
        assert_eq!(store.rematch(&rematch.of).await?.as_ref(), Some(&rematch));
    }
    assert_eq!(store.rematch(&sample::match_id(2)).await?, None);
    Ok(())
}

/// Of many who answer at once, one is first.
pub(super) async fn answers_together(store: SharedLobbyStore) -> Outcome {
    const TRIES: u64 = 16;
    let terms = Terms::of(&[sample::person(1), sample::person(2)]);
    keep(&store, [sample::create(1, &terms)]).await?;
    let mut tries = JoinSet::new();
    for number in 0..TRIES {
        let store = Arc::clone(&store);
        let rematch = Rematch {
            of: sample::match_id(1),
            version: 1,
            offered_at: UnixMillis(number),
            expires_at: UnixMillis(61_000),
            stage: Stage::Offered,
            answers: vec![answer(Seat::ALL[0], "one")?],
        };
        tries.spawn(async move { store.keep_rematch(&rematch).await.map(|kept| kept.then_some(rematch)) });
    }
    let mut kept = Vec::new();
    while let Some(tried) = tries.join_next().await {
        kept.extend(tried??);
    }
    assert_eq!(kept.len(), 1);
    assert_eq!(store.rematch(&sample::match_id(1)).await?, kept.pop());
    Ok(())
}

/// Whoever comes to a match is told, and finds it.
pub(super) async fn newcomers(store: SharedLobbyStore) -> Outcome {
    let mut first = store.watch_player(&sample::player_id(1)).await?;
    let mut second = store.watch_player(&sample::player_id(2)).await?;
    let created = sample::create(1, &Terms::of(&[sample::person(1), Occupant::Open, Occupant::Open]));
    keep(&store, [created.clone()]).await?;
    first.changed().await?;
    // Whoever has nothing to do with it may be woken for nothing, after a connection was lost: it is only a hint.
    second.mark_unchanged();
    let position = store.newest_matches(&sample::player_id(1), 10).await?;
    assert_eq!(position.first().map(|position| position.id), Some(created.table.id));
    assert_eq!(store.newest_matches(&sample::player_id(2), 10).await?, []);
    commit(&store, &created, sample::command(&created.table, 2, &sample::join(2))?).await?;
    second.changed().await?;
    assert_eq!(store.newest_matches(&sample::player_id(2), 10).await?, position);
    first.mark_unchanged();
    store
        .tell_players(&[sample::player_id(1), sample::player_id(3)])
        .await?;
    first.changed().await?;
    Ok(())
}

/// What is said at a match that is watched is heard there, and nowhere else. Any may be lost, so it is said until it is heard.
pub(super) async fn emotes(store: SharedLobbyStore) -> Outcome {
    let (here, there) = (sample::match_id(1), sample::match_id(2));
    let _watching = [store.watch(&here).await?, store.watch(&there).await?];
    let (mut heard_here, mut heard_there) = (store.emotes(&here), store.emotes(&there));
    let emote = Emote {
        seat: Seat::ALL[2],
        kind: EmoteKind::GoodPlay,
        at: UnixMillis(1_790_000_000_123),
    };
    let heard = loop {
        store.send_emote(&here, &emote).await?;
        tokio::select! {
            heard = heard_here.recv() => break heard?,
            () = sleep(Duration::from_millis(20)) => {}
        }
    };
    assert_eq!(heard, emote);
    assert!(heard_there.try_recv().is_err());
    Ok(())
}
