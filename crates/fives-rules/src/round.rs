//! One deal, played until somebody is out or all are blocked: the hot type.
//!
//! A round always waits for a real decision (law 2): [`Round::place`] puts a tile down, then [`Round::advance`]
//! carries out what has no choice in it (draws, passes) until the seat on turn can play or the round is over.
//! `Copy`, at most 96 bytes, and nothing here allocates.

use crate::deal::Deck;
use crate::event::{Event, Sink};
use crate::layout::{Layout, Placement};
use crate::options::{DeadLayout, MatchOptions};
use crate::play::{Illegal, Legal, Play};
use crate::seat::{BySeat, Players, Seat};
use crate::tile::{TileList, TileSet};

/// The state of one round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Round {
    layout: Layout,
    hands: BySeat<TileSet>,
    boneyard: TileList,
    turn: Seat,
    players: Players,
    boneyard_reserve: u8,
    dead_layout: DeadLayout,
}

/// How a round came to its end by itself (R15).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RoundOver {
    /// This seat placed its last tile (R15a).
    Out(Seat),
    /// Nobody can place (R15b, A21).
    Blocked,
}

impl Round {
    /// A round as it is dealt; `starter` leads.
    #[must_use]
    pub fn deal(options: &MatchOptions, deck: &Deck, starter: Seat) -> Self {
        let mut hands = BySeat::default();
        for seat in options.players().seats() {
            hands[seat] = deck.hand(seat, options).iter().copied().collect();
        }
        Self::new(options, Layout::EMPTY, hands, deck.boneyard(options), starter)
    }

    /// A round in any state; [`crate::setup`] is the door that checks it.
    pub(crate) fn new(
        options: &MatchOptions,
        layout: Layout,
        hands: BySeat<TileSet>,
        boneyard: TileList,
        turn: Seat,
    ) -> Self {
        Self {
            layout,
            hands,
            boneyard,
            turn,
            players: options.players(),
            boneyard_reserve: options.boneyard_reserve(),
            dead_layout: options.dead_layout(),
        }
    }

    /// The tiles on the table.
    #[must_use]
    pub const fn layout(&self) -> &Layout {
        &self.layout
    }

    /// What each seat holds.
    #[must_use]
    pub const fn hands(&self) -> &BySeat<TileSet> {
        &self.hands
    }

    /// The tiles not drawn yet; the first is drawn next.
    #[must_use]
    pub const fn boneyard(&self) -> &TileList {
        &self.boneyard
    }

    /// The seat whose decision the round waits for.
    #[must_use]
    pub const fn turn(&self) -> Seat {
        self.turn
    }

    /// What the seat on turn may do (R10, R12).
    #[inline]
    #[must_use]
    pub fn legal(&self) -> Legal {
        let hand = self.hands[self.turn];
        if self.layout.is_empty() {
            Legal::Lead(hand)
        } else {
            Legal::Join(self.layout.fitting(hand))
        }
    }

    /// Whether the seat on turn may do `play`.
    ///
    /// # Errors
    /// Why not.
    #[inline]
    pub fn check(&self, play: Play) -> Result<(), Illegal> {
        if self.legal().contains(play) {
            return Ok(());
        }
        let tile = play.tile;
        if !self.hands[self.turn].contains(tile) && !self.layout.tiles().contains(tile) {
            return Err(Illegal::TileNotInHand { tile });
        }
        self.layout.check(play)
    }

    /// Takes a legal play out of the hand of the seat on turn, puts it on the table and gives the turn on (R11).
    ///
    /// Only for plays of [`Round::legal`]; follow it with [`Round::advance`].
    #[inline]
    pub fn place(&mut self, play: Play) -> Placement {
        self.hands[self.turn].remove(play.tile);
        self.turn = self.players.after(self.turn);
        self.layout.place(play)
    }

    /// Carries out draws and passes after `placed_by` has placed a tile, until the seat on turn can play (`None`) or the
    /// round is over.
    #[inline]
    pub fn advance(&mut self, placed_by: Seat, sink: &mut impl Sink) -> Option<RoundOver> {
        if self.hands[placed_by].is_empty() {
            return Some(RoundOver::Out(placed_by));
        }
        let fitting = self.layout.fitting_anywhere();
        if self.dead_layout == DeadLayout::End && fitting.and(self.layout.tiles().complement()).is_empty() {
            return Some(RoundOver::Blocked);
        }
        loop {
            if !fitting.and(self.hands[self.turn]).is_empty() {
                return None;
            }
            if self.is_blocked(fitting) {
                return Some(RoundOver::Blocked);
            }
            let seat = self.turn;
            let drawn = self.draw_until_one_fits(fitting);
            if !drawn.is_empty() {
                sink.push(Event::TilesDrawn { seat, tiles: drawn });
            }
            if fitting.and(self.hands[seat]).is_empty() {
                self.pass();
                sink.push(Event::TurnPassed { seat });
            }
        }
    }

    /// Nothing to draw, and no hand fits (A21).
    fn is_blocked(&self, fitting: TileSet) -> bool {
        let held = self.hands.0.iter().fold(TileSet::EMPTY, |all, hand| all.or(*hand));
        self.is_exhausted() && fitting.and(held).is_empty()
    }

    /// Only the tiles that are never drawn are left (A22).
    const fn is_exhausted(&self) -> bool {
        self.boneyard.len() <= self.boneyard_reserve as usize
    }

    /// R13: one tile after another until one fits or none is left.
    fn draw_until_one_fits(&mut self, fitting: TileSet) -> TileList {
        let mut drawn = TileList::EMPTY;
        while !self.is_exhausted() {
            let Some(tile) = self.draw() else { break };
            drawn.push(tile);
            if fitting.contains(tile) {
                break;
            }
        }
        drawn
    }

    /// The seat on turn takes the first tile of the boneyard.
    pub(crate) fn draw(&mut self) -> Option<crate::tile::Tile> {
        let tile = self.boneyard.pop_front()?;
        self.hands[self.turn].insert(tile);
        Some(tile)
    }

    /// The seat on turn gives the turn on without a tile (R14).
    pub(crate) fn pass(&mut self) {
        self.turn = self.players.after(self.turn);
    }

    /// Makes `seat` the one on turn, as an event says.
    pub(crate) fn set_turn(&mut self, seat: Seat) {
        self.turn = seat;
    }
}
