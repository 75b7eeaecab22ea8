//! Streams of updates: counted, and ended when the process stops.

use std::sync::Arc;

use fives_referee::feed::Follower;
use fives_wire::status::{Denial, denied};
use fives_wire::{encode, v1};
use futures::Stream;
use futures::stream::{self, BoxStream, StreamExt};
use tokio::sync::OwnedSemaphorePermit;
use tokio_util::sync::CancellationToken;
use tonic::Status;

use super::{Parts, failed};

/// A stream of a service.
pub(super) type Updates<T> = BoxStream<'static, Result<T, Status>>;

/// Room for one more stream.
pub(super) fn room(parts: &Parts) -> Result<OwnedSemaphorePermit, Status> {
    if parts.draining.is_cancelled() {
        return Err(denied(Denial::Draining));
    }
    Arc::clone(&parts.streams)
        .try_acquire_owned()
        .map_err(|_| denied(Denial::TooManyStreams))
}

/// What `follower` brings, each update in its envelope. It is asked only when the connection has room for more.
pub(super) fn updates<T>(
    parts: &Parts,
    follower: Follower,
    room: OwnedSemaphorePermit,
    envelope: fn(Option<v1::MatchUpdate>) -> T,
) -> Updates<T>
where
    T: Send + 'static,
{
    unfold(follower, room, parts.draining.clone())
        .map(move |update| update.map(|update| envelope(Some(update))))
        .boxed()
}

fn unfold(
    follower: Follower,
    room: OwnedSemaphorePermit,
    draining: CancellationToken,
) -> impl Stream<Item = Result<v1::MatchUpdate, Status>> + Send {
    stream::unfold(Some((follower, room)), move |state| {
        let draining = draining.clone();
        async move {
            let (mut follower, room) = state?;
            let next = tokio::select! {
                next = follower.next() => next,
                () = draining.cancelled() => return Some((Err(denied(Denial::Draining)), None)),
            };
            match next {
                Ok(update) => Some((Ok(encode::update(&update?)), Some((follower, room)))),
                Err(error) => Some((Err(failed(error)), None)),
            }
        }
    })
}
