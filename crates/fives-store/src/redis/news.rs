//! Hints about players, and what is said at tables: both are only announced.

use async_trait::async_trait;
use fives_lobby::store::{EmoteStore, NewsStore};
use fives_referee::emote::Emote;
use fives_referee::id::{MatchId, PlayerId};
use fives_referee::listing::{ListPosition, Listing};
use fives_referee::store::{Hint, StoreError};
use fives_referee::table::Table;
use futures::future::try_join_all;
use redis::cmd;
use tokio::sync::{broadcast, watch};
use tracing::debug;

use super::failure::unread;
use super::keys::Topic;
use super::lists::people;
use super::{RedisStore, announcement, keys};

#[async_trait]
impl NewsStore for RedisStore {
    async fn watch_player(&self, id: &PlayerId) -> Result<watch::Receiver<Hint>, StoreError> {
        self.hints.watch(&Topic::Player(*id)).await
    }

    async fn tell_players(&self, ids: &[PlayerId]) -> Result<(), StoreError> {
        try_join_all(ids.iter().map(async |id| {
            let mut publish = cmd("PUBLISH");
            publish.arg(keys::channel(&Topic::Player(*id))).arg("");
            self.link.run::<()>(&publish).await.map_err(unread)
        }))
        .await
        .map(drop)
    }

    async fn newest_matches(&self, id: &PlayerId, limit: usize) -> Result<Vec<ListPosition>, StoreError> {
        self.listed(&Listing::Of(*id), None, limit).await
    }
}

#[async_trait]
impl EmoteStore for RedisStore {
    async fn send_emote(&self, id: &MatchId, emote: &Emote) -> Result<(), StoreError> {
        let mut publish = cmd("PUBLISH");
        publish
            .arg(keys::channel(&Topic::Match(*id)))
            .arg(announcement::of_emote(emote));
        self.link.run::<()>(&publish).await.map_err(unread)
    }

    fn emotes(&self, id: &MatchId) -> broadcast::Receiver<Emote> {
        self.hints.emotes(id)
    }
}

impl RedisStore {
    /// Wakes those who were not at a table before. Who is not woken finds it a little later.
    pub(super) async fn tell_newcomers(&self, before: Option<&Table>, table: &Table) {
        let known = before.map(people).unwrap_or_default();
        let newcomers: Vec<PlayerId> = people(table).difference(&known).copied().collect();
        if let Err(error) = self.tell_players(&newcomers).await {
            debug!(error = &error as &dyn std::error::Error, "newcomers were not told");
        }
    }
}
