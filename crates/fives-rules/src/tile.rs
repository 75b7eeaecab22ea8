//! Pips, tiles and sets of tiles.
//!
//! The 28 tiles of the double-six set (R1) are numbered `0-0, 1-0, 1-1, 2-0 … 6-6`; a set of tiles is
//! one bit a number, so that a hand is four bytes and "which tiles fit here?" is one AND.

mod list;
mod set;

use std::fmt;

pub use list::TileList;
pub use set::{TileIter, TileSet};

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
