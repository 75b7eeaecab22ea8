//! Every field of a record, changed: the fault must name the round, the turn and the field.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{Change, changes, check_changes, fault_in, line};

/// What is said about a match but not part of its truth. (`policy` matters where somebody resigned.)
const UNCHECKED: [&str; 3] = ["seed", "policy", "schema"];

/// Changes to the first match of three-players.jsonl, whose round 0 has draws, arms and points.
fn changes_to_a_match() -> Vec<Change> {
    Vec::from(changes! {
        "/config/players" => 4, [0, "deal"];
        "/config/players" => 5, ["config"];
        "/config/partners" => true, ["config"];
        "/config/hand_rule" => "5-5-5", [0, "deal"];
        "/config/target" => 150, [7, 7, "play"];
        "/config/target" => 205, [10, "result"];
        "/config/target" => 201, ["config"];
        "/config/win_check" => "hand_end", [10, "result"];
        "/config/reserve" => 3, ["config"];
        "/config/max_hands" => 3, [3, "index"];
        "/config/max_hands" => 1001, ["config"];

        "/hands" => [], ["hands"];
        "/hands/10" => remove, ["final"];
        "/hands/0/index" => 1, [0, "index"];
        "/hands/0/starter" => 1, [0, 0, "seat"];
        "/hands/0/starter" => 3, [0, "starter"];
        "/hands/1/starter" => 0, [1, "starter"];
        "/hands/0/starter_reason" => "out", [0, "starter_reason"];
        "/hands/1/starter_reason" => "random", [1, "starter_reason"];
        "/hands/0/deal/2" => remove, [0, "deal"];
        "/hands/0/deal/1/3" => remove, [0, "deal"];
        "/hands/0/deal/1/3" => "5-5", [0, "boneyard"];
        "/hands/0/boneyard/0" => remove, [0, "boneyard"];
        "/hands/0/boneyard" => ["3-1", "6-3"], [0, "boneyard"];
        "/hands/0/scores_before" => [0, 5, 0], [0, "scores_before"];
        "/hands/1/scores_before/1" => 15, [1, "scores_before"];

        "/hands/0/events" => [], [0, "result"];
        "/hands/0/events/18" => remove, [0, "result"];
        "/hands/0/events/5" => remove, [0, 5, "seat"];
        "/hands/0/events/5/seat" => 2, [0, 5, "seat"];
        "/hands/0/events/5/seat" => 3, [0, 5, "seat"];
        "/hands/0/events/5/seat" => 300, [0, 5, "seat"];
        "/hands/0/events/5/drew" => ["6-3"], [0, 5, "drew"];
        "/hands/0/events/13/drew" => ["3-1"], [0, 13, "drew"];
        "/hands/0/events/13/drew" => ["3-1", "6-3"], [0, 13, "drew"];
        "/hands/0/events/5/legal/1" => remove, [0, 5, "legal"];
        "/hands/0/events/5/legal" => ["5-2@S", "5-2@N", "2-0@L", "2-0@R"], [0, 5, "legal"];
        "/hands/0/events/0/play" => "6-6", [0, 0, "ends"];
        "/hands/0/events/5/play" => "2-0", [0, 5, "play"];
        "/hands/0/events/5/play" => "4-1", [0, 5, "play"];
        "/hands/0/events/5/play" => null, [0, 5, "play"];
        "/hands/0/events/0/end" => "L", [0, 0, "play"];
        "/hands/0/events/5/end" => "S", [0, 5, "ends"];
        "/hands/0/events/5/end" => "L", [0, 5, "play"];
        "/hands/0/events/5/end" => null, [0, 5, "play"];
        "/hands/0/events/5/ends" => [["L", 0], ["R", 0], ["N", 2], ["S", 5]], [0, 5, "ends"];
        "/hands/0/events/5/ends/2/1" => 4, [0, 5, "ends"];
        "/hands/0/events/5/ends/2/0" => "S", [0, 5, "ends"];
        "/hands/0/events/5/ends" => remove, [0, 5, "ends"];
        "/hands/0/events/5/total" => 5, [0, 5, "total"];
        "/hands/0/events/5/total" => remove, [0, 5, "total"];
        "/hands/0/events/5/points" => 5, [0, 5, "points"];
        "/hands/0/events/6/points" => 0, [0, 6, "points"];
        "/hands/0/events/6/scores/2" => 20, [0, 6, "scores"];
        "/hands/0/events/6/scores/2" => remove, [0, 6, "scores"];

        "/hands/0/result" => "blocked", [0, "result"];
        "/hands/0/result" => "target", [0, "result"];
        "/hands/0/result" => "resigned", [0, "result"];
        "/hands/0/out_seat" => 0, [0, "out_seat"];
        "/hands/0/out_seat" => null, [0, "out_seat"];
        "/hands/0/left/0/0" => remove, [0, "left"];
        "/hands/0/left" => [[], [], []], [0, "left"];
        "/hands/0/subtracted/0" => 20, [0, "subtracted"];
        "/hands/0/subtracted" => null, [0, "subtracted"];
        "/hands/10/subtracted" => [0, 0, 0], [10, "subtracted"];
        "/hands/0/scores_after/0" => 20, [0, "scores_after"];

        "/final/scores/0" => 175, ["final.scores"];
        "/final/winner_side" => 0, ["final.winner_side"];
        "/final/winner_side" => null, ["final.winner_side"];
        "/final/stopped_by_max_hands" => true, ["final.stopped_by_max_hands"];
    })
}

