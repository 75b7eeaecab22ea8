//! Who is there, and was.

use fives_lobby::store::SharedLobbyStore;

use super::{Outcome, sample};

pub(super) async fn seen(store: SharedLobbyStore) -> Outcome {
    let [anna, bela, cleo] = [1, 2, 3].map(sample::player_id);
    assert_eq!(store.last_seen(&[anna, bela]).await?, [None, None]);
    store.renew_presence(&[]).await?;
    let before = store.now().await?;
    store.renew_presence(&[anna, cleo]).await?;
    let after = store.now().await?;
    let seen = store.last_seen(&[cleo, bela, anna]).await?;
    assert_eq!(seen[1], None);
    for at in [seen[0], seen[2]] {
        assert!(at.is_some_and(|at| (before..=after).contains(&at)), "{seen:?}");
    }
    store.renew_presence(&[anna]).await?;
    let again = store.last_seen(&[anna, cleo]).await?;
    assert!(again[0] >= seen[2], "it moves on");
    assert_eq!(again[1], seen[0], "for who is there alone");
    assert_eq!(store.last_seen(&[]).await?, []);
    Ok(())
}
