//! Redis's clock, without asking Redis every time: what it said last, plus what has passed here since.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use fives_referee::store::StoreError;
use fives_referee::time::UnixMillis;
use tokio::sync::Mutex as AsyncMutex;
use tokio::time::Instant;

use super::failure::unread;
use super::keys;
use super::link::Link;
use super::script::{Call, TIME};
use crate::unpoisoned;

/// How old an answer may be before Redis is asked again.
const FRESH_FOR: Duration = Duration::from_secs(1);

/// How old it may become while Redis does not answer.
const GOOD_FOR: Duration = Duration::from_secs(2);

/// What Redis said, and when.
#[derive(Clone, Copy)]
struct Answer {
    asked: Instant,
    said: UnixMillis,
}

impl Answer {
    fn now(&self) -> UnixMillis {
        self.said.plus_ms(self.asked.elapsed().as_millis() as u64)
    }
}

#[derive(Default)]
pub(super) struct Clock {
    answer: Mutex<Option<Answer>>,
    asking: AsyncMutex<()>,
    newest_ms: AtomicU64,
}

impl Clock {
    pub(super) async fn now(&self, link: &Link) -> Result<UnixMillis, StoreError> {
        let now = match self.known(FRESH_FOR) {
            Some(now) => now,
            None => self.asked(link).await?,
        };
        // A clock that is set back stands still here until it has caught up.
        Ok(UnixMillis(
            self.newest_ms.fetch_max(now.0, Ordering::Relaxed).max(now.0),
        ))
    }

    fn known(&self, good_for: Duration) -> Option<UnixMillis> {
        let answer = (*unpoisoned(self.answer.lock()))?;
        (answer.asked.elapsed() < good_for).then(|| answer.now())
    }

    /// Asks Redis; everybody else makes do with the last answer meanwhile, as long as it is good.
    async fn asked(&self, link: &Link) -> Result<UnixMillis, StoreError> {
        let _asking = match self.known(GOOD_FOR) {
            Some(now) => match self.asking.try_lock() {
                Ok(asking) => asking,
                Err(_) => return Ok(now),
            },
            None => self.asking.lock().await,
        };
        if let Some(now) = self.known(FRESH_FOR) {
            return Ok(now);
        }
        let call = Call::new(&TIME, 1).arg(keys::CLOCK);
        let asked = Instant::now();
        let (seconds, micros): (u64, u64) = link.invoke(&call).await.map_err(unread)?;
        let answer = Answer {
            asked,
            said: UnixMillis(seconds * 1000 + micros / 1000),
        };
        *unpoisoned(self.answer.lock()) = Some(answer);
        Ok(answer.now())
    }
}
