//! Making, revoking and listing invites.

use fives_referee::command::Command;
use fives_referee::id::MatchId;
use fives_referee::invite::InviteWish;
use fives_referee::request::RequestId;

use super::field::{match_id, parsed, request_id};
use super::invalid::{Invalid, both};
use super::seat::seat;
use crate::v1;

/// An invite that somebody wants to make.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CreateInvite {
    /// Makes a retry safe.
    pub request: RequestId,
    /// To which match.
    pub id: MatchId,
    /// What it shall be like.
    pub wish: InviteWish,
}

/// An invite that somebody wants to make.
///
/// # Errors
/// The fields at fault.
pub fn create_invite(request: &v1::CreateInviteRequest) -> Result<CreateInvite, Invalid> {
    let named = both(request_id(&request.request_id), match_id(&request.match_id));
    let bounds = both(lifetime_ms(request.expire_after_s), uses_max(request.uses_max));
    let ((request_id, id), ((lifetime_ms, uses_max), seat)) = both(named, both(bounds, seat(request.seat)))?;
    Ok(CreateInvite {
        request: request_id,
        id,
        wish: InviteWish {
            seat,
            lifetime_ms,
            uses_max,
        },
    })
}

/// An invite that somebody takes back.
///
/// # Errors
/// The fields at fault.
pub fn revoke_invite(request: &v1::RevokeInviteRequest) -> Result<(RequestId, MatchId, Command), Invalid> {
    let named = both(request_id(&request.request_id), match_id(&request.match_id));
    let ((request, id), code) = both(named, parsed("invite_code", &request.invite_code))?;
    Ok((request, id, Command::RevokeInvite { code }))
}

/// The match whose invites somebody wants to see.
///
/// # Errors
/// The field at fault.
pub fn list_invites(request: &v1::ListInvitesRequest) -> Result<MatchId, Invalid> {
    match_id(&request.match_id)
}

fn lifetime_ms(seconds: Option<u32>) -> Result<Option<u64>, Invalid> {
    let lifetime_ms = seconds.map(|seconds| u64::from(seconds) * 1000);
    match lifetime_ms {
        Some(lifetime_ms) if !(1..=InviteWish::MAX_LIFETIME_MS).contains(&lifetime_ms) => Err(Invalid::field(
            "expire_after_s",
            format!("1 to {}", InviteWish::MAX_LIFETIME_MS / 1000),
        )),
        lifetime_ms => Ok(lifetime_ms),
    }
}

fn uses_max(most: Option<u32>) -> Result<Option<u32>, Invalid> {
    match most {
        Some(most) if !(1..=InviteWish::MAX_USES).contains(&most) => {
            Err(Invalid::field("uses_max", format!("1 to {}", InviteWish::MAX_USES)))
        }
        most => Ok(most),
    }
}
