//! Invites at a table: who makes and revokes them, and what they open.

use super::Table;
use crate::batch::{TableEvent, Visibility};
use crate::error::Refusal;
use crate::id::{InviteCode, PlayerId};
use crate::invite::{INVITES_MAX, Invite, InviteEvent, InviteWish};
use crate::time::UnixMillis;

impl Table {
    /// Every code that leads here: its own, if it is private, and those of its invites, revoked ones included.
    pub fn codes(&self) -> impl Iterator<Item = InviteCode> {
        self.invite()
            .into_iter()
            .chain(self.invites.iter().map(|invite| invite.code))
    }

    /// Whether `player` may make invites and see them: whoever sits here, and who made the table.
    ///
    /// # Errors
    /// [`Refusal::NotSeated`].
    pub fn check_host(&self, player: &PlayerId) -> Result<(), Refusal> {
        if *player == self.creator || self.seat_of(player).is_some() {
            Ok(())
        } else {
            Err(Refusal::NotSeated)
        }
    }

    /// The invite of this code, unless it was revoked.
    #[must_use]
    pub fn find_invite(&self, code: &InviteCode) -> Option<&Invite> {
        self.invites
            .iter()
            .find(|invite| invite.code == *code && !invite.revoked)
    }

    /// The invite that lets somebody in who shows `code`, if it takes one: not with the table's own code, and not to a public table.
    pub(super) fn admitting_invite(&self, code: Option<&InviteCode>) -> Result<Option<&Invite>, Refusal> {
        match (self.visibility, code) {
            (Visibility::Public, None) => Ok(None),
            (Visibility::Private(_), None) => Err(Refusal::InviteRequired),
            (Visibility::Private(own), Some(code)) if own == *code => Ok(None),
            (_, Some(code)) => self.find_invite(code).map(Some).ok_or(Refusal::InviteNotFound),
        }
    }

    pub(super) fn make_invite(
        &self,
        player: &PlayerId,
        wish: &InviteWish,
        code: InviteCode,
        at: UnixMillis,
    ) -> Result<Vec<TableEvent>, Refusal> {
        self.check_host(player)?;
        self.check_open()?;
        if let Some(seat) = wish.seat.filter(|seat| seat.index() >= self.chairs.len()) {
            return Err(Refusal::NoSuchSeat { seat });
        }
        if self.invites.len() >= INVITES_MAX {
            return Err(Refusal::TooManyInvites { most: INVITES_MAX });
        }
        let made = Invite {
            code,
            seat: wish.seat,
            made_at: at,
            expires_at: wish.lifetime_ms.map(|lifetime_ms| at.plus_ms(lifetime_ms)),
            uses_max: wish.uses_max,
            uses: 0,
            revoked: false,
        };
        Ok(vec![TableEvent::Invite(InviteEvent::Made(made))])
    }

    pub(super) fn revoke_invite(&self, player: &PlayerId, code: &InviteCode) -> Result<Vec<TableEvent>, Refusal> {
        self.check_host(player)?;
        self.check_open()?;
        let invite = self.find_invite(code).ok_or(Refusal::InviteNotFound)?;
        Ok(vec![TableEvent::Invite(InviteEvent::Revoked(invite.code))])
    }

    pub(super) fn fold_invite(&mut self, event: &InviteEvent) {
        let mut change = |code: &InviteCode, change: fn(&mut Invite)| {
            self.invites
                .iter_mut()
                .filter(|invite| invite.code == *code)
                .for_each(change);
        };
        match event {
            InviteEvent::Made(made) => self.invites.push(*made),
            InviteEvent::Used(code) => change(code, |invite| invite.uses = invite.uses.saturating_add(1)),
            InviteEvent::Revoked(code) => change(code, |invite| invite.revoked = true),
        }
    }
}
