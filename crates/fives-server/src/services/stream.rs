//! Streams of updates: counted, and ended when the process stops.

use std::sync::Arc;

use fives_referee::feed::Follower;
use fives_wire::encode;
use fives_wire::envelope::Envelope;
use fives_wire::status::{Denial, denied, traced};
use futures::stream::{self, BoxStream, StreamExt};
use opentelemetry::trace::TraceId;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;
use tonic::Status;

use crate::failure::failed;
use crate::layers::trace::current_trace_id;
use crate::serve::random_u64;

/// A stream of a service.
pub(super) type Updates = BoxStream<'static, Result<Envelope, Status>>;

/// How many streams there may be, and whether they must end.
#[derive(Clone)]
pub(crate) struct Streams {
    room: Arc<Semaphore>,
    max_streams: usize,
    draining: CancellationToken,
    reconnect_spread_ms: u64,
}

/// Room for one stream, free again when it is dropped.
pub(super) struct Slot {
    _room: OwnedSemaphorePermit,
    /// Of the call that opened it.
    trace_id: TraceId,
    draining: CancellationToken,
    reconnect_spread_ms: u64,
}

impl Slot {
    /// Sends a viewer away, each after another time, so that they do not all come to the next process at once.
    fn reconnect(&self) -> Envelope {
        encode::reconnect(random_u64() % (self.reconnect_spread_ms + 1))
    }
}

impl Streams {
    pub(crate) fn new(max_streams: usize, draining: CancellationToken, reconnect_spread_ms: u64) -> Self {
        let max_streams = max_streams.min(Semaphore::MAX_PERMITS);
        Self {
            room: Arc::new(Semaphore::new(max_streams)),
            max_streams,
            draining,
            reconnect_spread_ms,
        }
    }

    /// How many streams are open.
    pub(crate) fn open_count(&self) -> u64 {
        (self.max_streams - self.room.available_permits()) as u64
    }

    /// Room for one more stream; asked for before the stream costs anything.
    pub(super) fn slot(&self) -> Result<Slot, Status> {
        if self.draining.is_cancelled() {
            return Err(denied(Denial::Draining));
        }
        let room = Arc::clone(&self.room).try_acquire_owned();
        Ok(Slot {
            _room: room.map_err(|_| denied(Denial::TooManyStreams))?,
            trace_id: current_trace_id(),
            // Each stream waits at a token of its own: at a shared one, all of them would queue for its lock at every update.
            draining: self.draining.child_token(),
            reconnect_spread_ms: self.reconnect_spread_ms,
        })
    }
}

/// What `follower` brings. It is asked only when the connection has room for more, so a viewer who
/// does not read costs no memory: the feed sends a snapshot instead of what was missed.
pub(super) fn updates(follower: Follower, slot: Slot) -> Updates {
    let updates = stream::unfold(Some((follower, slot)), |open| async {
        let (mut follower, slot) = open?;
        let next = tokio::select! {
            biased;
            () = slot.draining.cancelled() => return Some((Ok(slot.reconnect()), None)),
            next = follower.next() => next.map_err(failed),
        };
        match next.transpose()? {
            Ok(update) => Some((Ok(encode::envelope(&update)), Some((follower, slot)))),
            Err(status) => Some((Err(traced(status, &slot.trace_id.to_string())), None)),
        }
    });
    updates.boxed()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fives_wire::{status, v1};

    fn reason(refused: Result<Slot, Status>) -> Option<v1::ErrorReason> {
        status::reason(&refused.err()?)
    }

    #[test]
    fn streams_are_counted_until_they_are_dropped() {
        let draining = CancellationToken::new();
        let streams = Streams::new(1, draining.clone(), 0);
        let first = streams.slot().expect("there is room");
        assert_eq!(reason(streams.slot()), Some(v1::ErrorReason::TooManyStreams));
        drop(first);
        let second = streams.slot().expect("there is room again");
        draining.cancel();
        assert!(second.draining.is_cancelled(), "a stream that is open is told to end");
        drop(second);
        assert_eq!(reason(streams.slot()), Some(v1::ErrorReason::Draining));
    }
}
