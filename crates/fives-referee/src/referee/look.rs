//! Looking at matches: one, a list of them, and as spectators may see them.

use std::sync::Arc;

use fives_rules::view::Viewer;

use super::Referee;
use crate::error::Error;
use crate::id::{InviteCode, MatchId, PlayerId};
use crate::listing::{ListPosition, Listing};
use crate::replay::Log;
use crate::store::StoreError;
use crate::table::{Audience, Horizon, Table};
use crate::time::UnixMillis;
use crate::view::MatchView;

/// A page of a list of matches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Page {
    /// The matches, as the caller may see them.
    pub matches: Vec<MatchView>,
    /// Where the next page begins; `None` after the last.
    pub next: Option<ListPosition>,
}

impl Referee {
    /// A match as somebody may see it now. Strangers see a live match behind by its spectator delay.
    ///
    /// # Errors
    /// [`MatchNotFound`](crate::error::Refusal::MatchNotFound), [`InviteRequired`](crate::error::Refusal::InviteRequired), [`SpectatorsNotAllowed`](crate::error::Refusal::SpectatorsNotAllowed); the store's errors.
    pub async fn look(
        &self,
        id: &MatchId,
        player: Option<&PlayerId>,
        code: Option<&InviteCode>,
    ) -> Result<MatchView, Error> {
        let table = self.load(id).await?;
        let (viewer, knows_invite) = match table.audience(player, code)? {
            Audience::Member { viewer } => (viewer, true),
            Audience::Stranger => (Viewer::Spectator, false),
        };
        let table = self.as_seen_by(viewer, table).await?;
        let timer = self.timer(&table, viewer).await?;
        Ok(MatchView::of(&table, viewer, knows_invite).with_timer(timer))
    }

    /// A page of a list, newest first; each match as the caller may see it.
    ///
    /// # Errors
    /// The store's errors.
    pub async fn list(
        &self,
        listing: Listing,
        player: Option<&PlayerId>,
        after: Option<ListPosition>,
        limit: usize,
    ) -> Result<Page, Error> {
        let positions = self.store.list(&listing, after, limit).await?;
        let next = positions.last().copied().filter(|_| positions.len() == limit);
        let mut matches = Vec::with_capacity(positions.len());
        for position in positions {
            // A list is an index: the table itself says whether it belongs there.
            let Some(table) = self.store.load(&position.id).await? else {
                continue;
            };
            if !table.listings().contains(&listing) {
                continue;
            }
            let seat = player
                .and_then(|player| table.seat_of(player))
                .filter(|_| listing != Listing::Live);
            let viewer = seat.map_or(Viewer::Spectator, Viewer::Seat);
            let table = self.as_seen_by(viewer, table).await?;
            matches.push(MatchView::of(&table, viewer, seat.is_some()));
        }
        Ok(Page { matches, next })
    }

    /// The state that `viewer` may see when the table is at `newest`: for all without a seat, a creator too, behind by the delay
    /// while the match is live, though never before its start.
    pub(crate) async fn as_seen_by(&self, viewer: Viewer, newest: Arc<Table>) -> Result<Arc<Table>, Error> {
        let horizon = match viewer {
            Viewer::Seat(_) => None,
            Viewer::Spectator => newest.horizon(),
        };
        let Some(horizon) = horizon else { return Ok(newest) };
        let now = if horizon.moves_with_time() {
            self.store.now().await?
        } else {
            UnixMillis::default()
        };
        if horizon.shows(newest.cursor.revision, newest.changed_at, now) {
            Ok(newest)
        } else {
            self.table_within(&newest.id, horizon, now).await.map(Arc::new)
        }
    }

    /// The newest state of a table within `horizon` at `now`, folded from its log (law 3).
    async fn table_within(&self, id: &MatchId, horizon: Horizon, now: UnixMillis) -> Result<Table, Error> {
        let mut table: Option<Table> = None;
        let mut log = Log::new(&self.store, *id);
        while let Some(batch) = log.next().await? {
            match &mut table {
                None => table = Table::begin(&batch),
                Some(table) if horizon.shows(batch.cursor.revision, batch.at, now) => table.fold(&batch),
                Some(_) => break,
            }
        }
        table.ok_or_else(|| StoreError::Damaged(format!("the log of {id} does not begin with its creation")).into())
    }
}
