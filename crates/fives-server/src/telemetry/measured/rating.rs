//! Ratings.

use fives_lobby::rating::{Place, Pool, RatingChange, Settlement, Standing};
use fives_lobby::store::{RatingStore, Settled};
use fives_referee::id::PlayerId;
use fives_referee::store::StoreError;

use super::Measured;

#[tonic::async_trait]
impl RatingStore for Measured {
    async fn standings(&self, pool: Pool, players: &[PlayerId]) -> Result<Vec<Option<Standing>>, StoreError> {
        self.measured("store.standings", self.store.standings(pool, players))
            .await
    }

    async fn settle_ratings(&self, settlement: &Settlement) -> Result<Settled, StoreError> {
        self.measured("store.settle_ratings", self.store.settle_ratings(settlement))
            .await
    }

    async fn rating_changes(&self, pool: Pool, player: &PlayerId) -> Result<Vec<RatingChange>, StoreError> {
        self.measured("store.rating_changes", self.store.rating_changes(pool, player))
            .await
    }

    async fn places(&self, pool: Pool, skip: u64, limit: usize) -> Result<Vec<Place>, StoreError> {
        self.measured("store.places", self.store.places(pool, skip, limit))
            .await
    }

    async fn count_ahead(&self, pool: Pool, player: &PlayerId) -> Result<Option<u64>, StoreError> {
        self.measured("store.count_ahead", self.store.count_ahead(pool, player))
            .await
    }

    async fn count_listed(&self, pool: Pool) -> Result<u64, StoreError> {
        self.measured("store.count_listed", self.store.count_listed(pool)).await
    }

    async fn forget_ratings(&self, player: &PlayerId) -> Result<(), StoreError> {
        self.measured("store.forget_ratings", self.store.forget_ratings(player))
            .await
    }
}
