//! A stream of one match, seen to its end, or until the match is called off and the stream has caught up.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use fives_client::Updates;
use fives_client::v1::match_update::Update;
use tokio::sync::watch;
use tokio::time::{Instant, timeout_at};

use super::finding::Viewer;
use super::seen::Seen;
use super::tally::Tally;

/// How long a stream may take to show what was acknowledged before the match was called off, or before the last play.
const CATCH_UP: Duration = Duration::from_secs(5);

/// What all who are at one match share.
pub(super) struct Course {
    newest_acknowledged: AtomicU64,
    called_off: watch::Sender<Option<Instant>>,
}

impl Course {
    pub(super) fn new() -> Self {
        Self {
            newest_acknowledged: AtomicU64::new(0),
            called_off: watch::Sender::new(None),
        }
    }

    pub(super) fn acknowledge(&self, revision: u64) {
        self.newest_acknowledged.fetch_max(revision, Ordering::Relaxed);
    }

    /// Nobody plays on; streams end when they have caught up.
    pub(super) fn call_off(&self) {
        self.called_off.send_if_modified(|at| {
            let is_first = at.is_none();
            at.get_or_insert_with(Instant::now);
            is_first
        });
    }

    /// What `sending` brings, or `None` once the match has been called off. From then on no answer is taken, not even one that is
    /// there already: streams that have caught up end, and could not show it any more.
    pub(super) async fn unless_called_off<T>(&self, sending: impl Future<Output = Option<T>>) -> Option<T> {
        let mut called_off = self.called_off.subscribe();
        tokio::select! {
            biased;
            // The sender lives as long as `self`.
            _ = called_off.wait_for(Option::is_some) => None,
            answer = sending => answer,
        }
    }
}

/// A stream and what it has shown.
pub(super) struct Viewing<'a> {
    updates: Updates,
    seen: Seen,
    course: &'a Course,
    tally: &'a Tally,
}

impl<'a> Viewing<'a> {
    pub(super) fn new(updates: Updates, viewer: Viewer, course: &'a Course, tally: &'a Tally) -> Self {
        Self {
            updates,
            seen: Seen::new(viewer),
            course,
            tally,
        }
    }

    /// The next update; `None` when there is nothing more to see. An error of the stream is counted, and calls the match off.
    pub(super) async fn next(&mut self) -> Option<Update> {
        let mut called_off = self.course.called_off.subscribe();
        let next = loop {
            let since = *called_off.borrow_and_update();
            let Some(since) = since else {
                tokio::select! {
                    next = self.updates.next() => break next,
                    _ = called_off.changed() => continue,
                }
            };
            if self.seen.last_revision() >= self.course.newest_acknowledged.load(Ordering::Relaxed) {
                return None;
            }
            match timeout_at(since + CATCH_UP, self.updates.next()).await {
                Ok(next) => break next,
                Err(_) => return None,
            }
        };
        match next {
            Ok(update) => {
                if let Some(update) = &update {
                    let before = self.seen.deliveries;
                    self.seen.see(update);
                    if let Viewer::Watcher(_) = self.seen.viewer {
                        self.tally.deliver(self.seen.deliveries - before);
                    }
                }
                update
            }
            Err(error) => {
                self.seen.broke_off = true;
                self.tally.fail(format!("the stream of {}", self.seen.viewer), &error);
                self.course.call_off();
                None
            }
        }
    }

    pub(super) fn into_seen(self) -> Seen {
        self.seen
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::ready;

    #[tokio::test]
    async fn no_answer_is_taken_once_the_match_is_called_off_not_even_one_that_is_there() {
        let course = Course::new();
        // An unfair choice would show in some of so many.
        for _ in 0..100 {
            assert_eq!(course.unless_called_off(ready(Some(7))).await, Some(7));
        }
        course.call_off();
        for _ in 0..100 {
            assert_eq!(course.unless_called_off(ready(Some(7))).await, None);
        }
    }
}
