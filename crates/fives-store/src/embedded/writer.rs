//! The one thread that writes: group commit.

use std::collections::{HashMap, HashSet};
use std::error::Error;
use std::sync::Arc;

use fives_lobby::identity::{IdentityKey, IssuerKey};
use fives_lobby::rating::Settlement;
use fives_lobby::rematch::Rematch;
use fives_lobby::store::{Linked, Settled};
use fives_referee::cursor::Cursor;
use fives_referee::id::{MatchId, PlayerId};
use fives_referee::listing::Listing;
use fives_referee::notice::{Lane, Notice};
use fives_referee::player::{DeviceHash, Player};
use fives_referee::store::{Committed, Created, Repaired, StoreError};
use fives_referee::table::Table;
use fives_referee::time::UnixMillis;
use tokio::sync::{mpsc, oneshot};
use tracing::error;

use super::Kept;
use super::alive::Alive;
use super::beside::Job;
use super::folder::WriteBatch;
use super::index;
use super::index::{Change, Entry};
use super::outbox;
use super::rating::Rated;
use crate::unpoisoned;

/// How many matches one write removes at most.
const EXPIRED_AT_ONCE: usize = 64;

pub(super) type Answer<T> = oneshot::Sender<Result<T, StoreError>>;

/// A change of a queue, which answers by itself.
type QueueChange = Box<dyn FnOnce(&Kept, &mut Group) + Send>;

/// Something to write, and who waits for it.
pub(super) enum Write {
    Create {
        revision: Revision,
        answer: Answer<Created>,
    },
    Commit {
        expected: Cursor,
        revision: Revision,
        answer: Answer<Committed>,
    },
    Expire {
        now: UnixMillis,
        answer: Answer<usize>,
    },
    CreatePlayer {
        player: Player,
        answer: Answer<Created>,
    },
    UpdatePlayer {
        player: Player,
        answer: Answer<bool>,
    },
    RenewAlive {
        now: UnixMillis,
        silence_max_ms: u64,
        answer: Answer<()>,
    },
    /// Something that is kept beside tables: it looks, writes and answers by itself.
    Beside(Job),
    AppendAudit {
        row: Vec<u8>,
        answer: Answer<()>,
    },
    RepairIndexes {
        ids: Vec<MatchId>,
        answer: Answer<Vec<Repaired>>,
    },
    Queue(QueueChange),
    Outbox(outbox::Work),
    SettleRatings {
        settlement: Settlement,
        answer: Answer<Settled>,
    },
    ForgetRatings {
        player: PlayerId,
        answer: Answer<()>,
    },
    LinkIdentity {
        identity: IdentityKey,
        player: PlayerId,
        answer: Answer<Linked>,
    },
    UnlinkIdentity {
        issuer: IssuerKey,
        player: PlayerId,
        answer: Answer<bool>,
    },
    RenewPresence {
        players: Vec<PlayerId>,
        now: UnixMillis,
        answer: Answer<()>,
    },
    KeepRematch {
        rematch: Rematch,
        answer: Answer<bool>,
    },
}

/// A state of a match and how it came about. Both are encoded by who asks: the writer thread is one for all.
pub(super) struct Revision {
    pub(super) table: Arc<Table>,
    pub(super) snapshot: Vec<u8>,
    pub(super) batch: Vec<u8>,
    pub(super) told: Vec<(Lane, Notice)>,
}

/// What is written together: seen by the writes that come later in it, by nobody else before the sync.
pub(super) struct Group {
    pub(super) batch: WriteBatch,
    pub(super) tables: HashMap<MatchId, Arc<Table>>,
    /// Matches that have been kept long enough; who comes later in the group does not find them any more.
    gone: HashSet<MatchId>,
    pub(super) changes: Vec<Change>,
    /// Players, and whose devices are; `None` for those that go with it.
    pub(super) players: HashMap<PlayerId, Option<Player>>,
    pub(super) devices: HashMap<DeviceHash, Option<PlayerId>>,
    /// What it writes beside tables; `None` for what it removes.
    pub(super) beside: HashMap<Vec<u8>, Option<Vec<u8>>>,
    /// The versions of rematches.
    pub(super) rematches: HashMap<MatchId, u64>,
    alive: Option<Alive>,
    /// How many audit rows it brings.
    pub(super) audit_rows: u64,
    /// What it changes of what is to be told.
    pub(super) outbox: outbox::Changes,
    pub(super) rated: Rated,
    /// What it writes about identities, or takes away.
    pub(super) identities: HashMap<Vec<u8>, Option<Vec<u8>>>,
    answers: Vec<Box<dyn FnOnce(Synced) + Send>>,
}

/// What became of a group; if it is perhaps written or surely not, why.
type Synced = Result<(), Arc<fjall::Error>>;

