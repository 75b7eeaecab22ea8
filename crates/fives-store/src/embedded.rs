//! One process, one folder: the store that needs nothing else.
//!
//! ```text
//! commit ─▶ bounded queue ─▶ writer thread: compare all that is ready, one batch, one sync ─▶ answers
//! load   ─▶ memory of what was just written, otherwise the folder
//! ```
//!
//! The commits of concurrent matches share one synced batch, so the disk's sync bounds how long a commit takes but not how many
//! there are. An answer leaves after the sync (law 5).

mod keys;
mod keyspaces;
mod recent;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError};
use std::thread::JoinHandle;
use std::time::{SystemTime, UNIX_EPOCH};

use async_trait::async_trait;
use fives_referee::batch::Batch;
use fives_referee::cursor::Cursor;
use fives_referee::id::{InviteCode, MatchId, PlayerId};
use fives_referee::listing::{ListPosition, Listing};
use fives_referee::player::{DeviceHash, Player};
use fives_referee::store::{Committed, Created, MatchStore, PlayerStore, StoreError};
use fives_referee::table::Table;
use fives_referee::time::UnixMillis;
use thiserror::Error;
use tokio::sync::{mpsc, oneshot, watch};

use crate::codec;
use keyspaces::Keyspaces;
use recent::Recent;
use writer::{Write, Writer};

/// How many writes can wait for the writer thread; more wait in front of the queue.
const QUEUE: usize = 1024;

/// Why a folder cannot be opened.
#[derive(Debug, Error)]
pub enum OpenError {
    /// Another process has it.
    #[error("{}: another process serves from this folder", .0.display())]
    InUse(PathBuf),
    /// The engine cannot work with it.
    #[error("{}: {error}", path.display())]
    Engine {
        /// The folder.
        path: PathBuf,
        /// Why.
        error: fjall::Error,
    },
    /// No temporary folder, or no thread.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

/// Keeps everything in one folder. Dropping it waits until what is queued is written.
pub struct EmbeddedStore {
    keyspaces: Keyspaces,
    recent: Arc<Recent>,
    writes: Option<mpsc::Sender<Write>>,
    thread: Option<JoinHandle<()>>,
    clock: AtomicU64,
    /// Deleted with the store, where it was made for it.
    temporary: Option<tempfile::TempDir>,
}

impl EmbeddedStore {
    /// Opens a folder, and makes it if it is not there.
    ///
    /// # Errors
    /// [`OpenError`].
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        let keyspaces = Keyspaces::open(path).map_err(|error| match error {
            fjall::Error::Locked => OpenError::InUse(path.to_owned()),
            error => OpenError::Engine {
                path: path.to_owned(),
                error,
            },
        })?;
        let recent = Arc::new(Recent::default());
        let (writes, queue) = mpsc::channel(QUEUE);
        let writer = Writer::new(keyspaces.clone(), Arc::clone(&recent));
        let thread = std::thread::Builder::new()
            .name("fives-writer".to_owned())
            .spawn(move || writer.run(queue))?;
        Ok(Self {
            keyspaces,
            recent,
            writes: Some(writes),
            thread: Some(thread),
            clock: AtomicU64::new(0),
            temporary: None,
        })
    }

    /// A store in a temporary folder, which goes with it.
    ///
    /// # Errors
    /// [`OpenError`].
    pub fn temporary() -> Result<Self, OpenError> {
        let folder = tempfile::tempdir()?;
        let mut store = Self::open(folder.path())?;
        store.temporary = Some(folder);
        Ok(store)
    }

    /// Hands a write to the writer thread and waits until it is on the disk.
    async fn write<T>(
        &self,
        write: impl FnOnce(oneshot::Sender<Result<T, StoreError>>) -> Write,
    ) -> Result<T, StoreError> {
        let (answer, answered) = oneshot::channel();
        let gone = || StoreError::Unavailable("the writer thread has ended".into());
        let writes = self.writes.as_ref().ok_or_else(gone)?;
        writes.send(write(answer)).await.map_err(|_| gone())?;
        answered.await.map_err(|error| StoreError::Unconfirmed(error.into()))?
    }
}

impl Drop for EmbeddedStore {
    fn drop(&mut self) {
        self.writes = None;
        if let Some(thread) = self.thread.take() {
            // A writer that panicked has said so; there is nothing more to wait for.
            let _ = thread.join();
        }
    }
}

fn unavailable(error: fjall::Error) -> StoreError {
    StoreError::Unavailable(error.into())
}

