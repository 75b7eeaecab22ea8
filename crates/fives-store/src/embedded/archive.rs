//! Matches that are over, and erasures: one keyspace for both, since little of it is written.
//!
//! | key | value |
//! |---|---|
//! | `h` match | what is archived of it |
//! | `r` match | its record |
//! | `p` player, place | nothing: a place in a history |
//! | `e` time, key | nothing: what is kept there goes then |
//! | `l` player, match | nothing: the player stood up from it before the start |
//! | `j` player | an erasure |
//! | `t` mark | when somebody was erased |

use async_trait::async_trait;
use fives_lobby::archive::Archived;
use fives_lobby::store::{ArchiveStore, Change};
use fives_referee::id::{MatchId, PlayerId};
use fives_referee::listing::ListPosition;
use fives_referee::store::{Created, MatchStore, StoreError};
use fives_referee::time::UnixMillis;
use fives_rules::record::Record;

use super::writer::Group;
use super::{EmbeddedStore, Kept};
use crate::{codec, place};

/// How many things one write removes at most.
const EXPIRED_AT_ONCE: usize = 256;

pub(super) fn head(id: &MatchId) -> Vec<u8> {
    tagged(b'h', id.as_bytes())
}

fn record(id: &MatchId) -> Vec<u8> {
    tagged(b'r', id.as_bytes())
}

fn place_of(player: &PlayerId, position: ListPosition) -> Vec<u8> {
    tagged(b'p', &[player.as_bytes().as_slice(), &place::place(position)].concat())
}

/// What all places of a player begin with.
pub(super) fn places_of(player: &PlayerId) -> Vec<u8> {
    tagged(b'p', player.as_bytes())
}

/// Says until when what is kept at a key is kept.
fn end(at: UnixMillis, key: &[u8]) -> Vec<u8> {
    tagged(b'e', &[at.0.to_be_bytes().as_slice(), key].concat())
}

/// What all keys of this kind begin with, and what follows.
pub(super) fn tagged(tag: u8, key: &[u8]) -> Vec<u8> {
    [&[tag], key].concat()
}

#[async_trait]
impl ArchiveStore for EmbeddedStore {
    async fn archive(&self, archived: &Archived, record: Option<&Record>) -> Result<Created, StoreError> {
        let encoded = codec::encode_archived(archived);
        let record = record.map(codec::encode_record).transpose()?;
        let ends_at = match self.kept.retention.archived_ms() {
            Some(ms) => Some(self.now().await?.plus_ms(ms)),
            None => None,
        };
        let archived = archived.clone();
        self.write_beside(move |kept, group| kept.archive(group, &archived, encoded, record, ends_at))
            .await
    }

    async fn archived(&self, id: &MatchId) -> Result<Option<Archived>, StoreError> {
        let found = self.kept.folder.beside(&head(id))?;
        found.map(|bytes| codec::decode_archived(&bytes)).transpose()
    }

    async fn archived_record(&self, id: &MatchId) -> Result<Option<Record>, StoreError> {
        let found = self.kept.folder.beside(&record(id))?;
        found.map(|bytes| codec::decode_record(&bytes)).transpose()
    }

    async fn played(
        &self,
        player: &PlayerId,
        after: Option<ListPosition>,
        limit: usize,
    ) -> Result<Vec<(ListPosition, Option<Archived>)>, StoreError> {
        let (prefix, after) = (places_of(player), after.map(|after| place_of(player, after)));
        let found = self.kept.folder.keys_beside(&prefix, after, limit)?;
        let mut played = Vec::with_capacity(found.len());
        for key in found {
            let position = place::parse_place(key.get(prefix.len()..).unwrap_or_default())?;
            played.push((position, self.archived(&position.id).await?));
        }
        Ok(played)
    }

    async fn change_archived(&self, id: &MatchId, change: Change<'_>) -> Result<bool, StoreError> {
        let key = head(id);
        loop {
            let Some(was) = self.kept.folder.beside(&key)? else {
                return Ok(false);
            };
            let changed = codec::encode_archived(&change(codec::decode_archived(&was)?));
            let key = key.clone();
            let is_changed = self.write_beside(move |kept, group| {
                let is_same = kept.newest_beside(group, &key)?.is_some_and(|found| found == was);
                if is_same {
                    kept.put_beside(group, key, changed);
                }
                Ok(is_same)
            });
            // Others change it to something else, each once in its life.
            if is_changed.await? {
                return Ok(true);
            }
        }
    }
}

/// What the writer thread does of it.
impl Kept {
    fn archive(
        &self,
        group: &mut Group,
        archived: &Archived,
        encoded: Vec<u8>,
        encoded_record: Option<Vec<u8>>,
        ends_at: Option<UnixMillis>,
    ) -> Result<Created, StoreError> {
        for player in archived.everybody() {
            self.put_beside(group, place_of(&player, archived.position()), Vec::new());
        }
        let key = head(&archived.id);
        if self.newest_beside(group, &key)?.is_some() {
            return Ok(Created::Exists);
        }
        if let Some(encoded_record) = encoded_record {
            self.put_beside(group, record(&archived.id), encoded_record);
        }
        if let Some(ends_at) = ends_at {
            self.end_beside(group, ends_at, &key);
        }
        self.put_beside(group, key, encoded);
        Ok(Created::New)
    }

    /// Has what is kept at a key go at this time.
    pub(super) fn end_beside(&self, group: &mut Group, at: UnixMillis, key: &[u8]) {
        self.put_beside(group, end(at, key), Vec::new());
    }

    /// Removes what has been kept long enough, a bounded number of things: an archived match goes with its record and its places.
    pub(super) fn expire_beside(&self, group: &mut Group, now: UnixMillis) -> Result<usize, StoreError> {
        let later = end(now.plus_ms(1), &[]);
        let ended = self.folder.keys_beside(b"e", None, EXPIRED_AT_ONCE)?;
        let mut removed = 0;
        for ended in ended.into_iter().take_while(|key| *key < later) {
            let key = ended.get(9..).unwrap_or_default().to_vec();
            if key.starts_with(b"h")
                && let Some(bytes) = self.newest_beside(group, &key)?
            {
                let archived = codec::decode_archived(&bytes)?;
                for player in archived.everybody() {
                    self.remove_beside(group, place_of(&player, archived.position()));
                }
                self.remove_beside(group, record(&archived.id));
            }
            self.remove_beside(group, key);
            self.remove_beside(group, ended);
            removed += 1;
        }
        Ok(removed)
    }
}
