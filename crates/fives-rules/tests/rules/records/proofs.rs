//! Records that the rules write: their deals are proved, whatever is changed in the proof is noticed, and resignations count.

use fives_rules::deal::{Entropy, Fairness, Master};
use fives_rules::event::Event;
use fives_rules::game::{Action, Game};
use fives_rules::options::MatchOptions;
use fives_rules::record::{Proof, RESIGNED_MARK, Record, Recorder, SeedLabel, verify};
use fives_rules::seat::{BySeat, Players};
use serde_json::{Value, json};

use super::{Change, changes, check_changes};
use crate::support::{Dice, seat};

/// A random match; after `resignations[n].0` plays the seat `resignations[n].1` gives up.
fn simulated(options: MatchOptions, fairness: Fairness, resignations: &[(usize, u8)]) -> Record {
    let mut dice = Dice::new(3);
    let mut events: Vec<Event> = Vec::new();
    let mut game = Game::start(options, fairness, &mut events);
    let mut names = vec!["random".to_owned(); options.players().count()];
    let mut plays = 0;
    while let Some(turn) = game.turn() {
        let resigns = resignations
            .iter()
            .find(|(after, by)| *after == plays && !game.resigned()[seat(*by)]);
        let (by, action) = match resigns {
            Some(&(_, by)) => (seat(by), Action::Resign),
            None => (turn, Action::Play(dice.pick(&game.legal()))),
        };
        if action == Action::Resign {
            names[by.index()].push_str(RESIGNED_MARK);
        } else {
            plays += 1;
        }
        game = game.apply(by, action, &mut events).unwrap();
    }
    let mut recorder = Recorder::new(Game::undealt(options, fairness));
    events.iter().for_each(|event| recorder.push(event));
    assert_eq!(recorder.game(), &game, "law 3");
    recorder.finish(SeedLabel::Number(3), names.join(",")).unwrap()
}

/// Entropies of 4, 0, 32 and 1 bytes.
fn fairness() -> Fairness {
    let entropy = |bytes: &[u8]| Entropy::new(bytes).unwrap();
    Fairness {
        master: Master::new([5; 32]),
        entropies: BySeat([entropy(b"anna"), Entropy::NONE, entropy(&[0xff; 32]), entropy(b"z")]),
    }
}

fn written(players: Players, resignations: &[(usize, u8)]) -> Value {
    let record = simulated(MatchOptions::all_fives(players), fairness(), resignations);
    serde_json::to_value(record).unwrap()
}

#[test]
fn what_the_rules_write_proves_everything() {
    for players in [Players::Two, Players::Three, Players::Four] {
        let record = simulated(MatchOptions::all_fives(players), fairness(), &[]);
        assert_eq!(verify(&record), Ok(Proof::Everything), "{players:?}");
        let text = serde_json::to_string(&record).unwrap();
        assert_eq!(serde_json::from_str::<Record>(&text).unwrap(), record, "{players:?}");
    }
}

/// The deals are not proved without `fair`, but the rest holds.
#[test]
fn a_record_may_leave_the_proof_out() {
    let mut record = simulated(MatchOptions::all_fives(Players::Two), fairness(), &[]);
    record.fair = None;
    assert_eq!(verify(&record), Ok(Proof::DealsNotProved));
}

const ZEROS: &str = "0000000000000000000000000000000000000000000000000000000000000000";

#[test]
fn every_field_of_the_proof_that_is_changed_is_named() {
    let record = written(Players::Three, &[]);
    check_changes(
        &record,
        &changes! {
            "/fair/algorithm" => "fives-deal/2", ["fair.algorithm"];
            "/fair/master" => "00", ["fair.master"];
            "/fair/master" => ZEROS, ["fair.commitment"];
            "/fair/commitment" => ZEROS, ["fair.commitment"];
            "/fair/entropies/2" => remove, ["fair.entropies"];
            "/fair/entropies/1" => "000000000000000000000000000000000000000000000000000000000000000000", ["fair.entropies"];
            "/fair/entropies/0" => "616e6e62", [0, "fair.rounds.seed"];
            "/fair/entropies/1" => "00", [0, "fair.rounds.seed"];
            "/fair/rounds/1/seed" => ZEROS, [1, "fair.rounds.seed"];
            "/fair/rounds/1/seed" => "", [1, "fair.rounds.seed"];
            "/fair/rounds/1/commitment" => ZEROS, [1, "fair.rounds.commitment"];
            "/fair/rounds/0" => remove, [0, "fair.rounds.seed"];
            "/fair/rounds" => [], [0, "fair.rounds"];
        },
    );
    let last = record["hands"].as_array().unwrap().len() - 1;
    let mut surplus = record;
    let proofs = surplus["fair"]["rounds"].as_array_mut().unwrap();
    proofs.push(proofs[last].clone());
    assert_eq!(super::fault_in(&surplus), Some((None, None, "fair.rounds".to_owned())));
}

