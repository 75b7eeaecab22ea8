//! What both stores write in their indexes: ids as they are, and a match's place in a list, the newest first and equals by id.

use fives_lobby::queue::{Claim, Ticket};
use fives_referee::id::{MatchId, PlayerId};
use fives_referee::listing::ListPosition;
use fives_referee::store::StoreError;
use fives_referee::time::UnixMillis;

/// A place in a list: bytes whose order is the list's.
pub(crate) fn place(position: ListPosition) -> Vec<u8> {
    let newest_first = u64::MAX - position.created_at.0;
    [newest_first.to_be_bytes().as_slice(), position.id.as_bytes()].concat()
}

/// Which match it is, and where it stands.
pub(crate) fn parse_place(place: &[u8]) -> Result<ListPosition, StoreError> {
    let (newest_first, id) = place.split_first_chunk().ok_or_else(damaged)?;
    Ok(ListPosition {
        created_at: UnixMillis(u64::MAX - u64::from_be_bytes(*newest_first)),
        id: match_id(id)?,
    })
}

/// A match id that is a value.
pub(crate) fn match_id(bytes: &[u8]) -> Result<MatchId, StoreError> {
    bytes.try_into().map(MatchId::from_bytes).map_err(|_| damaged())
}

/// A player id that is a value.
pub(crate) fn player_id(bytes: &[u8]) -> Result<PlayerId, StoreError> {
    bytes.try_into().map(PlayerId::from_bytes).map_err(|_| damaged())
}

/// How long those waited whom a claim takes, on the average.
pub(crate) fn mean_wait_ms(claim: &Claim, tickets: &[&Ticket]) -> u64 {
    let waits = tickets
        .iter()
        .map(|ticket| claim.claimed_at.0.saturating_sub(ticket.joined_at.0));
    waits.sum::<u64>() / tickets.len().max(1) as u64
}

pub(crate) fn damaged() -> StoreError {
    StoreError::Damaged("an index has an entry that Fives does not write".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read_as_they_are_written_and_newest_first() {
        let position = |created_at, id| ListPosition {
            created_at: UnixMillis(created_at),
            id: MatchId::from_bytes([id; 16]),
        };
        let positions = [position(u64::MAX, 3), position(9, 1), position(8, 0), position(8, 1)];
        assert!(positions.map(place).is_sorted());
        for position in positions {
            assert_eq!(parse_place(&place(position)).unwrap(), position);
        }
        for garbage in [&[][..], &[0; 23], &[0; 25]] {
            assert!(parse_place(garbage).is_err());
        }
    }
}
