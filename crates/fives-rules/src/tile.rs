//! Pips, tiles and sets of tiles.
//!
//! The 28 tiles of the double-six set (R1) are numbered `0-0, 1-0, 1-1, 2-0 … 6-6`; a set of tiles is
//! one bit a number, so that a hand is four bytes and "which tiles fit here?" is one AND.

use std::fmt;

/// The number on one half of a tile, 0 to 6.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pip(u8);

impl Pip {
    /// Every number, ascending.
    pub const ALL: [Pip; 7] = [Pip(0), Pip(1), Pip(2), Pip(3), Pip(4), Pip(5), Pip(6)];

    /// The number `value`, or `None` above 6.
    #[must_use]
    pub const fn new(value: u8) -> Option<Self> {
        if value <= 6 { Some(Self(value)) } else { None }
    }

    /// The number as an integer, 0 to 6.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }
}

impl fmt::Debug for Pip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// One of the 28 tiles, stored as its number in the order `0-0, 1-0, 1-1, 2-0 … 6-6`.
///
/// Tiles compare by that order: by their high half, then by their low half. `Display` writes `6-4`, `Debug` as well.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tile(u8);

impl fmt::Display for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.high().0, self.low().0)
    }
}

impl fmt::Debug for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// `(high, low)` of each tile, by number.
const HALVES: [(u8, u8); Tile::COUNT] = {
    let mut halves = [(0, 0); Tile::COUNT];
    let (mut high, mut low, mut number) = (0, 0, 0);
    while number < Tile::COUNT {
        halves[number] = (high, low);
        if low == high {
            high += 1;
            low = 0;
        } else {
            low += 1;
        }
        number += 1;
    }
    halves
};

impl Tile {
    /// How many tiles the set has (R1).
    pub const COUNT: usize = 28;
    /// Every tile, `0-0` first.
    pub const ALL: [Tile; Tile::COUNT] = {
        let mut tiles = [Self(0); Self::COUNT];
        let mut number = 0;
        while number < Self::COUNT {
            tiles[number] = Self(number as u8);
            number += 1;
        }
        tiles
    };

    /// The tile with the halves `a` and `b`, in either order.
    #[must_use]
    pub const fn new(a: Pip, b: Pip) -> Self {
        let (high, low) = if a.0 >= b.0 { (a.0, b.0) } else { (b.0, a.0) };
        Self(high * (high + 1) / 2 + low)
    }

    /// The tile with this number (0 to 27), or `None` above it.
    #[must_use]
    pub const fn from_number(number: u8) -> Option<Self> {
        if (number as usize) < Self::COUNT {
            Some(Self(number))
        } else {
            None
        }
    }

    /// The tile's number, 0 to 27.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The larger half.
    #[must_use]
    pub const fn high(self) -> Pip {
        Pip(HALVES[self.0 as usize].0)
    }

    /// The smaller half.
    #[must_use]
    pub const fn low(self) -> Pip {
        Pip(HALVES[self.0 as usize].1)
    }

    /// Both halves together, 0 to 12.
    #[must_use]
    pub const fn pips(self) -> u8 {
        let (high, low) = HALVES[self.0 as usize];
        high + low
    }

    /// Whether both halves are equal.
    #[must_use]
    pub const fn is_double(self) -> bool {
        let (high, low) = HALVES[self.0 as usize];
        high == low
    }

    /// Whether one half is `pip`.
    #[must_use]
    pub const fn has(self, pip: Pip) -> bool {
        let (high, low) = HALVES[self.0 as usize];
        high == pip.0 || low == pip.0
    }

    /// The half that is left when `pip` is joined to something, or `None` if no half is `pip`.
    #[must_use]
    pub const fn other(self, pip: Pip) -> Option<Pip> {
        let (high, low) = HALVES[self.0 as usize];
        if high == pip.0 {
            Some(Pip(low))
        } else if low == pip.0 {
            Some(Pip(high))
        } else {
            None
        }
    }
}

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

/// Tiles in an order: a boneyard, or what was drawn from it. At most 28, taken from the front.
#[derive(Clone, Copy)]
pub struct TileList {
    tiles: [Tile; Tile::COUNT],
    start: u8,
    end: u8,
}

impl TileList {
    /// No tile.
    pub const EMPTY: Self = Self {
        tiles: [Tile(0); Tile::COUNT],
        start: 0,
        end: 0,
    };

    /// How many tiles are left in the list.
    #[must_use]
    pub const fn len(&self) -> usize {
        (self.end - self.start) as usize
    }

    /// Whether no tile is left.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.start == self.end
    }

    /// The tiles that are left, in their order.
    #[must_use]
    pub fn as_slice(&self) -> &[Tile] {
        &self.tiles[self.start as usize..self.end as usize]
    }

    /// Adds `tile` at the end; a list that has held 28 tiles takes no more.
    pub(crate) fn push(&mut self, tile: Tile) {
        if let Some(place) = self.tiles.get_mut(self.end as usize) {
            *place = tile;
            self.end += 1;
        }
    }

    /// Takes the first tile.
    pub(crate) fn pop_front(&mut self) -> Option<Tile> {
        let tile = *self.as_slice().first()?;
        self.start += 1;
        Some(tile)
    }
}

impl FromIterator<Tile> for TileList {
    /// Keeps the first 28 tiles.
    fn from_iter<I: IntoIterator<Item = Tile>>(tiles: I) -> Self {
        let mut list = Self::EMPTY;
        tiles.into_iter().take(Tile::COUNT).for_each(|tile| list.push(tile));
        list
    }
}

impl PartialEq for TileList {
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl Eq for TileList {}

impl fmt::Debug for TileList {
    /// Says how many tiles, never which (law 4).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TileList({} tiles)", self.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn r1_the_set_has_28_tiles_and_168_pips() {
        assert_eq!(TileSet::FULL.len(), 28);
        assert_eq!(TileSet::FULL.pips(), 168);
        for tile in Tile::ALL {
            assert_eq!(Tile::new(tile.low(), tile.high()), tile);
            assert_eq!(tile.other(tile.high()), Some(tile.low()));
        }
    }

    #[test]
    fn each_number_is_on_seven_tiles() {
        for pip in Pip::ALL {
            assert_eq!(TileSet::with_pip(pip).len(), 7);
            assert!(TileSet::with_pip(pip).iter().all(|tile| tile.has(pip)));
        }
        assert!(TileSet::fitting(7).is_empty());
    }

    #[test]
    fn sets_list_their_tiles_from_high_to_low() {
        let tiles: Vec<Tile> = TileSet::FULL.iter().collect();
        assert!(tiles.is_sorted_by(|a, b| a > b));
        assert_eq!(tiles.into_iter().collect::<TileSet>(), TileSet::FULL);
    }
}
