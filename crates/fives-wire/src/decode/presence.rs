//! Whom somebody asks after.

use fives_referee::id::PlayerId;

use super::invalid::Invalid;
use crate::v1;

/// How many players can be asked for at once.
const MOST: usize = 100;

/// Players to ask after.
///
/// # Errors
/// The field at fault.
pub fn get_presence(request: &v1::GetPresenceRequest) -> Result<Vec<PlayerId>, Invalid> {
    if !(1..=MOST).contains(&request.player_ids.len()) {
        return Err(Invalid::field(
            "player_ids",
            format!("there must be 1 to {MOST} of them"),
        ));
    }
    let ids = request.player_ids.iter().map(|id| id.parse());
    let ids: Result<_, _> = ids.collect();
    ids.map_err(|error: fives_referee::id::IdError| Invalid::field("player_ids", error))
}
