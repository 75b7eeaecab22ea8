//! Sitting down and standing up.

use fives_referee::command::{Command, JoinTarget};
use fives_referee::id::{InviteCode, MatchId};
use fives_referee::invite::Shown;
use fives_referee::player::DisplayName;
use fives_referee::request::RequestId;
use fives_referee::time::UnixMillis;
use fives_rules::deal::Entropy;
use fives_rules::seat::Seat;

use super::field::{match_id, parsed, request_id};
use super::invalid::{Invalid, both};
use crate::v1;

/// Somebody who wants a seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JoinMatch {
    /// Makes a retry safe.
    pub request: RequestId,
    /// Of which match.
    pub target: JoinTarget,
    /// Which; `None` for the first open one.
    pub seat: Option<Seat>,
    /// What to add to the deals.
    pub entropy: Entropy,
}

impl JoinMatch {
    /// The code that it was found by, if it was.
    #[must_use]
    pub const fn code(&self) -> Option<InviteCode> {
        match self.target {
            JoinTarget::Id(_) => None,
            JoinTarget::Code(code) => Some(code),
        }
    }

    /// The command, from somebody of this name who is at the door at `now`.
    #[must_use]
    pub fn command(&self, name: DisplayName, now: UnixMillis) -> Command {
        let code = self.code().map(|code| Shown { code, at: now });
        Command::Join {
            seat: self.seat,
            entropy: self.entropy,
            code,
            name,
        }
    }
}

/// A seat that somebody wants.
///
/// # Errors
/// The fields at fault.
pub fn join_match(request: &v1::JoinMatchRequest) -> Result<JoinMatch, Invalid> {
    let named = both(request_id(&request.request_id), target(request));
    let brought = both(seat(request.seat), entropy(&request.entropy));
    let ((request, target), (seat, entropy)) = both(named, brought)?;
    Ok(JoinMatch {
        request,
        target,
        seat,
        entropy,
    })
}

/// A seat that somebody leaves.
///
/// # Errors
/// The fields at fault.
pub fn leave_match(request: &v1::LeaveMatchRequest) -> Result<(RequestId, MatchId, Command), Invalid> {
    let (request, id) = both(request_id(&request.request_id), match_id(&request.match_id))?;
    Ok((request, id, Command::Leave))
}

fn target(request: &v1::JoinMatchRequest) -> Result<JoinTarget, Invalid> {
    use v1::join_match_request::Target;
    match &request.target {
        None => Err(Invalid::missing("target")),
        Some(Target::MatchId(id)) => match_id(id).map(JoinTarget::Id),
        Some(Target::InviteCode(code)) => parsed("invite_code", code).map(JoinTarget::Code),
    }
}

/// Whether the match has the seat is the referee's to say.
pub(super) fn seat(index: Option<u32>) -> Result<Option<Seat>, Invalid> {
    let Some(index) = index else { return Ok(None) };
    let seat = u8::try_from(index).ok().and_then(Seat::new);
    seat.map(Some)
        .ok_or_else(|| Invalid::field("seat", "no match has such a seat"))
}

fn entropy(bytes: &[u8]) -> Result<Entropy, Invalid> {
    Entropy::new(bytes).ok_or_else(|| Invalid::field("entropy", format!("at most {} bytes", Entropy::MAX_LEN)))
}
