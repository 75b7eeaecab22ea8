//! Streams of updates: counted, altogether and for each who has them, and ended when the process stops.

mod agenda;
pub(super) mod casts;
mod queue;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use fives_referee::feed::Follower;
use fives_referee::id::PlayerId;
use fives_referee::presence::Present;
use fives_wire::encode;
use fives_wire::envelope::Envelope;
use fives_wire::status::{Denial, denied, traced};
use futures::stream::{self, BoxStream, StreamExt};
use opentelemetry::trace::TraceId;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;
use tonic::Status;

use crate::config::Config;
use crate::failure::failed;
use crate::layers::addresses::Origin;
use crate::layers::trace::current_trace_id;
use crate::serve::random_u64;
pub(super) use agenda::{AgendaUpdates, agenda};

pub(super) use queue::{QueueUpdates, progress};

/// A stream of a service.
pub(super) type Updates = BoxStream<'static, Result<Envelope, Status>>;

/// Whose share a stream belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Owner {
    Player(PlayerId),
    /// Somebody without a token, from there.
    Stranger(Origin),
}

/// How many streams there may be, and whether they must end.
#[derive(Clone)]
pub(crate) struct Streams {
    room: Arc<Semaphore>,
    max_streams: usize,
    shares: Arc<Shares>,
    draining: CancellationToken,
    reconnect_spread_ms: u64,
}

/// Room for one stream, free again when it is dropped.
pub(super) struct Slot {
    _room: OwnedSemaphorePermit,
    /// Of the call that opened it.
    trace_id: TraceId,
    _share: Share,
    draining: CancellationToken,
    reconnect_spread_ms: u64,
    /// Whoever has a stream open is there.
    _present: Option<Present>,
}

/// How many streams each has who has any.
struct Shares {
    counts: Mutex<HashMap<Owner, usize>>,
    /// 0: as many as one likes.
    max_of_player: usize,
    max_of_stranger: usize,
}

impl Shares {
    fn take(self: &Arc<Self>, owner: Owner) -> Option<Share> {
        let most = match owner {
            Owner::Player(_) => self.max_of_player,
            Owner::Stranger(_) => self.max_of_stranger,
        };
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(owner).or_default();
        if most > 0 && *count >= most {
            return None;
        }
        *count += 1;
        let shares = Arc::clone(self);
        Some(Share { shares, owner })
    }
}

/// A part of somebody's share, free again when it is dropped.
struct Share {
    shares: Arc<Shares>,
    owner: Owner,
}

impl Drop for Share {
    fn drop(&mut self) {
        let mut counts = self.shares.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&self.owner) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.owner);
            }
        }
    }
}

impl Slot {
    /// The same room, for somebody who is there as long as it is taken.
    pub(super) fn of(self, present: Option<Present>) -> Self {
        Self {
            _present: present,
            ..self
        }
    }

    /// When a viewer who is sent away had better come again: each at another time, so that they do not all come to the next process
    /// at once.
    fn reconnect_after_ms(&self) -> u32 {
        u32::try_from(random_u64() % (self.reconnect_spread_ms + 1)).unwrap_or(u32::MAX)
    }
}

impl Streams {
    pub(crate) fn new(config: &Config, draining: CancellationToken) -> Self {
        let max_streams = config.max_streams.min(Semaphore::MAX_PERMITS);
        let shares = Arc::new(Shares {
            counts: Mutex::default(),
            max_of_player: config.limits.max_streams_per_player,
            max_of_stranger: config.limits.max_streams_per_address,
        });
        Self {
            room: Arc::new(Semaphore::new(max_streams)),
            max_streams,
            shares,
            draining,
            reconnect_spread_ms: config.reconnect_spread_ms,
        }
    }

    /// How many streams are open.
    pub(crate) fn open_count(&self) -> u64 {
        (self.max_streams - self.room.available_permits()) as u64
    }

    /// Room for one more stream; asked for before the stream costs anything.
    pub(super) fn slot(&self, owner: Owner) -> Result<Slot, Status> {
        if self.draining.is_cancelled() {
            return Err(denied(Denial::Draining));
        }
        let share = self.shares.take(owner);
        let room = Arc::clone(&self.room).try_acquire_owned();
        Ok(Slot {
            _share: share.ok_or_else(|| denied(Denial::TooManyStreams))?,
            _room: room.map_err(|_| denied(Denial::TooManyStreams))?,
            trace_id: current_trace_id(),
            // Each stream waits at a token of its own: at a shared one, all of them would queue for its lock at every update.
            draining: self.draining.child_token(),
            reconnect_spread_ms: self.reconnect_spread_ms,
            _present: None,
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
            () = slot.draining.cancelled() => return Some((Ok(encode::reconnect(slot.reconnect_after_ms())), None)),
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
    use crate::config::ServeArgs;
    use fives_wire::{status, v1};

    fn reason(refused: Result<Slot, Status>) -> Option<v1::ErrorReason> {
        status::reason(&refused.err()?)
    }

    fn streams(change: impl FnOnce(&mut Config)) -> Streams {
        let mut config = Config::try_from(ServeArgs::default()).expect("possible");
        change(&mut config);
        Streams::new(&config, CancellationToken::new())
    }

    const ANNA: Owner = Owner::Player(PlayerId::from_bytes([1; 16]));

    #[test]
    fn streams_are_counted_until_they_are_dropped() {
        let streams = streams(|config| config.max_streams = 1);
        let first = streams.slot(ANNA).expect("there is room");
        assert_eq!(reason(streams.slot(ANNA)), Some(v1::ErrorReason::TooManyStreams));
        drop(first);
        let second = streams.slot(ANNA).expect("there is room again");
        streams.draining.cancel();
        assert!(second.draining.is_cancelled(), "a stream that is open is told to end");
        drop(second);
        assert_eq!(reason(streams.slot(ANNA)), Some(v1::ErrorReason::Draining));
    }

    #[test]
    fn each_has_a_share_of_their_own_and_leaves_nothing_behind() {
        let streams = streams(|config| {
            config.limits.max_streams_per_player = 2;
            config.limits.max_streams_per_address = 1;
        });
        let here = Owner::Stranger(Origin::from(None));
        let there = Owner::Stranger(Origin::from(Some([192, 0, 2, 1].into())));
        let open: Vec<_> = [ANNA, ANNA, here, there]
            .map(|owner| streams.slot(owner).expect("a share"))
            .into();
        for owner in [ANNA, here, there] {
            assert_eq!(
                reason(streams.slot(owner)),
                Some(v1::ErrorReason::TooManyStreams),
                "{owner:?}"
            );
        }
        drop(open);
        assert!(streams.shares.counts.lock().expect("no panic").is_empty());
        assert!(streams.slot(ANNA).is_ok(), "there is room again");
    }
}