/// What cannot be noticed without the proof: other tiles dealt, or drawn in another order, and another lot.
#[test]
fn a_deal_that_does_not_follow_from_its_seed_is_named() {
    let record = written(Players::Three, &[]);
    let round = &record["hands"][0];
    let swapped = |list: &str| {
        let mut swapped = round.pointer(list).unwrap().clone();
        swapped.as_array_mut().unwrap().swap(0, 1);
        swapped
    };
    let another = (round["starter"].as_u64().unwrap() + 1) % 3;
    let change = |pointer, to, field| Change {
        pointer,
        to: Some(to),
        round: Some(0),
        turn: None,
        field,
    };
    check_changes(
        &record,
        &[
            change("/hands/0/deal/1", swapped("/deal/1"), "deal"),
            change("/hands/0/deal", swapped("/deal"), "deal"),
            change("/hands/0/boneyard", swapped("/boneyard"), "boneyard"),
            change("/hands/0/starter", json!(another), "starter"),
        ],
    );
}

#[test]
fn a_resignation_between_two_ends_the_match() {
    let record = written(Players::Two, &[(30, 0)]);
    let last = record["hands"].as_array().unwrap().len() - 1;
    assert_eq!(last, 1, "the pointers below name round 1");
    assert_eq!(record["hands"][last]["result"], "resigned");
    assert_eq!(record["final"]["winner_side"], 1);
    check_changes(
        &record,
        &changes! {
            "/policy" => "random,random", [1, "result"];
            "/policy" => "random,random+resigned", ["final.winner_side"];
            "/hands/1/result" => "blocked", [1, "result"];
            "/hands/1/subtracted" => [0, 0], [1, "subtracted"];
            "/hands/1/left/1/0" => remove, [1, "left"];
            "/final/ended_by" => remove, ["final.ended_by"];
            "/final/winner_side" => null, ["final.winner_side"];
        },
    );
}

/// With three single players the match goes on; whoever resigned ranks last and cannot win.
#[test]
fn a_resignation_among_three_is_kept_in_the_policy() {
    let record = written(Players::Three, &[]);
    let winner = record["final"]["winner_side"].as_u64().unwrap();
    let resigned = written(Players::Three, &[(10, winner as u8)]);
    assert_eq!(resigned["hands"], record["hands"], "the same plays");
    assert_ne!(resigned["final"]["winner_side"], winner);
    check_changes(
        &resigned,
        &changes! {
            "/policy" => "random,random,random", ["final.winner_side"];
            "/final/ended_by" => "resignation", ["final.ended_by"];
        },
    );
}

#[test]
fn the_second_resignation_among_three_ends_the_match() {
    let record = written(Players::Three, &[(10, 2), (30, 0)]);
    assert_eq!(record["policy"], "random+resigned,random,random+resigned");
    assert_eq!(record["final"]["winner_side"], 1);
    assert_eq!(record["final"]["ended_by"], "resignation");
    check_changes(&record, &[]);
}

#[test]
fn a_resignation_splits_a_partnership_and_ends_the_match() {
    let mut config = fives_rules::record::RecordConfig::from(&MatchOptions::all_fives(Players::Four));
    config.partners = true;
    let record = simulated(config.options().unwrap(), fairness(), &[(5, 3)]);
    assert_eq!(record.r#final.winner_side, Some(0));
    assert_eq!(verify(&record), Ok(Proof::Everything));
}
