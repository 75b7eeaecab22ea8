//! Whether a record is true: deals follow from the seeds, every play is legal, every number is right.
//!
//! Each round is set up as the record says it was dealt, its plays are played again by the rules, and what the rules write
//! down is compared with what the record says, word by word. The first difference is the fault.

use std::fmt::Debug;

use super::fault::{Fault, at, whole};
use super::recorder::final_record;
use super::{FairRecord, FinalRecord, RESIGNED_MARK, Record, RecordResult, Recorder, RoundRecord, TurnRecord};
use crate::deal::{self, Deal, Deck, Entropy, Fairness, Master};
use crate::event::{Event, StarterReason};
use crate::game::{Action, Game};
use crate::options::MatchOptions;
use crate::play::Play;
use crate::seat::{BySeat, BySide, Seat};
use crate::tile::Tile;

/// What a true record proves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proof {
    /// Everything, the deals included.
    Everything,
    /// All but the deals: the record has no `fair`.
    DealsNotProved,
}

/// Checks all of `record`.
///
/// # Errors
/// The first fault.
pub fn verify(record: &Record) -> Result<Proof, Fault> {
    let options = record
        .config
        .options()
        .map_err(|error| whole("config", error.to_string()))?;
    let fairness = record
        .fair
        .as_ref()
        .map(|fair| check_fairness(fair, &options))
        .transpose()?;
    let mut before = Before {
        scores: BySide::default(),
        starter: None,
    };
    let mut last = None;
    for (index, round) in record.hands.iter().enumerate() {
        if last.as_ref().is_some_and(|game: &Game| game.outcome().is_some()) {
            return Err(at(index, "index", "the match was over before this round"));
        }
        let verifier = RoundVerifier {
            options: &options,
            index,
            round,
            resigned: resigned_seats(&record.policy),
        };
        // Before the deal: a round in the wrong place has the wrong deal too.
        same(&round.index, &(index as u32)).map_err(|detail| verifier.fault("index", detail))?;
        let proved = match (&fairness, &record.fair) {
            (Some(fairness), Some(fair)) => Some(verifier.check_deal(fairness, fair)?),
            _ => None,
        };
        let is_last = index + 1 == record.hands.len();
        let game = verifier.replay(&before, proved.as_ref(), is_last)?;
        before = Before {
            scores: *game.scores(),
            starter: verifier.next_starter(),
        };
        last = Some(game);
    }
    let game = last.ok_or_else(|| whole("hands", "there is no round"))?;
    let outcome = game.outcome().ok_or_else(|| whole("final", "the match is not over"))?;
    compare_final(&record.r#final, &final_record(&game, outcome)).map_err(|(field, detail)| whole(field, detail))?;
    if let Some(fair) = record
        .fair
        .as_ref()
        .filter(|fair| fair.rounds.len() != record.hands.len())
    {
        return Err(whole(
            "fair.rounds",
            format!("{} for {} rounds", fair.rounds.len(), record.hands.len()),
        ));
    }
    Ok(if fairness.is_some() {
        Proof::Everything
    } else {
        Proof::DealsNotProved
    })
}

/// What a round starts from.
struct Before {
    scores: BySide<i32>,
    /// Who leads, if the round before says so (R9).
    starter: Option<Seat>,
}

/// The seats whose players resigned, as `policy` says.
fn resigned_seats(policy: &str) -> BySeat<bool> {
    let mut resigned = BySeat::default();
    for (seat, name) in Seat::ALL.into_iter().zip(policy.split(',')) {
        resigned[seat] = name.ends_with(RESIGNED_MARK);
    }
    resigned
}

fn check_fairness(fair: &FairRecord, options: &MatchOptions) -> Result<Fairness, Fault> {
    if fair.algorithm != deal::ALGORITHM {
        return Err(whole(
            "fair.algorithm",
            format!("`{}` is not {}", fair.algorithm, deal::ALGORITHM),
        ));
    }
    let master = <[u8; 32]>::try_from(fair.master.0.as_slice());
    let master = Master::new(master.map_err(|_| whole("fair.master", "it is not 32 bytes"))?);
    if master.commitment().0.as_slice() != fair.commitment.0 {
        return Err(whole("fair.commitment", "it is not SHA-256 of the master"));
    }
    if fair.entropies.len() != options.players().count() {
        return Err(whole("fair.entropies", "there is not one for each seat"));
    }
    let mut entropies = BySeat::default();
    for (seat, given) in Seat::ALL.into_iter().zip(&fair.entropies) {
        entropies[seat] = Entropy::new(&given.0).ok_or_else(|| whole("fair.entropies", "one is over 32 bytes"))?;
    }
    Ok(Fairness { master, entropies })
}

struct RoundVerifier<'a> {
    options: &'a MatchOptions,
    index: usize,
    round: &'a RoundRecord,
    resigned: BySeat<bool>,
}

