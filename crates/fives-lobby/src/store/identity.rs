//! What outside identities need of a store.

use async_trait::async_trait;
use fives_referee::id::PlayerId;
use fives_referee::store::StoreError;

use crate::identity::{IdentityKey, IssuerKey};

/// What came of an attempt to link.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Linked {
    /// They belong together now, or did so already.
    Done,
    /// The identity is this player's; nothing has changed.
    IdentityTaken(PlayerId),
    /// The player has another identity of the issuer; nothing has changed.
    PlayerTaken,
}

/// Keeps which outside identity is which player. A link never changes until it is taken away, so whoever has read one may
/// remember it.
#[async_trait]
pub trait IdentityStore: Send + Sync + 'static {
    /// The player of an identity, or `None`.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn find_identity(&self, identity: &IdentityKey) -> Result<Option<PlayerId>, StoreError>;

    /// In one atomic step, durably before it answers: if neither the identity has a player nor the player an identity of that
    /// issuer, they belong together from now on.
    ///
    /// # Errors
    /// [`StoreError`]; [`StoreError::Unconfirmed`] if it is perhaps kept.
    async fn link_identity(&self, identity: &IdentityKey, player: &PlayerId) -> Result<Linked, StoreError>;

    /// Takes away the player's link to an identity of this issuer, in one atomic step and durably before it answers; false if
    /// there was none. For players who are erased.
    ///
    /// # Errors
    /// [`StoreError`]; [`StoreError::Unconfirmed`] if it is perhaps done.
    async fn unlink_identity(&self, issuer: &IssuerKey, player: &PlayerId) -> Result<bool, StoreError>;
}
