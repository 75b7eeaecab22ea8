//! What lies where in the folder.

mod rating;

use std::ops::Bound;
use std::path::Path;

use fives_lobby::rematch::Rematch;
use fives_lobby::store::DeadLetter;
use fives_referee::audit::AUDIT_ROWS_MAX;
use fives_referee::batch::Batch;
use fives_referee::id::{InviteCode, MatchId, PlayerId};
use fives_referee::listing::{ListPosition, Listing};
use fives_referee::player::{DeviceHash, Player};
use fives_referee::store::StoreError;
use fives_referee::table::Table;
use fives_referee::time::UnixMillis;
use fjall::{Database, Keyspace, KeyspaceCreateOptions, PersistMode};

use super::alive::Alive;
use super::config::{Config, LEAST_JOURNAL_BYTES};
use super::index::{Change, Current, Entry};
use super::{OpenError, keys, outbox};
use crate::codec::Outbox;
use crate::{codec, place};
use rating::Ratings;

/// How the folder is laid out: which keyspaces there are, and how their keys are made.
const LAYOUT: u8 = 1;

/// Where the layout is kept.
const LAYOUT_KEY: &str = "layout";

/// Where the signs of life are kept.
const ALIVE_KEY: &str = "alive";

/// A key beside tables, and what is kept there.
type Beside = (Vec<u8>, Vec<u8>);

/// A table, or why its bytes are none.
type Snapshot = Result<Table, StoreError>;

/// One keyspace a kind of thing.
pub(super) struct Folder {
    database: Database,
    /// The layout, and the signs of life.
    about: Keyspace,
    /// Match -> its newest snapshot.
    tables: Keyspace,
    /// Match and revision -> the batch.
    log: Keyspace,
    /// When and which match is due.
    due: Keyspace,
    /// List, age and match.
    lists: Keyspace,
    /// Invite code -> match.
    invites: Keyspace,
    /// Player -> the player.
    players: Keyspace,
    /// Hash of a device key -> player.
    devices: Keyspace,
    /// When which match may have been kept long enough.
    ends: Keyspace,
    /// Number -> a row about what an administrator has done.
    audit: Keyspace,
    /// What there is of queues; see `embedded/queue.rs`.
    queues: Keyspace,
    /// What is kept beside tables: `archive.rs` says under which keys.
    beside: Keyspace,
    /// Lane and match -> what is to be told.
    outbox: Keyspace,
    /// Notice -> what could not be delivered.
    dead_letters: Keyspace,
    ratings: Ratings,
    /// Outside identity -> player, and player of an issuer -> subject.
    identities: Keyspace,
    /// Player -> when they were last there.
    seen: Keyspace,
    /// Match -> what was said to another one.
    rematches: Keyspace,
}

/// What is written together or not at all.
pub(super) struct WriteBatch(fjall::OwnedWriteBatch);

impl Folder {
    pub(super) fn open(path: &Path, config: &Config) -> Result<Self, OpenError> {
        let engine = |error| match error {
            fjall::Error::Locked => OpenError::InUse(path.to_owned()),
            error => OpenError::Engine {
                path: path.to_owned(),
                error,
            },
        };
        let database = Database::builder(path)
            .cache_size(config.cache_bytes)
            .max_journaling_size(config.journal_bytes.max(LEAST_JOURNAL_BYTES))
            .max_cached_files(Some(config.open_files.max(16)))
            .worker_threads(1)
            .open()
            .map_err(engine)?;
        let keyspace = |name| {
            let options = || KeyspaceCreateOptions::default().max_memtable_size(config.write_buffer_bytes);
            database.keyspace(name, options).map_err(engine)
        };
        let about = keyspace("about")?;
        let layout = about.get(LAYOUT_KEY).map_err(engine)?;
        match layout.as_deref() {
            Some([LAYOUT]) => {}
            Some(_) => return Err(OpenError::NewerLayout(path.to_owned())),
            None => {
                about.insert(LAYOUT_KEY, [LAYOUT]).map_err(engine)?;
                database.persist(PersistMode::SyncAll).map_err(engine)?;
            }
        }
        Ok(Self {
            tables: keyspace("tables")?,
            log: keyspace("log")?,
            due: keyspace("due")?,
            lists: keyspace("lists")?,
            invites: keyspace("invites")?,
            players: keyspace("players")?,
            devices: keyspace("devices")?,
            ends: keyspace("ends")?,
            audit: keyspace("audit")?,
            queues: keyspace("queues")?,
            beside: keyspace("beside")?,
            outbox: keyspace("outbox")?,
            dead_letters: keyspace("dead-letters")?,
            ratings: Ratings::open(keyspace)?,
            identities: keyspace("identities")?,
            seen: keyspace("seen")?,
            rematches: keyspace("rematches")?,
            about,
            database,
        })
    }

