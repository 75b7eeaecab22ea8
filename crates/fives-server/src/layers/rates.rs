//! How often a player, an address and a match may call: buckets that fill up again with time, one each. Whoever empties theirs is
//! told when there is something in it again; nobody else notices.

mod guesses;

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
use guesses::Guesses;

/// How often full buckets are forgotten: a new one is as good.
const FORGET_INTERVAL: Duration = Duration::from_secs(10);

/// How many seconds' calls may come at once: an app that comes back asks for everything in one go.
const BURST_S: u32 = 2;

/// How many emotes may come at once.
const EMOTES_AT_ONCE: u32 = 4;

/// Everybody's buckets.
pub(crate) struct Rates {
    origin_calls: Buckets<Origin>,
    origin_sign_ins: Buckets<Origin>,
    player_calls: Buckets<PlayerId>,
    player_matches: Buckets<PlayerId>,
    match_writes: Buckets<MatchId>,
    emotes: Buckets<(PlayerId, MatchId)>,
    player_guesses: Guesses<PlayerId>,
    origin_guesses: Guesses<Origin>,
}

impl Rates {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self {
            origin_calls: Buckets::of_s(limits.address_calls_per_s),
            origin_sign_ins: Buckets::of_min(limits.address_sign_ins_per_min),
            player_calls: Buckets::of_s(limits.player_calls_per_s),
            player_matches: Buckets::of_min(limits.player_matches_per_min),
            match_writes: Buckets::of_s(limits.match_writes_per_s),
            emotes: Buckets::few_of_min(limits.player_emotes_per_min, EMOTES_AT_ONCE),
            player_guesses: Guesses::of_min(limits.player_wrong_codes_per_min),
            origin_guesses: Guesses::of_min(limits.address_wrong_codes_per_min),
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

    /// Whether this player may say something at this match.
    pub(crate) fn emote(&self, player: &PlayerId, id: &MatchId) -> Result<(), Denial> {
        self.emotes.take(&(*player, *id))
    }

    /// Whether a code is looked at that somebody shows, from there.
    pub(crate) fn code(&self, player: Option<&PlayerId>, origin: &Origin) -> Result<(), Denial> {
        self.origin_guesses.check(origin)?;
        player.map_or(Ok(()), |player| self.player_guesses.check(player))
    }

    /// Notes that the code was wrong.
    pub(crate) fn note_wrong_code(&self, player: Option<&PlayerId>, origin: &Origin) {
        self.origin_guesses.note_wrong(origin);
        if let Some(player) = player {
            self.player_guesses.note_wrong(player);
        }
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
            self.emotes.forget_full();
            self.player_guesses.forget_old();
            self.origin_guesses.forget_old();
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

    /// So many a minute, and only a few of them at once.
    fn few_of_min(calls: u32, at_once: u32) -> Self {
        let at_once = |calls: NonZeroU32| NonZeroU32::new(at_once).map_or(calls, |at_once| calls.min(at_once));
        let quota = |calls| Quota::per_minute(calls).allow_burst(at_once(calls));
        Self(NonZeroU32::new(calls).map(|calls| DefaultKeyedRateLimiter::keyed(quota(calls))))
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
