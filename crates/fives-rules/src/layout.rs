//! The tiles on the table: the main line, the spinner and its two arms, and what their ends count.
//!
//! ```text
//!                 N
//!                 │               L, R  the ends of the main line
//!     L ── 3-6 ─ 6-6 ─ 6-4 ── R   N, S  the arms, open once both sides of the spinner are covered
//!                 │
//!                 S
//! ```
//!
//! The number shown at each end and what it counts are kept up to date with every tile (R19, R20), so that
//! the total after a tile is one addition of four bytes. Where the tiles lie is worked out on demand
//! from the order in which they were played.

use crate::event::CountedEnds;
use crate::play::{End, Illegal, Play};
use crate::tile::{Pip, Tile, TileSet};

/// Stands for "nothing can be joined here" and, for the spinner, for "none yet".
const NONE: u8 = 7;

/// The layout of one round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    /// The number shown at each end, or [`NONE`].
    shown: [u8; 4],
    /// What each end counts.
    counted: [u8; 4],
    /// The spinner's number, or [`NONE`].
    spinner: u8,
    /// Which ends of the line the spinner itself is: its uncovered sides.
    spinner_sides: u8,
    /// Whether the lead lies with its low number at L.
    lead_turned: bool,
    len: u8,
    plays: [PackedPlay; Tile::COUNT],
}

/// A [`Play`] in one byte: the tile's number, and above it 0 for a lead or 1 + the end's index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct PackedPlay(u8);

impl PackedPlay {
    const fn pack(play: Play) -> Self {
        let end = match play.end {
            None => 0,
            Some(end) => 1 + end.index() as u8,
        };
        Self(end << 5 | play.tile.number())
    }

    fn unpack(self) -> Option<Play> {
        let tile = Tile::from_number(self.0 & 31)?;
        let end = (self.0 >> 5)
            .checked_sub(1)
            .and_then(|index| End::ALL.get(index as usize));
        Some(Play {
            tile,
            end: end.copied(),
        })
    }
}

/// What one placed tile brought.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placement {
    /// All ends added up (R19).
    pub total: u8,
    /// The points for it: the total if it is a multiple of five, otherwise 0.
    pub points: u8,
}

/// An end that can be played on, or that counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpenEnd {
    /// Which end.
    pub end: End,
    /// The number that a tile needs to be joined here.
    pub shown: Pip,
    /// What it adds to the total; `None` for an arm that has not begun (R20).
    pub counted: Option<u8>,
}

/// Which row a placed tile belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Branch {
    /// The main line.
    Line,
    /// The arm N.
    North,
    /// The arm S.
    South,
}

/// One tile on the table, with enough to draw it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlacedTile {
    /// The play that put it there.
    pub play: Play,
    /// The row it lies in.
    pub branch: Branch,
    /// On the line: 0 for the lead, −1, −2 … towards L, 1, 2 … towards R. On an arm: 1, 2 … from the spinner.
    pub position: i8,
    /// The number that faces away from the lead (or from the spinner); of the lead the one at R.
    pub outward: Pip,
    /// Whether this is the spinner.
    pub spinner: bool,
}

impl Default for Layout {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl Layout {
    /// The empty table.
    pub const EMPTY: Self = Self {
        shown: [NONE; 4],
        counted: [0; 4],
        spinner: NONE,
        spinner_sides: 0,
        lead_turned: false,
        len: 0,
        plays: [PackedPlay(0); Tile::COUNT],
    };

    /// Whether no tile has been played.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// How many tiles lie on the table.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len as usize
    }