    /// The indexes that are held in memory.
    pub(super) fn current(&self) -> Result<Current, StoreError> {
        let current = Current::default();
        for entry in self.due.iter() {
            let (at, id) = keys::parse_due(&entry.key().map_err(unavailable)?)?;
            current.change([&Change::New(Entry::Due(at, id))]);
        }
        for listing in [Listing::Open, Listing::Live] {
            for position in self.list(&listing, None, usize::MAX)? {
                current.change([&Change::New(Entry::Listed(listing, position))]);
            }
        }
        Ok(current)
    }

    pub(super) fn table(&self, id: &MatchId) -> Result<Option<Table>, StoreError> {
        let Some(bytes) = self.tables.get(id.as_bytes()).map_err(unavailable)? else {
            return Ok(None);
        };
        let table = codec::decode_table(&bytes)?;
        if table.id == *id {
            Ok(Some(table))
        } else {
            Err(StoreError::Damaged(format!(
                "{} is kept in the place of {id}",
                table.id
            )))
        }
    }

    /// At most `limit` matches behind `after`, in the order of their ids, each with its snapshot or what is wrong with it.
    pub(super) fn walk(&self, after: Option<MatchId>, limit: usize) -> Result<Vec<(MatchId, Snapshot)>, StoreError> {
        let begin = after.map_or(Bound::Unbounded, |after| Bound::Excluded(*after.as_bytes()));
        let tables = self.tables.range::<[u8; 16], _>((begin, Bound::Unbounded));
        let walked = tables.take(limit).map(|entry| {
            let (key, bytes) = entry.into_inner().map_err(unavailable)?;
            Ok((place::match_id(&key)?, codec::decode_table(&bytes)))
        });
        walked.collect()
    }

    /// At most `limit` rows about what administrators have done, newest first, those before number `before`.
    pub(super) fn audit(&self, before: u64, limit: usize) -> Result<Vec<(u64, Vec<u8>)>, StoreError> {
        let rows = self.audit.range(..before.to_be_bytes()).rev().take(limit);
        let rows = rows.map(|entry| {
            let (key, bytes) = entry.into_inner().map_err(unavailable)?;
            let number = key.as_ref().try_into().map_err(|_| place::damaged())?;
            Ok((u64::from_be_bytes(number), bytes.to_vec()))
        });
        rows.collect()
    }

    /// Keeps a row under the next number, and lets go of the one that is too many by it.
    pub(super) fn put_audit(&self, batch: &mut WriteBatch, number: u64, bytes: Vec<u8>) {
        batch.0.insert(&self.audit, number.to_be_bytes(), bytes);
        if let Some(old) = number.checked_sub(AUDIT_ROWS_MAX) {
            batch.0.remove(&self.audit, old.to_be_bytes());
        }
    }

    pub(super) fn batches(&self, id: &MatchId, from: u64, limit: usize) -> Result<Vec<Batch>, StoreError> {
        let range = keys::log(id, from)..=keys::log(id, u64::MAX);
        let mut batches = Vec::new();
        for (entry, revision) in self.log.range(range).take(limit).zip(from.max(1)..) {
            let batch = codec::decode_batch(&entry.value().map_err(unavailable)?)?;
            if batch.cursor.revision != revision {
                return Err(StoreError::Damaged(format!(
                    "revision {revision} of {id} is not in its log"
                )));
            }
            batches.push(batch);
        }
        Ok(batches)
    }

