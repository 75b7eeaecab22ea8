//! A second layout counter: slow, plain, and written from RULES.md without a look at the first.
//!
//! It keeps the tiles themselves, each turned as it lies, and works everything out from them every time.

use std::collections::VecDeque;

use fives_rules::event::CountedEnds;
use fives_rules::play::{End, Play};
use fives_rules::tile::{Pip, Tile, TileSet};

/// A tile as it lies: on the line its left and its right half, on an arm the half at the spinner's side and the other.
#[derive(Clone, Copy)]
struct Laid {
    from: u8,
    to: u8,
}

impl Laid {
    fn is_double(self) -> bool {
        self.from == self.to
    }

    fn tile(self) -> Tile {
        Tile::new(Pip::new(self.from).unwrap(), Pip::new(self.to).unwrap())
    }
}

/// The chains of tiles on the table.
#[derive(Default)]
pub(crate) struct Chains {
    line: VecDeque<Laid>,
    north: Vec<Laid>,
    south: Vec<Laid>,
    /// The number of the first double (R17).
    spinner: Option<u8>,
}

impl Chains {
    /// R18: the ends of the spinner open once there is a tile on either side of it.
    fn arms_are_open(&self) -> bool {
        let lies_at = |number| {
            self.line
                .iter()
                .position(|laid| laid.is_double() && laid.from == number)
        };
        let place = self.spinner.and_then(lies_at);
        place.is_some_and(|place| place > 0 && place + 1 < self.line.len())
    }

    /// The number that a tile needs at `end`, if it is open.
    pub(crate) fn shown(&self, end: End) -> Option<u8> {
        let arm_shows = |arm: &Vec<Laid>| match arm.last() {
            Some(tip) => Some(tip.to),
            None if self.arms_are_open() => self.spinner,
            None => None,
        };
        match end {
            End::Left => self.line.front().map(|laid| laid.from),
            End::Right => self.line.back().map(|laid| laid.to),
            End::North => arm_shows(&self.north),
            End::South => arm_shows(&self.south),
        }
    }

    /// R19, R20.
    pub(crate) fn counted(&self) -> CountedEnds {
        // A lone tile is both ends of the line: each half is counted once, a double's too.
        let alone = self.line.len() == 1;
        let counts = |laid: Laid, half: u8| if laid.is_double() && !alone { 2 * half } else { half };
        let left = self.line.front().map(|&laid| counts(laid, laid.from));
        let right = self.line.back().map(|&laid| counts(laid, laid.to));
        let tip = |arm: &Vec<Laid>| arm.last().map(|&laid| counts(laid, laid.to));
        CountedEnds([left, right, tip(&self.north), tip(&self.south)])
    }

    pub(crate) fn total(&self) -> u8 {
        self.counted().iter().map(|(_, counted)| counted).sum()
    }

    pub(crate) fn points(&self) -> u8 {
        [5, 10, 15, 20, 25, 30, 35]
            .into_iter()
            .find(|&points| points == self.total())
            .unwrap_or(0)
    }

    /// The plays that R10 and R12 allow with these tiles.
    pub(crate) fn legal(&self, hand: TileSet) -> Vec<Play> {
        let mut legal = Vec::new();
        for tile in hand {
            if self.line.is_empty() {
                legal.push(Play::lead(tile));
            }
            for end in End::ALL {
                let fits = |shown| tile.high().get() == shown || tile.low().get() == shown;
                if self.shown(end).is_some_and(fits) {
                    legal.push(Play::at(tile, end));
                }
            }
        }
        legal
    }

    pub(crate) fn any_fits(&self, hand: TileSet) -> bool {
        !self.legal(hand).is_empty()
    }

    pub(crate) fn place(&mut self, play: Play) {
        let (high, low) = (play.tile.high().get(), play.tile.low().get());
        let joined = |shown: Option<u8>| {
            let from = shown.expect("the end is open");
            let to = if high == from { low } else { high };
            Laid { from, to }
        };
        match play.end {
            None => self.line.push_back(Laid { from: high, to: low }),
            Some(End::Left) => {
                let Laid { from, to } = joined(self.shown(End::Left));
                self.line.push_front(Laid { from: to, to: from });
            }
            Some(End::Right) => self.line.push_back(joined(self.shown(End::Right))),
            Some(End::North) => self.north.push(joined(self.shown(End::North))),
            Some(End::South) => self.south.push(joined(self.shown(End::South))),
        }
        if high == low && self.spinner.is_none() {
            self.spinner = Some(high);
        }
    }

    /// The tiles of the line from left to right, of the arm N and of the arm S from the spinner outwards.
    pub(crate) fn rows(&self) -> [Vec<Tile>; 3] {
        [
            self.line.iter().map(|laid| laid.tile()).collect(),
            self.north.iter().map(|laid| laid.tile()).collect(),
            self.south.iter().map(|laid| laid.tile()).collect(),
        ]
    }
}
