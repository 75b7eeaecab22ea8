//! How well somebody plays, as far as queues care.

use async_trait::async_trait;
use fives_referee::id::PlayerId;
use fives_rules::options::MatchOptions;

use crate::error::Error;

/// What somebody has of whom nothing is known.
pub const START_POINTS: i32 = 1500;

/// Tells ratings.
#[async_trait]
pub trait RatingSource: Send + Sync + 'static {
    /// How well a player plays matches with these options, in points around [`START_POINTS`].
    ///
    /// # Errors
    /// The store's.
    async fn points(&self, options: &MatchOptions, player: &PlayerId) -> Result<i32, Error>;
}

/// Everybody plays equally well.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Unrated;

#[async_trait]
impl RatingSource for Unrated {
    async fn points(&self, _: &MatchOptions, _: &PlayerId) -> Result<i32, Error> {
        Ok(START_POINTS)
    }
}
