//! Rematches, news and emotes, measured.

use fives_lobby::rematch::Rematch;
use fives_lobby::store::{EmoteStore, NewsStore, RematchStore};
use fives_referee::emote::Emote;
use fives_referee::id::{MatchId, PlayerId};
use fives_referee::listing::ListPosition;
use fives_referee::store::{Hint, StoreError};
use tokio::sync::{broadcast, watch};

use super::Measured;

#[tonic::async_trait]
impl RematchStore for Measured {
    async fn rematch(&self, of: &MatchId) -> Result<Option<Rematch>, StoreError> {
        self.measured("store.rematch", self.store.rematch(of)).await
    }

    async fn keep_rematch(&self, rematch: &Rematch) -> Result<bool, StoreError> {
        self.measured("store.keep_rematch", self.store.keep_rematch(rematch))
            .await
    }
}

#[tonic::async_trait]
impl NewsStore for Measured {
    async fn watch_player(&self, id: &PlayerId) -> Result<watch::Receiver<Hint>, StoreError> {
        self.measured("store.watch_player", self.store.watch_player(id)).await
    }

    async fn tell_players(&self, ids: &[PlayerId]) -> Result<(), StoreError> {
        self.measured("store.tell_players", self.store.tell_players(ids)).await
    }

    async fn newest_matches(&self, id: &PlayerId, limit: usize) -> Result<Vec<ListPosition>, StoreError> {
        self.measured("store.newest_matches", self.store.newest_matches(id, limit))
            .await
    }
}

#[tonic::async_trait]
impl EmoteStore for Measured {
    async fn send_emote(&self, id: &MatchId, emote: &Emote) -> Result<(), StoreError> {
        self.measured("store.send_emote", self.store.send_emote(id, emote))
            .await
    }

    fn emotes(&self, id: &MatchId) -> broadcast::Receiver<Emote> {
        self.store.emotes(id)
    }
}
