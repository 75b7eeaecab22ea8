//! Who is being erased, who was, and what has to go for it. The keys stand with those of the archive.

use std::sync::Arc;

use async_trait::async_trait;
use fives_lobby::store::{ErasureStore, Unfinished};
use fives_referee::cursor::Cursor;
use fives_referee::erased::{ErasedMark, Rewritten};
use fives_referee::id::{MatchId, PlayerId};
use fives_referee::store::{Committed, MatchStore, StoreError};
use fives_referee::table::Table;
use fives_referee::time::UnixMillis;

use super::archive::{places_of, tagged};
use super::writer::Group;
use super::{EmbeddedStore, Kept, index};
use crate::retention::Retention;
use crate::{codec, place};

/// How many keys of one kind are read at a time.
const CHUNK: usize = 256;

fn erasure(player: &PlayerId) -> Vec<u8> {
    tagged(b'j', player.as_bytes())
}

fn mark(mark: &ErasedMark) -> Vec<u8> {
    tagged(b't', mark.as_bytes())
}

/// What all matches begin with from which a player has stood up.
fn left_by(player: &PlayerId) -> Vec<u8> {
    tagged(b'l', player.as_bytes())
}

#[async_trait]
impl ErasureStore for EmbeddedStore {
    async fn begin_erasure(&self, player: &PlayerId) -> Result<(), StoreError> {
        let (player, begun_at) = (*player, self.now().await?);
        self.write_beside(move |kept, group| {
            let key = erasure(&player);
            if kept.newest_beside(group, &key)?.is_none() {
                let unfinished = Unfinished { player, begun_at };
                kept.put_beside(group, key, codec::encode_erasure(&unfinished, begun_at));
                let at = begun_at.0.to_be_bytes().to_vec();
                kept.put_beside(group, mark(&ErasedMark::of(&player)), at);
            }
            Ok(())
        })
        .await
    }

    async fn claim_erasure(&self, for_ms: u64) -> Result<Option<Unfinished>, StoreError> {
        // Asked for every second, and mostly there is none: the writer thread need not know.
        if self.kept.folder.keys_beside(b"j", None, 1)?.is_empty() {
            return Ok(None);
        }
        let now = self.now().await?;
        self.write_beside(move |kept, group| {
            for key in kept.folder.keys_beside(b"j", None, CHUNK)? {
                let Some(bytes) = kept.newest_beside(group, &key)? else {
                    continue;
                };
                let (unfinished, due_at) = codec::decode_erasure(&bytes)?;
                if due_at <= now {
                    kept.put_beside(group, key, codec::encode_erasure(&unfinished, now.plus_ms(for_ms)));
                    return Ok(Some(unfinished));
                }
            }
            Ok(None)
        })
        .await
    }

    async fn defer_erasure(&self, player: &PlayerId, for_ms: u64) -> Result<(), StoreError> {
        let (key, until) = (erasure(player), self.now().await?.plus_ms(for_ms));
        self.write_beside(move |kept, group| {
            if let Some(bytes) = kept.newest_beside(group, &key)? {
                let (unfinished, _) = codec::decode_erasure(&bytes)?;
                kept.put_beside(group, key, codec::encode_erasure(&unfinished, until));
            }
            Ok(())
        })
        .await
    }

    async fn end_erasure(&self, player: &PlayerId) -> Result<(), StoreError> {
        let key = erasure(player);
        self.write_beside(move |kept, group| {
            kept.remove_beside(group, key);
            Ok(())
        })
        .await
    }

    async fn erased(&self, since: UnixMillis, limit: usize) -> Result<Vec<(UnixMillis, ErasedMark)>, StoreError> {
        let mut marks = Vec::new();
        for (key, at) in self.kept.folder.all_beside(b"t")? {
            let mark = key.get(1..).unwrap_or_default().try_into();
            let at = at.try_into().map_err(|_| place::damaged())?;
            let at = UnixMillis(u64::from_be_bytes(at));
            if at >= since {
                marks.push((at, ErasedMark::from_bytes(mark.map_err(|_| place::damaged())?)));
            }
        }
        marks.sort_unstable();
        marks.truncate(limit);
        Ok(marks)
    }