    /// The plays so far, the lead first.
    pub fn plays(&self) -> impl Iterator<Item = Play> + '_ {
        self.plays[..self.len()].iter().filter_map(|play| play.unpack())
    }

    /// The tiles on the table.
    #[must_use]
    pub fn tiles(&self) -> TileSet {
        self.plays().map(|play| play.tile).collect()
    }

    /// Whether the lead lies with its low number at L.
    #[must_use]
    pub(crate) const fn lead_is_turned(&self) -> bool {
        self.lead_turned
    }

    /// The spinner's number: the first double's (R17).
    #[must_use]
    pub const fn spinner(&self) -> Option<Pip> {
        Pip::new(self.spinner)
    }

    /// The tiles of `tiles` that fit at each end, by [`End::index`].
    #[inline]
    #[must_use]
    pub(crate) fn fitting(&self, tiles: TileSet) -> [TileSet; 4] {
        self.shown.map(|shown| TileSet::fitting(shown).and(tiles))
    }

    /// The tiles of the whole set that fit somewhere; none on an empty table.
    #[inline]
    #[must_use]
    pub(crate) fn fitting_anywhere(&self) -> TileSet {
        let [left, right, north, south] = self.shown.map(TileSet::fitting);
        left.or(right).or(north).or(south)
    }

    /// All ends added up (R19, R20).
    #[inline]
    #[must_use]
    pub fn total(&self) -> u8 {
        self.counted.iter().sum()
    }

    /// The ends that can be played on, in the order L, R, N, S, with what each counts.
    pub fn open_ends(&self) -> impl Iterator<Item = OpenEnd> + '_ {
        End::ALL.into_iter().filter_map(|end| {
            let shown = Pip::new(self.shown[end.index()])?;
            let begun = !end.is_arm() || self.arm_has_begun(end);
            Some(OpenEnd {
                end,
                shown,
                counted: begun.then_some(self.counted[end.index()]),
            })
        })
    }

    /// What each end counts (R20).
    #[must_use]
    pub fn counted_ends(&self) -> CountedEnds {
        let mut counted = CountedEnds::default();
        for open in self.open_ends() {
            counted.0[open.end.index()] = open.counted;
        }
        counted
    }

    fn arm_has_begun(&self, arm: End) -> bool {
        self.plays().any(|play| play.end == Some(arm))
    }

    /// Why `play` is refused here, or that it is not. Knows nothing of hands.
    ///
    /// # Errors
    /// The reason, in the words that a client can act on.
    pub fn check(&self, play: Play) -> Result<(), Illegal> {
        let tile = play.tile;
        if self.tiles().contains(tile) {
            return Err(Illegal::AlreadyPlayed { tile });
        }
        match (self.is_empty(), play.end) {
            (true, None) => Ok(()),
            (true, Some(_)) => Err(Illegal::LeadNamesNoEnd),
            (false, None) => Err(Illegal::EndRequired),
            (false, Some(end)) => match Pip::new(self.shown[end.index()]) {
                None if self.spinner == NONE => Err(Illegal::NoSpinner),
                None => Err(Illegal::ArmClosed),
                Some(shown) if !tile.has(shown) => Err(Illegal::NoMatch { tile, shown }),
                Some(_) => Ok(()),
            },
        }
    }

    /// Plays a tile; a lead lies with its high number at L.
    ///
    /// # Errors
    /// As [`Layout::check`]; nothing has changed then.
    pub fn play(&mut self, play: Play) -> Result<Placement, Illegal> {
        self.check(play)?;
        Ok(self.place(play))
    }

    /// Leads `tile` with `left` at L: notation keeps the orientation that is written.
    ///
    /// # Errors
    /// [`Illegal::EndRequired`] if the table is not empty, [`Illegal::NoMatch`] if the tile has no `left`.
    pub fn lead_with_left(&mut self, tile: Tile, left: Pip) -> Result<Placement, Illegal> {
        self.check(Play::lead(tile))?;
        if !tile.has(left) {
            return Err(Illegal::NoMatch { tile, shown: left });
        }
        let placement = self.place(Play::lead(tile));
        if tile.high() != left {
            self.lead_turned = true;
            self.shown.swap(0, 1);
            self.counted.swap(0, 1);
        }
        Ok(placement)
    }

    /// Plays a tile that [`Layout::check`] has let through.
    #[inline]
    pub(crate) fn place(&mut self, play: Play) -> Placement {
        match play.end {
            None => self.lead(play.tile),
            Some(end) => self.join(play.tile, end),
        }
        if let Some(place) = self.plays.get_mut(self.len as usize) {
            *place = PackedPlay::pack(play);
            self.len += 1;
        }
        let total = self.total();
        Placement {
            total,
            points: if total.is_multiple_of(5) { total } else { 0 },
        }
    }

    #[inline]
    fn lead(&mut self, tile: Tile) {
        let (high, low) = (tile.high().get(), tile.low().get());
        self.shown = [high, low, NONE, NONE];
        self.counted = [high, low, 0, 0];
        if tile.is_double() {
            self.spinner = high;
            self.spinner_sides = 0b11;
        }
    }

    #[inline]
    fn join(&mut self, tile: Tile, end: End) {
        let at = end.index();
        let Some(outward) = Pip::new(self.shown[at])
            .and_then(|shown| tile.other(shown))
            .map(Pip::get)
        else {
            return;
        };
        let side = 1 << at;
        if self.spinner_sides & side != 0 {
            self.spinner_sides &= !side;
            if self.spinner_sides == 0 {
                // Both sides covered: the spinner's ends open (R18) and count nothing yet (R20).
                self.shown[End::North.index()] = self.spinner;
                self.shown[End::South.index()] = self.spinner;
            } else {
                // A lone double has its halves counted at L and at R; from now on both at the bare side (A3).
                self.counted[1 - at] = 2 * self.spinner;
            }
        }
        self.shown[at] = outward;
        self.counted[at] = outward;
        if tile.is_double() {
            self.counted[at] = 2 * outward;
            if self.spinner == NONE {
                // The line it is joined to is its first side (R18, A4).
                self.spinner = outward;
                self.spinner_sides = side;
            }
        }
    }

    /// Every tile with the place where it lies, in the order of play.
    #[must_use]
    pub fn placed(&self) -> Vec<PlacedTile> {
        let mut reach = [0_i8; 4];
        let mut outward_at: [Option<Pip>; 4] = [None; 4];
        let mut spinner_seen = false;
        let mut placed = Vec::with_capacity(self.len());
        for play in self.plays() {
            let tile = play.tile;
            let spinner = tile.is_double() && !spinner_seen;
            spinner_seen |= spinner;
            let (branch, position, outward) = match play.end {
                None => {
                    let (left, right) = if self.lead_turned {
                        (tile.low(), tile.high())
                    } else {
                        (tile.high(), tile.low())
                    };
                    outward_at[0] = Some(left);
                    outward_at[1] = Some(right);
                    (Branch::Line, 0, right)
                }
                Some(end) => {
                    let at = end.index();
                    reach[at] += 1;
                    let inward = outward_at[at].or(self.spinner());
                    let outward = inward.and_then(|pip| tile.other(pip)).unwrap_or(tile.low());
                    outward_at[at] = Some(outward);
                    match end {
                        End::Left => (Branch::Line, -reach[at], outward),
                        End::Right => (Branch::Line, reach[at], outward),
                        End::North => (Branch::North, reach[at], outward),
                        End::South => (Branch::South, reach[at], outward),
                    }
                }
            };
            placed.push(PlacedTile {
                play,
                branch,
                position,
                outward,
                spinner,
            });
        }
        placed
    }
}
