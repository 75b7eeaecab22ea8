//! The same for casters, of whom each match has one or two.

use fives_lobby::cast::Caster;
use fives_wire::status::traced;
use fives_wire::{encode, v1};
use futures::stream::{self, BoxStream, StreamExt};
use tonic::Status;

use super::Slot;
use crate::failure::lobby_failed;

/// A stream of the cast service.
pub(in crate::services) type Casts = BoxStream<'static, Result<v1::CastMatchResponse, Status>>;

/// What `caster` brings; asked only when the connection has room for more.
pub(in crate::services) fn casts(caster: Caster, slot: Slot) -> Casts {
    let updates = stream::unfold(Some((caster, slot)), |open| async {
        let (mut caster, slot) = open?;
        let next = tokio::select! {
            biased;
            () = slot.draining.cancelled() => {
                let update = encode::reconnect(slot.reconnect_after_ms()).open().unwrap_or_default();
                return Some((Ok(v1::CastMatchResponse { update, open: None }), None));
            }
            next = caster.next() => next.map_err(lobby_failed),
        };
        match next.transpose()? {
            Ok(update) => Some((Ok(encode::cast_update(&update)), Some((caster, slot)))),
            Err(status) => Some((Err(traced(status, &slot.trace_id.to_string())), None)),
        }
    });
    updates.boxed()
}
