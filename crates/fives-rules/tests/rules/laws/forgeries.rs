//! A record with one false word is found out, and one that is no record at all is an error, never a panic.

use fives_rules::event::Event;
use fives_rules::game::Game;
use fives_rules::record::{Proof, RESIGNED_MARK, Record, Recorder, SeedLabel, verify};
use fives_rules::seat::Seat;
use serde_json::{Value, json};

use super::{any_options, play_match};
use crate::support::Dice;

/// The record of a random match that came to its end.
fn any_record(dice: &mut Dice, resign_one_in: usize) -> Record {
    loop {
        let options = any_options(dice);
        let (mut start, mut end, mut log): (Option<Game>, Option<Game>, Vec<Event>) = (None, None, Vec::new());
        play_match(dice, options, resign_one_in, |step| {
            start.get_or_insert(*step.before);
            end = Some(*step.after);
            log.extend_from_slice(step.events);
        });
        let mut recorder = Recorder::new(start.unwrap());
        log.iter().for_each(|event| recorder.push(event));
        let seed = SeedLabel::Text("laws".to_owned());
        if let Some(record) = recorder.finish(seed, policy(&end.unwrap())) {
            return record;
        }
    }
}

fn policy(game: &Game) -> String {
    let name = |seat: Seat| format!("random{}", if game.resigned()[seat] { RESIGNED_MARK } else { "" });
    game.options().players().seats().map(name).collect::<Vec<_>>().join(",")
}

#[test]
fn the_record_of_every_match_is_true() {
    let mut dice = Dice::new(9);
    for number in 0..500 {
        let record = any_record(&mut dice, [30, 300][number % 2]);
        assert_eq!(verify(&record), Ok(Proof::Everything));
        let text = serde_json::to_string(&record).unwrap();
        assert_eq!(serde_json::from_str::<Record>(&text).unwrap(), record);
    }
}

/// Reads and verifies; true if the record got through although it says something else than `truth`.
///
/// Some words nothing can be held against: who played, a label, options that happened not to matter, and that the
/// record has no proof of its deals.
fn deceives(text: &[u8], truth: &Record) -> bool {
    let Ok(record) = serde_json::from_slice::<Record>(text) else {
        return false;
    };
    if verify(&record).is_err() {
        return false;
    }
    let like_truth = Record {
        seed: truth.seed.clone(),
        policy: truth.policy.clone(),
        schema: truth.schema.clone(),
        config: truth.config.clone(),
        fair: record.fair.clone().or(truth.fair.clone()),
        ..record
    };
    like_truth != *truth
}

#[test]
fn a_record_with_a_false_letter_is_found_out() {
    let mut dice = Dice::new(10);
    for _ in 0..40 {
        let truth = any_record(&mut dice, 100);
        let text = serde_json::to_vec(&truth).unwrap();
        for _ in 0..50 {
            let mut forged = text.clone();
            let at = dice.below(forged.len());
            match dice.below(4) {
                0 => forged[at] = dice.one_of(b"0123456789-@LRNS\"[]{},:aef"),
                1 => forged[at] = dice.below(256) as u8,
                2 => drop(forged.remove(at)),
                _ => forged.truncate(at),
            }
            assert!(!deceives(&forged, &truth), "{}", String::from_utf8_lossy(&forged));
        }
    }
}

/// Passes included: nobody chooses them, but they are part of the log.
#[test]
fn a_record_with_a_turn_too_many_or_too_few_is_found_out() {
    let mut dice = Dice::new(12);
    let mut last_passes = 0;
    for _ in 0..200 {
        let truth = any_record(&mut dice, 100);
        for (at, round) in truth.hands.iter().enumerate() {
            let Some(last) = round.events.last() else { continue };
            last_passes += usize::from(last.play.is_none());
            let mut pass = last.clone();
            (pass.play, pass.end) = (None, None);
            let mut forged = truth.clone();
            forged.hands[at].events.pop();
            assert!(verify(&forged).is_err());
            for turn in [last.clone(), pass] {
                let mut forged = truth.clone();
                forged.hands[at].events.push(turn);
                assert!(verify(&forged).is_err());
            }
        }
    }
    assert!(last_passes > 0);
}

/// The values inside `value`, itself included.
fn count(value: &Value) -> usize {
    1 + match value {
        Value::Array(values) => values.iter().map(count).sum(),
        Value::Object(fields) => fields.values().map(count).sum(),
        _ => 0,
    }
}

/// The `n`-th of them.
fn nth(value: &mut Value, n: usize) -> &mut Value {
    if n == 0 {
        return value;
    }
    let mut left = n - 1;
    let inner: Vec<&mut Value> = match value {
        Value::Array(values) => values.iter_mut().collect(),
        Value::Object(fields) => fields.values_mut().collect(),
        _ => Vec::new(),
    };
    for inner in inner {
        let size = count(inner);
        if left < size {
            return nth(inner, left);
        }
        left -= size;
    }
    unreachable!("there are not that many")
}

#[test]
fn a_record_with_a_false_value_is_found_out() {
    let mut dice = Dice::new(11);
    let garbage = [
        json!(null),
        json!(true),
        json!(0),
        json!(1),
        json!(-5),
        json!(4),
        json!(255),
        json!(i64::MAX),
        json!(i64::MIN),
        json!(u64::MAX),
        json!(1e300),
        json!(""),
        json!("6-6"),
        json!("7-0"),
        json!("L"),
        json!("00"),
        json!("random"),
        json!([]),
        json!([null]),
        json!(["6-6", "6-6"]),
        json!([["L", 5], ["L", 5]]),
        json!({}),
    ];
    for _ in 0..40 {
        let truth = any_record(&mut dice, 100);
        let value = serde_json::to_value(&truth).unwrap();
        let values = count(&value);
        for _ in 0..100 {
            let mut forged = value.clone();
            let changed = nth(&mut forged, dice.below(values));
            match changed {
                Value::Array(values) if dice.one_in(2) && !values.is_empty() => {
                    let at = dice.below(values.len());
                    if dice.one_in(2) {
                        values.remove(at);
                    } else {
                        values.push(values[at].clone());
                    }
                }
                _ => *changed = garbage[dice.below(garbage.len())].clone(),
            }
            assert!(!deceives(forged.to_string().as_bytes(), &truth), "{forged}");
        }
    }
}
