//! What one viewer may see of a match, and of what happened in it (law 4).
//!
//! Views are built up from nothing, never cut down from everything: no field here could hold another seat's tiles, an
//! undealt tile or a seed that still matters. Events are redacted, never dropped, so that every viewer counts alike.

use crate::deal::{Commitment, Entropy};
use crate::event::{CountedEnds, Event, RoundResult, StarterReason};
use crate::game::{Game, Outcome};
use crate::layout::{OpenEnd, PlacedTile};
use crate::options::MatchOptions;
use crate::play::Play;
use crate::seat::{BySeat, BySide, Seat};
use crate::tile::{TileList, TileSet};

/// Through whose eyes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Viewer {
    /// A player: sees the own hand.
    Seat(Seat),
    /// Anybody else: sees no hand.
    Spectator,
}

impl Viewer {
    /// The seat, if the viewer has one.
    #[must_use]
    pub const fn seat(self) -> Option<Seat> {
        match self {
            Self::Seat(seat) => Some(seat),
            Self::Spectator => None,
        }
    }
}

/// A match as one viewer sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View {
    /// What everybody sees.
    pub table: TableView,
    /// What only the viewer sees; `None` for spectators.
    pub own: Option<OwnHand>,
}

/// What everybody sees of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableView {
    /// The options.
    pub options: MatchOptions,
    /// The round's number, from 0.
    pub round: u32,
    /// The seat that led, or leads, the round.
    pub starter: Seat,
    /// Why that seat.
    pub starter_reason: StarterReason,
    /// The seat on turn; `None` when the match is over.
    pub turn: Option<Seat>,
    /// The score of each side.
    pub scores: BySide<i32>,
    /// Which seats' players have resigned.
    pub resigned: BySeat<bool>,
    /// How many tiles each seat holds.
    pub tile_counts: BySeat<u8>,
    /// How many tiles are face down on the table.
    pub boneyard_count: u8,
    /// The layout, in the order of play.
    pub placed: Vec<PlacedTile>,
    /// The ends that can be played on.
    pub ends: Vec<OpenEnd>,
    /// All ends added up.
    pub total: u8,
    /// SHA-256 of the match's master.
    pub commitment: Commitment,
    /// What the players added to the deals.
    pub entropies: BySeat<Entropy>,
    /// SHA-256 of the round's seed.
    pub round_commitment: Commitment,
    /// The seed of the last round that is over.
    pub revealed: Option<RevealedSeed>,
    /// The match's master, once the match is over.
    pub revealed_master: Option<[u8; 32]>,
    /// The result, once there is one.
    pub outcome: Option<Outcome>,
}

/// The seed of a round that is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RevealedSeed {
    /// Which round.
    pub round: u32,
    /// Its seed.
    pub seed: [u8; 32],
}

/// What only a seat's player sees.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OwnHand {
    /// The seat.
    pub seat: Seat,
    /// Its tiles.
    pub hand: TileSet,
    /// What it may play, in the order of [`crate::play::Legal::iter`]; empty when another is on turn.
    pub legal: Vec<ScoredPlay>,
}

/// A legal play and what it would bring.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScoredPlay {
    /// The play.
    pub play: Play,
    /// All ends added up after it.
    pub total: u8,
    /// The points for it.
    pub points: u8,
}

impl View {
    /// What `viewer` may see of `game`.
    #[must_use]
    pub fn of(game: &Game, viewer: Viewer) -> Self {
        Self {
            table: TableView::of(game),
            own: viewer.seat().map(|seat| OwnHand::of(game, seat)),
        }
    }
}

impl TableView {
    fn of(game: &Game) -> Self {
        let (round, players) = (game.round(), game.options().players());
        let (starter, starter_reason) = game.starter();
        let over = game.outcome().is_some();
        let last_over = if over {
            Some(game.round_number())
        } else {
            game.round_number().checked_sub(1)
        };
        let seed_of = |number| game.fairness().seed(players, number);
        Self {
            options: *game.options(),
            round: game.round_number(),
            starter,
            starter_reason,
            turn: game.turn(),
            scores: *game.scores(),
            resigned: *game.resigned(),
            tile_counts: BySeat(round.hands().0.map(|hand| hand.len() as u8)),
            boneyard_count: round.boneyard().len() as u8,
            placed: round.layout().placed(),
            ends: round.layout().open_ends().collect(),
            total: round.layout().total(),
            commitment: game.fairness().master.commitment(),
            entropies: game.fairness().entropies,
            round_commitment: seed_of(game.round_number()).commitment(),
            revealed: last_over.map(|round| RevealedSeed {
                round,
                seed: *seed_of(round).reveal(),
            }),
            revealed_master: over.then(|| *game.fairness().master.reveal()),
            outcome: game.outcome().copied(),
        }
    }
}

