//! When players were last there.

use async_trait::async_trait;

use super::StoreError;
use crate::id::PlayerId;
use crate::time::UnixMillis;

/// Keeps when players were last there, for [`LAST_SEEN_FOR_MS`] at least. Not durable beyond what the store does by itself.
///
/// [`LAST_SEEN_FOR_MS`]: crate::presence::LAST_SEEN_FOR_MS
#[async_trait]
pub trait PresenceStore: Send + Sync + 'static {
    /// Keeps that these players are there now, by the store's clock.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn renew_presence(&self, players: &[PlayerId]) -> Result<(), StoreError>;

    /// When each of these players was last there, in their order; `None` for who never was, or too long ago.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn last_seen(&self, players: &[PlayerId]) -> Result<Vec<Option<UnixMillis>>, StoreError>;
}
