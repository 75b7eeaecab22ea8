//! All rounds of one match: scores, whose turn it is, and the seeds behind the deals.
//!
//! ```text
//! Setup ──check──▶ Game ──apply(seat, action)──▶ Game + events        events ──fold──▶ Game
//!                   └──────────── or Illegal, and nothing has changed
//! ```
//!
//! A `Game` is always valid and always waits for a decision, or is over (law 2). It knows seats, not players.

use crate::deal::{Deal, Fairness};
use crate::event::{Event, RoundResult, Sink, StarterReason};
use crate::layout::Layout;
use crate::options::{MatchOptions, WinCheck};
use crate::play::{Illegal, Legal, Play};
use crate::round::{Round, RoundOver};
use crate::score::{settled, settlement};
use crate::seat::{BySeat, BySide, Seat, Side};
use crate::tile::Tile;

/// The state of a match, from its first deal to its outcome.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Game {
    pub(crate) options: MatchOptions,
    pub(crate) fairness: Fairness,
    pub(crate) round_number: u32,
    pub(crate) starter: Seat,
    pub(crate) starter_reason: StarterReason,
    pub(crate) scores: BySide<i32>,
    pub(crate) resigned: BySeat<bool>,
    pub(crate) round: Round,
    pub(crate) outcome: Option<Outcome>,
}

/// What a seat can do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// Place a tile.
    Play(Play),
    /// Give up; allowed at any time, on turn or not.
    Resign,
}

/// How a match ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EndedBy {
    /// A side reached the target (R22).
    Target,
    /// The cap on rounds (A29).
    MaxRounds,
    /// Only one side was left that had not resigned.
    Resignation,
}

/// The result of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// How it ended.
    pub ended_by: EndedBy,
    /// Who won; `None` for a draw.
    pub winner: Option<Side>,
    /// The rank of each side, 1 for the best; equal scores share one. Who resigned ranks after everybody who did not.
    pub ranks: BySide<u8>,
}

impl Game {
    /// Deals the first round (R8).
    pub fn start(options: MatchOptions, fairness: Fairness, sink: &mut impl Sink) -> Self {
        let mut game = Self::undealt(options, fairness);
        game.deal_round(0, None, sink);
        game
    }

    /// A match before its first `RoundStarted`: what [`Game::fold`] starts from. All tiles are in the boneyard.
    #[must_use]
    pub fn undealt(options: MatchOptions, fairness: Fairness) -> Self {
        let boneyard = Tile::ALL.into_iter().collect();
        let seat = Seat::ALL[0];
        Self {
            options,
            fairness,
            round_number: 0,
            starter: seat,
            starter_reason: StarterReason::Random,
            scores: BySide::default(),
            resigned: BySeat::default(),
            round: Round::new(&options, Layout::EMPTY, BySeat::default(), boneyard, seat),
            outcome: None,
        }
    }

    /// The options it is played with.
    #[must_use]
    pub const fn options(&self) -> &MatchOptions {
        &self.options
    }

    /// What its deals follow from.
    #[must_use]
    pub const fn fairness(&self) -> &Fairness {
        &self.fairness
    }

    /// The current or last round's number, from 0.
    #[must_use]
    pub const fn round_number(&self) -> u32 {
        self.round_number
    }

    /// The current or last round.
    #[must_use]
    pub const fn round(&self) -> &Round {
        &self.round
    }

    /// The seat that led the current or last round, and why.
    #[must_use]
    pub const fn starter(&self) -> (Seat, StarterReason) {
        (self.starter, self.starter_reason)
    }

    /// The score of each side.
    #[must_use]
    pub const fn scores(&self) -> &BySide<i32> {
        &self.scores
    }

    /// Which seats' players have resigned.
    #[must_use]
    pub const fn resigned(&self) -> &BySeat<bool> {
        &self.resigned
    }

    /// The result, once there is one.
    #[must_use]
    pub const fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    /// The seat whose decision the match waits for; `None` when it is over.
    #[must_use]
    pub const fn turn(&self) -> Option<Seat> {
        if self.outcome.is_none() {
            Some(self.round.turn())
        } else {
            None
        }
    }

