//! Ratings.

use fives_lobby::rating::{Pool, Rating, RatingChange, SettledRow, Settlement, Standing};
use fives_referee::id::MatchId;
use fives_referee::store::StoreError;
use fives_referee::time::UnixMillis;
use fives_rules::seat::Players;
use prost::Message;

use super::{Damage, SCHEMA, field, message, whole};
use crate::storage;

/// The bytes of a standing.
#[must_use]
pub fn encode_standing(standing: &Standing) -> Vec<u8> {
    let stored = storage::StoredStanding {
        schema: SCHEMA,
        standing: Some(standing_numbers(standing)),
    };
    stored.encode_to_vec()
}

/// The standing behind these bytes.
///
/// # Errors
/// [`StoreError::NewerSchema`], [`StoreError::Damaged`].
pub fn decode_standing(bytes: &[u8]) -> Result<Standing, StoreError> {
    let stored: storage::StoredStanding = message(bytes)?;
    whole(standing(stored.standing.as_ref()))
}

/// The bytes of a settlement.
#[must_use]
pub fn encode_settlement(settlement: &Settlement) -> Vec<u8> {
    let row = |row: &SettledRow| storage::SettledRow {
        player: row.player.as_bytes().to_vec(),
        before: Some(standing_numbers(&row.before)),
        after: Some(standing_numbers(&row.after)),
    };
    let stored = storage::StoredSettlement {
        schema: SCHEMA,
        r#match: settlement.match_id.as_bytes().to_vec(),
        pool: match settlement.pool {
            Pool::Singles => 0,
            Pool::Partners => 1,
        },
        at_ms: settlement.at.0,
        rows: settlement.rows.iter().map(row).collect(),
    };
    stored.encode_to_vec()
}

/// The settlement behind these bytes.
///
/// # Errors
/// [`StoreError::NewerSchema`], [`StoreError::Damaged`].
pub fn decode_settlement(bytes: &[u8]) -> Result<Settlement, StoreError> {
    let stored = message(bytes)?;
    whole(settlement(&stored))
}

/// The bytes of a change.
#[must_use]
pub fn encode_rating_change(change: &RatingChange) -> Vec<u8> {
    let stored = storage::StoredRatingChange {
        schema: SCHEMA,
        r#match: change.match_id.as_bytes().to_vec(),
        number: change.number,
        at_ms: change.at.0,
        before: Some(rating_numbers(change.before)),
        after: Some(rating_numbers(change.after)),
    };
    stored.encode_to_vec()
}

/// The change behind these bytes.
///
/// # Errors
/// [`StoreError::NewerSchema`], [`StoreError::Damaged`].
pub fn decode_rating_change(bytes: &[u8]) -> Result<RatingChange, StoreError> {
    let stored = message(bytes)?;
    whole(change(&stored))
}

const fn rating_numbers(rating: Rating) -> storage::RatingNumbers {
    storage::RatingNumbers {
        value: rating.value(),
        deviation: rating.deviation(),
        volatility: rating.volatility(),
    }
}

const fn standing_numbers(standing: &Standing) -> storage::StandingNumbers {
    storage::StandingNumbers {
        rating: Some(rating_numbers(standing.rating)),
        matches: standing.matches,
        reached_at_ms: standing.reached_at.0,
    }
}

fn rating(stored: Option<&storage::RatingNumbers>) -> Result<Rating, Damage> {
    let numbers = stored.ok_or("a rating is missing")?;
    Rating::new(numbers.value, numbers.deviation, numbers.volatility).ok_or("a rating is none")
}

fn standing(stored: Option<&storage::StandingNumbers>) -> Result<Standing, Damage> {
    let numbers = stored.ok_or("a standing is missing")?;
    Ok(Standing {
        rating: rating(numbers.rating.as_ref())?,
        matches: numbers.matches,
        reached_at: UnixMillis(numbers.reached_at_ms),
    })
}

fn match_id(bytes: &[u8]) -> Result<MatchId, Damage> {
    field::bytes(bytes).map(MatchId::from_bytes)
}

fn settlement(stored: &storage::StoredSettlement) -> Result<Settlement, Damage> {
    if stored.rows.len() > Players::Four.count() {
        return Err("a match has more players than seats");
    }
    let row = |row: &storage::SettledRow| {
        Ok(SettledRow {
            player: field::player_id(&row.player)?,
            before: standing(row.before.as_ref())?,
            after: standing(row.after.as_ref())?,
        })
    };
    Ok(Settlement {
        match_id: match_id(&stored.r#match)?,
        pool: match stored.pool {
            0 => Pool::Singles,
            1 => Pool::Partners,
            _ => return Err("there is no such pool"),
        },
        at: UnixMillis(stored.at_ms),
        rows: stored.rows.iter().map(row).collect::<Result<_, Damage>>()?,
    })
}

fn change(stored: &storage::StoredRatingChange) -> Result<RatingChange, Damage> {
    Ok(RatingChange {
        match_id: match_id(&stored.r#match)?,
        number: stored.number,
        at: UnixMillis(stored.at_ms),
        before: rating(stored.before.as_ref())?,
        after: rating(stored.after.as_ref())?,
    })
}
