//! Erasing a person: nothing that is kept leads to them any more, and matches that others played with them stay.
//!
//! ```text
//! DeletePlayer ─▶ kept: the erasure, and the mark that ends all tokens ─▶ answer
//! any process  ─▶ claim ─▶ each part forgets ─▶ again once nothing can come after it ─▶ the erasure is forgotten, too
//! ```
//!
//! Every step can be done twice, so whoever dies in the middle is replaced by whoever claims the erasure next. A call that was under
//! way elsewhere when it began may still write the person's name: that is what the second round is for.

mod archives;
mod around;
mod gone;
mod tables;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use fives_referee::erased::ErasedMark;
use fives_referee::id::PlayerId;
use fives_referee::referee::Referee;
use fives_referee::time::UnixMillis;
use tokio::sync::Notify;
use tokio::time::{MissedTickBehavior, interval};
use tracing::{info, warn};

pub use around::Links;
pub use gone::Gone;

use crate::error::Error;
use crate::store::{SharedLobbyStore, Unfinished};
use archives::Archives;
use around::DeadLetters;
use tables::Tables;

/// How often a process looks for erasures to carry on with, and for new marks.
const SWEEP_INTERVAL: Duration = Duration::from_secs(1);

/// How long an erasure is left to who has claimed it.
const CLAIM_MS: u64 = 10_000;

/// How long one that failed is left alone.
const RETRY_AFTER_MS: u64 = 5_000;

/// Marks that no token needs any more are dropped once in so many sweeps.
const SWEEPS_A_DROP: u64 = 60;

/// A part of the service that keeps something about persons.
#[async_trait]
pub trait Forget: Send + Sync + 'static {
    /// What it keeps, for the log.
    fn what(&self) -> &'static str;

    /// Forgets a person; nothing happens if that was done before, by this process or by another one.
    ///
    /// # Errors
    /// The store's errors: it is asked again.
    async fn forget(&self, player: &PlayerId) -> Result<(), Error>;
}

/// What erasures go by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Patience {
    /// How long a call that had begun before an erasure may go on, in milliseconds.
    pub call_ms: u64,
    /// How long a token is valid, in milliseconds.
    pub token_ms: u64,
}

/// Erases persons. Cheap to clone; holds nothing that another process would need.
#[derive(Clone)]
pub struct Eraser {
    store: SharedLobbyStore,
    parts: Arc<[Box<dyn Forget>]>,
    gone: Arc<Gone>,
    patience: Patience,
    wake: Arc<Notify>,
}

impl Eraser {
    /// An eraser over `store`, whose tables the referee changes; `parts` keep something about persons, too.
    #[must_use]
    pub fn new(store: SharedLobbyStore, referee: Referee, patience: Patience, parts: Vec<Box<dyn Forget>>) -> Self {
        let own: [Box<dyn Forget>; 3] = [
            Box::new(Tables::new(Arc::clone(&store), referee)),
            Box::new(Archives::new(Arc::clone(&store))),
            Box::new(DeadLetters(Arc::clone(&store))),
        ];
        Self {
            store,
            parts: own.into_iter().chain(parts).collect(),
            gone: Arc::default(),
            patience,
            wake: Arc::default(),
        }
    }

    /// Whose tokens are not good any more.
    #[must_use]
    pub const fn gone(&self) -> &Arc<Gone> {
        &self.gone
    }

    /// Begins to erase a person; once this is answered it will be done, whatever happens to this process. Does nothing more for one
    /// who is being erased.
    ///
    /// # Errors
    /// The store's errors.
    pub async fn erase(&self, player: &PlayerId) -> Result<(), Error> {
        self.store.begin_erasure(player).await?;
        self.gone.add(ErasedMark::of(player), self.store.now().await?);
        // So that nobody finds the player after the answer. It is done again with everything else, should it fail.
        if let Err(error) = self.store.remove_player(player).await {
            let error: &dyn std::error::Error = &error;
            warn!(error, "a player who is erased was not removed at once");
        }
        self.wake.notify_one();
        Ok(())
    }

    /// Carries on with the erasures of the store until it is dropped.
    pub async fn run(self) {
        let mut sweep = interval(SWEEP_INTERVAL);
        sweep.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut sweeps = 0_u64;
        loop {
            tokio::select! {
                _ = sweep.tick() => sweeps += 1,
                () = self.wake.notified() => {}
            }
            if let Err(error) = self.sweep(sweeps.is_multiple_of(SWEEPS_A_DROP)).await {
                let error: &dyn std::error::Error = &error;
                warn!(error, "erasures were not carried on with");
            }
        }
    }

    async fn sweep(&self, drops_marks: bool) -> Result<(), Error> {
        self.gone.refresh(&self.store).await?;
        if drops_marks {
            let now = self.store.now().await?;
            let before = UnixMillis(now.0.saturating_sub(self.patience.token_ms));
            self.store.drop_marks(before).await?;
            self.gone.drop_before(before);
        }
        while let Some(unfinished) = self.store.claim_erasure(CLAIM_MS).await? {
            self.carry_on(&unfinished).await?;
        }
        Ok(())
    }

    /// Has each part forget. The erasure is over when all of them have, beginning at a time when no call of the person was left.
    async fn carry_on(&self, Unfinished { player, begun_at }: &Unfinished) -> Result<(), Error> {
        let left = begun_at.plus_ms(self.patience.call_ms).since(self.store.now().await?);
        let mut has_failed = self.store.remove_player(player).await.is_err();
        for part in self.parts.iter() {
            if let Err(error) = part.forget(player).await {
                let error: &dyn std::error::Error = &error;
                warn!(
                    error,
                    part = part.what(),
                    "a person was not forgotten; it is tried again"
                );
                has_failed = true;
            }
        }
        if has_failed {
            self.store.defer_erasure(player, RETRY_AFTER_MS).await?;
        } else if left.is_zero() {
            self.store.drop_lists(player).await?;
            self.store.end_erasure(player).await?;
            info!(mark = %ErasedMark::of(player), "a person was erased");
        } else {
            let left_ms = u64::try_from(left.as_millis()).unwrap_or(u64::MAX);
            self.store.defer_erasure(player, left_ms).await?;
        }
        Ok(())
    }
}
