//! When to send again.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

use crate::error::Error;

/// How long, and how often, a call is tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RetryPolicy {
    /// The time for all tries of a call together.
    pub give_up_after: Duration,
    /// The time for one try; a service that does not answer is asked again, perhaps another one.
    pub try_timeout: Duration,
    /// The wait before the second try; it doubles with each further one.
    pub first_wait: Duration,
    /// The longest wait.
    pub longest_wait: Duration,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self {
            give_up_after: Duration::from_secs(30),
            try_timeout: Duration::from_secs(10),
            first_wait: Duration::from_millis(50),
            longest_wait: Duration::from_secs(2),
        }
    }
}

/// The tries of one call.
pub(crate) struct Tries {
    policy: RetryPolicy,
    retries: Arc<AtomicU64>,
    give_up_at: Instant,
    wait: Duration,
    /// That a write is perhaps made: no later try that knows nothing of it makes this less true.
    unsure: Option<Error>,
}

impl Tries {
    /// `retries` counts those after the first.
    pub(crate) fn new(policy: RetryPolicy, retries: Arc<AtomicU64>) -> Self {
        Self {
            policy,
            retries,
            give_up_at: Instant::now() + policy.give_up_after,
            wait: policy.first_wait,
            unsure: None,
        }
    }

    /// How long the next try may take.
    pub(crate) fn try_timeout(&self) -> Duration {
        self.policy
            .try_timeout
            .min(self.give_up_at.saturating_duration_since(Instant::now()))
    }

    /// Waits until it makes sense to try again after `error`.
    ///
    /// # Errors
    /// Gives `error` back if it will not pass. If it will not pass in time, gives back what is known of the call: `error`, or
    /// that an earlier try is perhaps written.
    pub(crate) async fn wait_after(&mut self, error: Error) -> Result<(), Error> {
        let told = match &error {
            Error::Refused(refused) => refused.retry_after,
            _ => None,
        };
        let wait = jittered(self.wait).max(told.unwrap_or_default());
        let next = Instant::now() + wait;
        if !error.is_passing() {
            return Err(error);
        }
        let known = match self.unsure.take() {
            Some(unsure) if !error.is_unsure() => unsure,
            _ => error,
        };
        if next >= self.give_up_at {
            return Err(known);
        }
        self.unsure = Some(known).filter(Error::is_unsure);
        self.wait = (self.wait * 2).min(self.policy.longest_wait);
        self.retries.fetch_add(1, Ordering::Relaxed);
        sleep_until(next).await;
        Ok(())
    }
}

/// Between half of `wait` and all of it, so that clients which lost the same service do not come back at once.
fn jittered(wait: Duration) -> Duration {
    let mut byte = [0];
    // Without random bytes the whole wait does as well.
    let share = getrandom::fill(&mut byte).map_or(255, |()| byte[0]);
    wait / 2 + wait * u32::from(share) / 510
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Refused;
    use fives_wire::v1::ErrorReason;
    use tonic::{Code, Status};

    fn lost() -> Error {
        Error::from(Status::unavailable("connection refused"))
    }

    #[tokio::test(start_paused = true)]
    async fn what_may_pass_is_tried_again_until_the_time_is_over() {
        let policy = RetryPolicy {
            give_up_after: Duration::from_secs(3),
            ..RetryPolicy::default()
        };
        let retries = Arc::new(AtomicU64::new(0));
        let (started, mut tries, mut count) = (Instant::now(), Tries::new(policy, Arc::clone(&retries)), 0);
        while tries.wait_after(lost()).await.is_ok() {
            count += 1;
        }
        assert!((4..=12).contains(&count), "{count} tries");
        assert!(started.elapsed() <= policy.give_up_after);
        assert_eq!(retries.load(Ordering::Relaxed), count, "each is counted");
    }

    fn refused(reason: ErrorReason) -> Error {
        Error::from(Box::new(Refused {
            code: Code::Unavailable,
            reason,
            message: String::new(),
            illegal_play: None,
            retry_after: None,
            trace_id: None,
        }))
    }

    /// The reason that a call ends with whose first tries are refused so, and all others lost.
    async fn ends_with(reasons: &[ErrorReason]) -> Option<ErrorReason> {
        let mut tries = Tries::new(RetryPolicy::default(), Arc::default());
        for reason in reasons {
            tries.wait_after(refused(*reason)).await.unwrap();
        }
        loop {
            if let Err(end) = tries.wait_after(lost()).await {
                return end.reason();
            }
        }
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_perhaps_written_is_told_at_the_end_whatever_became_of_later_tries() {
        use ErrorReason::{CommitUnconfirmed, Deadline, StoreUnavailable};
        assert_eq!(ends_with(&[CommitUnconfirmed]).await, Some(CommitUnconfirmed));
        assert_eq!(
            ends_with(&[CommitUnconfirmed, StoreUnavailable]).await,
            Some(CommitUnconfirmed)
        );
        assert_eq!(
            ends_with(&[CommitUnconfirmed, Deadline]).await,
            Some(Deadline),
            "the newest of them"
        );
        assert_eq!(
            ends_with(&[StoreUnavailable]).await,
            None,
            "the lost one is perhaps written, that one was not"
        );
    }

    #[tokio::test(start_paused = true)]
    async fn a_refusal_that_will_not_pass_comes_back_at_once() {
        let refused = Error::from(Status::not_found("no such match"));
        let started = Instant::now();
        let mut tries = Tries::new(RetryPolicy::default(), Arc::default());
        assert!(tries.wait_after(refused).await.is_err());
        assert_eq!(started.elapsed(), Duration::ZERO);
    }
}
