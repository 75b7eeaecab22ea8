//! Where players are.

use fives_referee::presence::Whereabouts;

use super::timestamp;
use crate::v1;

/// Where they are, in the order in which they were asked for.
#[must_use]
pub fn get_presence(all: &[Whereabouts]) -> v1::GetPresenceResponse {
    let players = all.iter().map(|one| v1::PlayerPresence {
        player_id: one.player.to_string(),
        online: one.online,
        last_seen_time: one.last_seen.map(timestamp),
        in_match: one.in_match,
        match_id: one.public_match.map(|id| id.to_string()).unwrap_or_default(),
    });
    v1::GetPresenceResponse {
        players: players.collect(),
    }
}