#[test]
fn every_field_that_is_changed_is_named() {
    check_changes(&line("three-players", 0), &changes_to_a_match());
}

/// Two values that change places, and the place that must be named. No proof of the deals is needed to notice these.
#[test]
fn tiles_that_change_places_are_noticed() {
    for (one, other, turn, field) in [
        // Seat 0 plays 5-0 at turn 1, could have played 6-0 at turn 4, and draws 6-3 and 3-1 at turn 13.
        ("/hands/0/deal/0/0", "/hands/0/deal/1/0", 1, "play"),
        ("/hands/0/deal/0/5", "/hands/0/boneyard/6", 4, "legal"),
        ("/hands/0/boneyard/0", "/hands/0/boneyard/1", 13, "drew"),
        // It would draw 6-3 and 2-1 then, and has no 3-1 to play.
        ("/hands/0/boneyard/1", "/hands/0/boneyard/6", 13, "play"),
        ("/hands/0/events/3", "/hands/0/events/6", 3, "play"),
        ("/hands/0/events/3", "/hands/0/events/4", 3, "seat"),
    ] {
        let mut record = line("three-players", 0);
        let (first, second) = (record.pointer(one).cloned(), record.pointer(other).cloned());
        *record.pointer_mut(one).unwrap() = second.unwrap();
        *record.pointer_mut(other).unwrap() = first.unwrap();
        let expected = (Some(0), Some(turn), field.to_owned());
        assert_eq!(fault_in(&record), Some(expected), "{one} and {other}");
    }
}

/// Round 10 is the last. The first round that is not in its place is named.
#[test]
fn rounds_too_many_too_few_or_in_another_order_are_noticed() {
    type Edit = fn(&mut Vec<Value>);
    let edits: [(&str, Edit, usize, &str); 5] = [
        ("one more", |rounds| rounds.push(rounds[10].clone()), 11, "index"),
        ("one twice", |rounds| rounds.insert(1, rounds[0].clone()), 1, "index"),
        ("the first left out", |rounds| drop(rounds.remove(0)), 0, "index"),
        ("one left out", |rounds| drop(rounds.remove(4)), 4, "index"),
        ("two swapped", |rounds| rounds.swap(2, 3), 2, "index"),
    ];
    for (name, edit, round, field) in edits {
        let mut record = line("three-players", 0);
        edit(record["hands"].as_array_mut().unwrap());
        let expected = (Some(round), None, field.to_owned());
        assert_eq!(fault_in(&record), Some(expected), "{name}");
    }
    // With the right number it still does not start from where the round before it ended.
    let mut record = line("three-players", 0);
    record["hands"][1] = record["hands"][0].clone();
    record["hands"][1]["index"] = 1.into();
    let expected = (Some(1), None, "starter_reason".to_owned());
    assert_eq!(fault_in(&record), Some(expected));
}

/// Each of these needs a match in which the option made a difference.
#[test]
fn options_that_would_have_made_a_difference() {
    for (file, number, changes) in [
        (
            "two-players",
            0,
            changes! { "/config/floor_zero" => true, [0, "scores_after"]; },
        ),
        (
            "options-a",
            1,
            changes! { "/config/floor_zero" => false, [0, "scores_after"]; },
        ),
        (
            "partners",
            0,
            changes! { "/config/settlement" => "per_side", [5, "subtracted"]; },
        ),
        (
            "options-c",
            0,
            changes! { "/config/settlement" => "per_hand", [5, "subtracted"]; },
        ),
        // Turn 12 draws the boneyard empty; turn 19 passes with two tiles in it, one of which fits.
        (
            "three-players",
            2,
            changes! { "/config/reserve" => 1, [2, 12, "drew"]; },
        ),
        ("options-b", 0, changes! { "/config/reserve" => 0, [4, 19, "play"]; }),
        // Turn 21 draws in vain; the round ends where there would have been one more such turn.
        (
            "three-players",
            3,
            changes! { "/config/dead_layout" => "end", [2, 21, "play"]; },
        ),
        (
            "options-b",
            1,
            changes! { "/config/dead_layout" => "drain", [3, "events"]; },
        ),
    ] {
        check_changes(&line(file, number), &changes);
    }
}

