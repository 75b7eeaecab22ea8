//! Which outside identity is which player: two entries that are written and taken away together.

use async_trait::async_trait;
use fives_lobby::identity::{IdentityKey, IssuerKey};
use fives_lobby::store::{IdentityStore, Linked};
use fives_referee::id::PlayerId;
use fives_referee::store::StoreError;

use super::writer::{Group, Write};
use super::{EmbeddedStore, Kept};
use crate::place;

/// What keys of identities begin with, and keys of players.
const IDENTITY: u8 = 0;
const PLAYER: u8 = 1;

/// Where the player of an identity is kept.
fn of_identity(identity: &IdentityKey) -> Vec<u8> {
    [&[IDENTITY], identity.issuer.0.as_slice(), &identity.subject].concat()
}

/// Where the subject is kept that a player is to an issuer.
fn of_player(issuer: &IssuerKey, player: &PlayerId) -> Vec<u8> {
    [&[PLAYER], issuer.0.as_slice(), player.as_bytes()].concat()
}

#[async_trait]
impl IdentityStore for EmbeddedStore {
    async fn find_identity(&self, identity: &IdentityKey) -> Result<Option<PlayerId>, StoreError> {
        let found = self.kept.folder.identity(&of_identity(identity))?;
        found.map(|id| place::player_id(&id)).transpose()
    }

    async fn link_identity(&self, identity: &IdentityKey, player: &PlayerId) -> Result<Linked, StoreError> {
        let (identity, player) = (*identity, *player);
        self.write(|answer| Write::LinkIdentity {
            identity,
            player,
            answer,
        })
        .await
    }

    async fn unlink_identity(&self, issuer: &IssuerKey, player: &PlayerId) -> Result<bool, StoreError> {
        let (issuer, player) = (*issuer, *player);
        self.write(|answer| Write::UnlinkIdentity { issuer, player, answer })
            .await
    }
}

/// What the writer thread does of it: there, nothing comes between a look and a change.
impl Kept {
    pub(super) fn link_identity(
        &self,
        group: &mut Group,
        identity: &IdentityKey,
        player: &PlayerId,
    ) -> Result<Linked, StoreError> {
        let (of_identity, of_player) = (of_identity(identity), of_player(&identity.issuer, player));
        let owner = self.newest_identity(group, &of_identity)?;
        let owner = owner.map(|id| place::player_id(&id)).transpose()?;
        if let Some(other) = owner.filter(|owner| owner != player) {
            return Ok(Linked::IdentityTaken(other));
        }
        let own = self.newest_identity(group, &of_player)?;
        if own.is_some_and(|subject| subject != identity.subject) {
            return Ok(Linked::PlayerTaken);
        }
        if owner.is_none() {
            self.put_identity(group, of_identity, Some(player.as_bytes().to_vec()));
            self.put_identity(group, of_player, Some(identity.subject.to_vec()));
        }
        Ok(Linked::Done)
    }

    pub(super) fn unlink_identity(
        &self,
        group: &mut Group,
        issuer: &IssuerKey,
        player: &PlayerId,
    ) -> Result<bool, StoreError> {
        let of_player = of_player(issuer, player);
        let Some(subject) = self.newest_identity(group, &of_player)? else {
            return Ok(false);
        };
        let subject = subject.try_into().map_err(|_| place::damaged())?;
        let issuer = *issuer;
        self.put_identity(group, of_identity(&IdentityKey { issuer, subject }), None);
        self.put_identity(group, of_player, None);
        Ok(true)
    }

    /// What is kept under a key, with what this group is about to write.
    fn newest_identity(&self, group: &Group, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        match group.identities.get(key) {
            Some(written) => Ok(written.clone()),
            None => self.folder.identity(key),
        }
    }

    fn put_identity(&self, group: &mut Group, key: Vec<u8>, value: Option<Vec<u8>>) {
        self.folder.put_identity(&mut group.batch, key.clone(), value.clone());
        group.identities.insert(key, value);
    }
}
