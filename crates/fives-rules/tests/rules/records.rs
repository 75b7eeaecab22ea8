//! Records: those of the independent model replay word by word, and whatever is changed in one is noticed.

mod faults;
mod proofs;

use fives_rules::record::{Proof, Record, verify};
use serde_json::Value;

use crate::support::data;

const FILES: [&str; 7] = [
    "two-players",
    "three-players",
    "four-players",
    "partners",
    "options-a",
    "options-b",
    "options-c",
];

/// Line `line` (from 0) of a file of records.
fn line(file: &str, line: usize) -> Value {
    let text = data(&format!("games/{file}.jsonl"));
    let text = text
        .lines()
        .nth(line)
        .unwrap_or_else(|| panic!("{file} has no line {line}"));
    serde_json::from_str(text).unwrap()
}

#[test]
fn every_record_of_the_model_is_true_and_is_written_as_it_was_read() {
    let mut records = 0;
    for file in FILES {
        for (index, text) in data(&format!("games/{file}.jsonl")).lines().enumerate() {
            let place = format!("{file}.jsonl, line {}", index + 1);
            let value: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{place}: {error}"));
            let record: Record = serde_json::from_str(text).unwrap_or_else(|error| panic!("{place}: {error}"));
            match verify(&record) {
                Ok(proof) => assert_eq!(proof, Proof::DealsNotProved, "{place}"),
                Err(fault) => panic!("{place}: {fault}"),
            }
            assert_eq!(serde_json::to_value(&record).unwrap(), value, "{place}");
            records += 1;
        }
    }
    assert_eq!(records, 24);
}

/// The first fault in `value`: round, turn, field. An error of the parser has no place, only words.
fn fault_in(value: &Value) -> Option<(Option<usize>, Option<usize>, String)> {
    match serde_json::from_value::<Record>(value.clone()) {
        Err(error) => Some((None, None, error.to_string())),
        Ok(record) => {
            let fault = verify(&record).err()?;
            Some((fault.round, fault.turn, fault.field.to_owned()))
        }
    }
}

/// One change to a record and the place that must be named for it.
struct Change {
    /// A JSON pointer to what is changed.
    pointer: &'static str,
    /// What stands there instead; `None` takes it away.
    to: Option<Value>,
    round: Option<usize>,
    turn: Option<usize>,
    field: &'static str,
}

impl Change {
    fn make(&self, record: &Value) -> Value {
        let mut changed = record.clone();
        let (parent, name) = self.pointer.rsplit_once('/').unwrap();
        let parent = changed
            .pointer_mut(parent)
            .unwrap_or_else(|| panic!("nothing at {}", self.pointer));
        match (parent, self.to.clone()) {
            (Value::Array(items), Some(to)) => items[name.parse::<usize>().unwrap()] = to,
            (Value::Array(items), None) => drop(items.remove(name.parse().unwrap())),
            (Value::Object(fields), Some(to)) => drop(fields.insert(name.to_owned(), to)),
            (Value::Object(fields), None) => drop(fields.remove(name).unwrap()),
            _ => panic!("{} is in no list or object", self.pointer),
        }
        assert_ne!(&changed, record, "{} changes nothing", self.pointer);
        changed
    }

    fn check(&self, record: &Value) -> Result<(), String> {
        let expected = (self.round, self.turn, self.field.to_owned());
        let to = self.to.as_ref().map_or("nothing".to_owned(), Value::to_string);
        match fault_in(&self.make(record)) {
            Some(fault) if fault == expected => Ok(()),
            found => Err(format!("{} to {to}: {found:?}, not {expected:?}", self.pointer)),
        }
    }
}

/// Makes each change to `record` and demands that the right fault is found.
fn check_changes(record: &Value, changes: &[Change]) {
    assert_eq!(fault_in(record), None, "the record must be true to begin with");
    let faults: Vec<String> = changes.iter().filter_map(|change| change.check(record).err()).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// A table of changes: a pointer, what stands there instead (`remove` takes it away), and the place that must be named: a
/// field of the match, a round and its field, or a round, a turn and its field.
macro_rules! changes {
    (@to remove) => { None };
    (@to $value:tt) => { Some(serde_json::json!($value)) };
    ($($pointer:literal => $value:tt, [$($place:expr),+];)+) => {
        [$($crate::records::changes!(@change $pointer, $crate::records::changes!(@to $value), $($place),+)),+]
    };
    (@change $pointer:literal, $to:expr, $field:expr) => {
        $crate::records::changes!(@new $pointer, $to, None, None, $field)
    };
    (@change $pointer:literal, $to:expr, $round:expr, $field:expr) => {
        $crate::records::changes!(@new $pointer, $to, Some($round), None, $field)
    };
    (@change $pointer:literal, $to:expr, $round:expr, $turn:expr, $field:expr) => {
        $crate::records::changes!(@new $pointer, $to, Some($round), Some($turn), $field)
    };
    (@new $pointer:literal, $to:expr, $round:expr, $turn:expr, $field:expr) => {
        $crate::records::Change { pointer: $pointer, to: $to, round: $round, turn: $turn, field: $field }
    };
}
use changes;
