//! A play (a tile and the end it goes to), the set of legal ones, and why the others are refused.

use std::fmt;

use thiserror::Error;

use crate::seat::Seat;
use crate::tile::{Pip, Tile, TileSet};

/// Where a tile can be joined to the layout.
///
/// `Left` and `Right` are the two ends of the main line; `North` and `South` are the arms at the spinner's
/// ends, which open once both its sides are covered (A6).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum End {
    /// L: the end where the lead's first number lies.
    Left,
    /// R: the other end of the main line.
    Right,
    /// N: one arm of the spinner.
    North,
    /// S: the other arm of the spinner.
    South,
}

impl End {
    /// L, R, N, S: the order in which ends are written.
    pub const ALL: [End; 4] = [Self::Left, Self::Right, Self::North, Self::South];

    /// 0 to 3, in the order of [`End::ALL`].
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Whether this is an arm rather than an end of the main line.
    #[must_use]
    pub const fn is_arm(self) -> bool {
        matches!(self, Self::North | Self::South)
    }

    /// The letter that notation and records use.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Left => 'L',
            Self::Right => 'R',
            Self::North => 'N',
            Self::South => 'S',
        }
    }
}

/// What a player on turn does: place `tile` at `end`. A lead names no end.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Play {
    /// The tile.
    pub tile: Tile,
    /// The end it is joined to; `None` for the lead.
    pub end: Option<End>,
}

impl Play {
    /// The lead of a round.
    #[must_use]
    pub const fn lead(tile: Tile) -> Self {
        Self { tile, end: None }
    }

    /// A tile joined to an end.
    #[must_use]
    pub const fn at(tile: Tile, end: End) -> Self {
        Self { tile, end: Some(end) }
    }
}

impl fmt::Debug for Play {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Every legal play of the seat on turn: for each end the tiles of the hand that fit, or the tiles that may lead.
///
/// Five bit sets instead of a list, so that asking costs no allocation.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Legal {
    /// The table is empty: any of these tiles may lead (R10).
    Lead(TileSet),
    /// The tiles that fit at each end, by [`End::index`].
    Join([TileSet; 4]),
}

impl Legal {
    /// No play at all.
    pub const NONE: Self = Self::Lead(TileSet::EMPTY);

    /// Whether `play` is one of them.
    #[must_use]
    pub const fn contains(&self, play: Play) -> bool {
        match (self, play.end) {
            (Self::Lead(tiles), None) => tiles.contains(play.tile),
            (Self::Join(fitting), Some(end)) => fitting[end.index()].contains(play.tile),
            _ => false,
        }
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Lead(tiles) => tiles.len(),
            Self::Join([left, right, north, south]) => {
                // Two sets share one 64-bit count: without a popcnt instruction (plain x86-64) that halves the cost.
                let line = u64::from(left.bits()) << 32 | u64::from(right.bits());
                let arms = u64::from(north.bits()) << 32 | u64::from(south.bits());
                (line.count_ones() + arms.count_ones()) as usize
            }
        }
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Lead(tiles) => tiles.is_empty(),
            Self::Join([left, right, north, south]) => left.or(*right).or(*north).or(*south).is_empty(),
        }
    }

    /// The plays in the order in which they are written: tiles from high to low, then L, R, N, S.
    pub fn iter(&self) -> impl Iterator<Item = Play> + use<> {
        let legal = *self;
        let tiles = match legal {
            Self::Lead(tiles) => tiles,
            Self::Join([left, right, north, south]) => left.or(right).or(north).or(south),
        };
        tiles.into_iter().flat_map(move |tile| {
            let lead = matches!(legal, Self::Lead(_)).then_some(Play::lead(tile));
            let joins = End::ALL
                .map(|end| Play::at(tile, end))
                .into_iter()
                .filter(move |&play| legal.contains(play));
            lead.into_iter().chain(joins)
        })
    }

    /// The `n`-th play, counted end by end (not in the order of [`Legal::iter`]), or `None` past the last.
    /// For picking one at random without listing all.
    #[must_use]
    pub fn nth(&self, n: usize) -> Option<Play> {
        match self {
            Self::Lead(tiles) => nth_tile(*tiles, n).map(Play::lead),
            Self::Join(fitting) => {
                let mut left = n;
                for end in End::ALL {
                    let tiles = fitting[end.index()];
                    let count = tiles.len();
                    if left < count {
                        return nth_tile(tiles, left).map(|tile| Play::at(tile, end));
                    }
                    left -= count;
                }
                None
            }
        }
    }
}

impl fmt::Debug for Legal {
    /// Says how many plays, never which: they are tiles of a hand (law 4).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Legal({} plays)", self.len())
    }
}

fn nth_tile(tiles: TileSet, n: usize) -> Option<Tile> {
    let mut bits = tiles.bits();
    for _ in 0..n {
        bits &= bits.wrapping_sub(1);
    }
    Tile::from_number(bits.trailing_zeros() as u8)
}

/// Why an action is refused. Nothing has changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Illegal {
    /// The match is over.
    #[error("the match is over")]
    MatchOver,
    /// Another seat is on turn (R11).
    #[error("it is the turn of seat {turn}")]
    NotYourTurn {
        /// The seat on turn.
        turn: Seat,
    },
    /// The tile lies on the table already.
    #[error("{tile} is on the table already")]
    AlreadyPlayed {
        /// The tile.
        tile: Tile,
    },
    /// The tile is not in the player's hand.
    #[error("{tile} is not in your hand")]
    TileNotInHand {
        /// The tile.
        tile: Tile,
    },
    /// The table is not empty, so an end must be named.
    #[error("name an end: the table is not empty")]
    EndRequired,
    /// The table is empty, so no end can be named.
    #[error("a lead names no end")]
    LeadNamesNoEnd,
    /// No double has been played, so there are no arms (R17).
    #[error("there is no spinner, so there are no arms")]
    NoSpinner,
    /// The spinner's ends are closed until both its sides are covered (R18, A6).
    #[error("the arms are closed until both sides of the spinner are covered")]
    ArmClosed,
    /// No half of the tile equals the number at that end (R12).
    #[error("{tile} does not fit: the end shows {shown:?}")]
    NoMatch {
        /// The tile.
        tile: Tile,
        /// The number at the end.
        shown: Pip,
    },
    /// Only a seat that has not resigned can resign.
    #[error("the seat has resigned already")]
    AlreadyResigned,
}