impl OwnHand {
    fn of(game: &Game, seat: Seat) -> Self {
        let on_turn = game.turn() == Some(seat);
        let legal = if on_turn { scored_plays(game) } else { Vec::new() };
        Self {
            seat,
            hand: game.round().hands()[seat],
            legal,
        }
    }
}

/// Every legal play of the seat on turn with what it would bring.
fn scored_plays(game: &Game) -> Vec<ScoredPlay> {
    let score = |play| {
        let mut layout = *game.round().layout();
        let placement = layout.place(play);
        ScoredPlay {
            play,
            total: placement.total,
            points: placement.points,
        }
    };
    game.legal().iter().map(score).collect()
}

/// An event as one viewer may see it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SeenEvent {
    /// A round was dealt.
    RoundStarted {
        /// From 0.
        round: u32,
        /// The seat that leads.
        starter: Seat,
        /// Why that seat.
        reason: StarterReason,
        /// SHA-256 of the round's seed.
        commitment: Commitment,
        /// How many tiles each seat was dealt.
        tile_counts: BySeat<u8>,
        /// How many tiles were left over.
        boneyard_count: u8,
        /// The viewer's own tiles.
        own_hand: Option<TileSet>,
    },
    /// A seat drew.
    TilesDrawn {
        /// Who.
        seat: Seat,
        /// How many.
        count: u8,
        /// Which; only if the viewer drew them (A27).
        own_tiles: Option<TileList>,
    },
    /// A seat passed.
    TurnPassed {
        /// Who.
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
        /// All ends added up.
        total: u8,
        /// The points for it.
        points: u8,
        /// All scores after it.
        scores: BySide<i32>,
    },
    /// A round is over: its tiles and its seed are open.
    RoundEnded {
        /// Its number, from 0.
        round: u32,
        /// How.
        result: RoundResult,
        /// What each seat was left with.
        left: BySeat<TileSet>,
        /// What was taken off each side, if it was settled.
        subtracted: Option<BySide<i32>>,
        /// All scores after it.
        scores: BySide<i32>,
        /// The seed that its deal followed from.
        seed: [u8; 32],
    },
    /// A player gave up.
    SeatResigned {
        /// The seat.
        seat: Seat,
    },
    /// The match is over.
    MatchEnded {
        /// Who won, and how.
        outcome: Outcome,
        /// What all its deals followed from.
        master: [u8; 32],
    },
}

impl SeenEvent {
    /// What `viewer` may see of `event`.
    #[must_use]
    pub fn of(event: &Event, options: &MatchOptions, viewer: Viewer) -> Self {
        match *event {
            Event::RoundStarted {
                round,
                starter,
                reason,
                commitment,
                deck,
            } => {
                let mut tile_counts = BySeat::default();
                for seat in options.players().seats() {
                    tile_counts[seat] = options.hand_size() as u8;
                }
                Self::RoundStarted {
                    round,
                    starter,
                    reason,
                    commitment,
                    tile_counts,
                    boneyard_count: deck.boneyard(options).len() as u8,
                    own_hand: viewer
                        .seat()
                        .map(|seat| deck.hand(seat, options).iter().copied().collect()),
                }
            }
            Event::TilesDrawn { seat, tiles } => Self::TilesDrawn {
                seat,
                count: tiles.len() as u8,
                own_tiles: (viewer == Viewer::Seat(seat)).then_some(tiles),
            },
            Event::TurnPassed { seat } => Self::TurnPassed { seat },
            Event::TilePlayed {
                seat,
                play,
                counted,
                total,
                points,
                scores,
            } => Self::TilePlayed {
                seat,
                play,
                counted,
                total,
                points,
                scores,
            },
            Event::RoundEnded {
                round,
                result,
                left,
                subtracted,
                scores,
                seed,
            } => Self::RoundEnded {
                round,
                result,
                left,
                subtracted,
                scores,
                seed: *seed.reveal(),
            },
            Event::SeatResigned { seat } => Self::SeatResigned { seat },
            Event::MatchEnded { outcome, master } => Self::MatchEnded {
                outcome,
                master: *master.reveal(),
            },
        }
    }
}
