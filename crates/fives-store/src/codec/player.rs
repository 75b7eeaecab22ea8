//! Players.

use fives_referee::player::{DeviceHash, Player};
use fives_referee::store::StoreError;
use fives_referee::time::UnixMillis;
use prost::Message;

use super::{Damage, SCHEMA, field, message, whole};
use crate::storage;

/// The bytes of a player.
#[must_use]
pub fn encode_player(player: &Player) -> Vec<u8> {
    let stored = storage::StoredPlayer {
        schema: SCHEMA,
        player: player.id.as_bytes().to_vec(),
        name: player.name.as_str().to_owned(),
        device_hash: player.device.map(|device| device.0.to_vec()).unwrap_or_default(),
        created_at_ms: player.created_at.0,
    };
    stored.encode_to_vec()
}

/// The player behind these bytes.
///
/// # Errors
/// [`StoreError::NewerSchema`], [`StoreError::Damaged`].
pub fn decode_player(bytes: &[u8]) -> Result<Player, StoreError> {
    let stored = message(bytes)?;
    whole(player(&stored))
}

fn player(stored: &storage::StoredPlayer) -> Result<Player, Damage> {
    Ok(Player {
        id: field::player_id(&stored.player)?,
        name: field::name(&stored.name)?,
        device: match stored.device_hash.as_slice() {
            [] => None,
            hash => Some(DeviceHash(field::bytes(hash)?)),
        },
        created_at: UnixMillis(stored.created_at_ms),
    })
}
