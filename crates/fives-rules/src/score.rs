//! What is left in a hand costs its side (R21, A13, A14).

use crate::options::{MatchOptions, Rounding};
use crate::seat::{BySeat, BySide};
use crate::tile::TileSet;

/// Pips rounded to the nearest multiple of five (A13): remainders 1 and 2 go down, 3 and 4 go up.
#[must_use]
pub const fn rounded(pips: u32) -> i32 {
    ((pips + 2) / 5 * 5) as i32
}

/// What each side loses for the hands that are left at the end of a round.
#[must_use]
pub fn settlement(options: &MatchOptions, left: &BySeat<TileSet>) -> BySide<i32> {
    let mut subtracted = BySide::default();
    for side in options.seating().sides() {
        let pips = options.seating().seats_of(side).map(|seat| left[seat].pips());
        subtracted[side] = match options.rounding() {
            Rounding::PerHand => pips.map(rounded).sum(),
            Rounding::PerSide => rounded(pips.sum()),
        };
    }
    subtracted
}

/// The scores after a settlement; with `floor_zero` none falls below zero (A12).
#[must_use]
pub fn settled(options: &MatchOptions, mut scores: BySide<i32>, subtracted: &BySide<i32>) -> BySide<i32> {
    for side in options.seating().sides() {
        scores[side] = scores[side].saturating_sub(subtracted[side]);
        if options.floor_zero() {
            scores[side] = scores[side].max(0);
        }
    }
    scores
}
