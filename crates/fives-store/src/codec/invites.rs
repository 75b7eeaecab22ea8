//! Invites, in snapshots and in batches.

use std::collections::HashSet;

use fives_referee::id::InviteCode;
use fives_referee::invite::{INVITES_MAX, Invite, InviteEvent, InviteWish};
use fives_referee::time::UnixMillis;

use super::{Damage, field};
use crate::storage;
use crate::storage::invite_changed::Change;

pub(super) fn stored(invite: &Invite) -> storage::Invite {
    storage::Invite {
        code: invite.code.as_bytes().to_vec(),
        seat: invite.seat.map(field::seat_index),
        made_at_ms: invite.made_at.0,
        expires_at_ms: invite.expires_at.map(|at| at.0),
        uses_max: invite.uses_max,
        uses: invite.uses,
        revoked: invite.revoked,
    }
}

/// The invites of a table: not too many, and each with a code of its own.
pub(super) fn decoded(stored: &[storage::Invite]) -> Result<Vec<Invite>, Damage> {
    let invites: Vec<Invite> = stored.iter().map(invite).collect::<Result<_, _>>()?;
    let codes: HashSet<InviteCode> = invites.iter().map(|invite| invite.code).collect();
    if invites.len() > INVITES_MAX || codes.len() < invites.len() {
        return Err("a table has too many invites, or one twice");
    }
    Ok(invites)
}

pub(super) fn stored_event(event: &InviteEvent) -> storage::InviteChanged {
    let change = match event {
        InviteEvent::Made(made) => Change::Made(stored(made)),
        InviteEvent::Used(code) => Change::Used(code.as_bytes().to_vec()),
        InviteEvent::Revoked(code) => Change::Revoked(code.as_bytes().to_vec()),
    };
    storage::InviteChanged { change: Some(change) }
}

pub(super) fn event(stored: &storage::InviteChanged) -> Result<InviteEvent, Damage> {
    match stored.change.as_ref().ok_or("nothing known happened to an invite")? {
        Change::Made(made) => invite(made).map(InviteEvent::Made),
        Change::Used(bytes) => code(bytes).map(InviteEvent::Used),
        Change::Revoked(bytes) => code(bytes).map(InviteEvent::Revoked),
    }
}

fn invite(stored: &storage::Invite) -> Result<Invite, Damage> {
    if stored
        .uses_max
        .is_some_and(|most| !(1..=InviteWish::MAX_USES).contains(&most))
    {
        return Err("an invite is for no possible number of seats");
    }
    Ok(Invite {
        code: code(&stored.code)?,
        seat: stored.seat.map(field::seat).transpose()?,
        made_at: UnixMillis(stored.made_at_ms),
        expires_at: stored.expires_at_ms.map(UnixMillis),
        uses_max: stored.uses_max,
        uses: stored.uses,
        revoked: stored.revoked,
    })
}

pub(super) fn code(bytes: &[u8]) -> Result<InviteCode, Damage> {
    InviteCode::from_bytes(bytes).ok_or("an invite code is none")
}
