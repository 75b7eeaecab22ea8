//! All matches of one player: summaries, which have no hands.

use fives_lobby::agenda::{AgendaUpdate, Item, News, Standing};
use fives_referee::table::MatchState;
use fives_referee::time::UnixMillis;

use super::clock::turn_timer;
use super::{match_summary, rematch, timestamp};
use crate::v1;
use crate::v1::follow_player_response::Update;

/// What the stream brings at `now`.
#[must_use]
pub fn agenda(update: &AgendaUpdate, now: UnixMillis) -> v1::FollowPlayerResponse {
    let update = match update {
        AgendaUpdate::Snapshot(items) => Update::Agenda(v1::Agenda {
            items: items.iter().map(|shown| item(shown, now)).collect(),
        }),
        AgendaUpdate::Changes(changes) => Update::Changes(v1::AgendaChanges {
            changes: changes
                .iter()
                .map(|(changed, what)| v1::AgendaChange {
                    item: Some(item(changed, now)),
                    news: what.iter().map(|what| news(*what).into()).collect(),
                })
                .collect(),
        }),
        AgendaUpdate::Heartbeat { now } => Update::Heartbeat(v1::AgendaHeartbeat {
            server_time: Some(timestamp(*now)),
        }),
    };
    v1::FollowPlayerResponse { update: Some(update) }
}

/// Sends a player away, to come again after this long.
#[must_use]
pub fn agenda_reconnect(after_ms: u32) -> v1::FollowPlayerResponse {
    let update = Some(Update::Reconnect(v1::Reconnect { after_ms }));
    v1::FollowPlayerResponse { update }
}

fn item(item: &Item, now: UnixMillis) -> v1::AgendaItem {
    let standing = match item.standing {
        Standing::YourTurn => v1::AgendaStanding::YourTurn,
        Standing::Waiting => v1::AgendaStanding::Waiting,
        Standing::Open => v1::AgendaStanding::Open,
        Standing::Finished => v1::AgendaStanding::Finished,
        Standing::Closed => v1::AgendaStanding::Closed,
    };
    v1::AgendaItem {
        r#match: Some(match_summary(&item.view)),
        standing: standing.into(),
        turn_start_time: (item.view.state == MatchState::Live).then(|| timestamp(item.turn_since)),
        turn_timer: item.view.timer.map(turn_timer),
        change_time: Some(timestamp(item.changed_at)),
        rematch: item.rematch.as_ref().map(|said| rematch(said, now)),
    }
}

const fn news(news: News) -> v1::AgendaNews {
    match news {
        News::Seated => v1::AgendaNews::Seated,
        News::SeatsChanged => v1::AgendaNews::SeatsChanged,
        News::Started => v1::AgendaNews::Started,
        News::YourTurn => v1::AgendaNews::YourTurn,
        News::TurnPassedOn => v1::AgendaNews::TurnPassedOn,
        News::SeatKept => v1::AgendaNews::SeatKept,
        News::Finished => v1::AgendaNews::Finished,
        News::Closed => v1::AgendaNews::Closed,
        News::RematchOffered => v1::AgendaNews::RematchOffered,
        News::RematchDeclined => v1::AgendaNews::RematchDeclined,
        News::RematchAgreed => v1::AgendaNews::RematchAgreed,
        News::Gone => v1::AgendaNews::Gone,
    }
}
