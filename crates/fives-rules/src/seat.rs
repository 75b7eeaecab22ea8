//! Who sits where, and whose points are whose.

use std::fmt;
use std::ops::{Index, IndexMut};

/// How many seats a match has (R2).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Players {
    /// Two players.
    Two = 2,
    /// Three players.
    Three = 3,
    /// Four players, single or in two partnerships (A15, A26).
    Four = 4,
}

impl Players {
    /// The number of players, or `None` if it is not 2, 3 or 4.
    #[must_use]
    pub const fn new(count: usize) -> Option<Self> {
        match count {
            2 => Some(Self::Two),
            3 => Some(Self::Three),
            4 => Some(Self::Four),
            _ => None,
        }
    }

    /// 2, 3 or 4.
    #[must_use]
    pub const fn count(self) -> usize {
        self as usize
    }

    /// The seats in turn order, seat 0 first.
    pub fn seats(self) -> impl DoubleEndedIterator<Item = Seat> + ExactSizeIterator {
        (0..self as u8).map(Seat)
    }

    /// The seat with this index, or `None` if the match has no such seat.
    #[must_use]
    pub const fn seat(self, index: u8) -> Option<Seat> {
        if index < self as u8 { Some(Seat(index)) } else { None }
    }

    /// Whether the match has this seat.
    #[must_use]
    pub const fn has(self, seat: Seat) -> bool {
        seat.0 < self as u8
    }

    /// The seat whose turn follows (R11, A24): the next index, then round to 0.
    #[must_use]
    pub const fn after(self, seat: Seat) -> Seat {
        if seat.0 + 1 >= self as u8 {
            Seat(0)
        } else {
            Seat(seat.0 + 1)
        }
    }
}

/// A place at the table, 0 to 3; turns go by ascending index.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seat(u8);

impl Seat {
    /// Every seat that a match can have.
    pub const ALL: [Seat; 4] = [Seat(0), Seat(1), Seat(2), Seat(3)];

    /// The seat with this index, or `None` above 3. [`Players::seat`] also asks whether a match has it.
    #[must_use]
    pub const fn new(index: u8) -> Option<Self> {
        if index < 4 { Some(Self(index)) } else { None }
    }

    /// 0 to 3.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seat {}", self.0)
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A player, or a partnership, that owns a score; 0 to 3, or 0 and 1 with partners.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Side(u8);

impl Side {
    /// The side with this index, or `None` above 3.
    #[must_use]
    pub const fn new(index: u8) -> Option<Self> {
        if index < 4 { Some(Self(index)) } else { None }
    }

    /// 0 to 3.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "side {}", self.0)
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The seats of a match and the sides they score for (A15).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Seating {
    /// Every seat is a side of its own.
    Singles(Players),
    /// Four seats, sides 0 + 2 and 1 + 3.
    Partners,
}

impl Seating {
    /// How many seats there are.
    #[must_use]
    pub const fn players(self) -> Players {
        match self {
            Self::Singles(players) => players,
            Self::Partners => Players::Four,
        }
    }

    /// How many scores there are.
    #[must_use]
    pub const fn side_count(self) -> usize {
        match self {
            Self::Singles(players) => players.count(),
            Self::Partners => 2,
        }
    }

    /// The sides, side 0 first.
    pub fn sides(self) -> impl DoubleEndedIterator<Item = Side> + ExactSizeIterator {
        (0..self.side_count() as u8).map(Side)
    }

    /// The side that `seat` scores for.
    #[must_use]
    pub const fn side_of(self, seat: Seat) -> Side {
        match self {
            Self::Singles(_) => Side(seat.0),
            Self::Partners => Side(seat.0 % 2),
        }
    }

    /// The seats that score for `side`.
    pub fn seats_of(self, side: Side) -> impl Iterator<Item = Seat> {
        self.players().seats().filter(move |&seat| self.side_of(seat) == side)
    }
}

/// One value for each seat; those of seats that the match does not have stay at their default.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct BySeat<T>(pub [T; 4]);

impl<T> Index<Seat> for BySeat<T> {
    type Output = T;

    fn index(&self, seat: Seat) -> &T {
        &self.0[seat.index()]
    }
}

impl<T> IndexMut<Seat> for BySeat<T> {
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        &mut self.0[seat.index()]
    }
}

/// One value for each side; those of sides that the match does not have stay at their default.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct BySide<T>(pub [T; 4]);

impl<T> Index<Side> for BySide<T> {
    type Output = T;

    fn index(&self, side: Side) -> &T {
        &self.0[side.index()]
    }
}

impl<T> IndexMut<Side> for BySide<T> {
    fn index_mut(&mut self, side: Side) -> &mut T {
        &mut self.0[side.index()]
    }
}
