//! How many wrong codes somebody may try. Right ones cost nothing, so nobody is kept from a table who was invited; and once too many
//! were wrong, not even a right one is looked at, so that trying on tells nothing.

use std::collections::HashMap;
use std::hash::Hash;
use std::num::NonZeroU32;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use fives_wire::status::Denial;
use governor::clock::{Clock, DefaultClock};
use governor::middleware::StateInformationMiddleware;
use governor::state::keyed::DefaultKeyedStateStore;
use governor::{Quota, RateLimiter};

/// Who has tried wrong codes; `None`: nothing is counted.
pub(super) struct Guesses<K: Hash + Eq + Clone>(Option<Counted<K>>);

struct Counted<K: Hash + Eq + Clone> {
    wrong: RateLimiter<K, DefaultKeyedStateStore<K>, DefaultClock, StateInformationMiddleware>,
    /// Who must wait, until when.
    shut: Mutex<HashMap<K, Instant>>,
}

impl<K: Hash + Eq + Clone> Guesses<K> {
    /// So many a minute, and as many at once.
    pub(super) fn of_min(guesses: u32) -> Self {
        Self(NonZeroU32::new(guesses).map(|guesses| Counted {
            wrong: RateLimiter::keyed(Quota::per_minute(guesses)).with_middleware(),
            shut: Mutex::default(),
        }))
    }

    /// Whether a code of theirs is looked at.
    pub(super) fn check(&self, key: &K) -> Result<(), Denial> {
        let Some(counted) = &self.0 else { return Ok(()) };
        let until = counted.shut().get(key).copied();
        let wait = until.map(|until| until.saturating_duration_since(Instant::now()));
        match wait {
            Some(wait) if !wait.is_zero() => Err(Denial::RateLimited { wait }),
            _ => Ok(()),
        }
    }

    /// Notes a code that was wrong.
    pub(super) fn note_wrong(&self, key: &K) {
        let Some(counted) = &self.0 else { return };
        let wait = match counted.wrong.check_key(key) {
            Ok(left) if left.remaining_burst_capacity() > 0 => return,
            Ok(left) => left.quota().replenish_interval(),
            Err(until) => until.wait_time_from(DefaultClock::default().now()),
        };
        // Never none at all, however a clock is rounded.
        let until = Instant::now() + wait.max(Duration::from_millis(1));
        counted.shut().insert(key.clone(), until);
    }

    pub(super) fn forget_old(&self) {
        if let Some(counted) = &self.0 {
            counted.wrong.retain_recent();
            counted.wrong.shrink_to_fit();
            let now = Instant::now();
            let mut shut = counted.shut();
            shut.retain(|_, until| *until > now);
            shut.shrink_to_fit();
        }
    }
}

impl<K: Hash + Eq + Clone> Counted<K> {
    fn shut(&self) -> MutexGuard<'_, HashMap<K, Instant>> {
        // Inserting and removing leave no half-made map behind.
        self.shut.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_was_wrong_too_often_is_not_looked_at_and_nobody_else_notices() {
        let guesses = Guesses::of_min(3);
        for _ in 0..3 {
            assert_eq!(guesses.check(&"anna"), Ok(()));
            guesses.note_wrong(&"anna");
        }
        match guesses.check(&"anna") {
            Err(Denial::RateLimited { wait }) => {
                assert!(wait <= Duration::from_secs(20) && !wait.is_zero(), "{wait:?}");
            }
            other => panic!("{other:?}"),
        }
        assert_eq!(guesses.check(&"bela"), Ok(()));
    }

    #[test]
    fn right_codes_cost_nothing_and_0_counts_nothing() {
        let guesses = Guesses::of_min(1);
        assert!((0..1_000).all(|_| guesses.check(&"anna").is_ok()));
        let uncounted = Guesses::of_min(0);
        (0..1_000).for_each(|_| uncounted.note_wrong(&"anna"));
        assert_eq!(uncounted.check(&"anna"), Ok(()));
    }
}
