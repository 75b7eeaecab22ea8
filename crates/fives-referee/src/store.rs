//! What a store must do. [`crate::table`] says what is kept; how it is kept is the store's.
//!
//! A store has no opinion about the game. It keeps, for each match, the newest snapshot and the log of batches, and it
//! changes both in one atomic step if the cursor is the expected one. A caller that gives up while a write is under way leaves it
//! whole or not done at all. Lists, what is due and codes are indexes, kept with
//! the same step and following from the snapshot alone ([`Table::listings`], [`Table::next_due`], [`Table::codes`]).

mod admin;
mod presence;

use std::error::Error as StdError;
use std::sync::Arc;

use async_trait::async_trait;
use thiserror::Error;
use tokio::sync::watch;

pub use admin::{AdminStore, Bookmark, Index, Repair, Repaired, Walked};
pub use presence::PresenceStore;

use crate::batch::Batch;
use crate::cursor::Cursor;
use crate::id::{InviteCode, MatchId, PlayerId};
use crate::listing::{ListPosition, Listing};
use crate::player::{DeviceHash, Player};
use crate::table::Table;
use crate::time::{Outage, UnixMillis};
use crate::watchers::ProcessId;

/// Everything that Fives keeps.
pub trait Store: MatchStore + PlayerStore + AdminStore + PresenceStore {}

impl<T: MatchStore + PlayerStore + AdminStore + PresenceStore> Store for T {}

/// A store that any part of the process can hold.
pub type SharedStore = Arc<dyn Store>;

/// How many outages are kept at least as long as there are no newer ones: each can only matter to turns that are under way.
pub const OUTAGES_MAX: usize = 64;

/// What came of an attempt to create something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Created {
    /// It is kept now.
    New,
    /// Something with that name is there already; nothing has changed.
    Exists,
}

/// What came of an attempt to commit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Committed {
    /// It is kept.
    Done,
    /// The match is at another cursor; nothing has changed.
    Conflict,
    /// There is no such match.
    Missing,
}

/// What is heard of a match.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Hint {
    /// The newest revision heard of; 0 before any.
    pub revision: u64,
    /// The commit that made it, where a store passes that on: whoever is where it begins need not read the log.
    pub step: Option<Arc<Step>>,
}

/// A commit, and the state that it changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// Where the match was.
    pub before: Cursor,
    /// What happened.
    pub batch: Batch,
}

