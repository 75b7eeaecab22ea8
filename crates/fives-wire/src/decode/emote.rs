//! Saying something at a table.

use fives_referee::emote::EmoteKind;
use fives_referee::id::MatchId;

use super::field::{known, match_id};
use super::invalid::{Invalid, both};
use crate::v1;

/// What somebody says, and where.
///
/// # Errors
/// The fields at fault.
pub fn send_emote(request: &v1::SendEmoteRequest) -> Result<(MatchId, EmoteKind), Invalid> {
    both(match_id(&request.match_id), kind(request.kind))
}

fn kind(value: i32) -> Result<EmoteKind, Invalid> {
    Ok(match known("kind", value)? {
        v1::EmoteKind::Unspecified => return Err(Invalid::missing("kind")),
        v1::EmoteKind::Hello => EmoteKind::Hello,
        v1::EmoteKind::GoodLuck => EmoteKind::GoodLuck,
        v1::EmoteKind::GoodPlay => EmoteKind::GoodPlay,
        v1::EmoteKind::WellDone => EmoteKind::WellDone,
        v1::EmoteKind::Wow => EmoteKind::Wow,
        v1::EmoteKind::Oops => EmoteKind::Oops,
        v1::EmoteKind::Thinking => EmoteKind::Thinking,
        v1::EmoteKind::Hurry => EmoteKind::Hurry,
        v1::EmoteKind::Sorry => EmoteKind::Sorry,
        v1::EmoteKind::Thanks => EmoteKind::Thanks,
        v1::EmoteKind::GoodGame => EmoteKind::GoodGame,
    })
}
