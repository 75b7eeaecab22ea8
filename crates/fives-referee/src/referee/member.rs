//! A match as somebody sees it who belongs to it, for lists that follow many.

use fives_rules::view::Viewer;

use super::Referee;
use crate::error::Error;
use crate::id::{MatchId, PlayerId};
use crate::time::UnixMillis;
use crate::view::MatchView;

/// A match, and what its view does not say.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Membership {
    /// The match as the member sees it.
    pub view: MatchView,
    /// When what is shown came about.
    pub changed_at: UnixMillis,
    /// Since when it waits for the turn that is shown.
    pub turn_since: UnixMillis,
}

impl Referee {
    /// The match as `player` sees it, who sits at it or made it; `None` if it is gone or the player does not belong to it. What this
    /// process remembers will do if it is not older than `at_least`, a revision that was heard of.
    ///
    /// # Errors
    /// The store's errors.
    pub async fn membership(
        &self,
        id: &MatchId,
        player: &PlayerId,
        at_least: Option<u64>,
    ) -> Result<Option<Membership>, Error> {
        let remembered = at_least.and_then(|revision| {
            let remembered = self.store.recall(id);
            remembered.filter(|table| table.cursor.revision >= revision)
        });
        let table = match remembered {
            Some(table) => table,
            None => match self.store.load(id).await? {
                Some(table) => table,
                None => return Ok(None),
            },
        };
        if table.check_host(player).is_err() {
            return Ok(None);
        }
        let viewer = table.seat_of(player).map_or(Viewer::Spectator, Viewer::Seat);
        let table = self.as_seen_by(viewer, table).await?;
        let timer = self.timer(&table, viewer).await?;
        Ok(Some(Membership {
            view: MatchView::of(&table, viewer, false).with_timer(timer),
            changed_at: table.changed_at,
            turn_since: table.turn_began_at.unwrap_or(table.changed_at),
        }))
    }
}
