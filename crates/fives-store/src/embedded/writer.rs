//! The one thread that writes: group commit.

use std::collections::HashMap;
use std::sync::Arc;

use fives_referee::cursor::Cursor;
use fives_referee::id::MatchId;
use fives_referee::listing::ListPosition;
use fives_referee::player::Player;
use fives_referee::store::{Committed, Created, StoreError};
use fives_referee::table::Table;
use fjall::{OwnedWriteBatch, PersistMode};
use tokio::sync::{mpsc, oneshot};
use tracing::error;

use super::keyspaces::Keyspaces;
use super::recent::Recent;
use super::{keys, unavailable};
use crate::codec;

/// How many writes share one sync at most.
const MAX_GROUP: usize = 256;

type Answer<T> = oneshot::Sender<Result<T, StoreError>>;

/// Something to write, and who waits for it.
pub(super) enum Write {
    Create {
        table: Arc<Table>,
        batch: Vec<u8>,
        answer: Answer<Created>,
    },
    Commit {
        expected: Cursor,
        table: Arc<Table>,
        batch: Vec<u8>,
        answer: Answer<Committed>,
    },
    CreatePlayer {
        player: Player,
        answer: Answer<Created>,
    },
    UpdatePlayer {
        player: Player,
        answer: Answer<bool>,
    },
}

pub(super) struct Writer {
    keyspaces: Keyspaces,
    recent: Arc<Recent>,
}

/// What is written together: seen by the writes that come later in it, by nobody else before the sync.
struct Group {
    batch: OwnedWriteBatch,
    tables: HashMap<MatchId, Arc<Table>>,
    players: Vec<Player>,
    answers: Vec<Box<dyn FnOnce(bool) + Send>>,
}

impl Group {
    /// Answers with `value` once the group is on the disk, and otherwise that it is not known.
    fn answer_when_synced<T: Send + 'static>(&mut self, answer: Answer<T>, value: T) {
        self.answers.push(Box::new(move |synced| {
            let unconfirmed = || StoreError::Unconfirmed("the disk did not confirm".into());
            // Who asked may have gone; what is written stays written.
            let _ = answer.send(if synced { Ok(value) } else { Err(unconfirmed()) });
        }));
    }
}

impl Writer {
    pub(super) const fn new(keyspaces: Keyspaces, recent: Arc<Recent>) -> Self {
        Self { keyspaces, recent }
    }

    /// Writes until the queue is closed and empty.
    pub(super) fn run(self, mut queue: mpsc::Receiver<Write>) {
        let mut ready = Vec::with_capacity(MAX_GROUP);
        while queue.blocking_recv_many(&mut ready, MAX_GROUP) > 0 {
            let mut group = Group {
                batch: self.keyspaces.database.batch().durability(Some(PersistMode::SyncAll)),
                tables: HashMap::new(),
                players: Vec::new(),
                answers: Vec::new(),
            };
            ready.drain(..).for_each(|write| self.add(&mut group, write));
            self.sync(group);
        }
    }

    fn sync(&self, group: Group) {
        let synced = group.batch.is_empty()
            || group
                .batch
                .commit()
                .inspect_err(|error| {
                    error!(
                        error = error as &dyn std::error::Error,
                        "the disk did not confirm a write"
                    );
                })
                .is_ok();
        if synced {
            group.tables.into_values().for_each(|table| self.recent.written(table));
        }
        group.answers.into_iter().for_each(|answer| answer(synced));
    }