/// Reads are short look-ups in memory or in cached blocks, so they run where they are asked for.
#[async_trait]
impl MatchStore for EmbeddedStore {
    async fn now(&self) -> Result<UnixMillis, StoreError> {
        let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let now = u64::try_from(since_1970.as_millis()).unwrap_or(u64::MAX);
        // A clock that is set back stands still here until it has caught up.
        Ok(UnixMillis(self.clock.fetch_max(now, Ordering::Relaxed).max(now)))
    }

    async fn create(&self, table: &Table, batch: &Batch) -> Result<Created, StoreError> {
        let (table, batch) = (Arc::new(table.clone()), codec::encode_batch(batch));
        self.write(|answer| Write::Create { table, batch, answer }).await
    }

    async fn load(&self, id: &MatchId) -> Result<Option<Table>, StoreError> {
        if let Some(table) = self.recent.get(id) {
            return Ok(Some(Table::clone(&table)));
        }
        self.keyspaces.load(id)
    }

    async fn commit(&self, expected: Cursor, table: &Table, batch: &Batch) -> Result<Committed, StoreError> {
        let (table, batch) = (Arc::new(table.clone()), codec::encode_batch(batch));
        self.write(|answer| Write::Commit {
            expected,
            table,
            batch,
            answer,
        })
        .await
    }

    async fn batches(&self, id: &MatchId, from: u64, limit: usize) -> Result<Vec<Batch>, StoreError> {
        let mut batches = Vec::new();
        let range = keys::log(id, from)..=keys::log(id, u64::MAX);
        for (batch, revision) in self.keyspaces.log.range(range).take(limit).zip(from.max(1)..) {
            let batch = codec::decode_batch(&batch.value().map_err(unavailable)?)?;
            if batch.cursor.revision != revision {
                return Err(StoreError::Damaged(format!(
                    "revision {revision} of {id} is not in its log"
                )));
            }
            batches.push(batch);
        }
        Ok(batches)
    }

    async fn watch(&self, id: &MatchId) -> Result<watch::Receiver<u64>, StoreError> {
        Ok(self.recent.watch(id))
    }

    async fn due(&self, now: UnixMillis, limit: usize) -> Result<Vec<MatchId>, StoreError> {
        let until = keys::due_end(now);
        let due = self.keyspaces.due.range(..until).take(limit);
        due.map(|entry| keys::tail(&entry.key().map_err(unavailable)?).map(MatchId::from_bytes))
            .collect()
    }

    async fn find_invite(&self, code: &InviteCode) -> Result<Option<MatchId>, StoreError> {
        let found = self.keyspaces.invites.get(code.as_bytes()).map_err(unavailable)?;
        found.map(|id| keys::tail(&id).map(MatchId::from_bytes)).transpose()
    }

    async fn list(
        &self,
        listing: &Listing,
        after: Option<ListPosition>,
        limit: usize,
    ) -> Result<Vec<ListPosition>, StoreError> {
        let prefix = keys::listing(listing);
        let begin = after.map_or_else(|| prefix.clone(), |after| keys::listed(listing, after));
        let entries = self.keyspaces.lists.range(begin.clone()..);
        let mut positions = Vec::new();
        for entry in entries {
            let key = entry.key().map_err(unavailable)?;
            if !key.starts_with(&prefix) || positions.len() == limit {
                break;
            }
            if after.is_none() || *key != *begin {
                positions.push(keys::position(&key)?);
            }
        }
        Ok(positions)
    }
}

#[async_trait]
impl PlayerStore for EmbeddedStore {
    async fn create_player(&self, player: &Player) -> Result<Created, StoreError> {
        let player = player.clone();
        self.write(|answer| Write::CreatePlayer { player, answer }).await
    }

    async fn load_player(&self, id: &PlayerId) -> Result<Option<Player>, StoreError> {
        let found = self.keyspaces.players.get(id.as_bytes()).map_err(unavailable)?;
        found.map(|bytes| codec::decode_player(&bytes)).transpose()
    }

    async fn find_device(&self, device: &DeviceHash) -> Result<Option<PlayerId>, StoreError> {
        let found = self.keyspaces.devices.get(device.0).map_err(unavailable)?;
        found.map(|id| keys::tail(&id).map(PlayerId::from_bytes)).transpose()
    }

    async fn update_player(&self, player: &Player) -> Result<bool, StoreError> {
        let player = player.clone();
        self.write(|answer| Write::UpdatePlayer { player, answer }).await
    }
}

/// Nothing under a lock here can leave half a change behind: a poisoned one is as good as new.
fn unpoisoned<T>(lock: Result<T, PoisonError<T>>) -> T {
    lock.unwrap_or_else(PoisonError::into_inner)
}
