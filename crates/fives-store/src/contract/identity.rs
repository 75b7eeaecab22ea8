//! Outside identities and their players.

use std::collections::HashMap;
use std::sync::Arc;

use fives_lobby::identity::{Identity, IdentityKey};
use fives_lobby::store::{Linked, SharedLobbyStore};
use tokio::task::JoinSet;

use super::{Outcome, sample};

fn key(issuer: &str, number: u64) -> Result<IdentityKey, Box<dyn std::error::Error + Send + Sync>> {
    let issuer: Arc<str> = issuer.into();
    Ok(Identity::new(&issuer, &format!("subject {number}"))?.key())
}

pub(super) async fn linked(store: SharedLobbyStore) -> Outcome {
    let (anna, bela) = (sample::player_id(1), sample::player_id(2));
    let (here, there) = (key("here", 1)?, key("there", 1)?);
    assert_eq!(store.find_identity(&here).await?, None);
    for _ in 0..2 {
        assert_eq!(store.link_identity(&here, &anna).await?, Linked::Done);
        assert_eq!(store.find_identity(&here).await?, Some(anna));
    }
    assert_eq!(store.link_identity(&here, &bela).await?, Linked::IdentityTaken(anna));
    let other = key("here", 2)?;
    assert_eq!(store.link_identity(&other, &anna).await?, Linked::PlayerTaken);
    assert_eq!(store.find_identity(&other).await?, None, "nothing has changed");
    assert_eq!(
        store.find_identity(&there).await?,
        None,
        "issuers have subjects of their own"
    );
    assert_eq!(store.link_identity(&there, &anna).await?, Linked::Done);
    assert_eq!(store.link_identity(&other, &bela).await?, Linked::Done);
    assert_eq!(store.find_identity(&here).await?, Some(anna));
    Ok(())
}

/// Players who all want one identity, and identities that all want one player, several of each.
pub(super) async fn together(store: SharedLobbyStore) -> Outcome {
    const GROUPS: u64 = 8;
    const TRIES: u64 = 8;
    let mut tries = JoinSet::new();
    for number in 0..GROUPS * TRIES {
        let store = SharedLobbyStore::clone(&store);
        let (identity, player) = (key("here", number % GROUPS)?, sample::player_id(number % (GROUPS * 2)));
        tries.spawn(async move {
            store
                .link_identity(&identity, &player)
                .await
                .map(|linked| (identity, player, linked))
        });
    }
    let mut done = HashMap::new();
    while let Some(tried) = tries.join_next().await {
        let (identity, player, linked) = tried??;
        match linked {
            Linked::Done => {
                let first = done.insert(identity, player);
                assert!(
                    first.is_none_or(|first| first == player),
                    "two players are one identity"
                );
            }
            Linked::IdentityTaken(owner) => assert_eq!(store.find_identity(&identity).await?, Some(owner)),
            Linked::PlayerTaken => return Err("each player here wants one identity".into()),
        }
    }
    assert_eq!(done.len() as u64, GROUPS);
    for (identity, player) in done {
        assert_eq!(store.find_identity(&identity).await?, Some(player));
    }
    Ok(())
}

pub(super) async fn unlinked(store: SharedLobbyStore) -> Outcome {
    let (anna, bela) = (sample::player_id(1), sample::player_id(2));
    let (here, there) = (key("here", 1)?, key("there", 1)?);
    assert!(!store.unlink_identity(&here.issuer, &anna).await?);
    for identity in [&here, &there] {
        assert_eq!(store.link_identity(identity, &anna).await?, Linked::Done);
    }
    assert!(!store.unlink_identity(&here.issuer, &bela).await?);
    assert!(store.unlink_identity(&here.issuer, &anna).await?);
    assert_eq!(store.find_identity(&here).await?, None);
    assert_eq!(
        store.find_identity(&there).await?,
        Some(anna),
        "the other issuer's stays"
    );
    assert_eq!(store.link_identity(&here, &bela).await?, Linked::Done);
    assert_eq!(store.link_identity(&key("here", 2)?, &anna).await?, Linked::Done);
    Ok(())
}
