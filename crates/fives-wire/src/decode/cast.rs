//! Casting a match.

use fives_referee::cursor::Cursor;
use fives_referee::id::MatchId;

use super::Invalid;
use super::field::{cursor, match_id};
use crate::v1;

/// A match that somebody wants to cast.
///
/// # Errors
/// The field at fault.
pub fn cast_match(request: &v1::CastMatchRequest) -> Result<(MatchId, Option<Cursor>), Invalid> {
    Ok((match_id(&request.match_id)?, request.after.as_ref().map(cursor)))
}
