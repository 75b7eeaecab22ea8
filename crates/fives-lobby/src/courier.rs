//! Tells others what the outbox keeps for them: at least once, in order within a match, and again with more and more patience when
//! it fails. Any process may run couriers, and any number of them: each takes a match over in the store before it tells anything of
//! it, for a bounded time, and whoever comes after that time goes on where a process died.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use fives_referee::id::MatchId;
use fives_referee::notice::{Lane, Notice};
use fives_referee::store::StoreError;
use fives_referee::time::UnixMillis;
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval, timeout};
use tracing::warn;

use crate::error::Error;
use crate::store::{DeadLetter, Errand, Parcel, SharedLobbyStore};

/// How often the store is asked what is to be told.
const SWEEP_INTERVAL: Duration = Duration::from_secs(1);

/// How many matches are told of at once.
const MATCHES_AT_ONCE: usize = 32;

/// For how long, in milliseconds, a match is taken over for each notice. Whoever tells it gives up before.
pub const TAKEN_FOR_MS: u64 = 30_000;

/// How long one notice may take to be told.
const TELL_TIMEOUT: Duration = Duration::from_millis(TAKEN_FOR_MS * 2 / 3);

/// Makes something of the results of matches: ratings, an archive.
#[async_trait]
pub trait Settle: Send + Sync + 'static {
    /// Takes a result in. May be given the same one again, also by another process at the same time: it counts once, by the match
    /// or by the notice's id. After an error it comes again, and nothing else of the match before that.
    ///
    /// # Errors
    /// What failed.
    async fn settle(&self, notice: &Notice) -> Result<(), Error>;
}

/// Brings notices to somebody outside.
#[async_trait]
pub trait Deliver: Send + Sync + 'static {
    /// Brings a notice; perhaps not for the first time.
    ///
    /// # Errors
    /// Why it did not arrive, or is not known to have: a short text without secrets, that operators will read.
    async fn deliver(&self, notice: &Notice) -> Result<(), String>;
}

/// Where a lane leads.
#[derive(Clone)]
pub enum Errands {
    /// The service itself: all of these take each result in, one after the other, and what fails is tried for ever.
    Results(Arc<[Arc<dyn Settle>]>),
    /// The platform.
    Hooks {
        /// Who brings it there.
        deliver: Arc<dyn Deliver>,
        /// After how many tries a notice becomes a dead letter.
        tries_max: u32,
        /// The shortest wait after a failure, in milliseconds; it doubles with each.
        backoff_ms: u64,
    },
}

/// How long results wait after a failure, in milliseconds, at first and at most.
const RESULTS_BACKOFF_MS: u64 = 500;
const RESULTS_BACKOFF_MAX_MS: u64 = 60_000;

/// The longest wait of a notice for the platform, in milliseconds.
const HOOKS_BACKOFF_MAX_MS: u64 = 10 * 60_000;

impl Errands {
    const fn lane(&self) -> Lane {
        match self {
            Self::Results(_) => Lane::Results,
            Self::Hooks { .. } => Lane::Hooks,
        }
    }

    async fn tell(&self, notice: &Notice) -> Result<(), String> {
        match self {
            Self::Results(handlers) => {
                for handler in handlers.iter() {
                    handler.settle(notice).await.map_err(|error| error.to_string())?;
                }
                Ok(())
            }
            Self::Hooks { deliver, .. } => deliver.deliver(notice).await,
        }
    }

    /// What becomes of a notice that was tried so often in vain: how long it waits, or `None` if it is given up.
    fn wait_ms(&self, tries: u32) -> Option<u64> {
        let (first_ms, most_ms) = match self {
            Self::Results(_) => (RESULTS_BACKOFF_MS, RESULTS_BACKOFF_MAX_MS),
            Self::Hooks { tries_max, .. } if tries >= *tries_max => return None,
            Self::Hooks { backoff_ms, .. } => (*backoff_ms, HOOKS_BACKOFF_MAX_MS),
        };
        let doubled = 1_u64.checked_shl(tries.saturating_sub(1)).unwrap_or(u64::MAX);
        let wait_ms = first_ms.saturating_mul(doubled).min(most_ms);
        // Up to a quarter more, so that what failed together does not come back together.
        Some(wait_ms + jitter(wait_ms / 4))
    }
}

/// Anything up to `most`. Without random bytes it is no jitter, and no harm.
fn jitter(most: u64) -> u64 {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_or(0, |()| u64::from_ne_bytes(bytes) % (most + 1))
}

