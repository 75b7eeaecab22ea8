//! What is to be told of matches, beside them: each change of it is one script in the shard of its match.

use std::sync::LazyLock;

use async_trait::async_trait;
use fives_lobby::store::{Backlog, DEAD_LETTERS_MAX, DeadLetter, Errand, OutboxStore, Parcel};
use fives_referee::notice::{Lane, Notice, NoticeId};
use fives_referee::store::StoreError;
use fives_referee::time::UnixMillis;
use futures::future::try_join_all;
use redis::{Script, cmd};

use super::failure::{unread, unwritten};
use super::script::Call;
use super::{RedisStore, keys};
use crate::{codec, place};

/// How many keys a lane has in a shard and at a match, as a commit names them: notices, errands, since when they wait.
pub(super) const KEYS_OF_LANE: usize = 3;

/// How many dead letters a shard keeps.
const DEAD_LETTERS_OF_SHARD: usize = DEAD_LETTERS_MAX / keys::SHARDS as usize;

static TAKE: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("outbox/take.lua")));
static SETTLE: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("outbox/settle.lua")));
static POSTPONE: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("outbox/postpone.lua")));
static REVIVE: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("outbox/revive.lua")));

/// Where the keys of a lane begin among those of a commit, from 1.
pub(super) const fn first_key(lane: Lane) -> usize {
    match lane {
        Lane::Results => 6,
        Lane::Hooks => 6 + KEYS_OF_LANE,
    }
}

/// A notice as its list keeps it: which, when, and its bytes. Scripts read the first two.
pub(super) fn framed(notice: &Notice) -> Vec<u8> {
    let head = format!("{}{} ", which(&notice.id), notice.at.0);
    [head.into_bytes(), codec::encode_notice(notice)].concat()
}

/// What a notice begins with among those of its match.
fn which(id: &NoticeId) -> String {
    format!("{}-{:016x}-{} ", id.cursor.revision, id.cursor.stamp, id.index)
}

fn unframed(framed: &[u8]) -> Result<Notice, StoreError> {
    let mut parts = framed.splitn(3, |byte| *byte == b' ');
    let bytes = parts.nth(2).ok_or_else(place::damaged)?;
    codec::decode_notice(bytes)
}

#[async_trait]
impl OutboxStore for RedisStore {
    async fn errands(&self, lane: Lane, now: UnixMillis, limit: usize) -> Result<Vec<Errand>, StoreError> {
        let found = (0..keys::SHARDS).map(|shard| {
            let mut command = cmd("ZRANGEBYSCORE");
            command.arg(keys::errands(lane, shard)).arg("-inf").arg(now.0);
            command.arg("WITHSCORES").arg("LIMIT").arg(0);
            command.arg(i64::try_from(limit).unwrap_or(i64::MAX));
            async move { self.link.run::<Vec<(Vec<u8>, f64)>>(&command).await.map_err(unread) }
        });
        let mut errands = Vec::new();
        for (member, at_ms) in try_join_all(found).await?.into_iter().flatten() {
            errands.push(Errand {
                id: place::match_id(&member)?,
                // Whole milliseconds stay exact far beyond any date.
                at: UnixMillis(at_ms as u64),
            });
        }
        errands.sort_unstable_by_key(|errand| (errand.at, errand.id));
        errands.truncate(limit);
        Ok(errands)
    }

    async fn take_errand(&self, lane: Lane, errand: Errand, until: UnixMillis) -> Result<Option<Parcel>, StoreError> {
        let shard = keys::shard(&errand.id);
        let call = Call::new(&TAKE, 4)
            .arg(keys::notices(lane, &errand.id))
            .arg(keys::tries(lane, &errand.id))
            .arg(keys::errands(lane, shard))
            .arg(keys::waiting(lane, shard))
            .arg(errand.id.as_bytes().as_slice())
            .arg(errand.at.0)
            .arg(until.0);
        let taken: Option<(u32, Vec<u8>)> = self.link.invoke(&call).await.map_err(unwritten)?;
        let Some((tries, first)) = taken else { return Ok(None) };
        let notice = unframed(&first)?;
        if notice.id.match_id != errand.id {
            return Err(place::damaged());
        }
        Ok(Some(Parcel { notice, tries }))
    }

    async fn settle_notice(&self, lane: Lane, id: &NoticeId) -> Result<bool, StoreError> {
        let call = on_first(Call::new(&SETTLE, 4), lane, id)
            .arg(keys::waiting(lane, keys::shard(&id.match_id)))
            .arg(id.match_id.as_bytes().as_slice())
            .arg(which(id));
        self.link.invoke(&call).await.map_err(unwritten)
    }

    async fn postpone_notice(&self, lane: Lane, id: &NoticeId, at: UnixMillis, tries: u32) -> Result<bool, StoreError> {
        let call = on_first(Call::new(&POSTPONE, 3), lane, id)
            .arg(id.match_id.as_bytes().as_slice())
            .arg(which(id))
            .arg(at.0)
            .arg(tries);
        self.link.invoke(&call).await.map_err(unwritten)
    }

