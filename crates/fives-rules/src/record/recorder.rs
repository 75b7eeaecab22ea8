//! From the events of a match to its record.

use std::fmt;

use super::{
    FairRecord, FairRound, FinalRecord, Hex, Record, RecordEndedBy, RecordResult, RecordStarterReason, RoundRecord,
    SCHEMA, SeedLabel, TurnRecord,
};
use crate::deal;
use crate::event::{Event, RoundResult, StarterReason};
use crate::game::{EndedBy, Game, Outcome};
use crate::seat::{BySeat, BySide, Seat};
use crate::tile::{Tile, TileList, TileSet};

/// Folds the events of a match and writes down each turn. Forgets nothing, decides nothing.
#[derive(Clone)]
pub struct Recorder {
    game: Game,
    rounds: Vec<RoundRecord>,
    fair_rounds: Vec<FairRound>,
    drawn: TileList,
}

impl fmt::Debug for Recorder {
    /// The rounds so far hold tiles that are still secret (law 4).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Recorder({} rounds)", self.rounds.len())
    }
}

impl Recorder {
    /// Starts with the match before its first event ([`Game::undealt`]), or in the middle of a round.
    #[must_use]
    pub const fn new(game: Game) -> Self {
        Self {
            game,
            rounds: Vec::new(),
            fair_rounds: Vec::new(),
            drawn: TileList::EMPTY,
        }
    }

    /// Takes the next event.
    pub fn push(&mut self, event: &Event) {
        match *event {
            Event::RoundStarted {
                round,
                starter,
                reason,
                deck,
                commitment,
            } => {
                let options = *self.game.options();
                let seats = options.players().seats();
                self.rounds.push(RoundRecord {
                    index: round,
                    starter: starter.index(),
                    starter_reason: reason.into(),
                    deal: seats.map(|seat| deck.hand(seat, &options).to_vec()).collect(),
                    boneyard: deck.boneyard(&options).as_slice().to_vec(),
                    scores_before: self.by_side(self.game.scores()),
                    events: Vec::new(),
                    result: RecordResult::Blocked,
                    out_seat: None,
                    left: Vec::new(),
                    subtracted: None,
                    scores_after: Vec::new(),
                });
                let seed = Hex(Vec::new());
                self.fair_rounds.push(FairRound {
                    commitment: commitment.0.as_slice().into(),
                    seed,
                });
            }
            Event::TilesDrawn { tiles, .. } => self.drawn = tiles,
            Event::TurnPassed { seat } => self.push_pass(seat),
            Event::TilePlayed { .. } => self.push_play(event),
            Event::RoundEnded { .. } => self.close_round(event),
            Event::SeatResigned { .. } | Event::MatchEnded { .. } => {}
        }
        self.game.fold(event);
    }

    /// The match so far.
    #[must_use]
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// The rounds so far; the last may not be over.
    #[must_use]
    pub fn rounds(&self) -> &[RoundRecord] {
        &self.rounds
    }

    /// The whole record, or `None` while the match goes on.
    #[must_use]
    pub fn finish(self, seed: SeedLabel, policy: String) -> Option<Record> {
        let outcome = *self.game.outcome()?;
        let fairness = self.game.fairness();
        let seats = self.game.options().players().seats();
        let fair = FairRecord {
            algorithm: deal::ALGORITHM.to_owned(),
            master: fairness.master.reveal().as_slice().into(),
            commitment: fairness.master.commitment().0.as_slice().into(),
            entropies: seats.map(|seat| fairness.entropies[seat].as_bytes().into()).collect(),
            rounds: self.fair_rounds,
        };
        Some(Record {
            seed,
            policy,
            schema: SCHEMA.to_owned(),
            config: self.game.options().into(),
            r#final: final_record(&self.game, &outcome),
            hands: self.rounds,
            fair: Some(fair),
        })
    }

    fn push_pass(&mut self, seat: Seat) {
        let turn = TurnRecord {
            seat: seat.index(),
            drew: self.take_drawn(),
            legal: Vec::new(),
            play: None,
            end: None,
            ends: None,
            total: None,
            points: 0,
            scores: self.by_side(self.game.scores()),
        };
        self.push_turn(turn);
    }

    fn push_play(&mut self, event: &Event) {
        let Event::TilePlayed {
            seat,
            play,
            counted,
            total,
            points,
            scores,
        } = *event
        else {
            return;
        };
        let turn = TurnRecord {
            seat: seat.index(),
            drew: self.take_drawn(),
            legal: self.game.legal().iter().collect(),
            play: Some(play.tile),
            end: play.end,
            ends: Some(counted.iter().collect()),
            total: Some(total),
            points,
            scores: self.by_side(&scores),
        };
        self.push_turn(turn);
    }

    fn push_turn(&mut self, turn: TurnRecord) {
        if let Some(round) = self.rounds.last_mut() {
            round.events.push(turn);
        }
    }

    fn close_round(&mut self, event: &Event) {
        let Event::RoundEnded {
            result,
            left,
            subtracted,
            scores,
            seed,
            ..
        } = *event
        else {
            return;
        };
        let (left, subtracted) = (self.by_seat(&left), subtracted.map(|by_side| self.by_side(&by_side)));
        let scores_after = self.by_side(&scores);
        if let (Some(round), Some(fair)) = (self.rounds.last_mut(), self.fair_rounds.last_mut()) {
            round.result = result.into();
            round.out_seat = result.out_seat().map(Seat::index);
            round.left = left;
            round.subtracted = subtracted;
            round.scores_after = scores_after;
            fair.seed = seed.reveal().as_slice().into();
        }
    }

    fn take_drawn(&mut self) -> Vec<Tile> {
        std::mem::replace(&mut self.drawn, TileList::EMPTY).as_slice().to_vec()
    }

    fn by_side(&self, values: &BySide<i32>) -> Vec<i32> {
        self.game.options().seating().sides().map(|side| values[side]).collect()
    }

    fn by_seat(&self, hands: &BySeat<TileSet>) -> Vec<Vec<Tile>> {
        self.game
            .options()
            .players()
            .seats()
            .map(|seat| hands[seat].iter().collect())
            .collect()
    }
}

/// The result of a match that is over.
pub(super) fn final_record(game: &Game, outcome: &Outcome) -> FinalRecord {
    FinalRecord {
        scores: game
            .options()
            .seating()
            .sides()
            .map(|side| game.scores()[side])
            .collect(),
        winner_side: outcome.winner.map(|side| side.index()),
        stopped_by_max_hands: outcome.ended_by == EndedBy::MaxRounds,
        ended_by: (outcome.ended_by == EndedBy::Resignation).then_some(RecordEndedBy::Resignation),
    }
}

impl From<StarterReason> for RecordStarterReason {
    fn from(reason: StarterReason) -> Self {
        match reason {
            StarterReason::Random => Self::Random,
            StarterReason::Out => Self::Out,
        }
    }
}

impl From<RoundResult> for RecordResult {
    fn from(result: RoundResult) -> Self {
        match result {
            RoundResult::Out(_) => Self::Out,
            RoundResult::Blocked => Self::Blocked,
            RoundResult::Target { .. } => Self::Target,
            RoundResult::Resigned => Self::Resigned,
        }
    }
}
