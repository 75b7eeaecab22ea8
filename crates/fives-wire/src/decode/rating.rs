//! Ratings and leaderboards.

use fives_lobby::rating::Pool;
use fives_referee::id::PlayerId;
use fives_referee::request::Fingerprint;

use super::field::{known, optional};
use super::invalid::{Invalid, both};
use crate::{page_token, v1};

/// How many players a page has if nothing else is asked for.
const DEFAULT_PAGE_SIZE: usize = 50;

/// A part of a leaderboard.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LeaderboardPage {
    /// Which leaderboard.
    pub pool: Pool,
    /// Where it begins.
    pub begin: LeaderboardBegin,
    /// How many players at most; at least 1, and not yet cut to the server's limit.
    pub size: usize,
    /// What its tokens are bound to.
    pub fingerprint: Fingerprint,
}

/// Where a part of a leaderboard begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LeaderboardBegin {
    /// Behind so many.
    Behind(u64),
    /// So that this player is in the middle.
    Around(PlayerId),
}

/// Whose ratings; `None` for the caller's.
///
/// # Errors
/// The field at fault.
pub fn get_ratings(request: &v1::GetRatingsRequest) -> Result<Option<PlayerId>, Invalid> {
    optional("player_id", &request.player_id)
}

/// Whose changes, in which pool; `None` for the caller's.
///
/// # Errors
/// The fields at fault.
pub fn list_rating_changes(request: &v1::ListRatingChangesRequest) -> Result<(Pool, Option<PlayerId>), Invalid> {
    both(pool(request.pool), optional("player_id", &request.player_id))
}

/// Whose rank, in which pool; `None` for the caller's.
///
/// # Errors
/// The fields at fault.
pub fn get_rank(request: &v1::GetRankRequest) -> Result<(Pool, Option<PlayerId>), Invalid> {
    both(pool(request.pool), optional("player_id", &request.player_id))
}

/// A part of a leaderboard.
///
/// # Errors
/// The fields at fault.
pub fn list_leaderboard(request: &v1::ListLeaderboardRequest) -> Result<LeaderboardPage, Invalid> {
    let bound = [&request.pool.to_be_bytes(), request.around_player_id.as_bytes()].concat();
    let fingerprint = Fingerprint::of(&[b"leaderboard", &bound]);
    let around = optional("around_player_id", &request.around_player_id);
    let behind = behind(&request.page_token, &fingerprint);
    let ((pool, around), behind) = both(both(pool(request.pool), around), behind)?;
    let begin = match (behind, around) {
        (Some(count), _) => LeaderboardBegin::Behind(count),
        (None, Some(player)) => LeaderboardBegin::Around(player),
        (None, None) => LeaderboardBegin::Behind(0),
    };
    let size = match request.page_size {
        0 => DEFAULT_PAGE_SIZE,
        size => usize::try_from(size).unwrap_or(usize::MAX),
    };
    Ok(LeaderboardPage {
        pool,
        begin,
        size,
        fingerprint,
    })
}

fn pool(value: i32) -> Result<Pool, Invalid> {
    match known("pool", value)? {
        v1::RatingPool::Unspecified => Err(Invalid::missing("pool")),
        v1::RatingPool::Singles => Ok(Pool::Singles),
        v1::RatingPool::Partners => Ok(Pool::Partners),
    }
}

fn behind(token: &str, fingerprint: &Fingerprint) -> Result<Option<u64>, Invalid> {
    if token.is_empty() {
        return Ok(None);
    }
    page_token::read_count(token, fingerprint)
        .map(Some)
        .ok_or_else(|| Invalid::field("page_token", "it is not of this leaderboard"))
}