    async fn bury_notice(&self, letter: &DeadLetter) -> Result<bool, StoreError> {
        let id = &letter.notice.id;
        let shard = keys::shard(&id.match_id);
        let call = on_first(Call::new(&SETTLE, 6), Lane::Hooks, id)
            .arg(keys::waiting(Lane::Hooks, shard))
            .arg(keys::of_shard(shard, keys::DEAD))
            .arg(keys::of_shard(shard, keys::BURIED))
            .arg(id.match_id.as_bytes().as_slice())
            .arg(which(id))
            .arg(id.to_string())
            .arg(letter.buried_at.0)
            .arg(codec::encode_dead_letter(letter))
            .arg(DEAD_LETTERS_OF_SHARD);
        self.link.invoke(&call).await.map_err(unwritten)
    }

    async fn dead_letters(&self, limit: usize) -> Result<Vec<DeadLetter>, StoreError> {
        let limit_i64 = i64::try_from(limit).unwrap_or(i64::MAX);
        let newest = (0..keys::SHARDS).map(|shard| {
            let mut command = cmd("ZRANGE");
            command.arg(keys::of_shard(shard, keys::BURIED)).arg(0);
            command.arg(limit_i64.saturating_sub(1)).arg("REV").arg("WITHSCORES");
            async move { self.link.run::<Vec<(String, f64)>>(&command).await.map_err(unread) }
        });
        let mut names: Vec<(u64, String)> = Vec::new();
        for (name, at_ms) in try_join_all(newest).await?.into_iter().flatten() {
            names.push((at_ms as u64, name));
        }
        names.sort_unstable_by(|one, other| other.cmp(one));
        names.truncate(limit);
        let letters = try_join_all(names.iter().map(|(_, name)| self.dead_letter(name))).await?;
        Ok(letters.into_iter().flatten().collect())
    }

    async fn dead_letter_count(&self) -> Result<u64, StoreError> {
        let counts = (0..keys::SHARDS).map(|shard| {
            let mut command = cmd("ZCARD");
            command.arg(keys::of_shard(shard, keys::BURIED));
            async move { self.link.run::<u64>(&command).await.map_err(unread) }
        });
        Ok(try_join_all(counts).await?.into_iter().sum())
    }

    async fn revive_dead_letter(&self, id: &NoticeId, now: UnixMillis) -> Result<bool, StoreError> {
        let name = id.to_string();
        let Some(letter) = self.dead_letter(&name).await? else {
            return Ok(false);
        };
        let shard = keys::shard(&id.match_id);
        let call = Call::new(&REVIVE, 5)
            .arg(keys::notices(Lane::Hooks, &id.match_id))
            .arg(keys::errands(Lane::Hooks, shard))
            .arg(keys::waiting(Lane::Hooks, shard))
            .arg(keys::of_shard(shard, keys::DEAD))
            .arg(keys::of_shard(shard, keys::BURIED))
            .arg(id.match_id.as_bytes().as_slice())
            .arg(&name)
            .arg(now.0)
            .arg(letter.notice.at.0)
            .arg(framed(&letter.notice))
            .arg(self.config.retention.settled.as_millis().max(1) as u64);
        self.link.invoke(&call).await.map_err(unwritten)
    }

    async fn drop_dead_letter(&self, id: &NoticeId) -> Result<(), StoreError> {
        let shard = keys::shard(&id.match_id);
        // The name last: as long as it is there, a letter is found again, should this be interrupted.
        for (command, key) in [("HDEL", keys::DEAD), ("ZREM", keys::BURIED)] {
            let mut command = cmd(command);
            command.arg(keys::of_shard(shard, key)).arg(id.to_string());
            self.link.run::<u8>(&command).await.map_err(unwritten)?;
        }
        Ok(())
    }

    async fn backlog(&self, lane: Lane) -> Result<Backlog, StoreError> {
        let of_shards = (0..keys::SHARDS).map(|shard| {
            let mut count = cmd("ZCARD");
            count.arg(keys::waiting(lane, shard));
            let mut oldest = cmd("ZRANGE");
            oldest.arg(keys::waiting(lane, shard)).arg(0).arg(0).arg("WITHSCORES");
            async move {
                let matches: u64 = self.link.run(&count).await.map_err(unread)?;
                let oldest: Vec<(Vec<u8>, f64)> = self.link.run(&oldest).await.map_err(unread)?;
                Ok::<_, StoreError>((matches, oldest.first().map(|(_, at_ms)| UnixMillis(*at_ms as u64))))
            }
        });
        let mut backlog = Backlog::default();
        for (matches, since) in try_join_all(of_shards).await? {
            backlog.matches += matches;
            backlog.since = backlog.since.into_iter().chain(since).min();
        }
        Ok(backlog)
    }
}

impl RedisStore {
    /// A dead letter by its name.
    async fn dead_letter(&self, name: &str) -> Result<Option<DeadLetter>, StoreError> {
        let Ok(id) = name.parse::<NoticeId>() else {
            return Err(place::damaged());
        };
        let mut command = cmd("HGET");
        command
            .arg(keys::of_shard(keys::shard(&id.match_id), keys::DEAD))
            .arg(name);
        let found: Option<Vec<u8>> = self.link.run(&command).await.map_err(unread)?;
        found.map(|bytes| codec::decode_dead_letter(&bytes)).transpose()
    }
}

/// The keys that all scripts about the first notice of a match begin with.
fn on_first(call: Call, lane: Lane, id: &NoticeId) -> Call {
    call.arg(keys::notices(lane, &id.match_id))
        .arg(keys::tries(lane, &id.match_id))
        .arg(keys::errands(lane, keys::shard(&id.match_id)))
}