    pub(super) fn list(
        &self,
        listing: &Listing,
        after: Option<ListPosition>,
        limit: usize,
    ) -> Result<Vec<ListPosition>, StoreError> {
        let newest = ListPosition {
            created_at: UnixMillis(u64::MAX),
            id: MatchId::from_bytes([0; 16]),
        };
        let begin = match after {
            Some(after) => Bound::Excluded(keys::listed(listing, after)),
            None => Bound::Included(keys::listed(listing, newest)),
        };
        let listed = self
            .lists
            .range::<Vec<u8>, _>((begin, Bound::Included(keys::listed_end(listing))));
        listed
            .take(limit)
            .map(|entry| Ok(keys::parse_listed(&entry.key().map_err(unavailable)?)?.1))
            .collect()
    }

    pub(super) fn invite(&self, code: &InviteCode) -> Result<Option<MatchId>, StoreError> {
        let found = self.invites.get(code.as_bytes()).map_err(unavailable)?;
        found.map(|id| place::match_id(&id)).transpose()
    }

    pub(super) fn player(&self, id: &PlayerId) -> Result<Option<Player>, StoreError> {
        let found = self.players.get(id.as_bytes()).map_err(unavailable)?;
        found.map(|bytes| codec::decode_player(&bytes)).transpose()
    }

    pub(super) fn device(&self, device: &DeviceHash) -> Result<Option<PlayerId>, StoreError> {
        let found = self.devices.get(device.0).map_err(unavailable)?;
        found.map(|id| place::player_id(&id)).transpose()
    }

    /// What is kept about identities under this key.
    pub(super) fn identity(&self, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        let found = self.identities.get(key).map_err(unavailable)?;
        Ok(found.map(|bytes| bytes.to_vec()))
    }

    /// Keeps something about identities, or takes it away.
    pub(super) fn put_identity(&self, batch: &mut WriteBatch, key: Vec<u8>, value: Option<Vec<u8>>) {
        match value {
            Some(value) => batch.0.insert(&self.identities, key, value),
            None => batch.0.remove(&self.identities, key),
        }
    }

    pub(super) fn rematch(&self, of: &MatchId) -> Result<Option<Rematch>, StoreError> {
        let found = self.rematches.get(of.as_bytes()).map_err(unavailable)?;
        found.map(|bytes| codec::decode_rematch(&bytes)).transpose()
    }

    pub(super) fn put_rematch(&self, batch: &mut WriteBatch, rematch: &Rematch) {
        let bytes = codec::encode_rematch(rematch);
        batch.0.insert(&self.rematches, rematch.of.as_bytes(), bytes);
    }

    pub(super) fn alive(&self) -> Result<Alive, StoreError> {
        match self.about.get(ALIVE_KEY).map_err(unavailable)? {
            Some(bytes) => Alive::from_bytes(&bytes),
            None => Ok(Alive::default()),
        }
    }

    pub(super) fn put_alive(&self, batch: &mut WriteBatch, alive: &Alive) {
        batch.0.insert(&self.about, ALIVE_KEY, alive.to_bytes());
    }

    /// The matches that may have been kept long enough at `now`.
    pub(super) fn ended(&self, now: UnixMillis) -> impl Iterator<Item = Result<MatchId, StoreError>> {
        let until = keys::due(now, &MatchId::from_bytes([u8::MAX; 16]));
        self.ends
            .range(..=until)
            .map(|entry| Ok(keys::parse_due(&entry.key().map_err(unavailable)?)?.1))
    }

    /// Removes a match and its log; its index entries are changes like others.
    pub(super) fn remove_table(&self, batch: &mut WriteBatch, table: &Table) {
        batch.0.remove(&self.tables, table.id.as_bytes().as_slice());
        self.ratings.remove_note(batch, &table.id);
        batch.0.remove(&self.rematches, table.id.as_bytes().as_slice());
        for revision in 1..=table.cursor.revision {
            batch.0.remove(&self.log, keys::log(&table.id, revision));
        }
    }