    fn add(&self, group: &mut Group, write: Write) {
        match write {
            Write::Create { table, batch, answer } => match self.newest(group, &table.id) {
                Ok(None) => {
                    self.put(group, None, &table, batch);
                    group.answer_when_synced(answer, Created::New);
                }
                Ok(Some(_)) => group.answer_when_synced(answer, Created::Exists),
                Err(error) => refuse(answer, error),
            },
            Write::Commit {
                expected,
                table,
                batch,
                answer,
            } => match self.newest(group, &table.id) {
                Ok(Some(old)) if old.cursor == expected && table.cursor.revision == expected.revision + 1 => {
                    self.put(group, Some(&old), &table, batch);
                    group.answer_when_synced(answer, Committed::Done);
                }
                Ok(Some(_)) => group.answer_when_synced(answer, Committed::Conflict),
                Ok(None) => group.answer_when_synced(answer, Committed::Missing),
                Err(error) => refuse(answer, error),
            },
            Write::CreatePlayer { player, answer } => match self.is_known(group, &player) {
                Ok(true) => group.answer_when_synced(answer, Created::Exists),
                Ok(false) => {
                    self.put_player(group, player);
                    group.answer_when_synced(answer, Created::New);
                }
                Err(error) => refuse(answer, error),
            },
            Write::UpdatePlayer { player, answer } => match self.keyspaces.players.contains_key(player.id.as_bytes()) {
                Ok(known) => {
                    if known {
                        self.put_player(group, player);
                    }
                    group.answer_when_synced(answer, known);
                }
                Err(error) => refuse(answer, unavailable(error)),
            },
        }
    }

    /// The newest state, with what this group is about to write.
    fn newest(&self, group: &Group, id: &MatchId) -> Result<Option<Arc<Table>>, StoreError> {
        if let Some(table) = group.tables.get(id).cloned().or_else(|| self.recent.get(id)) {
            return Ok(Some(table));
        }
        Ok(self.keyspaces.load(id)?.map(Arc::new))
    }

    /// The snapshot, the batch, and the indexes as far as they change.
    fn put(&self, group: &mut Group, old: Option<&Table>, table: &Arc<Table>, batch: Vec<u8>) {
        let Keyspaces {
            tables,
            log,
            due,
            lists,
            invites,
            ..
        } = &self.keyspaces;
        let id = &table.id;
        group.batch.insert(tables, id.as_bytes(), codec::encode_table(table));
        group.batch.insert(log, keys::log(id, table.cursor.revision), batch);
        let old_due = old.and_then(|old| old.next_due);
        if old_due != table.next_due {
            if let Some(at) = old_due {
                group.batch.remove(due, keys::due(at, id));
            }
            if let Some(at) = table.next_due {
                group.batch.insert(due, keys::due(at, id), []);
            }
        }
        let position = ListPosition {
            created_at: table.created_at,
            id: *id,
        };
        let (old_lists, new_lists) = (old.map(Table::listings).unwrap_or_default(), table.listings());
        for gone in old_lists.iter().filter(|list| !new_lists.contains(list)) {
            group.batch.remove(lists, keys::listed(gone, position));
        }
        for new in new_lists.iter().filter(|list| !old_lists.contains(list)) {
            group.batch.insert(lists, keys::listed(new, position), []);
        }
        if let (None, Some(code)) = (old, table.invite()) {
            group.batch.insert(invites, code.as_bytes(), id.as_bytes());
        }
        group.tables.insert(*id, Arc::clone(table));
    }

    fn is_known(&self, group: &Group, player: &Player) -> Result<bool, StoreError> {
        let Keyspaces { players, devices, .. } = &self.keyspaces;
        let same = |other: &Player| other.id == player.id || (player.device.is_some() && other.device == player.device);
        let has_device = || match player.device {
            None => Ok(false),
            Some(device) => devices.contains_key(device.0),
        };
        let stored = players
            .contains_key(player.id.as_bytes())
            .and_then(|known| Ok(known || has_device()?));
        Ok(stored.map_err(unavailable)? || group.players.iter().any(same))
    }

    fn put_player(&self, group: &mut Group, player: Player) {
        let Keyspaces { players, devices, .. } = &self.keyspaces;
        group
            .batch
            .insert(players, player.id.as_bytes(), codec::encode_player(&player));
        if let Some(device) = player.device {
            group.batch.insert(devices, device.0, player.id.as_bytes());
        }
        group.players.push(player);
    }
}

/// Nothing was written for this one.
fn refuse<T>(answer: Answer<T>, error: StoreError) {
    // Who asked may have gone.
    let _ = answer.send(Err(error));
}
