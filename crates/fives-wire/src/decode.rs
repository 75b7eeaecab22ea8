//! From messages to the domain: the door for everything that clients send (law 6).
//!
//! What comes out cannot be wrong any more; what cannot be taken is refused with the field and the reason. Nothing that is
//! missing and matters is made up here.

mod create;
mod list;

use std::fmt::Display;
use std::str::FromStr;

use fives_referee::command::{Command, JoinTarget};
use fives_referee::cursor::Cursor;
use fives_referee::id::{InviteCode, MatchId, PlayerId};
use fives_referee::player::{DeviceHash, DisplayName};
use fives_referee::request::RequestId;
use fives_rules::deal::Entropy;
use fives_rules::play::{End, Play};
use fives_rules::seat::Seat;
use fives_rules::tile::{Pip, Tile};

pub use create::create_match;
pub use list::{ListMatches, ListPage, Scope, list_live_matches, list_matches};

use crate::v1;

/// A request that says something impossible.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invalid {
    /// Which reason it is refused for.
    pub kind: InvalidKind,
    /// The field, by its path in the request.
    pub field: String,
    /// What is wrong with it.
    pub description: String,
}

/// Of which kind an [`Invalid`] is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InvalidKind {
    /// A field.
    Field,
    /// The options of a match.
    Options,
}

impl Invalid {
    fn field(field: impl Into<String>, description: impl Display) -> Self {
        Self {
            kind: InvalidKind::Field,
            field: field.into(),
            description: description.to_string(),
        }
    }

    fn missing(field: impl Into<String>) -> Self {
        Self::field(field, "it is required")
    }
}

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
    /// The command, from somebody of this name.
    #[must_use]
    pub fn command(&self, name: DisplayName) -> Command {
        let code = match self.target {
            JoinTarget::Id(_) => None,
            JoinTarget::Code(code) => Some(code),
        };
        Command::Join {
            seat: self.seat,
            entropy: self.entropy,
            code,
            name,
        }
    }
}

/// Somebody who wants to place a tile.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayTile {
    /// Makes a retry safe.
    pub request: RequestId,
    /// At which match.
    pub id: MatchId,
    /// In which round, and what.
    pub command: Command,
    /// Only if the match is here.
    pub expected: Option<Cursor>,
    /// Whether to check only.
    pub validate_only: bool,
}

/// A match that somebody wants to see.
///
/// # Errors
/// The field at fault.
pub fn get_match(request: &v1::GetMatchRequest) -> Result<(MatchId, Option<InviteCode>), Invalid> {
    Ok((match_id(&request.match_id)?, invite_code(&request.invite_code)?))
}

/// A seat that somebody wants.
///
/// # Errors
/// The field at fault.
pub fn join_match(request: &v1::JoinMatchRequest) -> Result<JoinMatch, Invalid> {
    use v1::join_match_request::Target;
    let target = match &request.target {
        None => return Err(Invalid::missing("target")),
        Some(Target::MatchId(id)) => JoinTarget::Id(match_id(id)?),
        Some(Target::InviteCode(code)) => JoinTarget::Code(parsed("invite_code", code)?),
    };
    let seat = |index: u32| u8::try_from(index).ok().and_then(Seat::new);
    let seat = match request.seat {
        None => None,
        Some(index) => Some(seat(index).ok_or_else(|| Invalid::field("seat", "no match has such a seat"))?),
    };
    let too_long = || Invalid::field("entropy", format!("at most {} bytes", Entropy::MAX_LEN));
    let entropy = Entropy::new(&request.entropy).ok_or_else(too_long)?;
    Ok(JoinMatch {
        request: request_id(&request.request_id)?,
        target,
        seat,
        entropy,
    })
}

/// A seat that somebody leaves.
///
/// # Errors
/// The field at fault.
pub fn leave_match(request: &v1::LeaveMatchRequest) -> Result<(RequestId, MatchId), Invalid> {
    Ok((request_id(&request.request_id)?, match_id(&request.match_id)?))
}

/// A tile that somebody wants to place.
///
/// # Errors
/// The field at fault.
pub fn play_tile(request: &v1::PlayTileRequest) -> Result<PlayTile, Invalid> {
    let round = request.round.ok_or_else(|| Invalid::missing("round"))?;
    let play = request.play.as_ref().ok_or_else(|| Invalid::missing("play"))?;
    let tile = play.tile.as_ref().ok_or_else(|| Invalid::missing("play.tile"))?;
    let play = Play {
        tile: Tile::new(pip("play.tile.high", tile.high)?, pip("play.tile.low", tile.low)?),
        end: end("play.end", play.end)?,
    };
    Ok(PlayTile {
        request: request_id(&request.request_id)?,
        id: match_id(&request.match_id)?,
        command: Command::Play { round, play },
        expected: request.expected_cursor.as_ref().map(cursor),
        validate_only: request.validate_only,
    })
}

