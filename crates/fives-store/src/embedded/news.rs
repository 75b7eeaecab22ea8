//! Hints about players, what is said at tables, and rematches.

use async_trait::async_trait;
use fives_lobby::rematch::Rematch;
use fives_lobby::store::{EmoteStore, NewsStore, RematchStore};
use fives_referee::emote::Emote;
use fives_referee::id::{MatchId, PlayerId};
use fives_referee::listing::{ListPosition, Listing};
use fives_referee::store::{Hint, StoreError};
use tokio::sync::{broadcast, watch};

use super::index::{Change, Entry};
use super::writer::{Group, Write};
use super::{EmbeddedStore, Kept};

#[async_trait]
impl NewsStore for EmbeddedStore {
    async fn watch_player(&self, id: &PlayerId) -> Result<watch::Receiver<Hint>, StoreError> {
        Ok(self.kept.news.watch(id))
    }

    async fn tell_players(&self, ids: &[PlayerId]) -> Result<(), StoreError> {
        self.kept.news.tell(ids.iter().map(|id| (*id, 0)));
        Ok(())
    }

    async fn newest_matches(&self, id: &PlayerId, limit: usize) -> Result<Vec<ListPosition>, StoreError> {
        self.kept.folder.list(&Listing::Of(*id), None, limit)
    }
}

#[async_trait]
impl EmoteStore for EmbeddedStore {
    async fn send_emote(&self, id: &MatchId, emote: &Emote) -> Result<(), StoreError> {
        self.kept.emotes.say(id, *emote);
        Ok(())
    }

    fn emotes(&self, id: &MatchId) -> broadcast::Receiver<Emote> {
        self.kept.emotes.hear(id)
    }
}

#[async_trait]
impl RematchStore for EmbeddedStore {
    async fn rematch(&self, of: &MatchId) -> Result<Option<Rematch>, StoreError> {
        self.kept.folder.rematch(of)
    }

    async fn keep_rematch(&self, rematch: &Rematch) -> Result<bool, StoreError> {
        let rematch = rematch.clone();
        self.write(|answer| Write::KeepRematch { rematch, answer }).await
    }
}

/// What the writer thread does of it.
impl Kept {
    pub(super) fn keep_rematch(&self, group: &mut Group, rematch: Rematch) -> Result<bool, StoreError> {
        let version = match group.rematches.get(&rematch.of) {
            Some(version) => *version,
            None => self.folder.rematch(&rematch.of)?.map_or(0, |kept| kept.version),
        };
        if version + 1 != rematch.version || self.newest(group, &rematch.of)?.is_none() {
            return Ok(false);
        }
        self.folder.put_rematch(&mut group.batch, &rematch);
        group.rematches.insert(rematch.of, rematch.version);
        Ok(true)
    }

    /// Wakes everybody who has come to a match with these changes.
    pub(super) fn tell_newcomers(&self, changes: &[Change]) {
        let newcomers = changes.iter().filter_map(|change| match change {
            Change::New(Entry::Listed(Listing::Of(player), _)) => Some((*player, 0)),
            _ => None,
        });
        self.news.tell(newcomers);
    }
}