impl RoundVerifier<'_> {
    fn fault(&self, field: &'static str, detail: impl Into<String>) -> Fault {
        at(self.index, field, detail)
    }

    /// The deal that follows from the seeds; its tiles are what the record says.
    fn check_deal(&self, fairness: &Fairness, fair: &FairRecord) -> Result<Deal, Fault> {
        let seed = fairness.seed(self.options.players(), self.index as u32);
        let shown = fair
            .rounds
            .get(self.index)
            .ok_or_else(|| self.fault("fair.rounds", "the round is missing"))?;
        if shown.seed.0 != seed.reveal() {
            return Err(self.fault("fair.rounds.seed", "it does not follow from the master"));
        }
        if shown.commitment.0 != seed.commitment().0 {
            return Err(self.fault("fair.rounds.commitment", "it is not SHA-256 of the seed"));
        }
        let deal = Deal::from_seed(&seed, self.options.players());
        let hands = self
            .options
            .players()
            .seats()
            .map(|seat| deal.deck.hand(seat, self.options).to_vec());
        same(&self.round.deal, &hands.collect()).map_err(|detail| self.fault("deal", detail))?;
        let boneyard = deal.deck.boneyard(self.options).as_slice().to_vec();
        same(&self.round.boneyard, &boneyard).map_err(|detail| self.fault("boneyard", detail))?;
        Ok(deal)
    }

    /// Plays the round again and compares.
    fn replay(&self, before: &Before, proved: Option<&Deal>, is_last: bool) -> Result<Game, Fault> {
        let starter = self.check_start(before, proved)?;
        let mut game = Game::undealt(
            *self.options,
            Fairness {
                master: Master::new([0; 32]),
                entropies: BySeat::default(),
            },
        );
        game.scores = before.scores;
        let mut recorder = Recorder::new(game);
        let start = Event::RoundStarted {
            round: self.index as u32,
            starter,
            reason: if before.starter.is_some() {
                StarterReason::Out
            } else {
                StarterReason::Random
            },
            commitment: deal::Commitment([0; 32]),
            deck: self.deck()?,
        };
        recorder.push(&start);
        game.fold(&start);
        self.compare_head(self.right(&recorder)?)?;
        let ends_resigned = self.round.result == RecordResult::Resigned;
        if is_last && !ends_resigned {
            game.resigned = self.resigned;
        }
        for (turn, recorded) in self.round.events.iter().enumerate() {
            let fault = |(field, detail)| Fault {
                round: Some(self.index),
                turn: Some(turn),
                field,
                detail,
            };
            // Passes follow from the play before them: they are there already.
            if replayed(&recorder).len() <= turn {
                game = self.replay_turn(game, recorded, &mut recorder).map_err(fault)?;
            }
            let right = replayed(&recorder).get(turn);
            let right = right.ok_or_else(|| fault(("play", "the rules give no such turn".to_owned())))?;
            compare_turn(recorded, right).map_err(fault)?;
        }
        if ends_resigned {
            game = self.replay_resignation(game, &mut recorder)?;
        }
        if game.outcome().is_none() && game.round_number() as usize == self.index {
            return Err(self.fault("result", "the round is not over after its last turn"));
        }
        self.compare_end(self.right(&recorder)?)?;
        Ok(game)
    }

    /// Carries a turn out and hands its events to the recorder, until the round is over.
    fn replay_turn(
        &self,
        game: Game,
        recorded: &TurnRecord,
        recorder: &mut Recorder,
    ) -> Result<Game, (&'static str, String)> {
        if game.outcome().is_some() || game.round_number() as usize != self.index {
            return Err(("play", "the round was over before this turn".to_owned()));
        }
        let seat = Seat::new(u8::try_from(recorded.seat).unwrap_or(u8::MAX));
        let seat = seat.ok_or_else(|| ("seat", format!("there is no seat {}", recorded.seat)))?;
        let end = recorded.end;
        let tile = recorded
            .play
            .ok_or_else(|| ("play", "a pass, though a tile fits".to_owned()))?;
        let play = Play { tile, end };
        let mut events = Vec::new();
        let next = game.apply(seat, Action::Play(play), &mut events).map_err(|reason| {
            let field = if game.turn() == Some(seat) { "play" } else { "seat" };
            (field, format!("{play}: {reason}"))
        })?;
        events
            .iter()
            .take_while(|event| !is_next_deal(event))
            .for_each(|event| recorder.push(event));
        Ok(next)
    }

    fn replay_resignation(&self, mut game: Game, recorder: &mut Recorder) -> Result<Game, Fault> {
        for seat in self.options.players().seats().filter(|&seat| self.resigned[seat]) {
            let mut events = Vec::new();
            game = game
                .apply(seat, Action::Resign, &mut events)
                .map_err(|reason| self.fault("result", reason.to_string()))?;
            events.iter().for_each(|event| recorder.push(event));
        }
        Ok(game)
    }

    /// Whom the next round's lead belongs to (R9).
    fn next_starter(&self) -> Option<Seat> {
        let out = self.round.out_seat.filter(|_| self.round.result == RecordResult::Out)?;
        Seat::new(u8::try_from(out).ok()?)
    }

    fn check_start(&self, before: &Before, proved: Option<&Deal>) -> Result<Seat, Fault> {
        let recorded = u8::try_from(self.round.starter)
            .ok()
            .and_then(|index| self.options.players().seat(index));
        let recorded = recorded.ok_or_else(|| self.fault("starter", "the match has no such seat"))?;
        match before.starter.or(proved.map(|deal| deal.starter)) {
            Some(right) if right != recorded => Err(self.fault("starter", format!("it is {recorded}, not {right}"))),
            _ => Ok(recorded),
        }
    }

    /// The deck in the order in which the record deals it.
    fn deck(&self) -> Result<Deck, Fault> {
        let hand_size = self.options.hand_size();
        if self.round.deal.len() != self.options.players().count()
            || self.round.deal.iter().any(|hand| hand.len() != hand_size)
        {
            return Err(self.fault("deal", format!("it is not {hand_size} tiles for each seat")));
        }
        let dealt = self.round.deal.iter().flatten().chain(&self.round.boneyard);
        let tiles: Vec<Tile> = dealt.copied().collect();
        let deck = <[Tile; Tile::COUNT]>::try_from(tiles).ok().and_then(Deck::new);
        deck.ok_or_else(|| self.fault("boneyard", "hands and boneyard are not the 28 tiles, each once"))
    }

    /// The round as the rules write it.
    fn right<'r>(&self, recorder: &'r Recorder) -> Result<&'r RoundRecord, Fault> {
        let round = recorder.rounds().first();
        round.ok_or_else(|| self.fault("index", "nothing was dealt"))
    }

    /// Compares what stands before the turns.
    fn compare_head(&self, right: &RoundRecord) -> Result<(), Fault> {
        let recorded = self.round;
        first_difference([
            ("starter_reason", same(&recorded.starter_reason, &right.starter_reason)),
            ("scores_before", same(&recorded.scores_before, &right.scores_before)),
        ])
        .map_err(|(field, detail)| self.fault(field, detail))
    }

    /// Compares what is left when all turns are right.
    fn compare_end(&self, right: &RoundRecord) -> Result<(), Fault> {
        let recorded = self.round;
        let checks = [
            ("events", same(&recorded.events.len(), &right.events.len())),
            ("result", same(&recorded.result, &right.result)),
            ("out_seat", same(&recorded.out_seat, &right.out_seat)),
            ("left", same(&recorded.left, &right.left)),
            ("subtracted", same(&recorded.subtracted, &right.subtracted)),
            ("scores_after", same(&recorded.scores_after, &right.scores_after)),
        ];
        first_difference(checks).map_err(|(field, detail)| self.fault(field, detail))
    }
}

