//! Rematches.

use fives_lobby::rematch::{Rematch, Stage};
use fives_referee::time::UnixMillis;

use super::timestamp;
use super::view::seat_index;
use crate::v1;

/// A rematch, as it is at `now`.
#[must_use]
pub fn rematch(rematch: &Rematch, now: UnixMillis) -> v1::Rematch {
    let state = match rematch.stage {
        Stage::Offered if rematch.has_expired(now) => v1::RematchState::Expired,
        Stage::Offered => v1::RematchState::Offered,
        Stage::Declined { .. } => v1::RematchState::Declined,
        Stage::Agreed => v1::RematchState::Agreed,
    };
    v1::Rematch {
        state: state.into(),
        match_id: rematch.of.to_string(),
        offer_time: Some(timestamp(rematch.offered_at)),
        expire_time: Some(timestamp(rematch.expires_at)),
        accepted_seats: rematch.accepted().map(seat_index).collect(),
        declined_seat: match rematch.stage {
            Stage::Declined { by } => Some(seat_index(by)),
            Stage::Offered | Stage::Agreed => None,
        },
        next_match_id: match rematch.stage {
            Stage::Agreed => Rematch::next_id(&rematch.of).to_string(),
            Stage::Offered | Stage::Declined { .. } => String::new(),
        },
    }
}
