//! Plays as streams, answers and records tell of them, in one form that can be compared.

use std::fmt;

use fives_client::v1;
use fives_rules::record::{Proof, Record, verify};
use fives_wire::encode;

use crate::screen;

/// A tile that was placed, and what it came to.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Placed {
    pub(super) seat: u32,
    pub(super) play: v1::Play,
    pub(super) points: u32,
    pub(super) scores: Vec<i32>,
}

impl Placed {
    /// The plays of a batch: one at most, unless the service is wrong.
    pub(super) fn all_of(batch: &v1::Batch) -> Vec<Self> {
        let kinds = batch.events.iter().filter_map(|event| event.kind.as_ref());
        kinds
            .filter_map(|kind| match kind {
                v1::event::Kind::TilePlayed(played) => Some(Self {
                    seat: played.seat,
                    play: played.play.unwrap_or_default(),
                    points: played.points,
                    scores: played.scores.clone(),
                }),
                _ => None,
            })
            .collect()
    }
}

impl fmt::Display for Placed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            seat, points, scores, ..
        } = self;
        write!(f, "seat {seat} {} for {points}, {scores:?}", screen::play(&self.play))
    }
}

/// The plays of a record in order, once every word of it has been found true.
pub(super) fn plays_of(record_json: &str) -> Result<Vec<Placed>, String> {
    let record: Record = serde_json::from_str(record_json).map_err(|error| error.to_string())?;
    match verify(&record).map_err(|fault| fault.to_string())? {
        Proof::Everything => {}
        Proof::DealsNotProved => return Err("its deals are not proved".to_owned()),
    }
    let turns = record.hands.iter().flat_map(|round| &round.events);
    let plays = turns.filter_map(|turn| {
        let play = fives_rules::play::Play {
            tile: turn.play?,
            end: turn.end,
        };
        Some(Placed {
            seat: turn.seat as u32,
            play: encode::play(play),
            points: turn.points.into(),
            scores: turn.scores.clone(),
        })
    });
    Ok(plays.collect())
}
