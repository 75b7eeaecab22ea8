//! How many watch a match, over all processes: each tells the store now and then how many it has, and what was told too long
//! ago, by a process that has died, does not count.

use std::collections::HashMap;
use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval};
use tracing::debug;

use crate::error::Error;
use crate::feed::Feed;
use crate::id::MatchId;
use crate::store::StoreError;

/// How often a process tells how many watch with it.
const SHARE_INTERVAL: Duration = Duration::from_secs(3);

/// For how long, in milliseconds, that counts.
pub const SHARED_FOR_MS: u64 = 10_000;

/// A process, among those that share watchers; random, another one after a restart.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ProcessId(pub u64);

impl Feed {
    /// How many watch these matches without a seat, with this process and with others, in the order of `ids`.
    ///
    /// # Errors
    /// The store's errors.
    pub async fn watcher_counts(&self, ids: &[MatchId]) -> Result<Vec<u64>, Error> {
        let elsewhere = self.store().watchers_elsewhere(self.process(), ids).await?;
        let here = ids.iter().map(|id| self.watchers_here(id));
        Ok(here.zip(elsewhere).map(|(here, there)| here + there).collect())
    }

    /// Tells the others how many watch here, until it is dropped.
    pub async fn share_watcher_counts(self) {
        let mut ticks = interval(SHARE_INTERVAL);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut told = HashMap::new();
        loop {
            ticks.tick().await;
            // The store's readiness says whether it works; the next tick tries again.
            if let Err(error) = self.share_once(&mut told).await {
                debug!(error = &error as &dyn std::error::Error, "watchers were not counted");
            }
        }
    }

    async fn share_once(&self, told: &mut HashMap<MatchId, u64>) -> Result<(), StoreError> {
        let now = self.all_watchers_here();
        // Who has left is told once.
        let left = told.keys().filter(|id| !now.contains_key(id)).map(|id| (*id, 0));
        let counts: Vec<(MatchId, u64)> = now.iter().map(|(id, count)| (*id, *count)).chain(left).collect();
        self.store().share_watchers(self.process(), &counts).await?;
        *told = now;
        Ok(())
    }
}
