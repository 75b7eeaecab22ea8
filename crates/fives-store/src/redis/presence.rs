//! When players were last there: a key each, which goes by itself.

use async_trait::async_trait;
use fives_referee::id::PlayerId;
use fives_referee::presence::LAST_SEEN_FOR_MS;
use fives_referee::store::{MatchStore, PresenceStore, StoreError};
use fives_referee::time::UnixMillis;
use futures::future::try_join_all;
use redis::cmd;

use super::failure::unread;
use super::{RedisStore, keys};
use crate::place;

#[async_trait]
impl PresenceStore for RedisStore {
    async fn renew_presence(&self, players: &[PlayerId]) -> Result<(), StoreError> {
        let now = self.now().await?;
        try_join_all(players.iter().map(async |player| {
            let mut command = cmd("SET");
            command
                .arg(keys::last_seen(player))
                .arg(now.0)
                .arg("PX")
                .arg(LAST_SEEN_FOR_MS);
            self.link.run::<()>(&command).await.map_err(unread)
        }))
        .await
        .map(drop)
    }

    async fn last_seen(&self, players: &[PlayerId]) -> Result<Vec<Option<UnixMillis>>, StoreError> {
        try_join_all(players.iter().map(async |player| {
            let mut command = cmd("GET");
            command.arg(keys::last_seen(player));
            let kept: Option<String> = self.link.run(&command).await.map_err(unread)?;
            let at = kept.map(|at| at.parse().map(UnixMillis));
            at.transpose().map_err(|_| place::damaged())
        }))
        .await
    }
}
