//! What administrators do to matches and to what is kept of them. Each act leaves an audit row, which is kept before the act takes
//! effect; what cannot be done leaves none.

use std::fmt;
use std::sync::Arc;

use fives_rules::setup::Setup;
use fives_rules::tile::{Tile, TileSet};
use fives_rules::view::Viewer;

use super::{MAX_TRIES, Referee};
use crate::audit::{Act, AuditEntry, Operator, Why};
use crate::batch::Author;
use crate::clock::ClockFace;
use crate::command::Intervention;
use crate::cursor::Cursor;
use crate::error::{Error, Refusal};
use crate::id::{InviteCode, MatchId};
use crate::store::{Bookmark, Repaired, StoreError, Walked};
use crate::table::{MatchState, Table};
use crate::time::UnixMillis;
use crate::view::MatchView;

/// A match as an administrator sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inspected {
    /// As spectators would see it, if they were let in and not behind.
    pub view: MatchView,
    /// When it last changed.
    pub changed_at: UnixMillis,
    /// When it will act by itself, as its snapshot says.
    pub next_due: Option<UnixMillis>,
    /// The store's clock.
    pub now: UnixMillis,
    /// What is hidden, if that was asked for.
    pub revealed: Option<Revealed>,
}

/// What nobody at the table may know.
#[derive(Clone, PartialEq, Eq)]
pub struct Revealed {
    /// What each seat holds; nothing before the start, and after a match was voided.
    pub hands: Vec<TileSet>,
    /// The boneyard, first drawn first.
    pub boneyard: Vec<Tile>,
    /// What all deals follow from.
    pub master: [u8; 32],
    /// What opens a private match.
    pub invite: Option<InviteCode>,
}

impl fmt::Debug for Revealed {
    /// Says nothing (law 4).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Revealed")
    }
}

/// What counts as stuck: a live match that one of these is true of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stuckness {
    /// It should have acted by itself longer ago than this, in milliseconds.
    pub overdue_ms: u64,
    /// It has not changed for longer than this, in milliseconds; `None`: persons may think as long as they like.
    pub idle_ms: Option<u64>,
}

/// A match that is stuck.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StuckMatch {
    /// As spectators would see it.
    pub view: MatchView,
    /// When it last changed.
    pub changed_at: UnixMillis,
    /// Since when it should have acted by itself.
    pub due_since: Option<UnixMillis>,
}

/// Some of the matches that are stuck. There may be none before the end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StuckPage {
    /// They.
    pub stuck: Vec<StuckMatch>,
    /// Matches whose snapshots cannot be read, and why.
    pub unreadable: Vec<(MatchId, String)>,
    /// The store's clock.
    pub now: UnixMillis,
    /// Where the next page begins; `None` after the last.
    pub next: Option<Bookmark>,
}

/// What was repaired.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RepairPage {
    /// How many matches were looked at.
    pub checked: usize,
    /// Of which of them something was not right.
    pub repaired: Vec<Repaired>,
    /// Matches whose snapshots cannot be read, and why.
    pub unreadable: Vec<(MatchId, String)>,
    /// Where the next page begins; `None` after the last.
    pub next: Option<Bookmark>,
}

impl Referee {
    /// A match as spectators would see it. With `reveal`, also what is hidden.
    ///
    /// # Errors
    /// [`Refusal::MatchNotFound`]; the store's errors.
    pub async fn inspect(&self, id: &MatchId, reveal: Option<(Operator, Why)>) -> Result<Inspected, Error> {
        let table = self.load(id).await?;
        let revealed = match reveal {
            None => None,
            Some((operator, why)) => {
                self.note(operator, Act::Reveal(*id), Some(why)).await?;
                Some(revealed(&table))
            }
        };
        let view = MatchView::of(&table, Viewer::Spectator, false);
        Ok(Inspected {
            view: view.with_timer(self.timer(&table, Viewer::Spectator).await?),
            changed_at: table.changed_at,
            next_due: table.next_due,
            now: self.store().now().await?,
            revealed,
        })
    }

