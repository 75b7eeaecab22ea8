//! Keeping ratings.

use async_trait::async_trait;
use fives_referee::id::PlayerId;
use fives_referee::store::StoreError;

use crate::rating::{Place, Pool, RatingChange, Settlement, Standing};

/// What came of an attempt to settle a match.
#[derive(Clone, PartialEq, Debug)]
pub enum Settled {
    /// It is kept.
    Done,
    /// The match was settled before, and so. Nothing has changed.
    Already(Settlement),
    /// A player's standing is not the expected one any more; nothing has changed.
    Conflict,
}

/// Keeps standings, leaderboards and how they came about.
///
/// A leaderboard lists the players of a pool that have a [`Standing::place`], in the order of [`Place`]; it follows from the
/// standings and changes with them.
#[async_trait]
pub trait RatingStore: Send + Sync + 'static {
    /// The standings of these players, in their order; `None` for who has none.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn standings(&self, pool: Pool, players: &[PlayerId]) -> Result<Vec<Option<Standing>>, StoreError>;

    /// If the match is not settled yet and every player still has the standing that the settlement begins with: keeps all of it,
    /// durably before it answers. Standings, leaderboard and the note that the match is settled change in one atomic step; the
    /// players' lists of changes may follow a moment later, but are complete before there is an answer, whether this call has
    /// settled the match or an earlier one that came to no answer. So calling again is always safe, and finishes what was begun.
    ///
    /// The note is kept for at least as long as the match.
    ///
    /// # Errors
    /// [`StoreError`]; [`StoreError::Unconfirmed`] if it is perhaps kept.
    async fn settle_ratings(&self, settlement: &Settlement) -> Result<Settled, StoreError>;

    /// The last changes of a player's rating, newest first: at most [`CHANGES_MAX`](crate::rating::CHANGES_MAX).
    ///
    /// # Errors
    /// [`StoreError`].
    async fn rating_changes(&self, pool: Pool, player: &PlayerId) -> Result<Vec<RatingChange>, StoreError>;

    /// At most `limit` places of a leaderboard, behind the first `skip`.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn places(&self, pool: Pool, skip: u64, limit: usize) -> Result<Vec<Place>, StoreError>;

    /// How many are ahead of a player, or `None` for who is not listed.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn count_ahead(&self, pool: Pool, player: &PlayerId) -> Result<Option<u64>, StoreError>;

    /// How many a leaderboard lists.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn count_listed(&self, pool: Pool) -> Result<u64, StoreError>;

    /// Removes everything about a player: standings, places, changes. What is not there is removed already. The notes about
    /// settled matches go with their matches.
    ///
    /// # Errors
    /// [`StoreError`]; [`StoreError::Unconfirmed`] if it is perhaps done: do it again.
    async fn forget_ratings(&self, player: &PlayerId) -> Result<(), StoreError>;
}
