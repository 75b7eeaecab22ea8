//! Queues, and what those are told who wait in one.

use fives_lobby::queue::{Overview, Progress};
use fives_referee::id::MatchId;

use super::clock::turn_clock;
use super::{options, timestamp};
use crate::v1;
use crate::v1::join_queue_response::Update;

/// All queues.
#[must_use]
pub fn list_queues(overviews: &[Overview]) -> v1::ListQueuesResponse {
    v1::ListQueuesResponse {
        queues: overviews.iter().map(queue).collect(),
    }
}

fn queue(overview: &Overview) -> v1::Queue {
    let queue = &overview.queue;
    v1::Queue {
        name: queue.name.to_string(),
        players: queue.seats() as u32,
        options: Some(options(&queue.options)),
        turn_clock: queue.clock.map(turn_clock),
        ranked: queue.ranked,
        bots_after_ms: queue.bots_after_ms.map(whole),
        rating_window: queue.window.map(|window| v1::RatingWindow {
            start: window.start,
            widen_per_s: window.widen_per_s,
            max: window.most,
        }),
        waiting_players: whole(overview.waiting),
        typical_wait_ms: overview.typical_wait_ms.map(whole),
    }
}

/// What somebody who waits is told.
#[must_use]
pub fn progress(progress: &Progress) -> v1::JoinQueueResponse {
    let update = match progress {
        Progress::Waiting {
            ticket,
            now,
            typical_wait_ms,
            waiting,
            has_partner,
        } => {
            let waited_ms = now.0.saturating_sub(ticket.joined_at.0);
            Update::Waiting(v1::QueueWaiting {
                ticket_id: ticket.id.to_string(),
                join_time: Some(timestamp(ticket.joined_at)),
                waited_ms: whole(waited_ms),
                estimated_wait_ms: typical_wait_ms.map(|typical_ms| whole(typical_ms.saturating_sub(waited_ms))),
                waiting_players: whole(*waiting),
                partner_player_id: ticket.partner.map(|partner| partner.to_string()).unwrap_or_default(),
                partner_is_here: *has_partner,
            })
        }
        Progress::Matched(id) => Update::Matched(v1::QueueMatched {
            match_id: id.to_string(),
        }),
        Progress::Left => Update::Left(v1::QueueLeft {}),
    };
    v1::JoinQueueResponse { update: Some(update) }
}

/// Sends somebody who waits away, to come again after this long.
#[must_use]
pub fn reconnect_queue(after_ms: u32) -> v1::JoinQueueResponse {
    let reconnect = v1::Reconnect { after_ms };
    v1::JoinQueueResponse {
        update: Some(Update::Reconnect(reconnect)),
    }
}

/// A queue that is left.
#[must_use]
pub fn leave_queue(matched: Option<MatchId>) -> v1::LeaveQueueResponse {
    v1::LeaveQueueResponse {
        match_id: matched.map(|id| id.to_string()).unwrap_or_default(),
    }
}

fn whole(value: u64) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}
