//! Hearing that something concerns a player.

use async_trait::async_trait;
use fives_referee::id::PlayerId;
use fives_referee::listing::ListPosition;
use fives_referee::store::{Hint, StoreError};
use tokio::sync::watch;

/// Tells of players' news. A hint may be late or missing; what is kept is the truth.
#[async_trait]
pub trait NewsStore: Send + Sync + 'static {
    /// Wakes whenever there may be news of a player: the store itself tells of each match that the player comes to, in whatever
    /// way. What the hints say does not matter.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn watch_player(&self, id: &PlayerId) -> Result<watch::Receiver<Hint>, StoreError>;

    /// Wakes whoever watches these players, in every process.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn tell_players(&self, ids: &[PlayerId]) -> Result<(), StoreError>;

    /// The newest matches in a player's list, as the index has them: one cheap read. Some may be gone, or not the player's any more.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn newest_matches(&self, id: &PlayerId, limit: usize) -> Result<Vec<ListPosition>, StoreError>;
}
