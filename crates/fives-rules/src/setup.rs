//! The door from plain data to a valid [`Game`]: stored bytes, tests and puzzles all come in here (law 6).

use std::fmt;

use thiserror::Error;

use crate::deal::Fairness;
use crate::event::StarterReason;
use crate::game::{Game, Outcome};
use crate::layout::Layout;
use crate::options::MatchOptions;
use crate::play::{Illegal, Play};
use crate::round::Round;
use crate::seat::{BySeat, BySide, Seat};
use crate::tile::{Tile, TileList, TileSet};

/// A state of a match as plain data. Any partition of the 28 tiles and any scores will do, reached by play or not.
#[derive(Clone, PartialEq, Eq)]
pub struct Setup {
    /// The options.
    pub options: MatchOptions,
    /// What the deals follow from.
    pub fairness: Fairness,
    /// The round's number, from 0.
    pub round_number: u32,
    /// The seat that led, or leads, the round.
    pub starter: Seat,
    /// Why that seat.
    pub starter_reason: StarterReason,
    /// The score of each side.
    pub scores: BySide<i32>,
    /// Which seats' players have resigned.
    pub resigned: BySeat<bool>,
    /// The plays of the round so far; a lead lies with its high number at L.
    pub plays: Vec<Play>,
    /// What each seat holds; nothing in seats that the match does not have.
    pub hands: BySeat<TileSet>,
    /// The boneyard, first drawn first.
    pub boneyard: Vec<Tile>,
    /// The seat on turn. It must be able to play, unless the match is over.
    pub turn: Seat,
    /// The result, if the match is over.
    pub outcome: Option<Outcome>,
}

impl fmt::Debug for Setup {
    /// Says how many tiles are in the boneyard, never which (law 4).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Setup")
            .field("options", &self.options)
            .field("fairness", &self.fairness)
            .field("round_number", &self.round_number)
            .field("starter", &self.starter)
            .field("starter_reason", &self.starter_reason)
            .field("scores", &self.scores)
            .field("resigned", &self.resigned)
            .field("plays", &self.plays)
            .field("hands", &self.hands)
            .field("boneyard", &format_args!("{} tiles", self.boneyard.len()))
            .field("turn", &self.turn)
            .field("outcome", &self.outcome)
            .finish()
    }
}

/// Why a [`Setup`] is no state of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum SetupError {
    /// A tile is in two places.
    #[error("{0} is in two places")]
    DuplicateTile(Tile),
    /// Not all 28 tiles are there.
    #[error("{0} is nowhere")]
    MissingTile(Tile),
    /// A seat that the match does not have holds tiles, is on turn, starts or has resigned.
    #[error("the match has no {0:?}")]
    NoSuchSeat(Seat),
    /// The plays cannot have been made in this order.
    #[error("play {index} of the round cannot be: {reason}")]
    ImpossiblePlay {
        /// Which play, from 0.
        index: usize,
        /// Why.
        reason: Illegal,
    },
    /// The seat on turn has no legal play, so nothing waits for a decision (law 2).
    #[error("{0:?} is on turn and cannot play")]
    NothingToDecide(Seat),
    /// The match goes on although at most one side is left that has not resigned.
    #[error("all sides but one have resigned, and the match is not over")]
    NobodyLeft,
}

impl TryFrom<&Setup> for Game {
    type Error = SetupError;

    fn try_from(setup: &Setup) -> Result<Self, SetupError> {
        let layout = lay_out(&setup.plays)?;
        let boneyard: TileList = setup.boneyard.iter().copied().collect();
        check_partition(setup)?;
        check_seats(setup)?;
        let game = Self {
            options: setup.options,
            fairness: setup.fairness,
            round_number: setup.round_number,
            starter: setup.starter,
            starter_reason: setup.starter_reason,
            scores: setup.scores,
            resigned: setup.resigned,
            round: Round::new(&setup.options, layout, setup.hands, boneyard, setup.turn),
            outcome: setup.outcome,
        };
        if game.outcome().is_none() {
            if game.sides_left() < 2 {
                return Err(SetupError::NobodyLeft);
            }
            if game.legal().is_empty() {
                return Err(SetupError::NothingToDecide(setup.turn));
            }
        }
        Ok(game)
    }
}

impl From<&Game> for Setup {
    fn from(game: &Game) -> Self {
        let round = game.round();
        Self {
            options: game.options,
            fairness: game.fairness,
            round_number: game.round_number,
            starter: game.starter,
            starter_reason: game.starter_reason,
            scores: game.scores,
            resigned: game.resigned,
            plays: round.layout().plays().collect(),
            hands: *round.hands(),
            boneyard: round.boneyard().as_slice().to_vec(),
            turn: round.turn(),
            outcome: game.outcome,
        }
    }
}

fn lay_out(plays: &[Play]) -> Result<Layout, SetupError> {
    let mut layout = Layout::EMPTY;
    for (index, &play) in plays.iter().enumerate() {
        layout
            .play(play)
            .map_err(|reason| SetupError::ImpossiblePlay { index, reason })?;
    }
    Ok(layout)
}

fn check_partition(setup: &Setup) -> Result<(), SetupError> {
    let on_table = setup.plays.iter().map(|play| play.tile);
    let held = setup.hands.0.iter().flat_map(|hand| hand.iter());
    let mut seen = TileSet::EMPTY;
    for tile in on_table.chain(held).chain(setup.boneyard.iter().copied()) {
        if !seen.insert(tile) {
            return Err(SetupError::DuplicateTile(tile));
        }
    }
    seen.complement()
        .iter()
        .next()
        .map_or(Ok(()), |tile| Err(SetupError::MissingTile(tile)))
}

fn check_seats(setup: &Setup) -> Result<(), SetupError> {
    let players = setup.options.players();
    for seat in Seat::ALL.into_iter().skip(players.count()) {
        let named = seat == setup.turn || seat == setup.starter;
        if named || setup.resigned[seat] || !setup.hands[seat].is_empty() {
            return Err(SetupError::NoSuchSeat(seat));
        }
    }
    Ok(())
}
