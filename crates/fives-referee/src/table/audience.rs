//! Who may see a table, and how far behind.

use fives_rules::view::Viewer;

use super::{MatchState, Stage, Table};
use crate::batch::{Spectators, Visibility};
use crate::error::Refusal;
use crate::id::{InviteCode, PlayerId};

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
        self.check_stranger(code)?;
        if self.state() != MatchState::Open {
            self.check_spectators()?;
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
            self.check_stranger(code)?;
        }
        self.check_spectators()
    }

    fn check_stranger(&self, code: Option<&InviteCode>) -> Result<(), Refusal> {
        match self.visibility {
            Visibility::Private(right) if code != Some(&right) => Err(Refusal::InviteRequired),
            Visibility::Private(_) | Visibility::Public => Ok(()),
        }
    }

    fn check_spectators(&self) -> Result<(), Refusal> {
        match self.spectators {
            Spectators::Forbidden => Err(Refusal::SpectatorsNotAllowed),
            Spectators::Allowed { .. } => Ok(()),
        }
    }

    /// The newest revision that somebody without a seat may see: behind by the delay while the match is live, though never
    /// before its start.
    #[must_use]
    pub fn spectator_revision(&self) -> u64 {
        let newest = self.cursor.revision;
        match (self.state(), &self.stage, self.spectators) {
            (MatchState::Live, Stage::Started { at_revision, .. }, Spectators::Allowed { delay_revisions }) => {
                newest.saturating_sub(delay_revisions.into()).max(*at_revision)
            }
            _ => newest,
        }
    }
}
