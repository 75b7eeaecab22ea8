//! Lists of matches: indexes that the store keeps, newest first.

use crate::id::{MatchId, PlayerId};
use crate::time::UnixMillis;

/// A list that a match can be in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Listing {
    /// Public matches that wait for seats to be taken.
    Open,
    /// Public matches that are being played and may be watched.
    Live,
    /// Matches that a player created or is seated at.
    Of(PlayerId),
}

/// Where a match stands in a list: newer ones first, equals by id.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ListPosition {
    /// When the match was created.
    pub created_at: UnixMillis,
    /// The match.
    pub id: MatchId,
}
