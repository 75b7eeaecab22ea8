//! The keys of one issuer as this process has them. One task asks for new ones: every now and then, and when a token names a key
//! that is not known. Whoever names a key that is known waits for nobody; what was had once is kept while the issuer is away.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use fives_wire::status::Denial;
use tokio::sync::{Notify, Semaphore, watch};
use tokio::time::{Instant, sleep_until, timeout_at};
use tracing::{info, warn};

use super::key_set::{Key, KeySet, KeySetError};
use super::source::{self, Source, SourceError};
use crate::config::{IssuerSettings, JwksSource, SigningAlgorithm};
use crate::failure::chain;

/// How often keys are asked for without need: a key that its issuer takes away is gone after this long.
const REFRESH_INTERVAL: Duration = Duration::from_secs(300);
/// The same for a file, which costs nothing.
const FILE_INTERVAL: Duration = Duration::from_secs(10);

/// How long an issuer is left alone after it was asked: whoever sends made-up key ids does not get it asked more often. After
/// failures twice as long each time, up to the longest.
const PAUSE: Duration = Duration::from_secs(2);
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// How many calls wait for an answer of the issuer; more are told to come again, so that a slow issuer does not use up the places
/// of calls that have nothing to do with it.
const MAX_WAITING: usize = 64;

/// Why keys are not renewed.
#[derive(Debug, thiserror::Error)]
pub(super) enum RefreshError {
    #[error(transparent)]
    Source(#[from] SourceError),
    #[error(transparent)]
    KeySet(#[from] KeySetError),
}

/// What came of asking.
#[derive(Clone, Copy)]
struct Asked {
    /// When; what was answered is not older.
    at: Instant,
    succeeded: bool,
    /// When the issuer may be asked again.
    next: Instant,
}

/// The keys of an issuer.
pub(super) struct Keys {
    issuer: Arc<str>,
    source: Source,
    interval: Duration,
    allowed: Vec<SigningAlgorithm>,
    current: RwLock<Arc<KeySet>>,
    wanted: Notify,
    asked: watch::Sender<Option<Asked>>,
    waiting: Semaphore,
}

impl Keys {
    /// Those of a file are read at once: one that cannot be used is a mistake that somebody makes now. An issuer may be away.
    pub(super) fn open(settings: &IssuerSettings) -> Result<Self, RefreshError> {
        let (interval, set) = match &settings.jwks {
            JwksSource::File(path) => (
                FILE_INTERVAL,
                KeySet::parse(&source::read(path)?, &settings.algorithms)?,
            ),
            JwksSource::Url { .. } => (REFRESH_INTERVAL, KeySet::default()),
        };
        Ok(Self {
            issuer: Arc::clone(&settings.name),
            source: Source::new(&settings.jwks)?,
            interval,
            allowed: settings.algorithms.clone(),
            current: RwLock::new(Arc::new(set)),
            wanted: Notify::new(),
            asked: watch::Sender::new(None),
            waiting: Semaphore::new(MAX_WAITING),
        })
    }

    /// Has `check` look at the key with this id.
    ///
    /// # Errors
    /// What `check` says; that there is no such key; that it cannot be said whether there is.
    pub(super) async fn with<T>(&self, id: &str, check: impl Fn(&Key) -> Result<T, Denial>) -> Result<T, Denial> {
        let known = self.current();
        if let Some(key) = known.get(id) {
            return check(key);
        }
        self.refresh().await?;
        self.current().get(id).map_or(Err(Denial::TokenInvalid), check)
    }

    /// Waits until the issuer was asked after this call came.
    async fn refresh(&self) -> Result<(), Denial> {
        let now = Instant::now();
        let unavailable = |next: Option<Instant>| Denial::IssuerUnavailable {
            wait: next.map_or(PAUSE, |next| next.saturating_duration_since(now)),
        };
        let mut asked = self.asked.subscribe();
        let last = *asked.borrow_and_update();
        if let Some(last) = last
            && last.next > now
        {
            return Err(unavailable(Some(last.next)));
        }
        let Ok(_place) = self.waiting.try_acquire() else {
            return Err(unavailable(None));
        };
        self.wanted.notify_one();
        loop {
            if asked.changed().await.is_err() {
                return Err(unavailable(None));
            }
            match *asked.borrow_and_update() {
                Some(asked) if !asked.succeeded => return Err(unavailable(Some(asked.next))),
                // Of an answer that was under way already, what it lacks may have come since.
                Some(asked) if asked.at >= now => return Ok(()),
                _ => self.wanted.notify_one(),
            }
        }
    }

    /// Asks for keys until it is dropped.
    pub(super) async fn keep_fresh(&self) {
        let (mut failures, mut complaint) = (0_u32, None);
        loop {
            let at = Instant::now();
            let pause = match self.load().await {
                Ok(()) => {
                    if failures > 0 {
                        info!(issuer = %self.issuer, keys = self.current().len(), "the issuer's keys can be had again");
                    }
                    (failures, complaint) = (0, None);
                    PAUSE
                }
                Err(error) => {
                    let said = Some(chain(&error));
                    if complaint != said {
                        warn!(issuer = %self.issuer, error = said, known_keys = self.current().len(), "the issuer's keys cannot be had; those that are known stay");
                        complaint = said;
                    }
                    failures = failures.saturating_add(1);
                    PAUSE.saturating_mul(1 << failures.min(5)).min(LONGEST_PAUSE)
                }
            };
            let succeeded = failures == 0;
            let now = Instant::now();
            // The very first time somebody may have been too early.
            let is_first = self.asked.borrow().is_none();
            let next = if is_first && succeeded { now } else { now + pause };
            self.asked.send_replace(Some(Asked { at, succeeded, next }));
            sleep_until(next).await;
            let idle = if succeeded { self.interval } else { pause };
            // Nobody came, or somebody did: both are a reason to look.
            let _ = timeout_at(now + idle.max(pause), self.wanted.notified()).await;
        }
    }

    async fn load(&self) -> Result<(), RefreshError> {
        let set = KeySet::parse(&self.source.load().await?, &self.allowed)?;
        // Nothing under this lock can leave half a change behind.
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(set);
        Ok(())
    }

    /// Whether there is a key with this id.
    pub(super) fn has(&self, id: &str) -> bool {
        self.current().get(id).is_some()
    }

    fn current(&self) -> Arc<KeySet> {
        Arc::clone(&self.current.read().unwrap_or_else(PoisonError::into_inner))
    }
}
