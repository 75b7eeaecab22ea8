//! Looking at a match: now, from now on, or when it is over.

use fives_referee::cursor::Cursor;
use fives_referee::id::{InviteCode, MatchId};

use super::field::{cursor, invite_code, match_id};
use super::invalid::{Invalid, both};
use crate::v1;

/// A match that somebody wants to see.
///
/// # Errors
/// The fields at fault.
pub fn get_match(request: &v1::GetMatchRequest) -> Result<(MatchId, Option<InviteCode>), Invalid> {
    both(match_id(&request.match_id), invite_code(&request.invite_code))
}

/// A record that somebody wants.
///
/// # Errors
/// The fields at fault.
pub fn get_replay(request: &v1::GetReplayRequest) -> Result<(MatchId, Option<InviteCode>), Invalid> {
    both(match_id(&request.match_id), invite_code(&request.invite_code))
}

/// A match that somebody wants to follow.
///
/// # Errors
/// The field at fault.
pub fn follow_match(request: &v1::FollowMatchRequest) -> Result<(MatchId, Option<Cursor>), Invalid> {
    Ok((match_id(&request.match_id)?, request.after.as_ref().map(cursor)))
}

/// A match that somebody wants to watch.
///
/// # Errors
/// The fields at fault.
pub fn watch_match(request: &v1::WatchMatchRequest) -> Result<(MatchId, Option<Cursor>, Option<InviteCode>), Invalid> {
    let (id, code) = both(match_id(&request.match_id), invite_code(&request.invite_code))?;
    Ok((id, request.after.as_ref().map(cursor), code))
}
