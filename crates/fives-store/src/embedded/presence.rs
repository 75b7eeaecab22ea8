//! When players were last there.

use async_trait::async_trait;
use fives_referee::id::PlayerId;
use fives_referee::presence::LAST_SEEN_FOR_MS;
use fives_referee::store::{MatchStore, PresenceStore, StoreError};
use fives_referee::time::UnixMillis;

use super::EmbeddedStore;
use super::writer::Write;

#[async_trait]
impl PresenceStore for EmbeddedStore {
    async fn renew_presence(&self, players: &[PlayerId]) -> Result<(), StoreError> {
        let (players, now) = (players.to_vec(), self.now().await?);
        self.write(|answer| Write::RenewPresence { players, now, answer }).await
    }

    async fn last_seen(&self, players: &[PlayerId]) -> Result<Vec<Option<UnixMillis>>, StoreError> {
        let now = self.now().await?;
        let kept = players.iter().map(|player| {
            let at = self.kept.folder.seen(player)?;
            Ok(at.filter(|at| now < at.plus_ms(LAST_SEEN_FOR_MS)))
        });
        kept.collect()
    }
}