/// Tells what there is to tell until it is dropped.
pub async fn run(store: SharedLobbyStore, errands: Errands) {
    let lane = errands.lane();
    let mut sweep = interval(SWEEP_INTERVAL);
    sweep.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut under_way: HashSet<MatchId> = HashSet::new();
    let mut tasks: JoinSet<MatchId> = JoinSet::new();
    loop {
        tokio::select! {
            Some(told) = tasks.join_next() => match told {
                Ok(id) => _ = under_way.remove(&id),
                // Whoever panicked does not say which match it was; the rest is found again.
                Err(_) => under_way.retain(|_| false),
            },
            _ = sweep.tick() => match due(&store, lane).await {
                Ok(due) => {
                    for errand in due {
                        if tasks.len() < MATCHES_AT_ONCE && under_way.insert(errand.id) {
                            tasks.spawn(tell(Arc::clone(&store), errands.clone(), errand));
                        }
                    }
                }
                Err(error) => {
                    let error: &dyn std::error::Error = &error;
                    warn!(error, ?lane, "what is to be told could not be asked for");
                }
            },
        }
    }
}

async fn due(store: &SharedLobbyStore, lane: Lane) -> Result<Vec<Errand>, StoreError> {
    // Twice as many: some may be under way.
    store.errands(lane, store.now().await?, MATCHES_AT_ONCE * 2).await
}

/// Tells all that there is to tell of a match, until something fails or somebody else has it.
async fn tell(store: SharedLobbyStore, errands: Errands, errand: Errand) -> MatchId {
    let id = errand.id;
    let told = async {
        let mut errand = errand;
        loop {
            let until = store.now().await?.plus_ms(TAKEN_FOR_MS);
            let Some(parcel) = store.take_errand(errands.lane(), errand, until).await? else {
                return Ok(());
            };
            if !tell_one(&store, &errands, parcel).await? {
                return Ok(());
            }
            errand.at = until;
        }
    };
    let told: Result<(), StoreError> = told.await;
    if let Err(error) = told {
        let error: &dyn std::error::Error = &error;
        // Whoever took the match over lets go of it in time.
        warn!(match_id = %id, error, "the store failed while a match was told of");
    }
    id
}

/// Tells one notice; says whether the next one of the match may follow.
async fn tell_one(store: &SharedLobbyStore, errands: &Errands, parcel: Parcel) -> Result<bool, StoreError> {
    let Parcel { notice, tries } = parcel;
    let lane = errands.lane();
    let told = timeout(TELL_TIMEOUT, errands.tell(&notice));
    let Err(why) = told.await.unwrap_or_else(|_| Err("it took too long".to_owned())) else {
        return store.settle_notice(lane, &notice.id).await;
    };
    let tries = tries.saturating_add(1);
    warn!(notice = %notice.id, why, tries, ?lane, "a notice was not taken");
    let now = store.now().await?;
    match errands.wait_ms(tries) {
        Some(wait_ms) => {
            store
                .postpone_notice(lane, &notice.id, now.plus_ms(wait_ms), tries)
                .await?;
            Ok(false)
        }
        None => bury(store, notice, now, tries, why).await,
    }
}

/// Keeps a notice that was given up for administrators, unless it names a person who was erased meanwhile.
async fn bury(
    store: &SharedLobbyStore,
    notice: Notice,
    buried_at: UnixMillis,
    tries: u32,
    why: String,
) -> Result<bool, StoreError> {
    for player in notice.people() {
        if store.load_player(&player).await?.is_none() {
            return store.settle_notice(Lane::Hooks, &notice.id).await;
        }
    }
    let letter = DeadLetter {
        notice,
        buried_at,
        tries,
        why,
    };
    store.bury_notice(&letter).await
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Nowhere;

    #[async_trait]
    impl Deliver for Nowhere {
        async fn deliver(&self, _: &Notice) -> Result<(), String> {
            Err("nobody is there".to_owned())
        }
    }

    #[test]
    fn patience_doubles_within_bounds_and_ends() {
        let hooks = Errands::Hooks {
            deliver: Arc::new(Nowhere),
            tries_max: 64,
            backoff_ms: 1_000,
        };
        for (tries, least_ms) in [(1, 1_000), (2, 2_000), (5, 16_000), (63, HOOKS_BACKOFF_MAX_MS)] {
            let wait_ms = hooks.wait_ms(tries).expect("it is tried again");
            assert!((least_ms..=least_ms * 5 / 4).contains(&wait_ms), "{tries}: {wait_ms}");
        }
        assert_eq!(hooks.wait_ms(64), None);
        let results = Errands::Results(Arc::from([]));
        assert!(results.wait_ms(u32::MAX).is_some(), "results are never given up");
    }
}
