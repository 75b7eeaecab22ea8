//! What administrators are answered about dead letters.

use fives_lobby::store::DeadLetter;
use fives_referee::notice::NoticeEvent;

use super::timestamp;
use crate::admin::v1;

/// The newest of them, and how many there are.
#[must_use]
pub fn list_dead_letters(letters: &[DeadLetter], count: u64) -> v1::ListDeadLettersResponse {
    v1::ListDeadLettersResponse {
        dead_letters: letters.iter().map(dead_letter).collect(),
        total_count: count,
    }
}

fn dead_letter(letter: &DeadLetter) -> v1::DeadLetter {
    let notice = &letter.notice;
    v1::DeadLetter {
        delivery: notice.id.to_string(),
        match_id: notice.id.match_id.to_string(),
        event: match notice.event {
            NoticeEvent::MatchStarted => v1::HookEvent::MatchStarted,
            NoticeEvent::MatchFinished { .. } => v1::HookEvent::MatchFinished,
            NoticeEvent::MatchVoided => v1::HookEvent::MatchVoided,
            NoticeEvent::PlayerAbandoned { .. } => v1::HookEvent::PlayerAbandoned,
            NoticeEvent::TurnWaiting { .. } => v1::HookEvent::TurnWaiting,
        }
        .into(),
        event_time: Some(timestamp(notice.at)),
        bury_time: Some(timestamp(letter.buried_at)),
        tries: letter.tries,
        problem: letter.why.clone(),
    }
}