    /// Everything that is to be told.
    pub(super) fn outboxes(&self) -> impl Iterator<Item = Result<(outbox::Place, Outbox), StoreError>> {
        self.outbox.iter().map(|entry| {
            let (key, bytes) = entry.into_inner().map_err(unavailable)?;
            Ok((keys::parse_outbox(&key)?, codec::decode_outbox(&bytes)?))
        })
    }

    /// What is to be told of a match.
    pub(super) fn outbox(&self, (lane, id): &outbox::Place) -> Result<Option<Outbox>, StoreError> {
        let found = self.outbox.get(keys::outbox(*lane, id)).map_err(unavailable)?;
        found.map(|bytes| codec::decode_outbox(&bytes)).transpose()
    }

    pub(super) fn put_outbox(&self, batch: &mut WriteBatch, (lane, id): &outbox::Place, outbox: Option<&Outbox>) {
        let key = keys::outbox(*lane, id);
        match outbox {
            Some(outbox) => batch.0.insert(&self.outbox, key, codec::encode_outbox(outbox)),
            None => batch.0.remove(&self.outbox, key),
        }
    }

    /// Everything that could not be delivered.
    pub(super) fn all_dead_letters(&self) -> impl Iterator<Item = Result<DeadLetter, StoreError>> {
        self.dead_letters
            .iter()
            .map(|entry| codec::decode_dead_letter(&entry.value().map_err(unavailable)?))
    }

    pub(super) fn dead_letter(&self, key: &keys::NoticeKey) -> Result<Option<DeadLetter>, StoreError> {
        let found = self.dead_letters.get(key).map_err(unavailable)?;
        found.map(|bytes| codec::decode_dead_letter(&bytes)).transpose()
    }

    pub(super) fn put_dead_letter(&self, batch: &mut WriteBatch, key: &keys::NoticeKey, letter: Option<&DeadLetter>) {
        match letter {
            Some(letter) => batch
                .0
                .insert(&self.dead_letters, key, codec::encode_dead_letter(letter)),
            None => batch.0.remove(&self.dead_letters, key),
        }
    }

    /// When a player was last there.
    pub(super) fn seen(&self, player: &PlayerId) -> Result<Option<UnixMillis>, StoreError> {
        let Some(bytes) = self.seen.get(player.as_bytes()).map_err(unavailable)? else {
            return Ok(None);
        };
        let at = bytes.as_ref().try_into().map_err(|_| place::damaged())?;
        Ok(Some(UnixMillis(u64::from_be_bytes(at))))
    }

    pub(super) fn remove_seen(&self, batch: &mut WriteBatch, player: &PlayerId) {
        batch.0.remove(&self.seen, player.as_bytes().as_slice());
    }

    pub(super) fn put_seen(&self, batch: &mut WriteBatch, player: &PlayerId, at: UnixMillis) {
        batch.0.insert(&self.seen, player.as_bytes(), at.0.to_be_bytes());
    }

    /// An empty batch; committing it waits for the disk.
    pub(super) fn write_batch(&self) -> WriteBatch {
        WriteBatch(self.database.batch().durability(Some(PersistMode::SyncData)))
    }

    pub(super) fn put_table(&self, batch: &mut WriteBatch, id: &MatchId, snapshot: Vec<u8>) {
        batch.0.insert(&self.tables, id.as_bytes(), snapshot);
    }

    pub(super) fn put_revision(&self, batch: &mut WriteBatch, id: &MatchId, revision: u64, bytes: Vec<u8>) {
        batch.0.insert(&self.log, keys::log(id, revision), bytes);
    }

    pub(super) fn change_index(&self, batch: &mut WriteBatch, change: &Change) {
        let (Change::New(entry) | Change::Gone(entry)) = change;
        let (keyspace, key, value) = self.place(entry);
        match change {
            Change::New(_) => batch.0.insert(keyspace, key, value),
            Change::Gone(_) => batch.0.remove(keyspace, key),
        }
    }

    /// Whether an entry is there, as it should be.
    pub(super) fn has_entry(&self, entry: &Entry) -> Result<bool, StoreError> {
        let (keyspace, key, value) = self.place(entry);
        let found = keyspace.get(key).map_err(unavailable)?;
        Ok(found.is_some_and(|found| *found == *value))
    }

