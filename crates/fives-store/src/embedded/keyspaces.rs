//! What lies where in the folder.

use std::path::Path;

use fives_referee::id::MatchId;
use fives_referee::store::StoreError;
use fives_referee::table::Table;
use fjall::{Database, Keyspace, KeyspaceCreateOptions};

use super::unavailable;
use crate::codec;

/// Blocks of the folder that are kept in memory.
const CACHE_BYTES: u64 = 64 * 1024 * 1024;
/// What is written before it is sorted into the folder.
const JOURNAL_BYTES: u64 = 256 * 1024 * 1024;

/// One keyspace a kind of thing.
#[derive(Clone)]
pub(super) struct Keyspaces {
    pub(super) database: Database,
    /// Match -> its newest snapshot.
    pub(super) tables: Keyspace,
    /// Match and revision -> the batch.
    pub(super) log: Keyspace,
    /// When and which match is due.
    pub(super) due: Keyspace,
    /// List, age and match.
    pub(super) lists: Keyspace,
    /// Invite code -> match.
    pub(super) invites: Keyspace,
    /// Player -> the player.
    pub(super) players: Keyspace,
    /// Hash of a device key -> player.
    pub(super) devices: Keyspace,
}

impl Keyspaces {
    pub(super) fn open(path: &Path) -> fjall::Result<Self> {
        let builder = Database::builder(path)
            .cache_size(CACHE_BYTES)
            .max_journaling_size(JOURNAL_BYTES);
        let database = builder.worker_threads(1).open()?;
        let keyspace = |name| database.keyspace(name, KeyspaceCreateOptions::default);
        Ok(Self {
            tables: keyspace("tables")?,
            log: keyspace("log")?,
            due: keyspace("due")?,
            lists: keyspace("lists")?,
            invites: keyspace("invites")?,
            players: keyspace("players")?,
            devices: keyspace("devices")?,
            database,
        })
    }

    pub(super) fn load(&self, id: &MatchId) -> Result<Option<Table>, StoreError> {
        let bytes = self.tables.get(id.as_bytes()).map_err(unavailable)?;
        bytes.map(|bytes| codec::decode_table(&bytes)).transpose()
    }
}
