//! Saying something at a table, and hearing it.

use fives_referee::emote::{Emote, EmoteKind};
use fives_referee::error::{Error, Refusal};
use fives_referee::id::{MatchId, PlayerId};
use fives_referee::table::MatchState;
use tokio::sync::broadcast;

use crate::store::SharedLobbyStore;

/// What is said at the tables of a store. Cheap to clone.
#[derive(Clone)]
pub struct Emotes {
    store: SharedLobbyStore,
}

impl Emotes {
    /// What is said at the tables of `store`.
    #[must_use]
    pub const fn new(store: SharedLobbyStore) -> Self {
        Self { store }
    }

    /// Says something from the seat of `player`, to whoever follows the match through any process.
    ///
    /// # Errors
    /// [`Refusal::MatchNotFound`], [`Refusal::NotSeated`], [`Refusal::Over`], [`Refusal::Closed`]; the store's errors.
    pub async fn send(&self, id: &MatchId, player: &PlayerId, kind: EmoteKind) -> Result<(), Error> {
        let table = self.store.load(id).await?.ok_or(Refusal::MatchNotFound)?;
        let seat = table.seat_of(player).ok_or(Refusal::NotSeated)?;
        match table.state() {
            MatchState::Open | MatchState::Live => {}
            MatchState::Finished => return Err(Refusal::Over.into()),
            MatchState::Closed => return Err(Refusal::Closed.into()),
        }
        let at = self.store.now().await?;
        Ok(self.store.send_emote(id, &Emote { seat, kind, at }).await?)
    }

    /// What is said at a match that this process follows, from now on.
    #[must_use]
    pub fn hear(&self, id: &MatchId) -> broadcast::Receiver<Emote> {
        self.store.emotes(id)
    }
}
