//! Outside identities.

use fives_lobby::identity::{IdentityKey, IssuerKey};
use fives_lobby::store::{IdentityStore, Linked};
use fives_referee::id::PlayerId;
use fives_referee::store::StoreError;

use super::Measured;

#[tonic::async_trait]
impl IdentityStore for Measured {
    async fn find_identity(&self, identity: &IdentityKey) -> Result<Option<PlayerId>, StoreError> {
        self.measured("store.find_identity", self.store.find_identity(identity))
            .await
    }

    async fn link_identity(&self, identity: &IdentityKey, player: &PlayerId) -> Result<Linked, StoreError> {
        self.measured("store.link_identity", self.store.link_identity(identity, player))
            .await
    }

    async fn unlink_identity(&self, issuer: &IssuerKey, player: &PlayerId) -> Result<bool, StoreError> {
        self.measured("store.unlink_identity", self.store.unlink_identity(issuer, player))
            .await
    }
}
