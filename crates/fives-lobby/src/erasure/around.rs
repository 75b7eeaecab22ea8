//! What else is kept about a person, around the tables: ratings, places in queues, links to outside identities.

use async_trait::async_trait;
use fives_referee::id::PlayerId;

use super::Forget;
use crate::error::Error;
use crate::identity::{Identities, IssuerKey};
use crate::queue::Matchmaker;
use crate::rating::RatingBook;

#[async_trait]
impl Forget for RatingBook {
    fn what(&self) -> &'static str {
        "ratings"
    }

    async fn forget(&self, player: &PlayerId) -> Result<(), Error> {
        Self::forget(self, player).await
    }
}

#[async_trait]
impl Forget for Matchmaker {
    fn what(&self) -> &'static str {
        "queues"
    }

    async fn forget(&self, player: &PlayerId) -> Result<(), Error> {
        Self::forget(self, player).await
    }
}

/// The identities of these issuers that a person is linked to.
pub struct Links {
    identities: Identities,
    issuers: Vec<IssuerKey>,
}

impl Links {
    /// The links that `identities` keeps to `issuers`.
    #[must_use]
    pub const fn new(identities: Identities, issuers: Vec<IssuerKey>) -> Self {
        Self { identities, issuers }
    }
}

#[async_trait]
impl Forget for Links {
    fn what(&self) -> &'static str {
        "identities"
    }

    async fn forget(&self, player: &PlayerId) -> Result<(), Error> {
        self.identities.forget(player, self.issuers.iter().copied()).await
    }
}
