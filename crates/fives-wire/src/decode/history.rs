//! Histories, and the wish to be in none.

use fives_lobby::history::Wanted;
use fives_referee::id::PlayerId;
use fives_referee::listing::ListPosition;
use fives_referee::request::Fingerprint;
use fives_referee::time::UnixMillis;
use prost::Message;
use prost_types::Timestamp;

use super::field::{known, optional, parsed};
use super::invalid::{Invalid, both};
use super::list::{after, size};
use crate::v1;

/// A page of a history.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ListPlayed {
    /// What the matches must be like.
    pub wanted: Wanted,
    /// How many at most; at least 1, and not yet cut to the server's limit.
    pub size: usize,
    /// Behind which match it begins.
    pub after: Option<ListPosition>,
    /// What its tokens are bound to: the player and all filters.
    pub fingerprint: Fingerprint,
}

/// A page of the history of `caller`.
///
/// # Errors
/// The fields at fault.
pub fn list_played_matches(request: &v1::ListPlayedMatchesRequest, caller: &PlayerId) -> Result<ListPlayed, Invalid> {
    let filters = v1::ListPlayedMatchesRequest {
        page_size: 0,
        page_token: String::new(),
        ..request.clone()
    };
    let fingerprint = Fingerprint::of(&[b"played", caller.as_bytes(), &filters.encode_to_vec()]);
    let with = optional("with_player_id", &request.with_player_id);
    let since = request.since.as_ref().map(since).transpose();
    let page = after(&request.page_token, &fingerprint);
    let ((finished, with), (since, after)) = both(both(is_finished(request.state), with), both(since, page))?;
    Ok(ListPlayed {
        wanted: Wanted {
            finished,
            ranked: request.ranked,
            with,
            since,
        },
        size: size(request.page_size),
        after,
        fingerprint,
    })
}

/// Whether `caller` wants to be erased, and says so.
///
/// # Errors
/// The field at fault.
pub fn delete_player(request: &v1::DeletePlayerRequest, caller: &PlayerId) -> Result<(), Invalid> {
    let field = "confirm_player_id";
    if request.confirm_player_id.is_empty() {
        return Err(Invalid::missing(field));
    }
    match parsed::<PlayerId>(field, &request.confirm_player_id)? {
        confirmed if confirmed == *caller => Ok(()),
        _ => Err(Invalid::field(field, "it is not your own player id")),
    }
}

fn is_finished(state: i32) -> Result<Option<bool>, Invalid> {
    match known("state", state)? {
        v1::MatchState::Unspecified => Ok(None),
        v1::MatchState::Finished => Ok(Some(true)),
        v1::MatchState::Closed => Ok(Some(false)),
        v1::MatchState::Open | v1::MatchState::Live => {
            Err(Invalid::field("state", "a match that was played is FINISHED or CLOSED"))
        }
    }
}

fn since(since: &Timestamp) -> Result<UnixMillis, Invalid> {
    let impossible = || Invalid::field("since", "it is no time since 1970");
    let seconds = u64::try_from(since.seconds).map_err(|_| impossible())?;
    let nanos = u64::try_from(since.nanos).ok().filter(|nanos| *nanos < 1_000_000_000);
    let ms = seconds.checked_mul(1000).ok_or_else(impossible)?;
    Ok(UnixMillis(ms).plus_ms(nanos.ok_or_else(impossible)?.div_ceil(1_000_000)))
}
