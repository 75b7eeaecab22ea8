//! What administrators are answered.

use data_encoding::BASE32_NOPAD;
use fives_referee::audit::{Act, AuditRow};
use fives_referee::id::MatchId;
use fives_referee::referee::{Inspected, RepairPage, Revealed, StuckMatch, StuckPage};
use fives_referee::store::{Bookmark, Index, Repair, Repaired};
use fives_rules::tile::Tile;

use super::view::seat_index;
use super::{bytes, match_summary, match_view, tile, tiles, timestamp};
use crate::admin::v1;

/// A match.
#[must_use]
pub fn inspect_match(inspected: &Inspected) -> v1::InspectMatchResponse {
    v1::InspectMatchResponse {
        view: Some(match_view(&inspected.view)),
        change_time: Some(timestamp(inspected.changed_at)),
        due_time: inspected.next_due.map(timestamp),
        server_time: Some(timestamp(inspected.now)),
        revealed: inspected.revealed.as_ref().map(revealed),
    }
}

fn revealed(revealed: &Revealed) -> v1::Revealed {
    let hands = revealed
        .hands
        .iter()
        .map(|hand| v1::RevealedHand { tiles: tiles(*hand) });
    v1::Revealed {
        hands: hands.collect(),
        boneyard: revealed.boneyard.iter().map(|hidden: &Tile| tile(*hidden)).collect(),
        master: bytes(&revealed.master),
        invite_code: revealed.invite.map(|code| code.to_string()).unwrap_or_default(),
    }
}

/// Matches that are stuck.
#[must_use]
pub fn list_stuck_matches(page: &StuckPage) -> v1::ListStuckMatchesResponse {
    let stuck = |stuck: &StuckMatch| v1::StuckMatch {
        r#match: Some(match_summary(&stuck.view)),
        change_time: Some(timestamp(stuck.changed_at)),
        due_time: stuck.due_since.map(timestamp),
    };
    v1::ListStuckMatchesResponse {
        matches: page.stuck.iter().map(stuck).collect(),
        unreadable: unreadable(&page.unreadable),
        next_page_token: page_token(page.next),
    }
}

/// What was repaired.
#[must_use]
pub fn repair_indexes(page: &RepairPage) -> v1::RepairIndexesResponse {
    v1::RepairIndexesResponse {
        checked: u32::try_from(page.checked).unwrap_or(u32::MAX),
        repaired: page.repaired.iter().map(repaired).collect(),
        unreadable: unreadable(&page.unreadable),
        next_page_token: page_token(page.next),
    }
}

fn repaired(repaired: &Repaired) -> v1::RepairedMatch {
    let (mut added, mut removed) = (Vec::new(), Vec::new());
    for repair in &repaired.repairs {
        match repair {
            Repair::Added(entry) => added.push(index(*entry).into()),
            Repair::Removed(entry) => removed.push(index(*entry).into()),
        }
    }
    v1::RepairedMatch {
        match_id: repaired.id.to_string(),
        added,
        removed,
    }
}

const fn index(index: Index) -> v1::Index {
    match index {
        Index::Due => v1::Index::Due,
        Index::Open => v1::Index::Open,
        Index::Live => v1::Index::Live,
        Index::Player => v1::Index::Player,
        Index::Invite => v1::Index::Invite,
        Index::Expiry => v1::Index::Expiry,
    }
}

fn unreadable(unreadable: &[(MatchId, String)]) -> Vec<v1::UnreadableMatch> {
    let each = unreadable.iter().map(|(id, problem)| v1::UnreadableMatch {
        match_id: id.to_string(),
        problem: problem.clone(),
    });
    each.collect()
}

/// What administrators have done: the rows of a page that had room for `size`.
#[must_use]
pub fn list_audit(rows: &[AuditRow], size: usize) -> v1::ListAuditResponse {
    let last = rows.last().filter(|_| rows.len() == size);
    v1::ListAuditResponse {
        rows: rows.iter().map(audit_row).collect(),
        next_page_token: page_token(last.map(|row| row.bookmark)),
    }
}

fn audit_row(row: &AuditRow) -> v1::AuditRow {
    use v1::AuditAct as Kind;
    let entry = &row.entry;
    let (act, id, seat, log_filter) = match &entry.act {
        Act::Reveal(id) => (Kind::Reveal, Some(id), None, None),
        Act::Void(id) => (Kind::Void, Some(id), None, None),
        Act::Forfeit(id, seat) => (Kind::Forfeit, Some(id), Some(*seat), None),
        Act::RepairIndexes => (Kind::RepairIndexes, None, None, None),
        Act::SetLogFilter(filter) => (Kind::SetLogFilter, None, None, Some(filter)),
        Act::Drain => (Kind::Drain, None, None, None),
        Act::RetryDeadLetter(id) => (Kind::RetryDeadLetter, Some(&id.match_id), None, None),
        Act::ErasePlayer(_) => (Kind::ErasePlayer, None, None, None),
    };
    let delivery = match &entry.act {
        Act::RetryDeadLetter(id) => id.to_string(),
        _ => String::new(),
    };
    v1::AuditRow {
        time: Some(timestamp(row.at)),
        operator: entry.operator.to_string(),
        act: act.into(),
        match_id: id.map(ToString::to_string).unwrap_or_default(),
        seat: seat.map(seat_index),
        delivery,
        log_filter: log_filter.map(ToString::to_string).unwrap_or_default(),
        reason: entry.why.as_ref().map(ToString::to_string).unwrap_or_default(),
        player_mark: match &entry.act {
            Act::ErasePlayer(mark) => mark.to_string(),
            _ => String::new(),
        },
    }
}

fn page_token(next: Option<Bookmark>) -> String {
    next.map(|Bookmark(bytes)| BASE32_NOPAD.encode(&bytes))
        .unwrap_or_default()
}
