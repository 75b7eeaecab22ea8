//! What else is kept about a person, around the tables: ratings, places in queues, links to outside identities, dead letters.

use async_trait::async_trait;
use fives_referee::id::PlayerId;

use super::Forget;
use crate::error::Error;
use crate::identity::{Identities, IssuerKey};
use crate::queue::Matchmaker;
use crate::rating::RatingBook;
use crate::store::{DEAD_LETTERS_MAX, SharedLobbyStore};

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

/// What could not be told of matches at which a person sat.
pub(super) struct DeadLetters(pub(super) SharedLobbyStore);

#[async_trait]
impl Forget for DeadLetters {
    fn what(&self) -> &'static str {
        "dead letters"
    }

    async fn forget(&self, player: &PlayerId) -> Result<(), Error> {
        for letter in self.0.dead_letters(DEAD_LETTERS_MAX).await? {
            if letter.notice.people().any(|named| named == *player) {
                self.0.drop_dead_letter(&letter.notice.id).await?;
            }
        }
        Ok(())
    }
}
