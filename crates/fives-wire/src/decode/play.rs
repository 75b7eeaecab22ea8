//! Placing a tile, giving up, and coming back.

use fives_referee::command::Command;
use fives_referee::cursor::Cursor;
use fives_referee::id::MatchId;
use fives_referee::request::RequestId;
use fives_rules::play::{End, Play};
use fives_rules::tile::{Pip, Tile};

use super::field::{cursor, known, match_id, request_id};
use super::invalid::{Invalid, both};
use crate::v1;

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

/// A tile that somebody wants to place.
///
/// # Errors
/// The fields at fault.
pub fn play_tile(request: &v1::PlayTileRequest) -> Result<PlayTile, Invalid> {
    let (expected, validate_only) = (request.expected_cursor.as_ref().map(cursor), request.validate_only);
    let named = both(request_id(&request.request_id), match_id(&request.match_id));
    let round = request.round.ok_or_else(|| Invalid::missing("round"));
    let ((request, id), (round, play)) = both(named, both(round, play(request.play.as_ref())))?;
    Ok(PlayTile {
        request,
        id,
        command: Command::Play { round, play },
        expected,
        validate_only,
    })
}

/// Somebody who gives up.
///
/// # Errors
/// The fields at fault.
pub fn resign(request: &v1::ResignRequest) -> Result<(RequestId, MatchId, Command), Invalid> {
    let (request, id) = both(request_id(&request.request_id), match_id(&request.match_id))?;
    Ok((request, id, Command::Resign))
}

/// Somebody who takes a seat back.
///
/// # Errors
/// The fields at fault.
pub fn reclaim_seat(request: &v1::ReclaimSeatRequest) -> Result<(RequestId, MatchId, Command), Invalid> {
    let (request, id) = both(request_id(&request.request_id), match_id(&request.match_id))?;
    Ok((request, id, Command::ReclaimSeat))
}

fn play(given: Option<&v1::Play>) -> Result<Play, Invalid> {
    let given = given.ok_or_else(|| Invalid::missing("play"))?;
    let (tile, end) = both(tile(given.tile.as_ref()), end(given.end))?;
    Ok(Play { tile, end })
}

fn tile(given: Option<&v1::Tile>) -> Result<Tile, Invalid> {
    let given = given.ok_or_else(|| Invalid::missing("play.tile"))?;
    let (high, low) = both(pip("play.tile.high", given.high), pip("play.tile.low", given.low))?;
    Ok(Tile::new(high, low))
}

fn pip(field: &str, value: u32) -> Result<Pip, Invalid> {
    let pip = u8::try_from(value).ok().and_then(Pip::new);
    pip.ok_or_else(|| Invalid::field(field, "a half of a tile has 0 to 6 pips"))
}

/// Whether an end must be named is for the rules to say.
fn end(value: i32) -> Result<Option<End>, Invalid> {
    Ok(match known::<v1::End>("play.end", value)? {
        v1::End::Unspecified => None,
        v1::End::Left => Some(End::Left),
        v1::End::Right => Some(End::Right),
        v1::End::North => Some(End::North),
        v1::End::South => Some(End::South),
    })
}
