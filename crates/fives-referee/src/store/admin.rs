//! What administrators need of a store: rows about what they do, a walk over all matches, indexes made right again.

use std::sync::Arc;

use async_trait::async_trait;

use super::StoreError;
use crate::audit::{AuditEntry, AuditRow};
use crate::id::MatchId;
use crate::table::Table;

/// Where a reading of rows or matches goes on; what it means, only the store knows that gave it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Bookmark(pub [u8; 16]);

/// Some of all matches.
#[derive(Debug, Default)]
pub struct Walked {
    /// Their newest snapshots, or why one cannot be read: a damaged one stops nobody from seeing the others.
    pub matches: Vec<(MatchId, Result<Arc<Table>, StoreError>)>,
    /// Where the walk goes on; `None` at its end.
    pub next: Option<Bookmark>,
}

/// An index, by what is found with it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Index {
    /// What is due.
    Due,
    /// The open matches.
    Open,
    /// The live matches.
    Live,
    /// The matches of a player.
    Player,
    /// The match of an invite code.
    Invite,
    /// What may have been kept long enough.
    Expiry,
}

/// An entry that did not follow from its match.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Repair {
    /// It was missing, or said something else.
    Added(Index),
    /// It was there, and should not be.
    Removed(Index),
}

/// What was repaired of one match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Repaired {
    /// The match.
    pub id: MatchId,
    /// What; at least one thing.
    pub repairs: Vec<Repair>,
}

/// Keeps rows about what administrators do, and lets them look after everything that is kept.
#[async_trait]
pub trait AdminStore: Send + Sync + 'static {
    /// Keeps a row, durably before it answers. The newest [`AUDIT_ROWS_MAX`] are kept, older ones may be.
    ///
    /// # Errors
    /// [`StoreError`]; [`StoreError::Unconfirmed`] if it is perhaps kept.
    ///
    /// [`AUDIT_ROWS_MAX`]: crate::audit::AUDIT_ROWS_MAX
    async fn append_audit(&self, entry: &AuditEntry) -> Result<(), StoreError>;

    /// At most `limit` rows, newest first, those older than the one at `before` only.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn audit(&self, before: Option<Bookmark>, limit: usize) -> Result<Vec<AuditRow>, StoreError>;

    /// About `limit` of all matches, in no order, those behind `after` only. Who follows the bookmarks to the end has seen each
    /// match that was there all the while, perhaps twice. There may be none before the end.
    ///
    /// # Errors
    /// [`StoreError`]: a bookmark that this store did not give is as good as any other.
    async fn walk(&self, after: Option<Bookmark>, limit: usize) -> Result<Walked, StoreError>;

    /// Makes the index entries of these matches follow from their snapshots; gives those of which something was not right.
    ///
    /// # Errors
    /// [`StoreError`]; what was repaired until then stays so.
    async fn repair_indexes(&self, ids: &[MatchId]) -> Result<Vec<Repaired>, StoreError>;
}
