//! Keys: bytes whose order is the order in which they are read.

use fives_referee::id::MatchId;
use fives_referee::listing::{ListPosition, Listing};
use fives_referee::notice::{Lane, NoticeId};
use fives_referee::store::StoreError;
use fives_referee::time::UnixMillis;

use crate::place::{damaged, match_id, parse_place, place, player_id};

/// What all keys of the open matches, and of the live ones, begin with.
const OPEN: u8 = 0;
const LIVE: u8 = 1;
/// What all keys of players' lists begin with.
const OF: u8 = 2;

/// A revision of a match, in order.
pub(super) fn log(id: &MatchId, revision: u64) -> Vec<u8> {
    [id.as_bytes().as_slice(), &revision.to_be_bytes()].concat()
}

/// A match that is due, the longest due first.
pub(super) fn due(at: UnixMillis, id: &MatchId) -> Vec<u8> {
    [at.0.to_be_bytes().as_slice(), id.as_bytes()].concat()
}

/// Which match is due, and when.
pub(super) fn parse_due(key: &[u8]) -> Result<(UnixMillis, MatchId), StoreError> {
    let (at, id) = key.split_first_chunk().ok_or_else(damaged)?;
    Ok((UnixMillis(u64::from_be_bytes(*at)), match_id(id)?))
}

/// A match in a list, the newest first.
pub(super) fn listed(listing: &Listing, position: ListPosition) -> Vec<u8> {
    let (tag, player) = match listing {
        Listing::Open => (OPEN, [].as_slice()),
        Listing::Live => (LIVE, [].as_slice()),
        Listing::Of(player) => (OF, player.as_bytes().as_slice()),
    };
    [&[tag], player, &place(position)].concat()
}

/// Behind everything in a list.
pub(super) fn listed_end(listing: &Listing) -> Vec<u8> {
    let last = ListPosition {
        created_at: UnixMillis(0),
        id: MatchId::from_bytes([u8::MAX; 16]),
    };
    listed(listing, last)
}

/// Which match is in which list, and where.
pub(super) fn parse_listed(key: &[u8]) -> Result<(Listing, ListPosition), StoreError> {
    let (head, place) = key.split_last_chunk::<24>().ok_or_else(damaged)?;
    let listing = match head {
        [OPEN] => Listing::Open,
        [LIVE] => Listing::Live,
        [OF, player @ ..] => Listing::Of(player_id(player)?),
        _ => return Err(damaged()),
    };
    Ok((listing, parse_place(place)?))
}

/// What is to be told of a match.
pub(super) fn outbox(lane: Lane, id: &MatchId) -> [u8; 17] {
    let mut key = [match lane {
        Lane::Results => 0,
        Lane::Hooks => 1,
    }; 17];
    key[1..].copy_from_slice(id.as_bytes());
    key
}

/// Of which match it is, and for whom.
pub(super) fn parse_outbox(key: &[u8]) -> Result<(Lane, MatchId), StoreError> {
    match key.split_first().ok_or_else(damaged)? {
        (0, id) => Ok((Lane::Results, match_id(id)?)),
        (1, id) => Ok((Lane::Hooks, match_id(id)?)),
        _ => Err(damaged()),
    }
}

/// A notice: match, revision, stamp, which.
pub(super) type NoticeKey = [u8; 33];

/// The key of a notice.
pub(super) fn notice(id: &NoticeId) -> NoticeKey {
    let mut key = [id.index; 33];
    key[..16].copy_from_slice(id.match_id.as_bytes());
    key[16..24].copy_from_slice(&id.cursor.revision.to_be_bytes());
    key[24..32].copy_from_slice(&id.cursor.stamp.to_be_bytes());
    key
}

#[cfg(test)]
mod tests {
    use fives_referee::id::PlayerId;

    use super::*;

    fn position(created_at: u64, id: u8) -> ListPosition {
        ListPosition {
            created_at: UnixMillis(created_at),
            id: MatchId::from_bytes([id; 16]),
        }
    }

    #[test]
    fn keys_are_read_as_they_are_written() {
        let player = Listing::Of(PlayerId::from_bytes([7; 16]));
        for listing in [Listing::Open, Listing::Live, player] {
            for place in [position(0, 0), position(1, 255), position(u64::MAX, 3)] {
                assert_eq!(
                    parse_listed(&listed(&listing, place)).unwrap(),
                    (listing, place),
                    "{listing:?}"
                );
            }
        }
        let id = MatchId::from_bytes([9; 16]);
        assert_eq!(
            parse_due(&due(UnixMillis(1 << 40), &id)).unwrap(),
            (UnixMillis(1 << 40), id)
        );
    }

    #[test]
    fn the_newest_comes_first_and_equals_by_id() {
        let keys = [position(9, 1), position(8, 0), position(8, 1), position(0, 255)]
            .map(|place| listed(&Listing::Open, place));
        assert!(keys.is_sorted());
        assert_eq!(keys[3], listed_end(&Listing::Open));
        assert!(keys[3] < listed(&Listing::Live, position(u64::MAX, 0)));
    }

    #[test]
    fn what_is_no_key_is_damage() {
        for key in [&[][..], &[1; 15], &[3; 25], &[0; 26], &[OF; 26]] {
            assert!(parse_listed(key).is_err(), "{key:?}");
            assert!(parse_due(key).is_err(), "{key:?}");
        }
    }
}