/// The turns of the round that has been played again so far.
fn replayed(recorder: &Recorder) -> &[TurnRecord] {
    recorder.rounds().first().map_or(&[], |round| &round.events)
}

fn compare_turn(recorded: &TurnRecord, right: &TurnRecord) -> Result<(), (&'static str, String)> {
    first_difference([
        ("seat", same(&recorded.seat, &right.seat)),
        ("drew", same(&recorded.drew, &right.drew)),
        ("legal", same(&recorded.legal, &right.legal)),
        ("play", same(&recorded.play, &right.play)),
        ("end", same(&recorded.end, &right.end)),
        ("ends", same(&recorded.ends, &right.ends)),
        ("total", same(&recorded.total, &right.total)),
        ("points", same(&recorded.points, &right.points)),
        ("scores", same(&recorded.scores, &right.scores)),
    ])
}

fn compare_final(recorded: &FinalRecord, right: &FinalRecord) -> Result<(), (&'static str, String)> {
    first_difference([
        ("final.scores", same(&recorded.scores, &right.scores)),
        ("final.winner_side", same(&recorded.winner_side, &right.winner_side)),
        (
            "final.stopped_by_max_hands",
            same(&recorded.stopped_by_max_hands, &right.stopped_by_max_hands),
        ),
        ("final.ended_by", same(&recorded.ended_by, &right.ended_by)),
    ])
}

fn first_difference<const N: usize>(
    checks: [(&'static str, Result<(), String>); N],
) -> Result<(), (&'static str, String)> {
    checks
        .into_iter()
        .try_for_each(|(field, check)| check.map_err(|detail| (field, detail)))
}

fn same<T: PartialEq + Debug>(recorded: &T, right: &T) -> Result<(), String> {
    if recorded == right {
        Ok(())
    } else {
        Err(format!("the record says {recorded:?}, the rules {right:?}"))
    }
}

const fn is_next_deal(event: &Event) -> bool {
    matches!(event, Event::RoundStarted { .. })
}
