//! Invites, for those who may see their codes.

use fives_referee::invite::{Invite, InviteChange};
use fives_referee::view::SeenBatch;

use super::view::seat_index;
use super::{batch, cursor, timestamp};
use crate::v1;

/// An invite that was made.
#[must_use]
pub fn create_invite(answer: &SeenBatch, made: &Invite) -> v1::CreateInviteResponse {
    v1::CreateInviteResponse {
        cursor: Some(cursor(answer.cursor)),
        batch: Some(batch(answer)),
        invite: Some(invite(made)),
    }
}

/// The invites of a match.
#[must_use]
pub fn list_invites(invites: &[Invite]) -> v1::ListInvitesResponse {
    v1::ListInvitesResponse {
        invites: invites.iter().map(invite).collect(),
    }
}

fn invite(invite: &Invite) -> v1::Invite {
    v1::Invite {
        invite_code: invite.code.to_string(),
        seat: invite.seat.map(seat_index),
        create_time: Some(timestamp(invite.made_at)),
        expire_time: invite.expires_at.map(timestamp),
        uses_max: invite.uses_max.unwrap_or_default(),
        uses: invite.uses,
    }
}

pub(super) const fn change(change: InviteChange) -> v1::invite_changed::Change {
    match change {
        InviteChange::Made => v1::invite_changed::Change::Made,
        InviteChange::Used => v1::invite_changed::Change::Used,
        InviteChange::Revoked => v1::invite_changed::Change::Revoked,
    }
}
