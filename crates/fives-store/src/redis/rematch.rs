//! What the people of a finished match say to another one.

use async_trait::async_trait;
use fives_lobby::rematch::Rematch;
use fives_lobby::store::RematchStore;
use fives_referee::id::MatchId;
use fives_referee::store::StoreError;
use redis::cmd;

use super::failure::{unread, unwritten};
use super::script::{Call, REMATCH};
use super::{RedisStore, keys, parsed};
use crate::codec;

#[async_trait]
impl RematchStore for RedisStore {
    async fn rematch(&self, of: &MatchId) -> Result<Option<Rematch>, StoreError> {
        let mut command = cmd("HGET");
        command.arg(keys::of_match('r', of)).arg("b");
        let found: Option<Vec<u8>> = self.link.run(&command).await.map_err(unread)?;
        let found = found.map(|bytes| codec::decode_rematch(&bytes)).transpose()?;
        match found {
            Some(rematch) if rematch.of != *of => Err(StoreError::Damaged(format!(
                "a rematch of {} is kept beside {of}",
                rematch.of
            ))),
            found => Ok(found),
        }
    }

    async fn keep_rematch(&self, rematch: &Rematch) -> Result<bool, StoreError> {
        let call = Call::new(&REMATCH, 2)
            .arg(keys::of_match('r', &rematch.of))
            .arg(keys::of_match('m', &rematch.of))
            .arg(rematch.version.saturating_sub(1))
            .arg(rematch.version)
            .arg(codec::encode_rematch(rematch))
            .arg(self.config.retention.settled.as_millis().max(1) as u64);
        match &self.replicated {
            None => self.link.invoke(&call).await.map_err(unwritten),
            Some(replicated) => parsed(replicated.write(call.command, keys::slot(&rematch.of)).await?),
        }
    }
}
