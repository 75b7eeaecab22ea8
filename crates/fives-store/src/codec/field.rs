//! Small parts that several messages share.

use fives_referee::audit::Operator;
use fives_referee::id::PlayerId;
use fives_referee::player::DisplayName;
use fives_referee::request::{Fingerprint, RequestId};
use fives_referee::trace::TraceParent;
use fives_rules::deal::Entropy;
use fives_rules::game::{EndedBy, Outcome};
use fives_rules::play::{End, Play};
use fives_rules::seat::{BySeat, BySide, Seat, Side};
use fives_rules::tile::{Tile, TileSet};

use super::Damage;
use crate::storage;

pub(super) fn bytes<const N: usize>(bytes: &[u8]) -> Result<[u8; N], Damage> {
    bytes.try_into().map_err(|_| "a field has the wrong length")
}

pub(super) fn player_id(id: &[u8]) -> Result<PlayerId, Damage> {
    bytes(id).map(PlayerId::from_bytes)
}

pub(super) fn name(text: &str) -> Result<DisplayName, Damage> {
    DisplayName::new(text).map_err(|_| "a name is none")
}

pub(super) fn operator(text: &str) -> Result<Operator, Damage> {
    Operator::new(text).map_err(|_| "an operator is none")
}

pub(super) fn request_id(text: &str) -> Result<RequestId, Damage> {
    RequestId::new(text).map_err(|_| "a request id is none")
}

pub(super) fn fingerprint(fingerprint: &[u8]) -> Result<Fingerprint, Damage> {
    bytes(fingerprint).map(Fingerprint)
}

pub(super) fn trace_parent_bytes(parent: TraceParent) -> Vec<u8> {
    [&parent.trace_id[..], &parent.span_id].concat()
}

pub(super) fn trace_parent(stored: &[u8]) -> Result<Option<TraceParent>, Damage> {
    if stored.is_empty() {
        return Ok(None);
    }
    let (trace_id, span_id) = stored.split_at_checked(16).ok_or("a trace is none")?;
    Ok(Some(TraceParent {
        trace_id: bytes(trace_id)?,
        span_id: bytes(span_id)?,
    }))
}

pub(super) fn entropy(given: &[u8]) -> Result<Entropy, Damage> {
    Entropy::new(given).ok_or("an entropy is too long")
}

pub(super) fn seat(index: u32) -> Result<Seat, Damage> {
    u8::try_from(index)
        .ok()
        .and_then(Seat::new)
        .ok_or("there is no such seat")
}

pub(super) const fn seat_index(seat: Seat) -> u32 {
    seat.index() as u32
}

pub(super) fn tile(number: u8) -> Result<Tile, Damage> {
    Tile::from_number(number).ok_or("there is no such tile")
}

pub(super) fn tiles(numbers: &[u8]) -> Result<Vec<Tile>, Damage> {
    numbers.iter().map(|number| tile(*number)).collect()
}

pub(super) fn tile_numbers(tiles: &[Tile]) -> Vec<u8> {
    tiles.iter().map(|tile| tile.number()).collect()
}

pub(super) fn play_bytes(play: Play) -> [u8; 2] {
    [play.tile.number(), play.end.map_or(0, |end| end.index() as u8 + 1)]
}

pub(super) fn play([number, end]: [u8; 2]) -> Result<Play, Damage> {
    let end = match end.checked_sub(1) {
        None => None,
        Some(index) => Some(*End::ALL.get(usize::from(index)).ok_or("there is no such end")?),
    };
    Ok(Play {
        tile: tile(number)?,
        end,
    })
}

pub(super) fn hand_bits(hands: &BySeat<TileSet>) -> Vec<u32> {
    hands.0.iter().map(|hand| hand.bits()).collect()
}

pub(super) fn hands(bits: &[u32]) -> Result<BySeat<TileSet>, Damage> {
    let mut hands = BySeat::default();
    for (hand, bits) in hands.0.iter_mut().zip(four(bits)?) {
        *hand = TileSet::from_bits(bits).ok_or("a hand has a tile that does not exist")?;
    }
    Ok(hands)
}

/// One value for each of four seats or sides.
pub(super) fn four<T: Copy>(values: &[T]) -> Result<[T; 4], Damage> {
    values.try_into().map_err(|_| "there is not one value for each of four")
}

pub(super) fn by_side(values: &[i32]) -> Result<BySide<i32>, Damage> {
    four(values).map(BySide)
}

pub(super) fn stored_outcome(outcome: &Outcome) -> storage::Outcome {
    let ended_by = match outcome.ended_by {
        EndedBy::Target => 0,
        EndedBy::MaxRounds => 1,
        EndedBy::Resignation => 2,
    };
    let winner = outcome.winner.map(|side| side.index() as u32);
    storage::Outcome {
        ended_by,
        winner,
        ranks: outcome.ranks.0.map(u32::from).to_vec(),
    }
}

pub(super) fn outcome(stored: &storage::Outcome) -> Result<Outcome, Damage> {
    let ended_by = match stored.ended_by {
        0 => EndedBy::Target,
        1 => EndedBy::MaxRounds,
        2 => EndedBy::Resignation,
        _ => return Err("a match ended in no known way"),
    };
    let side = |index: u32| {
        u8::try_from(index)
            .ok()
            .and_then(Side::new)
            .ok_or("there is no such side")
    };
    let ranks = four(&stored.ranks)?.map(u8::try_from);
    let [Ok(a), Ok(b), Ok(c), Ok(d)] = ranks else {
        return Err("a rank is too large");
    };
    Ok(Outcome {
        ended_by,
        winner: stored.winner.map(side).transpose()?,
        ranks: BySide([a, b, c, d]),
    })
}
