//! How many calls are under way at once. One too many is told so at once instead of waiting for all others. A stream counts
//! until it has begun; how many there may be, [`crate::services`] says.

use tokio::sync::{Semaphore, SemaphorePermit};

/// Counts the calls that are under way.
pub(crate) struct Limits(Semaphore);

impl Limits {
    pub(crate) fn new(max_calls: usize) -> Self {
        Self(Semaphore::new(max_calls.min(Semaphore::MAX_PERMITS)))
    }

    /// A call's place among them, if there is one.
    pub(super) fn permit(&self) -> Option<SemaphorePermit<'_>> {
        self.0.try_acquire().ok()
    }
}
