//! What administrators ask.

use data_encoding::BASE32_NOPAD;
use fives_referee::audit::{AuditTextError, FilterText, Operator, Why};
use fives_referee::command::Intervention;
use fives_referee::id::{MatchId, PlayerId};
use fives_referee::referee::Stuckness;
use fives_referee::store::Bookmark;
use fives_rules::seat::Seat;

use super::field::{match_id, parsed};
use super::invalid::{Invalid, both};
use crate::admin::v1;

/// How many matches a page looks at, and how many rows it has, if nothing else is asked for; and at most.
const MATCHES: usize = 500;
const ROWS: usize = 50;
const MOST: usize = 1000;

/// How long ago a stuck match should have acted if nothing else is asked for, in seconds.
const OVERDUE_S: u32 = 60;

/// Who asks for something, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Order {
    /// Who.
    pub operator: Operator,
    /// Why, if that is said.
    pub why: Option<Why>,
}

/// Something to do to a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MatchOrder {
    /// The match.
    pub id: MatchId,
    /// What.
    pub intervention: Intervention,
    /// Who asks.
    pub operator: Operator,
    /// Why.
    pub why: Why,
}

/// A page of something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Page {
    /// How large, at least 1.
    pub size: usize,
    /// Behind what it begins.
    pub after: Option<Bookmark>,
}

/// A match to look at; who wants to see what is hidden, and why.
///
/// # Errors
/// The fields at fault.
pub fn inspect_match(request: &v1::InspectMatchRequest) -> Result<(MatchId, Option<(Operator, Why)>), Invalid> {
    let reveal = if request.reveal {
        both(operator(&request.operator), why(&request.reason)).map(Some)
    } else {
        Ok(None)
    };
    both(match_id(&request.match_id), reveal)
}

/// A match to end without a result.
///
/// # Errors
/// The fields at fault.
pub fn void_match(request: &v1::VoidMatchRequest) -> Result<MatchOrder, Invalid> {
    let id = match_id(&request.match_id).map(|id| (id, Intervention::Void));
    match_order(id, &request.operator, &request.reason)
}

/// A player who has to give up.
///
/// # Errors
/// The fields at fault.
pub fn forfeit_seat(request: &v1::ForfeitSeatRequest) -> Result<MatchOrder, Invalid> {
    let id = both(match_id(&request.match_id), seat(request.seat));
    let forfeit = id.map(|(id, seat)| (id, Intervention::Forfeit(seat)));
    match_order(forfeit, &request.operator, &request.reason)
}

/// What counts as stuck, and a page of matches to look at.
///
/// # Errors
/// The field at fault.
pub fn list_stuck_matches(request: &v1::ListStuckMatchesRequest) -> Result<(Stuckness, Page), Invalid> {
    let ms = |seconds: u32| u64::from(seconds) * 1000;
    let overdue_s = if request.overdue_s == 0 {
        OVERDUE_S
    } else {
        request.overdue_s
    };
    let stuckness = Stuckness {
        overdue_ms: ms(overdue_s),
        idle_ms: (request.idle_s > 0).then(|| ms(request.idle_s)),
    };
    Ok((stuckness, page(request.page_size, &request.page_token, MATCHES)?))
}

/// A page of matches whose indexes shall be right.
///
/// # Errors
/// The fields at fault.
pub fn repair_indexes(request: &v1::RepairIndexesRequest) -> Result<(Order, Page), Invalid> {
    both(
        order(&request.operator, &request.reason),
        page(request.page_size, &request.page_token, MATCHES),
    )
}

/// A page of audit rows.
///
/// # Errors
/// The field at fault.
pub fn list_audit(request: &v1::ListAuditRequest) -> Result<Page, Invalid> {
    page(request.page_size, &request.page_token, ROWS)
}

/// What shall be logged. Whether it is a filter is not known here.
///
/// # Errors
/// The fields at fault.
pub fn set_log_filter(request: &v1::SetLogFilterRequest) -> Result<(Order, FilterText), Invalid> {
    both(order(&request.operator, &request.reason), log_filter(&request.filter))
}

/// What shall be logged, as one line.
///
/// # Errors
/// If it is none.
pub fn log_filter(text: &str) -> Result<FilterText, Invalid> {
    FilterText::new(text).map_err(|error| Invalid::field("filter", error))
}

/// A filter that is none, for this reason.
#[must_use]
pub fn not_a_filter(why: &str) -> Invalid {
    Invalid::field("filter", why)
}

/// Who wants the process to stop.
///
/// # Errors
/// The fields at fault.
pub fn drain(request: &v1::DrainRequest) -> Result<Order, Invalid> {
    order(&request.operator, &request.reason)
}

/// A person to erase, who asks, and why.
///
/// # Errors
/// The fields at fault.
pub fn erase_player(request: &v1::ErasePlayerRequest) -> Result<(PlayerId, Operator, Why), Invalid> {
    let asked = both(operator(&request.operator), why(&request.reason));
    let (player, (operator, why)) = both(parsed("player_id", &request.player_id), asked)?;
    Ok((player, operator, why))
}

/// Who asks for something, and why if that is said.
///
/// # Errors
/// The fields at fault.
pub fn order(operator_text: &str, reason: &str) -> Result<Order, Invalid> {
    let why = if reason.is_empty() {
        Ok(None)
    } else {
        why(reason).map(Some)
    };
    let (operator, why) = both(operator(operator_text), why)?;
    Ok(Order { operator, why })
}

fn match_order(
    order: Result<(MatchId, Intervention), Invalid>,
    operator_text: &str,
    reason: &str,
) -> Result<MatchOrder, Invalid> {
    let ((id, intervention), (operator, why)) = both(order, both(operator(operator_text), why(reason)))?;
    Ok(MatchOrder {
        id,
        intervention,
        operator,
        why,
    })
}

fn operator(text: &str) -> Result<Operator, Invalid> {
    Operator::new(text).map_err(|error: AuditTextError| Invalid::field("operator", error))
}

pub(super) fn why(text: &str) -> Result<Why, Invalid> {
    Why::new(text).map_err(|error: AuditTextError| Invalid::field("reason", error))
}

/// Whether the match has the seat is the referee's to say.
pub(super) fn seat(index: Option<u32>) -> Result<Seat, Invalid> {
    let index = index.ok_or_else(|| Invalid::missing("seat"))?;
    let seat = u8::try_from(index).ok().and_then(Seat::new);
    seat.ok_or_else(|| Invalid::field("seat", "no match has such a seat"))
}

fn page(size: u32, token: &str, default: usize) -> Result<Page, Invalid> {
    let size = match size {
        0 => default,
        size => usize::try_from(size).unwrap_or(MOST).min(MOST),
    };
    let after = if token.is_empty() { None } else { Some(bookmark(token)?) };
    Ok(Page { size, after })
}

/// A token is a bookmark and nothing more: whoever may call here may see every page anyway.
fn bookmark(token: &str) -> Result<Bookmark, Invalid> {
    // 16 bytes in base 32. One of another length is not even decoded: it may be as large as a request.
    let bytes = Some(token.as_bytes()).filter(|token| token.len() == 26);
    let bytes = bytes.and_then(|token| BASE32_NOPAD.decode(token).ok());
    let bytes = bytes.and_then(|bytes| bytes.try_into().ok());
    bytes
        .map(Bookmark)
        .ok_or_else(|| Invalid::field("page_token", "it is not of this list"))
}
