//! One process, one folder: the store that needs nothing else.
//!
//! ```text
//! commit ─▶ bounded queue ─▶ writer thread: compare all that is ready, one batch, one sync ─▶ answers
//! load   ─▶ memory of what was just written, otherwise the folder
//! ```
//!
//! The commits of concurrent matches share one synced batch, so the disk's sync bounds how long a commit takes but not
//! how many there are. An answer leaves after the sync (law 5), and nobody sees a state before it.

mod admin;
mod alive;
mod archive;
mod beside;
mod config;
mod emotes;
mod erasure;
mod folder;
mod hints;
mod identity;
mod index;
mod keys;
mod news;
mod outbox;
mod presence;
mod queue;
mod rating;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{SystemTime, UNIX_EPOCH};

use async_trait::async_trait;
use fives_referee::batch::Batch;
use fives_referee::cursor::Cursor;
use fives_referee::id::{InviteCode, MatchId, PlayerId};
use fives_referee::listing::{ListPosition, Listing};
use fives_referee::player::{DeviceHash, Player};
use fives_referee::store::{Committed, Created, Hint, MatchStore, PlayerStore, StoreError};
use fives_referee::table::Table;
use fives_referee::time::{Outage, UnixMillis};
use thiserror::Error;
use tokio::sync::{mpsc, oneshot, watch};

pub use config::Config;

use crate::recent::Recent;
use crate::retention::Retention;
use crate::{codec, told, unpoisoned};
use alive::Alive;
use emotes::Emotes;
use folder::Folder;
use hints::Hints;
use index::Current;
use outbox::Outboxes;
use queue::Lines;
use rating::Boards;
use writer::{Revision, Write};

/// Why a folder cannot be opened.
#[derive(Debug, Error)]
pub enum OpenError {
    /// Another process has it.
    #[error("{}: another process serves from this folder", .0.display())]
    InUse(PathBuf),
    /// A newer release has laid it out; it is left as it is.
    #[error("{}: a newer release keeps its matches here, in a way that this one does not know", .0.display())]
    NewerLayout(PathBuf),
    /// The engine cannot work with it.
    #[error("{}: the storage engine cannot open this folder: {error}", path.display())]
    Engine {
        /// The folder.
        path: PathBuf,
        /// Why.
        error: fjall::Error,
    },
    /// Its indexes cannot be read.
    #[error("{}: what is stored cannot be read: {error}", path.display())]
    Unreadable {
        /// The folder.
        path: PathBuf,
        /// Why.
        error: StoreError,
    },
    /// No temporary folder, or no thread.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

/// Keeps everything in one folder. Dropping it waits until what is queued is written.
pub struct EmbeddedStore {
    kept: Arc<Kept>,
    writes: Option<mpsc::Sender<Write>>,
    writer: Option<JoinHandle<()>>,
    clock: Clock,
    /// The latest time that was told.
    told: AtomicU64,
    /// Deleted after everything else is closed, where it was made for this store.
    _temporary: Option<tempfile::TempDir>,
}

/// What the time is, in milliseconds since 1970.
type Clock = Box<dyn Fn() -> u64 + Send + Sync>;

/// What readers and the writer thread share.
struct Kept {
    folder: Folder,
    current: Current,
    /// Only the writer fills it, and only with what is on the disk, so it is never behind what was answered.
    recent: Recent,
    hints: Hints<MatchId>,
    news: Hints<PlayerId>,
    emotes: Emotes,
    retention: Retention,
    alive: Mutex<Alive>,
    lines: Mutex<Lines>,
    outboxes: Outboxes,
    tells_platform: bool,
    boards: Boards,
}

impl Kept {
    fn table(&self, id: &MatchId) -> Result<Option<Arc<Table>>, StoreError> {
        match self.recent.get(id) {
            Some(table) => Ok(Some(table)),
            None => Ok(self.folder.table(id)?.map(Arc::new)),
        }
    }
}

impl EmbeddedStore {
    /// Opens a folder, and makes it if it is not there.
    ///
    /// # Errors
    /// [`OpenError`].
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        Self::open_with(path, Config::default())
    }

    /// Opens a folder within these bounds.
    ///
    /// # Errors
    /// [`OpenError`].
    pub fn open_with(path: &Path, config: Config) -> Result<Self, OpenError> {
        let folder = Folder::open(path, &config)?;
        let unreadable = |error| OpenError::Unreadable {
            path: path.to_owned(),
            error,
        };
        let current = folder.current().map_err(unreadable)?;
        let alive = Mutex::new(folder.alive().map_err(unreadable)?);
        let lines = Mutex::new(Lines::read(&folder, UnixMillis(system_time())).map_err(unreadable)?);
        let outboxes = Outboxes::read(&folder).map_err(unreadable)?;
        let boards = Boards::of(&folder).map_err(unreadable)?;
        let kept = Arc::new(Kept {
            folder,
            current,
            recent: Recent::new(config.recent_tables),
            hints: Hints::default(),
            news: Hints::default(),
            emotes: Emotes::default(),
            retention: config.retention,
            alive,
            lines,
            outboxes,
            tells_platform: config.tells_platform,
            boards,
        });
        let (writes, queue) = mpsc::channel(config.queued_writes.max(1));
        let writer = std::thread::Builder::new().name("fives-writer".to_owned()).spawn({
            let kept = Arc::clone(&kept);
            move || writer::run(&kept, queue, config.group_writes.max(1))
        })?;
        Ok(Self {
            kept,
            writes: Some(writes),
            writer: Some(writer),
            clock: Box::new(system_time),
            told: AtomicU64::new(0),
            _temporary: None,
        })
    }