impl Group {
    fn new(batch: WriteBatch) -> Self {
        Self {
            batch,
            tables: HashMap::new(),
            gone: HashSet::new(),
            changes: Vec::new(),
            players: HashMap::new(),
            devices: HashMap::new(),
            beside: HashMap::new(),
            rematches: HashMap::new(),
            alive: None,
            audit_rows: 0,
            outbox: outbox::Changes::default(),
            rated: Rated::default(),
            identities: HashMap::new(),
            answers: Vec::new(),
        }
    }

    /// Answers with `outcome`, unless that is an error, only once the group is on the disk: what was found may be its
    /// doing.
    pub(super) fn answer<T: Send + 'static>(&mut self, answer: Answer<T>, outcome: Result<T, StoreError>) {
        // Here and below: who asked may have gone; what is written stays written.
        match outcome {
            Ok(value) => self.answers.push(Box::new(move |synced| {
                let _ = answer.send(synced.map(|()| value).map_err(not_synced));
            })),
            Err(error) => _ = answer.send(Err(error)),
        }
    }
}

/// The engine takes nothing more after a write that failed, so only that one is in doubt.
fn not_synced(error: Arc<fjall::Error>) -> StoreError {
    match *error {
        fjall::Error::Poisoned => StoreError::Unavailable(error.into()),
        _ => StoreError::Unconfirmed(error.into()),
    }
}

/// Writes until the queue is closed and empty.
pub(super) fn run(kept: &Kept, mut queue: mpsc::Receiver<Write>, group_writes: usize) {
    let mut ready = Vec::with_capacity(group_writes);
    while queue.blocking_recv_many(&mut ready, group_writes) > 0 {
        let mut group = Group::new(kept.folder.write_batch());
        ready.drain(..).for_each(|write| kept.add(&mut group, write));
        kept.sync(group);
    }
}

impl Kept {
    fn add(&self, group: &mut Group, write: Write) {
        match write {
            Write::Create { revision, answer } => {
                let created = self.create(group, revision);
                group.answer(answer, created);
            }
            Write::Commit {
                expected,
                revision,
                answer,
            } => {
                let committed = self.commit(group, expected, revision);
                group.answer(answer, committed);
            }
            Write::Expire { now, answer } => {
                let expired = self.expire(group, now);
                group.answer(answer, expired);
            }
            Write::CreatePlayer { player, answer } => {
                let created = self.create_player(group, player);
                group.answer(answer, created);
            }
            Write::UpdatePlayer { player, answer } => {
                let updated = self.update_player(group, player);
                group.answer(answer, updated);
            }
            Write::RenewAlive {
                now,
                silence_max_ms,
                answer,
            } => {
                let alive = group.alive.get_or_insert_with(|| unpoisoned(self.alive.lock()).clone());
                alive.renew(now, silence_max_ms);
                group.answer(answer, Ok(()));
            }
            Write::Beside(job) => job(self, group),
            Write::AppendAudit { row, answer } => {
                let appended = self.append_audit(group, row);
                group.answer(answer, appended);
            }
            Write::RepairIndexes { ids, answer } => {
                let repaired = self.repair_indexes(group, &ids);
                group.answer(answer, repaired);
            }
            Write::Queue(change) => change(self, group),
            Write::Outbox(work) => self.work(group, work),
            Write::SettleRatings { settlement, answer } => {
                let settled = self.settle_ratings(group, settlement);
                group.answer(answer, settled);
            }
            Write::ForgetRatings { player, answer } => {
                let forgotten = self.forget_ratings(group, &player);
                group.answer(answer, forgotten);
            }
            Write::LinkIdentity {
                identity,
                player,
                answer,
            } => {
                let linked = self.link_identity(group, &identity, &player);
                group.answer(answer, linked);
            }
            Write::UnlinkIdentity { issuer, player, answer } => {
                let unlinked = self.unlink_identity(group, &issuer, &player);
                group.answer(answer, unlinked);
            }
            Write::RenewPresence { players, now, answer } => {
                for player in &players {
                    self.folder.put_seen(&mut group.batch, player, now);
                }
                group.answer(answer, Ok(()));
            }
            Write::KeepRematch { rematch, answer } => {
                let kept = self.keep_rematch(group, rematch);
                group.answer(answer, kept);
            }
        }
    }

    fn sync(&self, mut group: Group) {
        if let Some(alive) = &group.alive {
            self.folder.put_alive(&mut group.batch, alive);
        }
        let synced = group.batch.commit().map_err(Arc::new);
        match &synced {
            Ok(()) => {
                let written = group.tables.values();
                let revisions: Vec<_> = written.map(|table| (table.id, table.cursor.revision)).collect();
                self.current.change(&group.changes);
                self.outboxes.change(group.outbox);
                self.boards.change(&group.rated.moves);
                self.recent.remember(group.tables.into_values());
                self.recent.forget(&group.gone);
                if let Some(alive) = group.alive {
                    *unpoisoned(self.alive.lock()) = alive;
                }
                // Last, so that who hears of a revision finds it.
                self.hints.tell(revisions);
                self.tell_newcomers(&group.changes);
            }
            Err(error) => {
                let error: &dyn Error = error;
                error!(error, "the disk did not confirm a write");
            }
        }
        group.answers.into_iter().for_each(|answer| answer(synced.clone()));
    }

