//! Who is there: whoever has a stream open, at any process. Each process tells the store now and then who is there with it, and
//! what was told too long ago, by a process that has died, does not count.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{MissedTickBehavior, interval};
use tracing::debug;

use crate::batch::Visibility;
use crate::error::Error;
use crate::id::{MatchId, PlayerId};
use crate::listing::Listing;
use crate::store::{SharedStore, StoreError};
use crate::table::{MatchState, Table};
use crate::time::UnixMillis;

/// How often a process tells who is there with it.
const SHARE_INTERVAL: Duration = Duration::from_secs(3);

/// For how long, in milliseconds, that counts.
pub const PRESENT_FOR_MS: u64 = 10_000;

/// For how long, in milliseconds, it is known when a player was last there: 30 days.
pub const LAST_SEEN_FOR_MS: u64 = 30 * 24 * 3600 * 1000;

/// How many of a player's newest matches are looked at for one that is live.
const NEWEST: usize = 8;

/// Where a player is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Whereabouts {
    /// Who.
    pub player: PlayerId,
    /// Whether a stream of theirs is open.
    pub online: bool,
    /// When one last was.
    pub last_seen: Option<UnixMillis>,
    /// Whether they sit at a live match that they have not given up.
    pub in_match: bool,
    /// Which, if that one is public.
    pub public_match: Option<MatchId>,
}

/// Whether who has a seat is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Connection {
    /// It is no person's seat.
    Nobody,
    /// A stream of theirs is open.
    Connected,
    /// None is.
    Dropped,
    /// They have given up.
    Left,
}

/// The connections of a table, by seat; empty before anybody has looked.
pub type Connections = Arc<[Connection]>;

/// Who is there with this process, and how to ask for all. Cheap to clone.
#[derive(Clone)]
pub struct Presence {
    store: SharedStore,
    here: Arc<Mutex<Here>>,
    arrived: Arc<Notify>,
}

#[derive(Default)]
struct Here {
    streams: HashMap<PlayerId, usize>,
    /// Who has come since the store was last told.
    newcomers: HashSet<PlayerId>,
}

/// A stream of a player, until it is dropped.
pub struct Present {
    player: PlayerId,
    presence: Presence,
}

impl Drop for Present {
    fn drop(&mut self) {
        let mut here = self.presence.lock();
        if let Some(count) = here.streams.get_mut(&self.player) {
            *count -= 1;
            if *count == 0 {
                here.streams.remove(&self.player);
            }
        }
    }
}

impl Presence {
    /// Nobody is there yet.
    #[must_use]
    pub fn new(store: SharedStore) -> Self {
        Self {
            store,
            here: Arc::default(),
            arrived: Arc::default(),
        }
    }

    /// A stream of this player is open from now on.
    #[must_use]
    pub fn enter(&self, player: PlayerId) -> Present {
        let mut here = self.lock();
        let count = here.streams.entry(player).or_default();
        *count += 1;
        if *count == 1 {
            here.newcomers.insert(player);
            self.arrived.notify_one();
        }
        drop(here);
        Present {
            player,
            presence: self.clone(),
        }
    }

    /// Tells the store who is there, until it is dropped: newcomers at once, everybody now and then.
    pub async fn share(self) {
        let mut ticks = interval(SHARE_INTERVAL);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let is_tick = tokio::select! {
                _ = ticks.tick() => true,
                () = self.arrived.notified() => false,
            };
            let players: Vec<PlayerId> = {
                let mut here = self.lock();
                let newcomers = std::mem::take(&mut here.newcomers);
                if is_tick {
                    here.streams.keys().copied().collect()
                } else {
                    newcomers.into_iter().collect()
                }
            };
            if players.is_empty() {
                continue;
            }
            // The store's readiness says whether it works; the next tick tries again.
            if let Err(error) = self.store.renew_presence(&players).await {
                debug!(error = &error as &dyn std::error::Error, "nobody was told who is here");
            }
        }
    }

    /// Whether a player has a stream open at any process.
    ///
    /// # Errors
    /// The store's errors.
    pub async fn is_online(&self, player: PlayerId) -> Result<bool, StoreError> {
        if self.is_here(&player) {
            return Ok(true);
        }
        let last_seen = self.store.last_seen(&[player]).await?;
        let now = self.store.now().await?;
        Ok(last_seen.into_iter().flatten().any(|at| counts(at, now)))
    }

    /// Where these players are, in their order.
    ///
    /// # Errors
    /// The store's errors.
    pub async fn whereabouts(&self, players: &[PlayerId]) -> Result<Vec<Whereabouts>, Error> {
        let last_seen = self.store.last_seen(players).await?;
        let now = self.store.now().await?;
        let mut all = Vec::with_capacity(players.len());
        for (player, seen) in players.iter().zip(last_seen) {
            let is_here = self.is_here(player);
            let live = self.live_match(player).await?;
            all.push(Whereabouts {
                player: *player,
                online: is_here || seen.is_some_and(|at| counts(at, now)),
                last_seen: if is_here { Some(now) } else { seen },
                in_match: live.is_some(),
                public_match: live.and_then(|(id, visibility)| (visibility == Visibility::Public).then_some(id)),
            });
        }
        Ok(all)
    }

    /// Whether those who sit at a table are there. The store is asked only for who is not here.
    ///
    /// # Errors
    /// The store's errors.
    pub async fn connections(&self, table: &Table) -> Result<Connections, StoreError> {
        let people: Vec<Option<PlayerId>> = table.seats().map(|(seat, _)| table.person_at(seat)).collect();
        let elsewhere: Vec<PlayerId> = people
            .iter()
            .flatten()
            .filter(|player| !self.is_here(player))
            .copied()
            .collect();
        let mut online = HashSet::new();
        if !elsewhere.is_empty() {
            let (last_seen, now) = (self.store.last_seen(&elsewhere).await?, self.store.now().await?);
            let seen = elsewhere.iter().zip(last_seen);
            online.extend(
                seen.filter(|(_, at)| at.is_some_and(|at| counts(at, now)))
                    .map(|(player, _)| *player),
            );
        }
        let connections = table.seats().zip(people).map(|((seat, _), player)| match player {
            None => Connection::Nobody,
            Some(_) if table.has_resigned(seat) => Connection::Left,
            Some(player) if !elsewhere.contains(&player) || online.contains(&player) => Connection::Connected,
            Some(_) => Connection::Dropped,
        });
        Ok(connections.collect())
    }

    /// The newest live match of a player who has not given it up.
    async fn live_match(&self, player: &PlayerId) -> Result<Option<(MatchId, Visibility)>, Error> {
        for position in self.store.list(&Listing::Of(*player), None, NEWEST).await? {
            let Some(table) = self.store.load(&position.id).await? else {
                continue;
            };
            let plays = table.seat_of(player).is_some_and(|seat| !table.has_resigned(seat));
            if plays && table.state() == MatchState::Live {
                return Ok(Some((table.id, table.visibility)));
            }
        }
        Ok(None)
    }

    fn is_here(&self, player: &PlayerId) -> bool {
        self.lock().streams.contains_key(player)
    }

    fn lock(&self) -> MutexGuard<'_, Here> {
        // Counting leaves nothing half-made behind.
        self.here.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether who was last seen then is still there.
fn counts(at: UnixMillis, now: UnixMillis) -> bool {
    now < at.plus_ms(PRESENT_FOR_MS)
}
