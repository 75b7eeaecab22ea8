//! Who is being erased, who was, and what has to go for it.

use std::sync::Arc;

use async_trait::async_trait;
use fives_lobby::store::{ErasureStore, Unfinished};
use fives_referee::cursor::Cursor;
use fives_referee::erased::{ErasedMark, Rewritten};
use fives_referee::id::{MatchId, PlayerId};
use fives_referee::store::{Committed, MatchStore, PlayerStore, StoreError};
use fives_referee::time::UnixMillis;
use redis::cmd;

use super::failure::{unread, unwritten};
use super::script::{Call, Instead};
use super::{RedisStore, keys, script};
use crate::{codec, place};

#[async_trait]
impl ErasureStore for RedisStore {
    async fn begin_erasure(&self, player: &PlayerId) -> Result<(), StoreError> {
        let begun_at = self.now().await?;
        let unfinished = Unfinished {
            player: *player,
            begun_at,
        };
        let call = Call::new(&script::ERASE, 3)
            .arg(keys::ERASURES_DUE)
            .arg(keys::ERASURES)
            .arg(keys::ERASED)
            .arg(player.as_bytes().as_slice())
            .arg(codec::encode_erasure(&unfinished, begun_at))
            .arg(begun_at.0)
            .arg(ErasedMark::of(player).as_bytes().as_slice());
        self.invoke::<u8>(call, keys::ERASURES.as_bytes()).await.map(drop)
    }

    async fn claim_erasure(&self, for_ms: u64) -> Result<Option<Unfinished>, StoreError> {
        let now = self.now().await?;
        let call = Call::new(&script::CLAIM_ERASURE, 2)
            .arg(keys::ERASURES_DUE)
            .arg(keys::ERASURES)
            .arg(now.0)
            .arg(now.plus_ms(for_ms).0);
        let found: Option<Vec<u8>> = self.link.invoke(&call).await.map_err(unwritten)?;
        let found = found.map(|bytes| codec::decode_erasure(&bytes)).transpose()?;
        Ok(found.map(|(unfinished, _)| unfinished))
    }

    async fn defer_erasure(&self, player: &PlayerId, for_ms: u64) -> Result<(), StoreError> {
        let until = self.now().await?.plus_ms(for_ms);
        let mut command = cmd("ZADD");
        command.arg(keys::ERASURES_DUE).arg("XX");
        command.arg(until.0).arg(player.as_bytes().as_slice());
        self.link.run(&command).await.map_err(unwritten)
    }

    async fn end_erasure(&self, player: &PlayerId) -> Result<(), StoreError> {
        let call = Call::new(&script::END_ERASURE, 2)
            .arg(keys::ERASURES_DUE)
            .arg(keys::ERASURES)
            .arg(player.as_bytes().as_slice());
        self.invoke::<u8>(call, keys::ERASURES.as_bytes()).await.map(drop)
    }

    async fn erased(&self, since: UnixMillis, limit: usize) -> Result<Vec<(UnixMillis, ErasedMark)>, StoreError> {
        let mut command = cmd("ZRANGEBYSCORE");
        command.arg(keys::ERASED).arg(since.0).arg("+inf").arg("WITHSCORES");
        command
            .arg("LIMIT")
            .arg(0)
            .arg(i64::try_from(limit).unwrap_or(i64::MAX));
        let found: Vec<(Vec<u8>, f64)> = self.link.run(&command).await.map_err(unread)?;
        let marks = found.into_iter().map(|(mark, at_ms)| {
            let mark = mark.try_into().map_err(|_| place::damaged())?;
            // Whole milliseconds stay exact far beyond any date.
            Ok((UnixMillis(at_ms as u64), ErasedMark::from_bytes(mark)))
        });
        marks.collect()
    }

    async fn drop_marks(&self, before: UnixMillis) -> Result<(), StoreError> {
        let mut command = cmd("ZREMRANGEBYSCORE");
        command.arg(keys::ERASED).arg("-inf").arg(format!("({}", before.0));
        self.link.run(&command).await.map_err(unwritten)
    }

    async fn remove_player(&self, player: &PlayerId) -> Result<(), StoreError> {
        let Some(known) = self.load_player(player).await? else {
            return Ok(());
        };
        // The device first: the player is what leads there, should this be interrupted.
        if let Some(device) = &known.device {
            let key = keys::device(device);
            let call = Call::new(&script::RELEASE_DEVICE, 1)
                .arg(&key)
                .arg(player.as_bytes().as_slice());
            self.invoke::<u8>(call, &key).await?;
        }
        let key = keys::player(player);
        let mut command = cmd("DEL");
        command.arg(&key);
        self.set::<u8>(command, key.as_bytes()).await.map(drop)
    }

    async fn drop_lists(&self, player: &PlayerId) -> Result<(), StoreError> {
        let key = keys::history(player);
        let mut command = cmd("DEL");
        command
            .arg(&key)
            .arg(keys::matches_of(player))
            .arg(keys::left_by(player))
            .arg(keys::last_seen(player));
        self.set::<u8>(command, key.as_bytes()).await.map(drop)
    }

    async fn left(&self, player: &PlayerId) -> Result<Vec<MatchId>, StoreError> {
        let mut command = cmd("SMEMBERS");
        command.arg(keys::left_by(player));
        let ids: Vec<Vec<u8>> = self.link.run(&command).await.map_err(unread)?;
        ids.iter().map(|id| place::match_id(id)).collect()
    }

    async fn rewrite(&self, expected: Cursor, history: &Rewritten) -> Result<Committed, StoreError> {
        let (table, id) = (&history.table, &history.table.id);
        let mut call = Call::new(&script::REWRITE, 2)
            .arg(keys::of_match('m', id))
            .arg(keys::of_match('x', id))
            .arg(script::cursor(expected))
            .arg(script::cursor(table.cursor))
            .arg(codec::encode_table(table))
            .arg(keys::channel(&keys::Topic::Match(*id)));
        for batch in &history.log {
            call = call.arg(codec::encode_batch(batch));
        }
        let instead: Instead = self.invoke(call, &keys::slot(id)).await?;
        let committed = script::committed(instead);
        if committed == Committed::Done {
            self.recent.remember([Arc::new(table.clone())]);
        }
        Ok(committed)
    }
}
