//! Playing once more.

use fives_referee::id::MatchId;
use fives_referee::request::RequestId;

use super::field::{match_id, request_id};
use super::invalid::{Invalid, both};
use crate::v1;

/// What somebody says to another match: under which id, after which match, and whether it is yes.
///
/// # Errors
/// The fields at fault.
pub fn answer_rematch(request: &v1::AnswerRematchRequest) -> Result<(RequestId, MatchId, bool), Invalid> {
    let (id, of) = both(request_id(&request.request_id), match_id(&request.match_id))?;
    Ok((id, of, !request.decline))
}

/// The match after which somebody asks.
///
/// # Errors
/// The field at fault.
pub fn get_rematch(request: &v1::GetRematchRequest) -> Result<MatchId, Invalid> {
    match_id(&request.match_id)
}
