//! Sets of tiles: one bit a tile.

use std::fmt;

use super::{HALVES, Pip, Tile};

/// A set of tiles: what a seat holds, or what fits somewhere. No order, no duplicates.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct TileSet(u32);

/// The tiles that have a given number, by number; index 7 (no number) holds none.
const WITH_PIP: [u32; 8] = {
    let mut masks = [0; 8];
    let mut number = 0;
    while number < Tile::COUNT {
        let (high, low) = HALVES[number];
        masks[high as usize] |= 1 << number;
        masks[low as usize] |= 1 << number;
        number += 1;
    }
    masks
};

impl TileSet {
    /// No tile.
    pub const EMPTY: Self = Self(0);
    /// All 28 tiles.
    pub const FULL: Self = Self((1 << Tile::COUNT) - 1);

    /// The tiles with `pip` on one half: seven of them.
    #[must_use]
    pub const fn with_pip(pip: Pip) -> Self {
        Self(WITH_PIP[pip.0 as usize])
    }

    /// As [`TileSet::with_pip`], where 7 stands for "nothing fits".
    #[inline]
    pub(crate) const fn fitting(pip_or_closed: u8) -> Self {
        Self(WITH_PIP[(pip_or_closed & 7) as usize])
    }

    /// The set with these bits (bit n = tile number n), or `None` if a bit above 27 is set.
    #[must_use]
    pub const fn from_bits(bits: u32) -> Option<Self> {
        if bits & !Self::FULL.0 == 0 {
            Some(Self(bits))
        } else {
            None
        }
    }

    /// One bit a tile number.
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// Whether the set has `tile`.
    #[must_use]
    pub const fn contains(self, tile: Tile) -> bool {
        self.0 >> tile.0 & 1 == 1
    }

    /// Whether the set has no tile.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many tiles the set has.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Adds `tile`; false if it was there already.
    pub const fn insert(&mut self, tile: Tile) -> bool {
        let fresh = !self.contains(tile);
        self.0 |= 1 << tile.0;
        fresh
    }

    /// Takes `tile` out, if it is there.
    pub const fn remove(&mut self, tile: Tile) {
        self.0 &= !(1 << tile.0);
    }

    /// The tiles that are in both sets.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The tiles that are in one of the sets or in both.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The tiles that are not in this set.
    #[must_use]
    pub const fn complement(self) -> Self {
        Self(!self.0 & Self::FULL.0)
    }

    /// All pips of all tiles: what R21 rounds.
    #[must_use]
    pub fn pips(self) -> u32 {
        self.iter().map(|tile| u32::from(tile.pips())).sum()
    }

    /// The tiles from high to low: the order in which hands and legal plays are written.
    #[must_use]
    pub const fn iter(self) -> TileIter {
        TileIter(self.0)
    }
}

impl FromIterator<Tile> for TileSet {
    fn from_iter<I: IntoIterator<Item = Tile>>(tiles: I) -> Self {
        tiles
            .into_iter()
            .fold(Self::EMPTY, |set, tile| Self(set.0 | 1 << tile.0))
    }
}

impl IntoIterator for TileSet {
    type Item = Tile;
    type IntoIter = TileIter;

    fn into_iter(self) -> TileIter {
        self.iter()
    }
}

impl fmt::Debug for TileSet {
    /// Says how many tiles, never which: sets are mostly hands, and hands are secret (law 4).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TileSet({} tiles)", self.len())
    }
}

/// The tiles of a [`TileSet`], from high to low.
#[derive(Clone)]
pub struct TileIter(u32);

impl Iterator for TileIter {
    type Item = Tile;

    #[inline]
    fn next(&mut self) -> Option<Tile> {
        let number = 31_u32.checked_sub(self.0.leading_zeros())?;
        self.0 ^= 1 << number;
        Some(Tile(number as u8))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.0.count_ones() as usize;
        (len, Some(len))
    }
}

impl ExactSizeIterator for TileIter {}
