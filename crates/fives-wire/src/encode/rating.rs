//! Ratings and leaderboards.

use fives_lobby::rating::{LISTED_AFTER, Pool, Ranked, RatingChange, Standing};
use fives_referee::player::Player;
use fives_referee::request::Fingerprint;

use super::{player, timestamp};
use crate::{page_token, v1};

/// Where somebody stands in a pool.
#[must_use]
pub fn rating(pool: Pool, standing: &Standing) -> v1::Rating {
    let missing = LISTED_AFTER.saturating_sub(standing.matches);
    v1::Rating {
        pool: rating_pool(pool).into(),
        rating: standing.rating.value(),
        deviation: standing.rating.deviation(),
        points: standing.rating.points(),
        matches: standing.matches,
        matches_until_ranked: u32::try_from(missing).unwrap_or(u32::MAX),
    }
}

/// What a match has made of a rating.
#[must_use]
pub fn rating_change(change: &RatingChange) -> v1::RatingChange {
    v1::RatingChange {
        match_id: change.match_id.to_string(),
        rate_time: Some(timestamp(change.at)),
        rating_before: change.before.value(),
        deviation_before: change.before.deviation(),
        rating_after: change.after.value(),
        deviation_after: change.after.deviation(),
        number: change.number,
    }
}

/// Somebody on a leaderboard.
#[must_use]
pub fn ranked_player(pool: Pool, ranked: &Ranked, who: &Player) -> v1::RankedPlayer {
    v1::RankedPlayer {
        rank: ranked.rank,
        player: Some(player(who)),
        rating: Some(rating(pool, &ranked.standing)),
        reach_time: Some(timestamp(ranked.place.reached_at)),
    }
}

/// The token for the page behind the first `count` of the leaderboard with this fingerprint.
#[must_use]
pub fn leaderboard_token(list: &Fingerprint, count: u64) -> String {
    page_token::write_count(list, count)
}

const fn rating_pool(pool: Pool) -> v1::RatingPool {
    match pool {
        Pool::Singles => v1::RatingPool::Singles,
        Pool::Partners => v1::RatingPool::Partners,
    }
}
