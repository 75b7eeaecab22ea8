//! Who is there, measured.

use fives_referee::id::PlayerId;
use fives_referee::store::{PresenceStore, StoreError};
use fives_referee::time::UnixMillis;

use super::Measured;

#[tonic::async_trait]
impl PresenceStore for Measured {
    async fn renew_presence(&self, players: &[PlayerId]) -> Result<(), StoreError> {
        self.measured("store.renew_presence", self.store.renew_presence(players))
            .await
    }

    async fn last_seen(&self, players: &[PlayerId]) -> Result<Vec<Option<UnixMillis>>, StoreError> {
        self.measured("store.last_seen", self.store.last_seen(players)).await
    }
}
