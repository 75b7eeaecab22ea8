//! What happened, in the words of the log. Folding the events of a match gives its state at every step (law 3).
//!
//! Events hold everything, hands and seeds included; what a viewer may see of them is [`crate::view`]'s to say.

use crate::deal::{Commitment, Deck, Master, Seed};
use crate::game::Outcome;
use crate::play::{End, Play};
use crate::seat::{BySeat, BySide, Seat};
use crate::tile::{TileList, TileSet};

/// One thing that happened in a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// A round was dealt.
    RoundStarted {
        /// From 0.
        round: u32,
        /// The seat that leads.
        starter: Seat,
        /// Why that seat.
        reason: StarterReason,
        /// SHA-256 of the seed that the deck follows from.
        commitment: Commitment,
        /// Hands and boneyard.
        deck: Deck,
    },
    /// A seat that could not play drew these tiles, in this order (R13). Only the last may fit.
    TilesDrawn {
        /// Who drew.
        seat: Seat,
        /// What, first drawn first.
        tiles: TileList,
    },
    /// A seat could not play and nothing was left to draw (R14).
    TurnPassed {
        /// Who passed.
        seat: Seat,
    },
    /// A tile was placed.
    TilePlayed {
        /// Who placed it.
        seat: Seat,
        /// The tile and where.
        play: Play,
        /// What each end counts now.
        counted: CountedEnds,
        /// All ends added up (R19).
        total: u8,
        /// The points for it, 0 if the total is no multiple of five.
        points: u8,
        /// All scores after it.
        scores: BySide<i32>,
    },
    /// A round is over.
    RoundEnded {
        /// Its number, from 0.
        round: u32,
        /// How.
        result: RoundResult,
        /// What each seat was left with.
        left: BySeat<TileSet>,
        /// What was taken off each side (R21); `None` where the round is not settled (A10).
        subtracted: Option<BySide<i32>>,
        /// All scores after it.
        scores: BySide<i32>,
        /// The seed that its deal followed from.
        seed: Seed,
    },
    /// A player gave up. With more than two sides, a bot plays on for the seat.
    SeatResigned {
        /// The seat.
        seat: Seat,
    },
    /// The match is over.
    MatchEnded {
        /// Who won, and how.
        outcome: Outcome,
        /// What all its deals followed from.
        master: Master,
    },
}

/// What each end counts, by [`End::index`]; `None` for an arm that has not begun.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CountedEnds(pub [Option<u8>; 4]);

impl CountedEnds {
    /// The ends that count, in the order L, R, N, S.
    pub fn iter(&self) -> impl Iterator<Item = (End, u8)> {
        End::ALL
            .into_iter()
            .zip(self.0)
            .filter_map(|(end, counted)| Some((end, counted?)))
    }
}

/// Why a seat leads a round (R8, R9).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StarterReason {
    /// By lot: the first round, and rounds after a blocked one.
    Random,
    /// It went out in the round before.
    Out,
}

/// How a round ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RoundResult {
    /// This seat placed its last tile (R15a).
    Out(Seat),
    /// Nobody could place (R15b).
    Blocked,
    /// The target was reached in the middle of it (A9); `out` names the seat if the tile was also its last (A32).
    Target {
        /// The seat that placed its last tile, if so.
        out: Option<Seat>,
    },
    /// A resignation ended the match.
    Resigned,
}

impl RoundResult {
    /// The seat that placed its last tile, if one did.
    #[must_use]
    pub const fn out_seat(self) -> Option<Seat> {
        match self {
            Self::Out(seat) => Some(seat),
            Self::Target { out } => out,
            Self::Blocked | Self::Resigned => None,
        }
    }
}

/// Where events go. `()` forgets them, a `Vec` keeps them.
pub trait Sink {
    /// Takes the next event.
    fn push(&mut self, event: Event);
}

impl Sink for () {
    #[inline]
    fn push(&mut self, _: Event) {}
}

impl Sink for Vec<Event> {
    fn push(&mut self, event: Event) {
        Vec::push(self, event);
    }
}
