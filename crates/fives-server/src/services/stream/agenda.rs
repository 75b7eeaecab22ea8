//! The stream of all matches of a player.

use fives_lobby::agenda::AgendaFollower;
use fives_referee::referee::Referee;
use fives_wire::{encode, v1};
use futures::stream::{self, BoxStream, StreamExt};
use tonic::Status;

use super::Slot;
use crate::failure::failed;

/// A stream of a player's matches.
pub(in crate::services) type AgendaUpdates = BoxStream<'static, Result<v1::FollowPlayerResponse, Status>>;

/// What `follower` brings, until the process stops. It is asked only when the connection has room for more.
pub(in crate::services) fn agenda(follower: AgendaFollower, slot: Slot, referee: Referee) -> AgendaUpdates {
    let updates = stream::unfold(Some((follower, slot, referee)), |open| async {
        let (mut follower, slot, referee) = open?;
        let update = tokio::select! {
            biased;
            () = slot.draining.cancelled() => {
                return Some((Ok(encode::agenda_reconnect(slot.reconnect_after_ms())), None));
            }
            update = follower.next() => update,
        };
        match referee.store().now().await {
            Ok(now) => Some((Ok(encode::agenda(&update, now)), Some((follower, slot, referee)))),
            Err(error) => Some((Err(failed(error.into())), None)),
        }
    });
    updates.boxed()
}
