//! Matches that are over: one key each, and the places of each person in a sorted set.
//!
//! A person's places are in another slot than the matches, so they are written first: what is archived of a person is always found,
//! and a place whose match is not there is passed over.

use async_trait::async_trait;
use fives_lobby::archive::Archived;
use fives_lobby::store::{ArchiveStore, Change};
use fives_referee::id::{MatchId, PlayerId};
use fives_referee::listing::ListPosition;
use fives_referee::store::{Created, MatchStore, StoreError};
use fives_rules::record::Record;
use futures::future::try_join_all;
use redis::cmd;

use super::failure::unread;
use super::script::Call;
use super::{RedisStore, keys, script};
use crate::{codec, place};

#[async_trait]
impl ArchiveStore for RedisStore {
    async fn archive(&self, archived: &Archived, record: Option<&Record>) -> Result<Created, StoreError> {
        let record = record.map(codec::encode_record).transpose()?;
        for player in archived.everybody() {
            self.add_to_history(&player, archived.position()).await?;
        }
        let key = keys::archived(&archived.id);
        let lives_ms = self.config.retention.archived_ms().map(|ms| ms.to_string());
        let call = Call::new(&script::ARCHIVE, 1)
            .arg(&key)
            .arg(codec::encode_archived(archived))
            .arg(record.unwrap_or_default())
            .arg(lives_ms.unwrap_or_default());
        let created = match self.invoke::<u8>(call, key.as_bytes()).await? {
            0 => Created::Exists,
            _ => Created::New,
        };
        // One that was played for very long may have been taken for gone before it was here.
        if self.may_be_gone(archived.position()).await? {
            for player in archived.everybody() {
                self.add_to_history(&player, archived.position()).await?;
            }
        }
        Ok(created)
    }

    async fn archived(&self, id: &MatchId) -> Result<Option<Archived>, StoreError> {
        let found = self.archived_field(id, "h").await?;
        found.map(|bytes| codec::decode_archived(&bytes)).transpose()
    }

    async fn archived_record(&self, id: &MatchId) -> Result<Option<Record>, StoreError> {
        let found = self.archived_field(id, "r").await?;
        found.map(|bytes| codec::decode_record(&bytes)).transpose()
    }

    async fn played(
        &self,
        player: &PlayerId,
        after: Option<ListPosition>,
        limit: usize,
    ) -> Result<Vec<(ListPosition, Option<Archived>)>, StoreError> {
        let begin = match after {
            Some(after) => [b"(".as_slice(), &place::place(after)].concat(),
            None => b"-".to_vec(),
        };
        let mut command = cmd("ZRANGEBYLEX");
        command.arg(keys::history(player)).arg(begin).arg("+");
        command
            .arg("LIMIT")
            .arg(0)
            .arg(i64::try_from(limit).unwrap_or(i64::MAX));
        let places: Vec<Vec<u8>> = self.link.run(&command).await.map_err(unread)?;
        let found = places.iter().map(async |bytes| {
            let position = place::parse_place(bytes)?;
            Ok((position, self.archived(&position.id).await?))
        });
        try_join_all(found).await
    }

    async fn change_archived(&self, id: &MatchId, change: Change<'_>) -> Result<bool, StoreError> {
        let key = keys::archived(id);
        loop {
            let Some(was) = self.archived_field(id, "h").await? else {
                return Ok(false);
            };
            let changed = codec::encode_archived(&change(codec::decode_archived(&was)?));
            let call = Call::new(&script::CHANGE_ARCHIVED, 1).arg(&key).arg(was).arg(changed);
            // Others change it to something else, each once in its life.
            if self.invoke::<u8>(call, key.as_bytes()).await? == 1 {
                return Ok(true);
            }
        }
    }
}

impl RedisStore {
    async fn archived_field(&self, id: &MatchId, field: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let mut command = cmd("HGET");
        command.arg(keys::archived(id)).arg(field);
        self.link.run(&command).await.map_err(unread)
    }

    async fn add_to_history(&self, player: &PlayerId, position: ListPosition) -> Result<(), StoreError> {
        let key = keys::history(player);
        let mut command = cmd("ZADD");
        command.arg(&key).arg(0).arg(place::place(position));
        self.set::<u64>(command, key.as_bytes()).await?;
        let Some(archived_ms) = self.config.retention.archived_ms() else {
            return Ok(());
        };
        let mut expiry = cmd("PEXPIRE");
        expiry.arg(&key).arg(archived_ms.max(1));
        self.tidy(expiry).await;
        self.tidy_oldest(player).await
    }

    /// Takes the oldest places out of a history whose matches have left the archive: two for each that comes, so it stays small.
    async fn tidy_oldest(&self, player: &PlayerId) -> Result<(), StoreError> {
        let mut command = cmd("ZREVRANGEBYLEX");
        command.arg(keys::history(player)).arg("+").arg("-");
        command.arg("LIMIT").arg(0).arg(2);
        let oldest: Vec<Vec<u8>> = self.link.run(&command).await.map_err(unread)?;
        for bytes in oldest {
            let position = place::parse_place(&bytes)?;
            if self.may_be_gone(position).await? && self.archived_field(&position.id, "h").await?.is_none() {
                let mut removal = cmd("ZREM");
                removal.arg(keys::history(player)).arg(bytes);
                self.tidy(removal).await;
            }
        }
        Ok(())
    }

    /// Whether a match is old enough to have left the archive, if it came there as soon as it was made.
    async fn may_be_gone(&self, position: ListPosition) -> Result<bool, StoreError> {
        match self.config.retention.archived_ms() {
            None => Ok(false),
            Some(archived_ms) => Ok(position.created_at.plus_ms(archived_ms) < self.now().await?),
        }
    }
}
