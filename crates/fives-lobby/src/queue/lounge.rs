//! Who waits at this process, and what was last heard of each.
//!
//! All of them are asked for together, once a second: ten thousand who wait cost twenty calls of the store, not ten thousand.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use fives_referee::id::PlayerId;
use fives_referee::store::StoreError;
use tokio::sync::watch;

use super::{QueueName, Standing};
use crate::store::SharedLobbyStore;

/// How many players one call asks for.
const ASKED_AT_ONCE: usize = 512;

/// What is heard of somebody who waits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct News {
    pub(super) standing: Standing,
    /// Whether the partner whom they named waits, too, and named them.
    pub(super) has_partner: bool,
}

/// Everybody who waits here. Cheap to clone.
#[derive(Clone, Default)]
pub(super) struct Lounge(Arc<Mutex<HashMap<(QueueName, PlayerId), Chair>>>);

/// Somebody who waits, perhaps with several devices.
struct Chair {
    news: watch::Sender<News>,
    devices: usize,
    /// How often somebody came in here: what was asked before that is no news for them.
    entries: u64,
}

/// A device that waits; when it is dropped, nobody gives a sign of life for it any more.
pub(super) struct Presence {
    lounge: Lounge,
    key: (QueueName, PlayerId),
    pub(super) news: watch::Receiver<News>,
}

impl Drop for Presence {
    fn drop(&mut self) {
        let mut chairs = self.lounge.lock();
        if let Some(chair) = chairs.get_mut(&self.key) {
            chair.devices -= 1;
            if chair.devices == 0 {
                chairs.remove(&self.key);
            }
        }
    }
}

impl Lounge {
    /// Lets a device in, of whose player this is known.
    pub(super) fn enter(&self, queue: &QueueName, player: PlayerId, standing: Standing) -> Presence {
        let key = (queue.clone(), player);
        let news = News {
            standing,
            has_partner: false,
        };
        let mut chairs = self.lock();
        let chair = chairs.entry(key.clone()).or_insert_with(|| Chair {
            news: watch::channel(news.clone()).0,
            devices: 0,
            entries: 0,
        });
        chair.devices += 1;
        chair.entries += 1;
        tell(&chair.news, news.standing, |has_partner| has_partner);
        let news = chair.news.subscribe();
        drop(chairs);
        Presence {
            lounge: self.clone(),
            key,
            news,
        }
    }

    /// Gives a sign of life for everybody who waits here in this queue, and tells each what the store knows of them.
    pub(super) async fn renew(
        &self,
        store: &SharedLobbyStore,
        queue: &QueueName,
        has_partner: impl Fn(&PlayerId) -> bool,
    ) -> Result<(), StoreError> {
        let here: Vec<(PlayerId, u64)> = {
            let chairs = self.lock();
            let here = chairs.iter().filter(|((of, _), _)| of == queue);
            here.map(|((_, player), chair)| (*player, chair.entries)).collect()
        };
        for some in here.chunks(ASKED_AT_ONCE) {
            let players: Vec<PlayerId> = some.iter().map(|(player, _)| *player).collect();
            let now = store.now().await?;
            let standings = store.renew_tickets(queue, &players, now).await?;
            let chairs = self.lock();
            for ((player, entries), standing) in some.iter().zip(standings) {
                let chair = chairs.get(&(queue.clone(), *player));
                if let Some(chair) = chair.filter(|chair| chair.entries == *entries) {
                    tell(&chair.news, standing, |_| has_partner(player));
                }
            }
        }
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<(QueueName, PlayerId), Chair>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Wakes those who wait only for what is new.
fn tell(news: &watch::Sender<News>, standing: Standing, has_partner: impl FnOnce(bool) -> bool) {
    news.send_if_modified(|known| {
        let told = News {
            standing,
            has_partner: has_partner(known.has_partner),
        };
        let is_new = *known != told;
        *known = told;
        is_new
    });
}
