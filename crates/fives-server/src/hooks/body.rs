//! What is posted: docs/hooks.md is its manual. Nothing of it is secret.

use fives_bots::BotKind;
use fives_referee::notice::{Departure, Notice, NoticeEvent, NoticeSeat, Who};
use fives_rules::game::{EndedBy, Outcome};
use fives_rules::seat::BySide;
use serde::Serialize;

use crate::config::HookEvent;

/// The whole of it. Fields are only ever added.
#[derive(Serialize)]
struct Body {
    delivery: String,
    event: HookEvent,
    time_ms: u64,
    r#match: String,
    revision: u64,
    seats: Vec<BodySeat>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<BodyResult>,
    #[serde(skip_serializing_if = "Option::is_none")]
    player: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seat: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    how: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    deadline_ms: Option<u64>,
}

#[derive(Serialize)]
struct BodySeat {
    seat: usize,
    side: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    player: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bot: Option<&'static str>,
}

#[derive(Serialize)]
struct BodyResult {
    ended_by: &'static str,
    winner: Option<usize>,
    scores: Vec<i32>,
    ranks: Vec<u8>,
}

/// What kind of thing a notice tells of.
pub(super) const fn event(notice: &Notice) -> HookEvent {
    match notice.event {
        NoticeEvent::MatchStarted => HookEvent::MatchStarted,
        NoticeEvent::MatchFinished { .. } => HookEvent::MatchFinished,
        NoticeEvent::MatchVoided => HookEvent::MatchVoided,
        NoticeEvent::PlayerAbandoned { .. } => HookEvent::PlayerAbandoned,
        NoticeEvent::TurnWaiting { .. } => HookEvent::TurnWaiting,
    }
}

/// A notice as it is posted.
pub(super) fn json(notice: &Notice) -> Result<String, String> {
    let seats: Vec<BodySeat> = notice.seats.iter().enumerate().map(seat).collect();
    let sides = seats.iter().map(|seat| seat.side + 1).max().unwrap_or_default();
    let mut body = Body {
        delivery: notice.id.to_string(),
        event: event(notice),
        time_ms: notice.at.0,
        r#match: notice.id.match_id.to_string(),
        revision: notice.id.cursor.revision,
        seats,
        result: None,
        player: None,
        seat: None,
        how: None,
        deadline_ms: None,
    };
    match notice.event {
        NoticeEvent::MatchStarted | NoticeEvent::MatchVoided => {}
        NoticeEvent::MatchFinished { outcome, scores } => body.result = Some(result(&outcome, &scores, sides)),
        NoticeEvent::PlayerAbandoned { seat, player, how } => {
            (body.seat, body.player) = (Some(seat.index()), Some(player.to_string()));
            body.how = Some(match how {
                Departure::Resigned => "resigned",
                Departure::Forfeited => "forfeited",
                Departure::KeptByBot => "kept_by_bot",
                Departure::Removed => "removed",
            });
        }
        NoticeEvent::TurnWaiting { seat, player, deadline } => {
            (body.seat, body.player) = (Some(seat.index()), Some(player.to_string()));
            body.deadline_ms = deadline.map(|at| at.0);
        }
    }
    serde_json::to_string(&body).map_err(|error| error.to_string())
}

fn seat((index, seat): (usize, &NoticeSeat)) -> BodySeat {
    let (player, bot) = match seat.who {
        Who::Nobody => (None, None),
        Who::Person(player) => (Some(player.to_string()), None),
        Who::Bot(BotKind::Random) => (None, Some("random")),
        Who::Bot(BotKind::Greedy) => (None, Some("greedy")),
    };
    BodySeat {
        seat: index,
        side: seat.side.index(),
        player,
        bot,
    }
}

fn result(outcome: &Outcome, scores: &BySide<i32>, sides: usize) -> BodyResult {
    BodyResult {
        ended_by: match outcome.ended_by {
            EndedBy::Target => "target",
            EndedBy::MaxRounds => "max_rounds",
            EndedBy::Resignation => "resignation",
        },
        winner: outcome.winner.map(|side| side.index()),
        scores: scores.0.iter().take(sides).copied().collect(),
        ranks: outcome.ranks.0.iter().take(sides).copied().collect(),
    }
}
