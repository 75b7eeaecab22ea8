//! Lists.

use fives_referee::listing::ListPosition;
use fives_referee::request::Fingerprint;
use fives_referee::table::MatchState;
use fives_rules::seat::Players;

use super::field::known;
use super::invalid::{Invalid, both};
use crate::{page_token, v1};

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
/// The fields at fault.
pub fn list_matches(request: &v1::ListMatchesRequest) -> Result<ListMatches, Invalid> {
    let bound = [
        request.scope.to_be_bytes(),
        request.players.to_be_bytes(),
        request.state.to_be_bytes(),
    ]
    .concat();
    let fingerprint = Fingerprint::of(&[b"matches", &bound]);
    let page = page(request.players, request.page_size, &request.page_token, fingerprint);
    let ((scope, state), page) = both(both(scope(request.scope), state(request.state)), page)?;
    Ok(ListMatches { scope, state, page })
}

/// A page of live matches.
///
/// # Errors
/// The fields at fault.
pub fn list_live_matches(request: &v1::ListLiveMatchesRequest) -> Result<ListPage, Invalid> {
    let fingerprint = Fingerprint::of(&[b"live", &request.players.to_be_bytes()]);
    page(request.players, request.page_size, &request.page_token, fingerprint)
}

fn scope(value: i32) -> Result<Scope, Invalid> {
    match known("scope", value)? {
        v1::MatchScope::Unspecified => Err(Invalid::missing("scope")),
        v1::MatchScope::Open => Ok(Scope::Open),
        v1::MatchScope::Mine => Ok(Scope::Mine),
    }
}

fn state(value: i32) -> Result<Option<MatchState>, Invalid> {
    Ok(match known("state", value)? {
        v1::MatchState::Unspecified => None,
        v1::MatchState::Open => Some(MatchState::Open),
        v1::MatchState::Live => Some(MatchState::Live),
        v1::MatchState::Finished => Some(MatchState::Finished),
        v1::MatchState::Closed => Some(MatchState::Closed),
    })
}

fn page(count: u32, size: u32, token: &str, fingerprint: Fingerprint) -> Result<ListPage, Invalid> {
    let (players, after) = both(players(count), after(token, &fingerprint))?;
    Ok(ListPage {
        players,
        size: self::size(size),
        after,
        fingerprint,
    })
}

fn players(count: u32) -> Result<Option<Players>, Invalid> {
    if count == 0 {
        return Ok(None);
    }
    let players = usize::try_from(count).ok().and_then(Players::new);
    players
        .map(Some)
        .ok_or_else(|| Invalid::field("players", "a match has 2, 3 or 4"))
}

/// How many matches a page has at most.
pub(super) fn size(asked: u32) -> usize {
    match asked {
        0 => DEFAULT_PAGE_SIZE,
        asked => usize::try_from(asked).unwrap_or(usize::MAX),
    }
}

pub(super) fn after(token: &str, fingerprint: &Fingerprint) -> Result<Option<ListPosition>, Invalid> {
    if token.is_empty() {
        return Ok(None);
    }
    page_token::read(token, fingerprint)
        .map(Some)
        .ok_or_else(|| Invalid::field("page_token", "it is not of this list with these filters"))
}