/// The keys that lead to each value, without the places in lists.
fn fields(value: &Value, path: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields_of) => {
            for (name, value) in fields_of {
                fields(value, format!("{path}.{name}").trim_start_matches('.'), found);
            }
        }
        Value::Array(items) => {
            found.insert(path.to_owned());
            items.iter().for_each(|item| fields(item, path, found));
        }
        _ => drop(found.insert(path.to_owned())),
    }
}

#[test]
fn no_field_is_left_out() {
    let mut all = BTreeSet::new();
    fields(&line("three-players", 0), "", &mut all);
    let covered = changes_to_a_match();
    let covered = covered.iter().map(|change| {
        let names = change.pointer.split('/').filter(|name| name.parse::<usize>().is_err());
        names.collect::<Vec<_>>().join(".").trim_start_matches('.').to_owned()
    });
    let elsewhere = ["config.floor_zero", "config.settlement", "config.dead_layout"];
    let unchecked = UNCHECKED.into_iter().chain(elsewhere).map(str::to_owned);
    let covered: BTreeSet<String> = covered.chain(unchecked).collect();
    assert_eq!(all.difference(&covered).collect::<Vec<_>>(), Vec::<&String>::new());
}

#[test]
fn a_word_that_records_do_not_know_is_an_error() {
    for (pointer, to) in [
        ("/config/hand_rule", "9-9-9"),
        ("/config/win_check", "round_end"),
        ("/hands/0/starter_reason", "lot"),
        ("/hands/0/result", "won"),
        ("/hands/0/boneyard/0", "7-0"),
        ("/hands/0/events/5/legal/0", "7-2"),
        ("/hands/0/events/5/end", "X"),
        ("/hands/0/events/5/play", "52"),
    ] {
        let mut record = line("three-players", 0);
        *record.pointer_mut(pointer).unwrap() = to.into();
        let error = serde_json::from_value::<fives_rules::record::Record>(record).unwrap_err();
        assert!(error.to_string().contains(to), "{pointer}: {error}");
    }
}

/// A pass has no `ends` and no `total`, and only a resignation leaves `ended_by`; every other key is always there, null or not.
#[test]
fn a_key_that_is_left_out_is_named() {
    let record = line("three-players", 0);
    for pointer in ["", "/config", "/hands/0", "/hands/0/events/5", "/final"] {
        let object = record.pointer(pointer).unwrap().as_object().unwrap();
        for key in object.keys().filter(|key| !["ends", "total"].contains(&key.as_str())) {
            let mut without = record.clone();
            let object = without.pointer_mut(pointer).unwrap().as_object_mut().unwrap();
            object.remove(key);
            let read = serde_json::from_value::<fives_rules::record::Record>(without);
            let error = read.err().map_or("it was read".to_owned(), |error| error.to_string());
            assert!(
                error.contains(&format!("missing field `{key}`")),
                "{pointer}/{key}: {error}"
            );
        }
    }
}

/// Turn 19 of round 0 draws in vain and passes, turn 21 passes without drawing.
#[test]
fn a_pass_that_says_more_than_a_pass_is_named() {
    check_changes(
        &line("four-players", 0),
        &changes! {
            "/hands/0/events/19/drew" => [], [0, 19, "drew"];
            "/hands/0/events/21/seat" => 0, [0, 21, "seat"];
            "/hands/0/events/21/drew" => ["6-6"], [0, 21, "drew"];
            "/hands/0/events/21/legal" => ["6-6@L"], [0, 21, "legal"];
            "/hands/0/events/21/play" => "6-6", [0, 21, "play"];
            "/hands/0/events/21/end" => "L", [0, 21, "end"];
            "/hands/0/events/21/ends" => [], [0, 21, "ends"];
            "/hands/0/events/21/total" => 0, [0, 21, "total"];
            "/hands/0/events/21/points" => 5, [0, 21, "points"];
            "/hands/0/events/21/scores/0" => 1000, [0, 21, "scores"];
        },
    );
}

#[test]
fn unknown_keys_are_errors() {
    for pointer in ["", "/config", "/hands/0", "/hands/0/events/0", "/final"] {
        let mut record = line("three-players", 0);
        let object = record.pointer_mut(pointer).unwrap().as_object_mut().unwrap();
        object.insert("surplus".to_owned(), Value::Null);
        let error = serde_json::from_value::<fives_rules::record::Record>(record).unwrap_err();
        assert!(error.to_string().contains("surplus"), "{pointer}: {error}");
    }
}
