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
use fives_referee::time::UnixMillis;
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
        match self.invoke::<u8>(call, key.as_bytes()).await? {
            0 => Ok(Created::Exists),
            _ => Ok(Created::New),
        }
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
        // Places of matches that are not archived any more: a match is archived when it ends, which may be long after it was made.
        let live_ms = u64::try_from(self.config.retention.live.as_millis()).unwrap_or(u64::MAX);
        let kept_ms = archived_ms.saturating_add(live_ms);
        let oldest = ListPosition {
            created_at: UnixMillis(self.now().await?.0.saturating_sub(kept_ms)),
            id: MatchId::from_bytes([0; 16]),
        };
        let mut trim = cmd("ZREMRANGEBYLEX");
        trim.arg(&key)
            .arg([b"[".as_slice(), &place::place(oldest)].concat())
            .arg("+");
        self.tidy(trim).await;
        Ok(())
    }
}