    fn create(&self, group: &mut Group, revision: Revision) -> Result<Created, StoreError> {
        if self.newest(group, &revision.table.id)?.is_some() {
            return Ok(Created::Exists);
        }
        self.put(group, None, revision)?;
        Ok(Created::New)
    }

    fn commit(&self, group: &mut Group, expected: Cursor, revision: Revision) -> Result<Committed, StoreError> {
        match self.newest(group, &revision.table.id)? {
            Some(old) if old.cursor == expected => {
                self.put(group, Some(&old), revision)?;
                Ok(Committed::Done)
            }
            Some(_) => Ok(Committed::Conflict),
            None => Ok(Committed::Missing),
        }
    }

    /// The newest state, with what this group is about to write.
    pub(super) fn newest(&self, group: &Group, id: &MatchId) -> Result<Option<Arc<Table>>, StoreError> {
        match group.tables.get(id) {
            Some(table) => Ok(Some(Arc::clone(table))),
            None if group.gone.contains(id) => Ok(None),
            None => self.table(id),
        }
    }

    /// The snapshot, the batch, what others are told, and the indexes as far as they change.
    fn put(&self, group: &mut Group, old: Option<&Table>, revision: Revision) -> Result<(), StoreError> {
        let Revision {
            table,
            snapshot,
            batch,
            told,
        } = revision;
        // First, because only this can fail, and then nothing of the revision is written.
        self.tell(group, told)?;
        // In this order: a reader who comes between the two must not find a state that the log does not tell of yet.
        self.folder
            .put_revision(&mut group.batch, &table.id, table.cursor.revision, batch);
        self.folder.put_table(&mut group.batch, &table.id, snapshot);
        for change in index::changes(old, &table, &self.retention) {
            self.folder.change_index(&mut group.batch, &change);
            group.changes.push(change);
            if let Change::Gone(Entry::Listed(Listing::Of(player), _)) = change {
                self.remember_left(group, &player, &table);
            }
        }
        group.tables.insert(table.id, table);
        Ok(())
    }

    /// Removes matches that have been kept long enough, a bounded number of them.
    fn expire(&self, group: &mut Group, now: UnixMillis) -> Result<usize, StoreError> {
        let mut removed = self.expire_beside(group, now)?;
        let mut removed_matches = 0;
        for id in self.folder.ended(now) {
            let id = id?;
            let Some(table) = self.newest(group, &id)? else {
                continue;
            };
            // What was changed since lives on: a match that is played, or what comes with this group.
            if now < self.retention.end_of(&table) || group.tables.contains_key(&id) {
                continue;
            }
            self.folder.remove_table(&mut group.batch, &table);
            self.forget_outboxes(group, &id);
            for entry in index::entries(&table, &self.retention) {
                let change = Change::Gone(entry);
                self.folder.change_index(&mut group.batch, &change);
                group.changes.push(change);
            }
            group.gone.insert(id);
            removed += 1;
            removed_matches += 1;
            if removed_matches == EXPIRED_AT_ONCE {
                break;
            }
        }
        Ok(removed)
    }

    fn create_player(&self, group: &mut Group, player: Player) -> Result<Created, StoreError> {
        let owner = match &player.device {
            Some(device) => self.newest_device(group, device)?,
            None => None,
        };
        if owner.is_some() || self.newest_player(group, &player.id)?.is_some() {
            return Ok(Created::Exists);
        }
        self.put_player(group, player);
        Ok(Created::New)
    }

    fn update_player(&self, group: &mut Group, player: Player) -> Result<bool, StoreError> {
        let Some(old) = self.newest_player(group, &player.id)? else {
            return Ok(false);
        };
        let device = old.device;
        self.put_player(group, Player { device, ..player });
        Ok(true)
    }

    pub(super) fn newest_player(&self, group: &Group, id: &PlayerId) -> Result<Option<Player>, StoreError> {
        match group.players.get(id) {
            Some(player) => Ok(player.clone()),
            None => self.folder.player(id),
        }
    }

    /// Whose device it is.
    pub(super) fn newest_device(&self, group: &Group, device: &DeviceHash) -> Result<Option<PlayerId>, StoreError> {
        match group.devices.get(device) {
            Some(owner) => Ok(*owner),
            None => self.folder.device(device),
        }
    }

    fn put_player(&self, group: &mut Group, player: Player) {
        self.folder.put_player(&mut group.batch, &player);
        if let Some(device) = player.device {
            group.devices.insert(device, Some(player.id));
        }
        group.players.insert(player.id, Some(player));
    }
}
