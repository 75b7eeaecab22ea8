//! Keys: bytes whose order is the order in which they are read.

use fives_referee::id::MatchId;
use fives_referee::listing::{ListPosition, Listing};
use fives_referee::store::StoreError;
use fives_referee::time::UnixMillis;

/// A revision of a match, in order.
pub(super) fn log(id: &MatchId, revision: u64) -> Vec<u8> {
    [id.as_bytes().as_slice(), &revision.to_be_bytes()].concat()
}

/// A match that is due, the longest due first.
pub(super) fn due(at: UnixMillis, id: &MatchId) -> Vec<u8> {
    [at.0.to_be_bytes().as_slice(), id.as_bytes()].concat()
}

/// Behind everything that is due at `now`.
pub(super) fn due_end(now: UnixMillis) -> Vec<u8> {
    now.plus_ms(1).0.to_be_bytes().to_vec()
}

/// What all keys of a list begin with.
pub(super) fn listing(listing: &Listing) -> Vec<u8> {
    match listing {
        Listing::Open => vec![0],
        Listing::Live => vec![1],
        Listing::Of(player) => [[2].as_slice(), player.as_bytes()].concat(),
    }
}

/// A match in a list, the newest first.
pub(super) fn listed(list: &Listing, position: ListPosition) -> Vec<u8> {
    let newest_first = u64::MAX - position.created_at.0;
    [
        listing(list).as_slice(),
        &newest_first.to_be_bytes(),
        position.id.as_bytes(),
    ]
    .concat()
}

/// Where in its list a key of [`listed`] is.
pub(super) fn position(key: &[u8]) -> Result<ListPosition, StoreError> {
    let (head, id) = key.split_last_chunk::<16>().ok_or_else(short)?;
    let newest_first = head.last_chunk::<8>().ok_or_else(short)?;
    let created_at = UnixMillis(u64::MAX - u64::from_be_bytes(*newest_first));
    Ok(ListPosition {
        created_at,
        id: MatchId::from_bytes(*id),
    })
}

/// The id at the end of a key, or that is a value.
pub(super) fn tail(bytes: &[u8]) -> Result<[u8; 16], StoreError> {
    bytes.last_chunk().copied().ok_or_else(short)
}

fn short() -> StoreError {
    StoreError::Damaged("a key is too short".to_owned())
}
