//! How many calls are under way at once. One too many is told so at once instead of waiting for all others. A stream counts
//! until it has begun; how many there may be, [`crate::services`] says.
//!
//! A quarter of the places is for those who play: however many watch, look at lists or begin streams, a move finds one.

use tokio::sync::{Semaphore, SemaphorePermit};

use super::calls::Class;

/// Counts the calls that are under way.
pub(crate) struct Limits {
    all: Semaphore,
    /// The part that reads and streams can have.
    shed_first: Semaphore,
}

/// A call's place, free again when it is dropped.
pub(super) struct Permit<'a> {
    _place: SemaphorePermit<'a>,
    _part: Option<SemaphorePermit<'a>>,
}

impl Limits {
    pub(crate) fn new(max_calls: usize) -> Self {
        let max_calls = max_calls.clamp(1, Semaphore::MAX_PERMITS);
        Self {
            all: Semaphore::new(max_calls),
            shed_first: Semaphore::new((max_calls - max_calls / 4).max(1)),
        }
    }

    /// A call's place among them, if there is one.
    pub(super) fn permit(&self, class: Class) -> Option<Permit<'_>> {
        let part = match class {
            Class::Read | Class::Stream => Some(self.shed_first.try_acquire().ok()?),
            Class::Write | Class::Create | Class::SignIn => None,
        };
        Some(Permit {
            _place: self.all.try_acquire().ok()?,
            _part: part,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_and_streams_leave_room_for_writes() {
        let limits = Limits::new(8);
        let reading: Vec<_> = std::iter::from_fn(|| limits.permit(Class::Read)).collect();
        assert_eq!(reading.len(), 6);
        assert!(limits.permit(Class::Stream).is_none());
        let writing: Vec<_> = std::iter::from_fn(|| limits.permit(Class::Write)).collect();
        assert_eq!(writing.len(), 2, "they have what is left");
        drop(reading);
        let more: Vec<_> = std::iter::from_fn(|| limits.permit(Class::Write)).collect();
        assert_eq!(more.len(), 6, "and all of it where nobody reads");
        assert!(limits.permit(Class::Read).is_none());
    }
}