    /// What the seat on turn may do; nothing when the match is over.
    #[must_use]
    pub fn legal(&self) -> Legal {
        if self.outcome.is_none() {
            self.round.legal()
        } else {
            Legal::NONE
        }
    }

    /// Carries out `action` for `seat`, and all that follows from it without a choice: draws, passes, the settlement, the
    /// next deal. Events go to `sink` in the order in which they happened.
    ///
    /// # Errors
    /// Why the action is refused; then nothing has reached the sink.
    pub fn apply(&self, seat: Seat, action: Action, sink: &mut impl Sink) -> Result<Self, Illegal> {
        self.check(seat, action)?;
        let mut next = *self;
        match action {
            Action::Play(play) => next.play(seat, play, sink),
            Action::Resign => next.resign(seat, sink),
        }
        Ok(next)
    }

    /// Whether `seat` may do `action` now.
    ///
    /// # Errors
    /// Why not.
    pub fn check(&self, seat: Seat, action: Action) -> Result<(), Illegal> {
        let turn = self.turn().ok_or(Illegal::MatchOver)?;
        match action {
            Action::Play(_) if seat != turn => Err(Illegal::NotYourTurn { turn }),
            Action::Play(play) => self.round.check(play),
            // Never on turn, and nobody there to give up.
            Action::Resign if !self.options.players().has(seat) => Err(Illegal::NotYourTurn { turn }),
            Action::Resign if self.resigned[seat] => Err(Illegal::AlreadyResigned),
            Action::Resign => Ok(()),
        }
    }

    /// A32: points first, then the target, then out or blocked, then the next turn.
    fn play(&mut self, seat: Seat, play: Play, sink: &mut impl Sink) {
        let side = self.options.seating().side_of(seat);
        let placement = self.round.place(play);
        // Saturating, here and below: a `Setup` may begin with any scores and any round.
        self.scores[side] = self.scores[side].saturating_add(placement.points.into());
        sink.push(Event::TilePlayed {
            seat,
            play,
            counted: self.round.layout().counted_ends(),
            total: placement.total,
            points: placement.points,
            scores: self.scores,
        });
        let wins_now = self.options.win_check() == WinCheck::Immediate
            && placement.points > 0
            && self.scores[side] >= self.options.target_points();
        if wins_now {
            let out = self.round.hands()[seat].is_empty().then_some(seat);
            self.end_round(RoundResult::Target { out }, sink);
            self.end_match(EndedBy::Target, sink);
        } else if let Some(over) = self.round.advance(seat, sink) {
            self.end_round(RoundResult::from(over), sink);
            match self.decided() {
                Some(ended_by) => self.end_match(ended_by, sink),
                None => self.deal_round(
                    self.round_number.saturating_add(1),
                    RoundResult::from(over).out_seat(),
                    sink,
                ),
            }
        }
    }

    fn resign(&mut self, seat: Seat, sink: &mut impl Sink) {
        self.resigned[seat] = true;
        sink.push(Event::SeatResigned { seat });
        if self.sides_left() == 1 {
            self.end_round(RoundResult::Resigned, sink);
            self.end_match(EndedBy::Resignation, sink);
        }
    }

    /// How many sides have not resigned.
    pub(crate) fn sides_left(&self) -> usize {
        let sides = self.options.seating().sides();
        sides.filter(|&side| !self.has_resigned(side)).count()
    }

    fn has_resigned(&self, side: Side) -> bool {
        self.options.seating().seats_of(side).any(|seat| self.resigned[seat])
    }

    /// Settles the round where it is to be settled (R21, A10), and reveals its seed.
    fn end_round(&mut self, result: RoundResult, sink: &mut impl Sink) {
        let left = *self.round.hands();
        let subtracted = match result {
            RoundResult::Out(_) | RoundResult::Blocked => Some(settlement(&self.options, &left)),
            RoundResult::Target { .. } | RoundResult::Resigned => None,
        };
        if let Some(subtracted) = &subtracted {
            self.scores = settled(&self.options, self.scores, subtracted);
        }
        let seed = self.fairness.seed(self.options.players(), self.round_number);
        sink.push(Event::RoundEnded {
            round: self.round_number,
            result,
            left,
            subtracted,
            scores: self.scores,
            seed,
        });
    }

