//! Looking at a match: now, from now on, or when it is over.

use fives_referee::cursor::Cursor;
use fives_referee::id::{InviteCode, MatchId};

use super::field::{cursor, invite_code, match_id};
use super::invalid::{Invalid, both};
use crate::v1;

/// A stream that somebody wants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Following {
    /// Of which match.
    pub id: MatchId,
    /// What was received last.
    pub after: Option<Cursor>,
    /// What opens a private one.
    pub code: Option<InviteCode>,
    /// Whether emotes come, too.
    pub hears_emotes: bool,
}

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
pub fn follow_match(request: &v1::FollowMatchRequest) -> Result<Following, Invalid> {
    Ok(Following {
        id: match_id(&request.match_id)?,
        after: request.after.as_ref().map(cursor),
        code: None,
        hears_emotes: !request.no_emotes,
    })
}

/// A match that somebody wants to watch.
///
/// # Errors
/// The fields at fault.
pub fn watch_match(request: &v1::WatchMatchRequest) -> Result<Following, Invalid> {
    let (id, code) = both(match_id(&request.match_id), invite_code(&request.invite_code))?;
    Ok(Following {
        id,
        after: request.after.as_ref().map(cursor),
        code,
        hears_emotes: !request.no_emotes,
    })
}