    async fn drop_marks(&self, before: UnixMillis) -> Result<(), StoreError> {
        let all = self.kept.folder.all_beside(b"t")?.into_iter();
        let old: Vec<Vec<u8>> = all
            .filter(|(_, at)| at.as_slice() < before.0.to_be_bytes().as_slice())
            .map(|(key, _)| key)
            .collect();
        if old.is_empty() {
            return Ok(());
        }
        self.write_beside(move |kept, group| {
            old.into_iter().for_each(|key| kept.remove_beside(group, key));
            Ok(())
        })
        .await
    }

    async fn remove_player(&self, player: &PlayerId) -> Result<(), StoreError> {
        let player = *player;
        self.write_beside(move |kept, group| kept.remove_player(group, &player))
            .await
    }

    async fn drop_lists(&self, player: &PlayerId) -> Result<(), StoreError> {
        let (player, prefixes) = (*player, [places_of(player), left_by(player)]);
        self.write_beside(move |kept, group| {
            kept.folder.remove_seen(&mut group.batch, &player);
            for prefix in prefixes {
                for key in kept.folder.keys_beside(&prefix, None, usize::MAX)? {
                    kept.remove_beside(group, key);
                }
            }
            Ok(())
        })
        .await
    }

    async fn left(&self, player: &PlayerId) -> Result<Vec<MatchId>, StoreError> {
        let prefix = left_by(player);
        let found = self.kept.folder.keys_beside(&prefix, None, usize::MAX)?;
        let ids = found
            .iter()
            .map(|key| place::match_id(key.get(prefix.len()..).unwrap_or_default()));
        ids.collect()
    }

    async fn rewrite(&self, expected: Cursor, history: &Rewritten) -> Result<Committed, StoreError> {
        let snapshot = codec::encode_table(&history.table);
        let log: Vec<Vec<u8>> = history.log.iter().map(codec::encode_batch).collect();
        let table = Arc::new(history.table.clone());
        self.write_beside(move |kept, group| kept.rewrite(group, expected, table, snapshot, log))
            .await
    }
}

/// What the writer thread does of it.
impl Kept {
    /// Keeps that a player has stood up from a table, at least as long as the match is kept: its log still knows the player, though no
    /// list will.
    pub(super) fn remember_left(&self, group: &mut Group, player: &PlayerId, table: &Table) {
        let Retention {
            open, live, settled, ..
        } = self.retention;
        let longest = u64::try_from((open + live + settled).as_millis()).unwrap_or(u64::MAX);
        let key = [left_by(player).as_slice(), table.id.as_bytes()].concat();
        self.end_beside(group, table.changed_at.plus_ms(longest), &key);
        self.put_beside(group, key, Vec::new());
    }

    fn remove_player(&self, group: &mut Group, id: &PlayerId) -> Result<(), StoreError> {
        let Some(player) = self.newest_player(group, id)? else {
            return Ok(());
        };
        // A device is another player's by now, where somebody came back with it between two tries.
        let device = match &player.device {
            Some(device) => self
                .newest_device(group, device)?
                .filter(|owner| owner == id)
                .and(Some(*device)),
            None => None,
        };
        self.folder.remove_player(&mut group.batch, id, device.as_ref());
        if let Some(device) = device {
            group.devices.insert(device, None);
        }
        group.players.insert(*id, None);
        Ok(())
    }

    fn rewrite(
        &self,
        group: &mut Group,
        expected: Cursor,
        table: Arc<Table>,
        snapshot: Vec<u8>,
        log: Vec<Vec<u8>>,
    ) -> Result<Committed, StoreError> {
        let old = match self.newest(group, &table.id)? {
            Some(old) if old.cursor == expected => old,
            Some(_) => return Ok(Committed::Conflict),
            None => return Ok(Committed::Missing),
        };
        for (batch, revision) in log.into_iter().zip(1..) {
            self.folder.put_revision(&mut group.batch, &table.id, revision, batch);
        }
        self.folder.put_table(&mut group.batch, &table.id, snapshot);
        for change in index::changes(Some(&old), &table, &self.retention) {
            self.folder.change_index(&mut group.batch, &change);
            group.changes.push(change);
        }
        group.tables.insert(table.id, table);
        Ok(Committed::Done)
    }
}
