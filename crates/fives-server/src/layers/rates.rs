//! How often a player, an address and a match may call: buckets that fill up again with time, one each. Whoever empties theirs is
//! told when there is something in it again; nobody else notices.

use std::hash::Hash;
use std::num::NonZeroU32;
use std::time::Duration;

use fives_referee::id::{MatchId, PlayerId};
use fives_wire::status::Denial;
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota};
use tokio::time::sleep;

use super::addresses::Origin;
use super::calls::Class;
use crate::config::Limits;

/// How often full buckets are forgotten: a new one is as good.
const FORGET_INTERVAL: Duration = Duration::from_secs(10);

/// How many seconds' calls may come at once: an app that comes back asks for everything in one go.
const BURST_S: u32 = 2;

/// Everybody's buckets.
pub(crate) struct Rates {
    origin_calls: Buckets<Origin>,
    origin_sign_ins: Buckets<Origin>,
    player_calls: Buckets<PlayerId>,
    player_matches: Buckets<PlayerId>,
    match_writes: Buckets<MatchId>,
}

impl Rates {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self {
            origin_calls: Buckets::of_s(limits.address_calls_per_s),
            origin_sign_ins: Buckets::of_min(limits.address_sign_ins_per_min),
            player_calls: Buckets::of_s(limits.player_calls_per_s),
            player_matches: Buckets::of_min(limits.player_matches_per_min),
            match_writes: Buckets::of_s(limits.match_writes_per_s),
        }
    }

    /// Whether somebody may call from there.
    pub(super) fn origin(&self, class: Class, origin: &Origin) -> Result<(), Denial> {
        self.origin_calls.take(origin)?;
        match class {
            Class::SignIn => self.origin_sign_ins.take(origin),
            Class::Read | Class::Write | Class::Create | Class::Stream => Ok(()),
        }
    }

    /// Whether this player may call.
    pub(super) fn player(&self, class: Class, player: &PlayerId) -> Result<(), Denial> {
        self.player_calls.take(player)?;
        match class {
            Class::Create => self.player_matches.take(player),
            Class::Read | Class::Write | Class::SignIn | Class::Stream => Ok(()),
        }
    }

    /// Whether anybody may change this match. Asked by the services: which match it is stands in the request.
    pub(crate) fn write(&self, id: &MatchId) -> Result<(), Denial> {
        self.match_writes.take(id)
    }

    /// Keeps memory to those who have called lately, until it is dropped.
    pub(crate) async fn keep_small(&self) {
        loop {
            sleep(FORGET_INTERVAL).await;
            self.origin_calls.forget_full();
            self.origin_sign_ins.forget_full();
            self.player_calls.forget_full();
            self.player_matches.forget_full();
            self.match_writes.forget_full();
        }
    }
}

/// A bucket for each key; `None`: nothing is counted.
struct Buckets<K: Hash + Eq + Clone>(Option<DefaultKeyedRateLimiter<K>>);

impl<K: Hash + Eq + Clone> Buckets<K> {
    /// So many a second, and as many as in two seconds at once.
    fn of_s(calls: u32) -> Self {
        let burst = |calls: NonZeroU32| calls.saturating_add(calls.get().saturating_mul(BURST_S - 1));
        let quota = |calls| Quota::per_second(calls).allow_burst(burst(calls));
        Self(NonZeroU32::new(calls).map(|calls| DefaultKeyedRateLimiter::keyed(quota(calls))))
    }

    /// So many a minute, and as many at once.
    fn of_min(calls: u32) -> Self {
        Self(NonZeroU32::new(calls).map(|calls| DefaultKeyedRateLimiter::keyed(Quota::per_minute(calls))))
    }

    fn take(&self, key: &K) -> Result<(), Denial> {
        let Some(limiter) = &self.0 else { return Ok(()) };
        limiter.check_key(key).map_err(|until| Denial::RateLimited {
            wait: until.wait_time_from(DefaultClock::default().now()),
        })
    }

    fn forget_full(&self) {
        if let Some(limiter) = &self.0 {
            limiter.retain_recent();
            limiter.shrink_to_fit();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_empties_a_bucket_is_told_to_wait_and_nobody_else_is() {
        let buckets = Buckets::of_min(2);
        for _ in 0..2 {
            assert_eq!(buckets.take(&"anna"), Ok(()));
        }
        match buckets.take(&"anna") {
            Err(Denial::RateLimited { wait }) => {
                assert!(wait <= Duration::from_secs(30) && !wait.is_zero(), "{wait:?}");
            }
            other => panic!("{other:?}"),
        }
        assert_eq!(buckets.take(&"bela"), Ok(()));
    }

    #[test]
    fn what_is_off_counts_nothing() {
        let buckets = Buckets::of_s(0);
        assert!((0..10_000).all(|_| buckets.take(&"anna").is_ok()));
    }

    #[test]
    fn full_buckets_are_forgotten() {
        // Full again after a nanosecond, in effect: a thousand million a second.
        let buckets = Buckets::of_s(1_000_000_000);
        for key in 0..1_000 {
            assert_eq!(buckets.take(&key), Ok(()));
        }
        buckets.forget_full();
        assert_eq!(buckets.0.map(|limiter| limiter.len()), Some(0));
    }
}
