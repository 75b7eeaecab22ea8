//! Which outside identity is which player.

use async_trait::async_trait;
use data_encoding::HEXLOWER;
use fives_lobby::identity::{IdentityKey, IssuerKey};
use fives_lobby::store::{IdentityStore, Linked};
use fives_referee::id::PlayerId;
use fives_referee::store::StoreError;
use redis::{FromRedisValue, cmd};

use super::failure::{unread, unwritten};
use super::script::{self, Call};
use super::{RedisStore, keys, parsed};
use crate::place;

impl RedisStore {
    /// Runs a script of ours that writes to the slot of `key`; it counts when a commit would.
    async fn call<T: FromRedisValue>(&self, call: Call, key: String) -> Result<T, StoreError> {
        match &self.replicated {
            None => self.link.invoke(&call).await.map_err(unwritten),
            Some(replicated) => parsed(replicated.write(call.command, key.into_bytes()).await?),
        }
    }
}

#[async_trait]
impl IdentityStore for RedisStore {
    async fn find_identity(&self, identity: &IdentityKey) -> Result<Option<PlayerId>, StoreError> {
        let mut command = cmd("GET");
        command.arg(keys::identity(identity));
        let found: Option<Vec<u8>> = self.link.run(&command).await.map_err(unread)?;
        found.map(|id| place::player_id(&id)).transpose()
    }

    async fn link_identity(&self, identity: &IdentityKey, player: &PlayerId) -> Result<Linked, StoreError> {
        let key = keys::identity(identity);
        let call = Call::new(&script::LINK, 2)
            .arg(&key)
            .arg(keys::subject_of(&identity.issuer, player))
            .arg(player.as_bytes().as_slice())
            .arg(HEXLOWER.encode(&identity.subject));
        let instead: Option<Vec<u8>> = self.call(call, key).await?;
        match instead.as_deref() {
            None => Ok(Linked::Done),
            Some([]) => Ok(Linked::PlayerTaken),
            Some(owner) => Ok(Linked::IdentityTaken(place::player_id(owner)?)),
        }
    }

    async fn unlink_identity(&self, issuer: &IssuerKey, player: &PlayerId) -> Result<bool, StoreError> {
        let key = keys::subject_of(issuer, player);
        let call = Call::new(&script::UNLINK, 1).arg(&key).arg(keys::identities_of(issuer));
        self.call(call, key).await
    }
}
