//! Invites: codes that somebody at a table hands out, each good for some time and so many seats.
//!
//! They are kept with the table and change with it, in its log: a seat and the use of the invite that it was taken with are one
//! commit, whatever dies in between. Once the match has started they open nothing more.

use fives_rules::seat::Seat;

use crate::error::Refusal;
use crate::id::InviteCode;
use crate::time::UnixMillis;

/// How many invites a match can have in its life, those that were revoked or used up included: each stays in the snapshot, so that a
/// retry still finds its match.
pub const INVITES_MAX: usize = 32;

/// An invite.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Invite {
    /// What is typed.
    pub code: InviteCode,
    /// The seat that it is for; `None` for whichever is open.
    pub seat: Option<Seat>,
    /// When it was made.
    pub made_at: UnixMillis,
    /// From when on it opens nothing; `None`: as long as the match waits for players.
    pub expires_at: Option<UnixMillis>,
    /// How many may sit down with it; `None`: as many as there are seats.
    pub uses_max: Option<u32>,
    /// How many have. Who stands up again gives nothing back.
    pub uses: u32,
    /// Whether it was taken back.
    pub revoked: bool,
}

/// An invite, as asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InviteWish {
    /// The seat that it is for; `None` for whichever is open.
    pub seat: Option<Seat>,
    /// How long it is good for, in milliseconds, at most [`InviteWish::MAX_LIFETIME_MS`]; `None`: as long as the match waits.
    pub lifetime_ms: Option<u64>,
    /// How many may sit down with it, 1 to [`InviteWish::MAX_USES`]; `None`: as many as there are seats.
    pub uses_max: Option<u32>,
}

impl InviteWish {
    /// The longest life: a week.
    pub const MAX_LIFETIME_MS: u64 = 7 * 24 * 60 * 60 * 1000;
    /// The most uses that can be asked for.
    pub const MAX_USES: u32 = 100;
}

/// A code, and when it was shown at the door, by the store's clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shown {
    /// The code.
    pub code: InviteCode,
    /// When.
    pub at: UnixMillis,
}

/// What happened to an invite.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InviteEvent {
    /// It was made.
    Made(Invite),
    /// Somebody sat down with it.
    Used(InviteCode),
    /// It was taken back.
    Revoked(InviteCode),
}

/// What happened to an invite, without saying to which.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InviteChange {
    /// One was made.
    Made,
    /// One was used.
    Used,
    /// One was taken back.
    Revoked,
}

impl InviteEvent {
    /// What everybody may know of it.
    #[must_use]
    pub const fn change(&self) -> InviteChange {
        match self {
            Self::Made(_) => InviteChange::Made,
            Self::Used(_) => InviteChange::Used,
            Self::Revoked(_) => InviteChange::Revoked,
        }
    }
}

impl Invite {
    /// Whether somebody can sit down with it at `now`.
    ///
    /// # Errors
    /// [`Refusal::InviteExpired`], [`Refusal::InviteUsedUp`].
    pub fn check(&self, now: UnixMillis) -> Result<(), Refusal> {
        if self.expires_at.is_some_and(|at| at <= now) {
            Err(Refusal::InviteExpired)
        } else if self.uses_max.is_some_and(|most| self.uses >= most) {
            Err(Refusal::InviteUsedUp)
        } else {
            Ok(())
        }
    }
}