    /// Whether a settled round was the last (A11, A29).
    fn decided(&self) -> Option<EndedBy> {
        let scores = &self.scores.0[..self.options.seating().side_count()];
        let best = scores.iter().copied().max().unwrap_or_default();
        let leads_alone = scores.iter().filter(|&&score| score == best).count() == 1;
        if self.options.win_check() == WinCheck::RoundEnd && best >= self.options.target_points() && leads_alone {
            return Some(EndedBy::Target);
        }
        let was_last = self
            .options
            .max_rounds()
            .is_some_and(|cap| self.round_number >= cap.get() - 1);
        was_last.then_some(EndedBy::MaxRounds)
    }

    fn end_match(&mut self, ended_by: EndedBy, sink: &mut impl Sink) {
        let outcome = self.rank(ended_by);
        self.outcome = Some(outcome);
        sink.push(Event::MatchEnded {
            outcome,
            master: self.fairness.master,
        });
    }

    fn rank(&self, ended_by: EndedBy) -> Outcome {
        let seating = self.options.seating();
        let standing = |side: Side| (!self.has_resigned(side), self.scores[side]);
        let mut ranks = BySide::default();
        for side in seating.sides() {
            ranks[side] = 1 + seating
                .sides()
                .filter(|&other| standing(other) > standing(side))
                .count() as u8;
        }
        let mut first = seating.sides().filter(|&side| ranks[side] == 1);
        let winner = match (first.next(), first.next()) {
            (Some(side), None) => Some(side),
            _ => None,
        };
        Outcome {
            ended_by,
            winner,
            ranks,
        }
    }

    /// Deals `round`; `out` leads it, or whom chance says (R8, R9, A18).
    fn deal_round(&mut self, round: u32, out: Option<Seat>, sink: &mut impl Sink) {
        let seed = self.fairness.seed(self.options.players(), round);
        let deal = Deal::from_seed(&seed, self.options.players());
        let (starter, reason) = match out {
            Some(seat) => (seat, StarterReason::Out),
            None => (deal.starter, StarterReason::Random),
        };
        let event = Event::RoundStarted {
            round,
            starter,
            reason,
            commitment: seed.commitment(),
            deck: deal.deck,
        };
        self.fold(&event);
        sink.push(event);
    }

    /// Takes over what an event of the log says, without deciding anything: folding all events that [`Game::apply`]
    /// gave leads to the state that it gave (law 3).
    pub fn fold(&mut self, event: &Event) {
        match *event {
            Event::RoundStarted {
                round,
                starter,
                reason,
                deck,
                commitment: _,
            } => {
                self.round_number = round;
                self.starter = starter;
                self.starter_reason = reason;
                self.round = Round::deal(&self.options, &deck, starter);
            }
            Event::TilesDrawn { seat, tiles } => {
                self.round.set_turn(seat);
                for _ in tiles.as_slice() {
                    self.round.draw();
                }
            }
            Event::TurnPassed { seat } => {
                self.round.set_turn(seat);
                self.round.pass();
            }
            Event::TilePlayed { seat, play, scores, .. } => {
                self.round.set_turn(seat);
                self.round.place(play);
                self.scores = scores;
            }
            Event::RoundEnded { scores, .. } => self.scores = scores,
            Event::SeatResigned { seat } => self.resigned[seat] = true,
            Event::MatchEnded { outcome, .. } => self.outcome = Some(outcome),
        }
    }
}

impl From<RoundOver> for RoundResult {
    fn from(over: RoundOver) -> Self {
        match over {
            RoundOver::Out(seat) => Self::Out(seat),
            RoundOver::Blocked => Self::Blocked,
        }
    }
}
