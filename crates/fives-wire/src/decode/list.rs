//! Lists, and the tokens that turn their pages.

use data_encoding::BASE64URL_NOPAD;
use fives_referee::id::MatchId;
use fives_referee::listing::ListPosition;
use fives_referee::request::Fingerprint;
use fives_referee::table::MatchState;
use fives_referee::time::UnixMillis;
use fives_rules::seat::Players;

use super::{Invalid, known};
use crate::v1;

/// How many matches a page has if nothing else is asked for.
const DEFAULT_PAGE_SIZE: usize = 50;

/// Which of the lists of MatchService.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// Public matches that wait for seats to be taken.
    Open,
    /// The caller's.
    Mine,
}

/// A page of a list of MatchService.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ListMatches {
    /// Which list.
    pub scope: Scope,
    /// Only those in this state.
    pub state: Option<MatchState>,
    /// Which page of it.
    pub page: ListPage,
}

/// A page of any list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ListPage {
    /// Only matches with so many seats.
    pub players: Option<Players>,
    /// How many matches at most; at least 1, and not yet cut to the server's limit.
    pub size: usize,
    /// Behind which match it begins.
    pub after: Option<ListPosition>,
    /// What its tokens are bound to: the list and all its filters.
    pub fingerprint: Fingerprint,
}

/// A page of a list of MatchService.
///
/// # Errors
/// The field at fault.
pub fn list_matches(request: &v1::ListMatchesRequest) -> Result<ListMatches, Invalid> {
    let scope = match known("scope", request.scope)? {
        v1::MatchScope::Unspecified => return Err(Invalid::missing("scope")),
        v1::MatchScope::Open => Scope::Open,
        v1::MatchScope::Mine => Scope::Mine,
    };
    let state = match known("state", request.state)? {
        v1::MatchState::Unspecified => None,
        v1::MatchState::Open => Some(MatchState::Open),
        v1::MatchState::Live => Some(MatchState::Live),
        v1::MatchState::Finished => Some(MatchState::Finished),
        v1::MatchState::Closed => Some(MatchState::Closed),
    };
    let bound = [
        request.scope.to_be_bytes(),
        request.players.to_be_bytes(),
        request.state.to_be_bytes(),
    ]
    .concat();
    let fingerprint = Fingerprint::of(&[b"matches", &bound]);
    let page = page(request.players, request.page_size, &request.page_token, fingerprint)?;
    Ok(ListMatches { scope, state, page })
}

/// A page of live matches.
///
/// # Errors
/// The field at fault.
pub fn list_live_matches(request: &v1::ListLiveMatchesRequest) -> Result<ListPage, Invalid> {
    let fingerprint = Fingerprint::of(&[b"live", &request.players.to_be_bytes()]);
    page(request.players, request.page_size, &request.page_token, fingerprint)
}

fn page(players: u32, size: u32, token: &str, fingerprint: Fingerprint) -> Result<ListPage, Invalid> {
    let players = match players {
        0 => None,
        count => {
            let count = usize::try_from(count).ok().and_then(Players::new);
            Some(count.ok_or_else(|| Invalid::field("players", "a match has 2, 3 or 4"))?)
        }
    };
    let size = if size == 0 {
        DEFAULT_PAGE_SIZE
    } else {
        usize::try_from(size).unwrap_or(usize::MAX)
    };
    let after = match token {
        "" => None,
        token => Some(
            position(token, &fingerprint)
                .ok_or_else(|| Invalid::field("page_token", "it is not of this list with these filters"))?,
        ),
    };
    Ok(ListPage {
        players,
        size,
        after,
        fingerprint,
    })
}

fn position(token: &str, fingerprint: &Fingerprint) -> Option<ListPosition> {
    // 40 bytes are 54 characters; more are not even decoded.
    let bytes = BASE64URL_NOPAD
        .decode(token.as_bytes().get(..54).filter(|_| token.len() == 54)?)
        .ok()?;
    let (list, rest) = bytes.split_first_chunk::<16>()?;
    let (created_at, id) = rest.split_first_chunk::<8>()?;
    let position = ListPosition {
        created_at: UnixMillis(u64::from_be_bytes(*created_at)),
        id: MatchId::from_bytes(id.try_into().ok()?),
    };
    (*list == fingerprint.0).then_some(position)
}
