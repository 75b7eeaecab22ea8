//! Tiles in an order.

use std::fmt;

use super::Tile;

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
