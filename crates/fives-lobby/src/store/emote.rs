//! Passing on what is said at a table.

use async_trait::async_trait;
use fives_referee::emote::Emote;
use fives_referee::id::MatchId;
use fives_referee::store::StoreError;
use tokio::sync::broadcast;

/// How many emotes a listener may be behind before it misses the oldest.
pub const EMOTES_BEHIND: usize = 8;

/// Passes emotes on to every process. Nothing is kept, and any may be lost.
#[async_trait]
pub trait EmoteStore: Send + Sync + 'static {
    /// Passes an emote on to whoever listens to the match.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn send_emote(&self, id: &MatchId, emote: &Emote) -> Result<(), StoreError>;

    /// What is said at a match from now on, for as long as this process watches it
    /// ([`MatchStore::watch`](fives_referee::store::MatchStore::watch)); nothing, if it does not.
    fn emotes(&self, id: &MatchId) -> broadcast::Receiver<Emote>;
}