    /// A store in a temporary folder, which goes with it.
    ///
    /// # Errors
    /// [`OpenError`].
    pub fn temporary() -> Result<Self, OpenError> {
        let folder = tempfile::tempdir()?;
        let mut store = Self::open(folder.path())?;
        store._temporary = Some(folder);
        Ok(store)
    }

    /// The same store by another clock, in milliseconds since 1970: for tests that do not wait until something is due.
    #[must_use]
    pub fn with_clock(mut self, clock: impl Fn() -> u64 + Send + Sync + 'static) -> Self {
        self.clock = Box::new(clock);
        self.told = AtomicU64::new(0);
        self
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
        if let Some(writer) = self.writer.take() {
            // A writer that panicked has said so; there is nothing more to wait for.
            let _ = writer.join();
        }
    }
}

fn system_time() -> u64 {
    let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since_1970.as_millis()).unwrap_or(u64::MAX)
}

fn revision(table: &Arc<Table>, batch: &Batch, tells_platform: bool) -> Revision {
    debug_assert_eq!(
        table.cursor, batch.cursor,
        "a batch makes the state it is committed with"
    );
    Revision {
        snapshot: codec::encode_table(table),
        batch: codec::encode_batch(batch),
        told: told::of(table, batch, tells_platform),
        table: Arc::clone(table),
    }
}

/// Reads run where they are asked for: they are short look-ups, mostly in memory, and handing them to another thread
/// would cost more than they do (`benches/commits.rs` measures both).
#[async_trait]
impl MatchStore for EmbeddedStore {
    fn durability(&self) -> &'static str {
        "embedded"
    }

    async fn now(&self) -> Result<UnixMillis, StoreError> {
        let now = (self.clock)();
        // A clock that is set back stands still here until it has caught up.
        Ok(UnixMillis(self.told.fetch_max(now, Ordering::Relaxed).max(now)))
    }

    async fn create(&self, table: &Arc<Table>, batch: &Batch) -> Result<Created, StoreError> {
        let revision = revision(table, batch, self.kept.tells_platform);
        self.write(|answer| Write::Create { revision, answer }).await
    }

    async fn load(&self, id: &MatchId) -> Result<Option<Arc<Table>>, StoreError> {
        self.kept.table(id)
    }

    async fn commit(&self, expected: Cursor, table: &Arc<Table>, batch: &Batch) -> Result<Committed, StoreError> {
        debug_assert_eq!(table.cursor.revision, expected.revision + 1, "a log has no holes");
        let revision = revision(table, batch, self.kept.tells_platform);
        self.write(|answer| Write::Commit {
            expected,
            revision,
            answer,
        })
        .await
    }

    async fn batches(&self, id: &MatchId, from: u64, limit: usize) -> Result<Vec<Batch>, StoreError> {
        // A commit is in the folder a moment before it is in the memory that `load` reads: what a reader of the log shows to
        // somebody, that somebody must find.
        let Some(newest) = self.kept.table(id)? else {
            return Ok(Vec::new());
        };
        let mut batches = self.kept.folder.batches(id, from, limit)?;
        let shown = batches.partition_point(|batch| batch.cursor.revision <= newest.cursor.revision);
        batches.truncate(shown);
        Ok(batches)
    }

    async fn watch(&self, id: &MatchId) -> Result<watch::Receiver<Hint>, StoreError> {
        Ok(self.kept.hints.watch(id))
    }

    async fn due(&self, now: UnixMillis, limit: usize) -> Result<Vec<MatchId>, StoreError> {
        Ok(self.kept.current.due(now, limit))
    }

    async fn find_invite(&self, code: &InviteCode) -> Result<Option<MatchId>, StoreError> {
        self.kept.folder.invite(code)
    }

    async fn list(
        &self,
        listing: &Listing,
        after: Option<ListPosition>,
        limit: usize,
    ) -> Result<Vec<ListPosition>, StoreError> {
        match self.kept.current.list(listing, after, limit) {
            Some(positions) => Ok(positions),
            None => self.kept.folder.list(listing, after, limit),
        }
    }

    async fn live_count(&self) -> Result<u64, StoreError> {
        Ok(self.kept.current.live_count())
    }

    async fn expire(&self) -> Result<usize, StoreError> {
        let now = self.now().await?;
        self.write(|answer| Write::Expire { now, answer }).await
    }

    async fn renew_alive(&self, silence_max_ms: u64) -> Result<(), StoreError> {
        let now = self.now().await?;
        self.write(|answer| Write::RenewAlive {
            now,
            silence_max_ms,
            answer,
        })
        .await
    }

    async fn outages(&self, since: UnixMillis) -> Result<Vec<Outage>, StoreError> {
        Ok(unpoisoned(self.kept.alive.lock()).outages_since(since))
    }
}

#[async_trait]
impl PlayerStore for EmbeddedStore {
    async fn create_player(&self, player: &Player) -> Result<Created, StoreError> {
        let player = player.clone();
        self.write(|answer| Write::CreatePlayer { player, answer }).await
    }

    async fn load_player(&self, id: &PlayerId) -> Result<Option<Player>, StoreError> {
        self.kept.folder.player(id)
    }

    async fn find_device(&self, device: &DeviceHash) -> Result<Option<PlayerId>, StoreError> {
        self.kept.folder.device(device)
    }

    async fn update_player(&self, player: &Player) -> Result<bool, StoreError> {
        let player = player.clone();
        self.write(|answer| Write::UpdatePlayer { player, answer }).await
    }
}
