//! Who may see a table, and how far behind.

use fives_rules::view::Viewer;

use super::{MatchState, Stage, Table};
use crate::batch::{Spectators, Visibility};
use crate::error::Refusal;
use crate::id::{InviteCode, PlayerId};
use crate::time::UnixMillis;

/// In what capacity somebody sees a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Audience {
    /// Seated, or its creator.
    Member {
        /// Through whose eyes.
        viewer: Viewer,
    },
    /// Anybody else.
    Stranger,
}

impl Visibility {
    /// Whether a stranger who gave `code` may come in.
    ///
    /// # Errors
    /// [`Refusal::InviteRequired`].
    pub fn admit(self, code: Option<&InviteCode>) -> Result<(), Refusal> {
        match self {
            Self::Private(right) if code != Some(&right) => Err(Refusal::InviteRequired),
            Self::Private(_) | Self::Public => Ok(()),
        }
    }
}

impl Spectators {
    /// Whether a stranger may look on.
    ///
    /// # Errors
    /// [`Refusal::SpectatorsNotAllowed`].
    pub const fn admit(self) -> Result<(), Refusal> {
        match self {
            Self::Forbidden => Err(Refusal::SpectatorsNotAllowed),
            Self::Allowed { .. } => Ok(()),
        }
    }
}

impl Table {
    /// In what capacity `player`, who gave `code`, may see the match.
    ///
    /// # Errors
    /// [`Refusal::InviteRequired`], [`Refusal::SpectatorsNotAllowed`].
    pub fn audience(&self, player: Option<&PlayerId>, code: Option<&InviteCode>) -> Result<Audience, Refusal> {
        if let Some(seat) = player.and_then(|player| self.seat_of(player)) {
            return Ok(Audience::Member {
                viewer: Viewer::Seat(seat),
            });
        }
        if player == Some(&self.creator) {
            return Ok(Audience::Member {
                viewer: Viewer::Spectator,
            });
        }
        self.visibility.admit(code)?;
        if self.state() != MatchState::Open {
            self.spectators.admit()?;
        }
        Ok(Audience::Stranger)
    }

    /// Whether somebody may watch without a seat.
    ///
    /// # Errors
    /// [`Refusal::InviteRequired`], [`Refusal::SpectatorsNotAllowed`].
    pub fn check_watcher(&self, player: Option<&PlayerId>, code: Option<&InviteCode>) -> Result<(), Refusal> {
        let is_member = player.is_some_and(|player| self.seat_of(player).is_some() || *player == self.creator);
        if !is_member {
            self.visibility.admit(code)?;
        }
        self.spectators.admit()
    }

    /// What somebody without a seat may see of a live match whose spectators are behind; `None` if that is everything.
    #[must_use]
    pub fn horizon(&self) -> Option<Horizon> {
        match (self.state(), &self.stage, self.spectators) {
            (
                MatchState::Live,
                Stage::Started { at_revision, .. },
                Spectators::Allowed {
                    delay_revisions,
                    delay_ms,
                },
            ) if self.spectators.is_delayed() => Some(Horizon {
                first: *at_revision,
                newest: self.cursor.revision.saturating_sub(delay_revisions.into()),
                delay_ms,
            }),
            _ => None,
        }
    }
}

/// How far those can see who are behind. The start of a match is never hidden.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Horizon {
    /// The revision of the first deal.
    first: u64,
    /// The newest revision that the delay by revisions allows.
    newest: u64,
    /// The delay by time.
    delay_ms: u32,
}

impl Horizon {
    /// Whether it depends on the time.
    #[must_use]
    pub const fn moves_with_time(&self) -> bool {
        self.delay_ms > 0
    }

    /// When a revision that was made at `at` comes into sight, by the store's clock; `None` if no time alone brings it there.
    #[must_use]
    pub fn shown_from(&self, revision: u64, at: UnixMillis) -> Option<UnixMillis> {
        if revision <= self.first {
            Some(UnixMillis::default())
        } else if revision > self.newest {
            None
        } else if self.moves_with_time() {
            Some(at.plus_ms(self.delay_ms.into()))
        } else {
            Some(UnixMillis::default())
        }
    }

    /// Whether a revision that was made at `at` is in sight at `now`. Without a delay by time any `now` will do.
    #[must_use]
    pub fn shows(&self, revision: u64, at: UnixMillis, now: UnixMillis) -> bool {
        self.shown_from(revision, at).is_some_and(|from| from <= now)
    }
}
