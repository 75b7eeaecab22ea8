//! Streams of those who wait in a queue.

use fives_lobby::queue::Waiter;
use fives_wire::status::traced;
use fives_wire::{encode, v1};
use futures::stream::{self, BoxStream, StreamExt};
use tonic::Status;

use super::Slot;
use crate::failure::lobby_failed;

/// A stream of QueueService.
pub(crate) type QueueUpdates = BoxStream<'static, Result<v1::JoinQueueResponse, Status>>;

/// What `waiter` is told. It is asked only when the connection has room for more; what came in between is left out.
pub(crate) fn progress(waiter: Waiter, slot: Slot) -> QueueUpdates {
    let updates = stream::unfold(Some((waiter, slot)), |open| async {
        let (mut waiter, slot) = open?;
        let next = tokio::select! {
            biased;
            () = slot.draining.cancelled() => {
                return Some((Ok(encode::reconnect_queue(slot.reconnect_after_ms())), None));
            }
            next = waiter.next() => next.map_err(lobby_failed),
        };
        match next.transpose()? {
            Ok(progress) => Some((Ok(encode::progress(&progress)), Some((waiter, slot)))),
            Err(status) => Some((Err(traced(status, &slot.trace_id.to_string())), None)),
        }
    });
    updates.boxed()
}