/// Keeps matches.
#[async_trait]
pub trait MatchStore: Send + Sync + 'static {
    /// In which sense an acknowledged write is kept: a word that operators know, such as `embedded`, `primary` or `replicated`.
    fn durability(&self) -> &'static str;

    /// The store's clock: the only one that counts (law 7).
    ///
    /// # Errors
    /// [`StoreError`].
    async fn now(&self) -> Result<UnixMillis, StoreError>;

    /// Keeps a new match and its first batch, durably before it answers.
    ///
    /// # Errors
    /// [`StoreError`]; [`StoreError::Unconfirmed`] if it is perhaps kept.
    async fn create(&self, table: &Arc<Table>, batch: &Batch) -> Result<Created, StoreError>;

    /// The newest snapshot of a match, or `None` if there is none.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn load(&self, id: &MatchId) -> Result<Option<Arc<Table>>, StoreError>;

    /// What this process has last read or committed of a match, without asking anybody; others may have gone on since. A
    /// decision on it stands only if the commit finds it still true. `None` is always right.
    fn recall(&self, _id: &MatchId) -> Option<Arc<Table>> {
        None
    }

    /// If the match is at `expected`: keeps `table` and `batch` (of the next revision), durably before it answers.
    ///
    /// # Errors
    /// [`StoreError`]; [`StoreError::Unconfirmed`] if it is perhaps kept.
    async fn commit(&self, expected: Cursor, table: &Arc<Table>, batch: &Batch) -> Result<Committed, StoreError>;

    /// Makes sure that what the match is made of at `at` is kept in the sense of [`MatchStore::durability`]: a commit that was
    /// not confirmed may have been found by its retry. False if the match is not there any more.
    ///
    /// # Errors
    /// [`StoreError`]; [`StoreError::Unconfirmed`] if it cannot be confirmed now.
    async fn confirm(&self, _id: &MatchId, _at: Cursor) -> Result<bool, StoreError> {
        Ok(true)
    }

    /// At most `limit` batches of the log, from revision `from` on, in order and without holes. Empty past the end.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn batches(&self, id: &MatchId, from: u64, limit: usize) -> Result<Vec<Batch>, StoreError>;

    /// Hints that a match may have changed. A hint may be late or missing; the log is the truth.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn watch(&self, id: &MatchId) -> Result<watch::Receiver<Hint>, StoreError>;

    /// At most `limit` matches whose [`Table::next_due`] is not after `now`, the longest due first.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn due(&self, now: UnixMillis, limit: usize) -> Result<Vec<MatchId>, StoreError>;

    /// The match that a code opens, or one that has had it ([`Table::codes`]): whether it still opens it, the table knows.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn find_invite(&self, code: &InviteCode) -> Result<Option<MatchId>, StoreError>;

    /// At most `limit` matches of a list, newest first, those behind `after` only.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn list(
        &self,
        listing: &Listing,
        after: Option<ListPosition>,
        limit: usize,
    ) -> Result<Vec<ListPosition>, StoreError>;

    /// How many matches are live. What has been kept long enough may count until somebody comes across it.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn live_count(&self) -> Result<u64, StoreError>;

    /// Removes a bounded number of matches that have been kept long enough; says how many. Asked again until there is none. A store
    /// that does so by itself has nothing to do.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn expire(&self) -> Result<usize, StoreError> {
        Ok(0)
    }

    /// Keeps, for [`SHARED_FOR_MS`] and for others to count, how many watch each of these matches with a process. Not durable.
    ///
    /// # Errors
    /// [`StoreError`].
    ///
    /// [`SHARED_FOR_MS`]: crate::watchers::SHARED_FOR_MS
    async fn share_watchers(&self, _process: ProcessId, _counts: &[(MatchId, u64)]) -> Result<(), StoreError> {
        Ok(())
    }

    /// How many watch each of these matches with other processes; none where a store has only one.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn watchers_elsewhere(&self, _process: ProcessId, ids: &[MatchId]) -> Result<Vec<u64>, StoreError> {
        Ok(vec![0; ids.len()])
    }

    /// Keeps a sign of life of the service, durably before it answers. In one atomic step, by the store's clock: if the last
    /// sign of life is older than `silence_max_ms`, the time since then is kept as an outage; then this is the last one. The
    /// very first one ends no outage.
    ///
    /// # Errors
    /// [`StoreError`]; [`StoreError::Unconfirmed`] if it is perhaps kept.
    async fn renew_alive(&self, silence_max_ms: u64) -> Result<(), StoreError>;

    /// The outages that ended after `since`, oldest first; they do not overlap. The newest [`OUTAGES_MAX`] are kept.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn outages(&self, since: UnixMillis) -> Result<Vec<Outage>, StoreError>;
}

/// Keeps players.
#[async_trait]
pub trait PlayerStore: Send + Sync + 'static {
    /// Keeps a new player, durably before it answers. `Exists` if the id or the device is known.
    ///
    /// # Errors
    /// [`StoreError`]; [`StoreError::Unconfirmed`] if it is perhaps kept.
    async fn create_player(&self, player: &Player) -> Result<Created, StoreError>;

    /// A player, or `None`.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn load_player(&self, id: &PlayerId) -> Result<Option<Player>, StoreError>;

    /// The player of a device, or `None`.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn find_device(&self, device: &DeviceHash) -> Result<Option<PlayerId>, StoreError>;

    /// Replaces what is kept of a player (the device stays), durably before it answers; false if there is no such player.
    ///
    /// # Errors
    /// [`StoreError`]; [`StoreError::Unconfirmed`] if it is perhaps kept.
    async fn update_player(&self, player: &Player) -> Result<bool, StoreError>;
}

/// How a store fails. Only what is surely not written may be tried again blindly.
#[derive(Debug, Error)]
pub enum StoreError {
    /// It cannot be reached or cannot work now; nothing was written.
    #[error("the store is unavailable")]
    Unavailable(#[source] Box<dyn StdError + Send + Sync>),
    /// It did not confirm a write; perhaps it is written.
    #[error("the store did not confirm the write")]
    Unconfirmed(#[source] Box<dyn StdError + Send + Sync>),
    /// What it holds was written by a newer release; it is left as it is.
    #[error("stored by a newer release: schema {found}, this one reads up to {known}")]
    NewerSchema {
        /// The schema found.
        found: u32,
        /// The newest schema that this release knows.
        known: u32,
    },
    /// What it holds is not what Fives writes.
    #[error("what is stored is damaged: {0}")]
    Damaged(String),
}