/// Somebody who gives up.
///
/// # Errors
/// The field at fault.
pub fn resign(request: &v1::ResignRequest) -> Result<(RequestId, MatchId), Invalid> {
    Ok((request_id(&request.request_id)?, match_id(&request.match_id)?))
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
/// The field at fault.
pub fn watch_match(request: &v1::WatchMatchRequest) -> Result<(MatchId, Option<Cursor>, Option<InviteCode>), Invalid> {
    let after = request.after.as_ref().map(cursor);
    Ok((match_id(&request.match_id)?, after, invite_code(&request.invite_code)?))
}

/// A record that somebody wants.
///
/// # Errors
/// The field at fault.
pub fn get_replay(request: &v1::GetReplayRequest) -> Result<(MatchId, Option<InviteCode>), Invalid> {
    Ok((match_id(&request.match_id)?, invite_code(&request.invite_code)?))
}

/// Somebody who signs in: the name, which a known device does not need, and the device.
///
/// # Errors
/// The field at fault.
pub fn sign_in_guest(request: &v1::SignInGuestRequest) -> Result<(Option<DisplayName>, Option<DeviceHash>), Invalid> {
    let device = match request.device_key.as_str() {
        "" => None,
        key => Some(DeviceHash::of_key(key).ok_or_else(|| {
            let (min, max) = (DeviceHash::KEY_MIN_LEN, DeviceHash::KEY_MAX_LEN);
            Invalid::field(
                "device_key",
                format!("{min} to {max} printable ASCII characters without spaces"),
            )
        })?),
    };
    let name = match request.display_name.as_str() {
        "" if device.is_some() => None,
        name => Some(display_name(name)?),
    };
    Ok((name, device))
}

/// A player whom somebody looks for; `None` for the caller.
///
/// # Errors
/// The field at fault.
pub fn get_player(request: &v1::GetPlayerRequest) -> Result<Option<PlayerId>, Invalid> {
    optional("player_id", &request.player_id)
}

/// The new name, if there is one.
///
/// # Errors
/// The field at fault.
pub fn update_player(request: &v1::UpdatePlayerRequest) -> Result<Option<DisplayName>, Invalid> {
    request.display_name.as_deref().map(display_name).transpose()
}

fn display_name(text: &str) -> Result<DisplayName, Invalid> {
    DisplayName::new(text).map_err(|error| Invalid::field("display_name", error))
}

fn match_id(text: &str) -> Result<MatchId, Invalid> {
    parsed("match_id", text)
}

fn invite_code(text: &str) -> Result<Option<InviteCode>, Invalid> {
    optional("invite_code", text)
}

fn request_id(text: &str) -> Result<RequestId, Invalid> {
    let bounds = format!("1 to {} printable ASCII characters without spaces", RequestId::MAX_LEN);
    RequestId::new(text).map_err(|_| Invalid::field("request_id", bounds))
}

fn parsed<T: FromStr<Err: Display>>(field: &str, text: &str) -> Result<T, Invalid> {
    text.parse().map_err(|error| Invalid::field(field, error))
}

fn optional<T: FromStr<Err: Display>>(field: &str, text: &str) -> Result<Option<T>, Invalid> {
    if text.is_empty() {
        Ok(None)
    } else {
        parsed(field, text).map(Some)
    }
}

const fn cursor(cursor: &v1::Cursor) -> Cursor {
    Cursor {
        revision: cursor.revision,
        stamp: cursor.stamp,
    }
}

fn pip(field: &str, value: u32) -> Result<Pip, Invalid> {
    let pip = u8::try_from(value).ok().and_then(Pip::new);
    pip.ok_or_else(|| Invalid::field(field, "a half of a tile has 0 to 6 pips"))
}

fn end(field: &str, value: i32) -> Result<Option<End>, Invalid> {
    Ok(match known::<v1::End>(field, value)? {
        v1::End::Unspecified => None,
        v1::End::Left => Some(End::Left),
        v1::End::Right => Some(End::Right),
        v1::End::North => Some(End::North),
        v1::End::South => Some(End::South),
    })
}

/// A value of an enum that this release knows.
fn known<T: TryFrom<i32>>(field: &str, value: i32) -> Result<T, Invalid> {
    T::try_from(value).map_err(|_| Invalid::field(field, format!("{value} is no value of it")))
}
