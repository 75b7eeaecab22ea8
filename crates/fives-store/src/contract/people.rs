//! Players and their devices.

use std::collections::HashMap;

use fives_referee::player::{DisplayName, Player};
use fives_referee::store::{Created, SharedStore};
use tokio::task::JoinSet;

use super::{Outcome, sample};

pub(super) async fn created(store: SharedStore) -> Outcome {
    let with = sample::player(1);
    let without = Player {
        device: None,
        ..sample::player(2)
    };
    assert_eq!(store.load_player(&with.id).await?, None);
    for player in [&with, &without] {
        assert_eq!(store.create_player(player).await?, Created::New);
        assert_eq!(store.load_player(&player.id).await?.as_ref(), Some(player));
    }
    let device = with.device.ok_or("player 1 has a device")?;
    let other_device = sample::player(2).device.ok_or("player 2 could have had one")?;
    assert_eq!(store.find_device(&device).await?, Some(with.id));
    assert_eq!(store.find_device(&other_device).await?, None);

    let same_device = Player {
        id: sample::player_id(3),
        ..with.clone()
    };
    let same_id = Player {
        device: Some(other_device),
        ..with.clone()
    };
    for player in [&same_device, &same_id, &with] {
        assert_eq!(store.create_player(player).await?, Created::Exists);
    }
    assert_eq!(store.load_player(&same_device.id).await?, None);
    assert_eq!(store.find_device(&other_device).await?, None);
    assert_eq!(store.load_player(&with.id).await?, Some(with));
    Ok(())
}

pub(super) async fn renamed(store: SharedStore) -> Outcome {
    let player = sample::player(1);
    let renamed = Player {
        name: DisplayName::new("Berta")?,
        device: sample::player(2).device,
        ..player.clone()
    };
    assert!(!store.update_player(&renamed).await?);
    assert_eq!(store.load_player(&player.id).await?, None);
    store.create_player(&player).await?;
    assert!(store.update_player(&renamed).await?);
    let expected = Player {
        device: player.device,
        ..renamed.clone()
    };
    assert_eq!(store.load_player(&player.id).await?, Some(expected));
    let [own, given] = [player.device, renamed.device].map(|device| device.ok_or("both have a device"));
    assert_eq!(store.find_device(&own?).await?, Some(player.id));
    assert_eq!(store.find_device(&given?).await?, None);
    Ok(())
}

/// Several devices, so that some of their players arrive at a store together.
pub(super) async fn one_device(store: SharedStore) -> Outcome {
    const DEVICES: u64 = 16;
    const TRIES: u64 = 8;
    let mut tries = JoinSet::new();
    for number in 0..DEVICES * TRIES {
        let store = SharedStore::clone(&store);
        let player = Player {
            device: sample::player(number % DEVICES).device,
            ..sample::player(number)
        };
        tries.spawn(async move { store.create_player(&player).await.map(|created| (created, player)) });
    }
    let mut new = HashMap::new();
    while let Some(tried) = tries.join_next().await {
        let (created, player) = tried??;
        let kept = store.load_player(&player.id).await?;
        assert_eq!(kept.as_ref(), (created == Created::New).then_some(&player));
        if let Some(kept) = kept {
            assert_eq!(new.insert(kept.device, kept.id), None, "two are new on one device");
        }
    }
    assert_eq!(new.len() as u64, DEVICES);
    for (device, player) in new {
        assert_eq!(
            store.find_device(&device.ok_or("each has a device")?).await?,
            Some(player)
        );
    }
    Ok(())
}