    /// Carries out what an administrator wants of a match; says where the match is then.
    ///
    /// # Errors
    /// Why it cannot be; the store's errors.
    pub async fn intervene(
        &self,
        id: MatchId,
        operator: Operator,
        why: Why,
        intervention: Intervention,
    ) -> Result<Cursor, Error> {
        let act = match intervention {
            Intervention::Void => Act::Void(id),
            Intervention::Forfeit(seat) => Act::Forfeit(id, seat),
        };
        let mut unnoted = Some((act, why));
        for _ in 0..MAX_TRIES {
            let table = self.load(&id).await?;
            let events = table.intervene(intervention)?;
            if let Some((act, why)) = unnoted.take() {
                self.note(operator.clone(), act, Some(why)).await?;
            }
            if let Some((table, _)) = self.commit(&table, Author::Admin(operator.clone()), events).await? {
                self.announce(&table);
                return Ok(table.cursor);
            }
        }
        Err(Refusal::Conflict.into())
    }

    /// Keeps a row about what an administrator is about to do.
    ///
    /// # Errors
    /// The store's errors: then it must not be done.
    pub async fn note(&self, operator: Operator, act: Act, why: Option<Why>) -> Result<(), StoreError> {
        self.store().append_audit(&AuditEntry { operator, act, why }).await
    }

    /// Those of about `limit` matches that are stuck.
    ///
    /// # Errors
    /// The store's errors.
    pub async fn stuck(
        &self,
        stuckness: Stuckness,
        after: Option<Bookmark>,
        limit: usize,
    ) -> Result<StuckPage, StoreError> {
        let Walked { matches, next } = self.store().walk(after, limit).await?;
        let face = ClockFace {
            now: self.store().now().await?,
            outages: self.store().outages(UnixMillis::default()).await?.into(),
        };
        let (tables, unreadable) = parted(matches);
        let stuck = tables.iter().filter_map(|table| stuckness.of(table, &face));
        Ok(StuckPage {
            stuck: stuck.collect(),
            unreadable,
            now: face.now,
            next,
        })
    }

    /// Makes the index entries of about `limit` matches follow from them again.
    ///
    /// # Errors
    /// The store's errors.
    pub async fn repair_indexes(
        &self,
        operator: Operator,
        why: Option<Why>,
        after: Option<Bookmark>,
        limit: usize,
    ) -> Result<RepairPage, StoreError> {
        self.note(operator, Act::RepairIndexes, why).await?;
        let Walked { matches, next } = self.store().walk(after, limit).await?;
        let (tables, unreadable) = parted(matches);
        let ids: Vec<MatchId> = tables.iter().map(|table| table.id).collect();
        Ok(RepairPage {
            checked: ids.len(),
            repaired: self.store().repair_indexes(&ids).await?,
            unreadable,
            next,
        })
    }
}

impl Stuckness {
    /// The match, if it is stuck.
    fn of(&self, table: &Table, face: &ClockFace) -> Option<StuckMatch> {
        if table.state() != MatchState::Live {
            return None;
        }
        // An outage moves the deadline of a turn, which the snapshot does not know.
        let due = match table.timed_turn() {
            Some(turn) => Some(turn.deadline_after(&face.outages)),
            None => table.next_due,
        };
        let due_since = due.filter(|due| due.plus_ms(self.overdue_ms) < face.now);
        let is_idle = |idle_ms| table.changed_at.plus_ms(idle_ms) < face.now;
        if due_since.is_none() && !self.idle_ms.is_some_and(is_idle) {
            return None;
        }
        Some(StuckMatch {
            view: MatchView::of(table, Viewer::Spectator, false),
            changed_at: table.changed_at,
            due_since,
        })
    }
}

/// The tables that can be read, and why the others cannot.
fn parted(matches: Vec<(MatchId, Result<Arc<Table>, StoreError>)>) -> (Vec<Arc<Table>>, Vec<(MatchId, String)>) {
    let (mut tables, mut unreadable) = (Vec::with_capacity(matches.len()), Vec::new());
    for (id, table) in matches {
        match table {
            Ok(table) => tables.push(table),
            Err(error) => unreadable.push((id, error.to_string())),
        }
    }
    (tables, unreadable)
}

fn revealed(table: &Table) -> Revealed {
    let (hands, boneyard) = match table.game().map(Setup::from) {
        None => (Vec::new(), Vec::new()),
        Some(setup) => {
            let seats = table.options.players().seats();
            (seats.map(|seat| setup.hands[seat]).collect(), setup.boneyard)
        }
    };
    Revealed {
        hands,
        boneyard,
        master: *table.master.reveal(),
        invite: table.invite(),
    }
}
