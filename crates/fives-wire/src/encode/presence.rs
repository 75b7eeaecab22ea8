//! Where players are.

use fives_referee::presence::{Connection, Whereabouts};

use super::timestamp;
use crate::v1;

/// Whether who has a seat is there.
pub(super) const fn connection(connection: Connection) -> v1::SeatConnection {
    match connection {
        Connection::Nobody => v1::SeatConnection::Unspecified,
        Connection::Connected => v1::SeatConnection::Connected,
        Connection::Dropped => v1::SeatConnection::Dropped,
        Connection::Left => v1::SeatConnection::Left,
    }
}

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
