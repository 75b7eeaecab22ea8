//! What turns the pages of a list: where the next page begins, sealed with what the list is of.
//!
//! The seal covers the position as well, so that a token which was cut or mistyped is refused instead of showing something
//! else. It keeps no secret and needs none: who forges a token sees a page that could be had anyway.

use data_encoding::BASE32_NOPAD;
use fives_referee::id::MatchId;
use fives_referee::listing::ListPosition;
use fives_referee::request::Fingerprint;
use fives_referee::time::UnixMillis;

/// 16 bytes of seal, 8 of time and 16 of the match's id: without a remainder in base 32.
const LEN: usize = 64;

pub(crate) fn write(list: &Fingerprint, position: ListPosition) -> String {
    let mut bytes = Vec::with_capacity(40);
    bytes.extend(seal(list, &position).0);
    bytes.extend(position.created_at.0.to_be_bytes());
    bytes.extend(position.id.as_bytes());
    BASE32_NOPAD.encode(&bytes)
}

/// The position in a token of this very list; `None` for everything else.
pub(crate) fn read(token: &str, list: &Fingerprint) -> Option<ListPosition> {
    // A token of another length is not even decoded: it may be as large as a request.
    let bytes = BASE32_NOPAD
        .decode(Some(token.as_bytes()).filter(|token| token.len() == LEN)?)
        .ok()?;
    let (sealed, rest) = bytes.split_first_chunk::<16>()?;
    let (created_at, id) = rest.split_first_chunk::<8>()?;
    let position = ListPosition {
        created_at: UnixMillis(u64::from_be_bytes(*created_at)),
        id: MatchId::from_bytes(id.try_into().ok()?),
    };
    (*sealed == seal(list, &position).0).then_some(position)
}

/// 16 bytes of seal and 8 of a count.
const COUNT_LEN: usize = 39;

/// A token that says how many are before the page, for a list whose entries have ranks.
pub(crate) fn write_count(list: &Fingerprint, count: u64) -> String {
    let bytes = [seal_count(list, count).0.as_slice(), &count.to_be_bytes()].concat();
    BASE32_NOPAD.encode(&bytes)
}

/// The count in a token of this very list; `None` for everything else.
pub(crate) fn read_count(token: &str, list: &Fingerprint) -> Option<u64> {
    let bytes = BASE32_NOPAD
        .decode(Some(token.as_bytes()).filter(|token| token.len() == COUNT_LEN)?)
        .ok()?;
    let (sealed, count) = bytes.split_first_chunk::<16>()?;
    let count = u64::from_be_bytes(count.try_into().ok()?);
    (*sealed == seal_count(list, count).0).then_some(count)
}

fn seal_count(list: &Fingerprint, count: u64) -> Fingerprint {
    Fingerprint::of(&[b"count", &list.0, &count.to_be_bytes()])
}

fn seal(list: &Fingerprint, position: &ListPosition) -> Fingerprint {
    Fingerprint::of(&[
        b"page",
        &list.0,
        &position.created_at.0.to_be_bytes(),
        position.id.as_bytes(),
    ])
}