    /// Where an entry is kept, and what is kept there.
    fn place(&self, entry: &Entry) -> (&Keyspace, Vec<u8>, Vec<u8>) {
        match entry {
            Entry::Due(at, id) => (&self.due, keys::due(*at, id), Vec::new()),
            Entry::Listed(listing, position) => (&self.lists, keys::listed(listing, *position), Vec::new()),
            Entry::Invite(code, id) => (&self.invites, code.as_bytes().to_vec(), id.as_bytes().to_vec()),
            Entry::Ends(at, id) => (&self.ends, keys::due(*at, id), Vec::new()),
        }
    }

    /// All that there is of queues: keys and values.
    pub(super) fn queue_rows(&self) -> impl Iterator<Item = Result<(Vec<u8>, Vec<u8>), StoreError>> {
        self.queues.iter().map(|entry| {
            let (key, value) = entry.into_inner().map_err(unavailable)?;
            Ok((key.to_vec(), value.to_vec()))
        })
    }

    /// Keeps a row of a queue, or removes it.
    pub(super) fn change_queue(&self, batch: &mut WriteBatch, key: Vec<u8>, value: Option<Vec<u8>>) {
        match value {
            Some(value) => batch.0.insert(&self.queues, key, value),
            None => batch.0.remove(&self.queues, key),
        }
    }

    /// What is kept beside tables at a key.
    pub(super) fn beside(&self, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        let found = self.beside.get(key).map_err(unavailable)?;
        Ok(found.map(|bytes| bytes.to_vec()))
    }

    /// At most `limit` keys beside tables that begin with `prefix`, in order, those behind `after` only.
    pub(super) fn keys_beside(
        &self,
        prefix: &[u8],
        after: Option<Vec<u8>>,
        limit: usize,
    ) -> Result<Vec<Vec<u8>>, StoreError> {
        let begin = after.map_or_else(|| Bound::Included(prefix.to_vec()), Bound::Excluded);
        let mut keys = Vec::new();
        for entry in self.beside.range((begin, Bound::<Vec<u8>>::Unbounded)).take(limit) {
            let key = entry.key().map_err(unavailable)?;
            if !key.starts_with(prefix) {
                break;
            }
            keys.push(key.to_vec());
        }
        Ok(keys)
    }

    /// Everything beside tables whose keys begin with `prefix`.
    pub(super) fn all_beside(&self, prefix: &[u8]) -> Result<Vec<Beside>, StoreError> {
        let found = self.beside.prefix(prefix).map(|entry| {
            let (key, bytes) = entry.into_inner().map_err(unavailable)?;
            Ok((key.to_vec(), bytes.to_vec()))
        });
        found.collect()
    }

    pub(super) fn put_beside(&self, batch: &mut WriteBatch, key: &[u8], value: &[u8]) {
        batch.0.insert(&self.beside, key, value);
    }

    pub(super) fn remove_beside(&self, batch: &mut WriteBatch, key: &[u8]) {
        batch.0.remove(&self.beside, key);
    }

    pub(super) fn remove_player(&self, batch: &mut WriteBatch, id: &PlayerId, device: Option<&DeviceHash>) {
        batch.0.remove(&self.players, id.as_bytes().as_slice());
        if let Some(device) = device {
            batch.0.remove(&self.devices, device.0.as_slice());
        }
    }

    pub(super) fn put_player(&self, batch: &mut WriteBatch, player: &Player) {
        batch
            .0
            .insert(&self.players, player.id.as_bytes(), codec::encode_player(player));
        if let Some(device) = player.device {
            batch.0.insert(&self.devices, device.0, player.id.as_bytes());
        }
    }
}

impl WriteBatch {
    /// Writes all of it, and comes back when the disk has it.
    pub(super) fn commit(self) -> fjall::Result<()> {
        self.0.commit()
    }
}

fn unavailable(error: fjall::Error) -> StoreError {
    StoreError::Unavailable(error.into())
}
