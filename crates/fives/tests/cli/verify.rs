//! `fives verify`.

use std::fs;
use std::path::Path;

use crate::program::{GAMES, fives_line, fives_reading, read, recorded, verify};

/// Every option of RULES.md section 3 away from its default, alone where it can be, and together.
const OPTIONS: [&str; 18] = [
    "--players 2",
    "--players 3",
    "--players 4",
    "--players 4 --partners",
    "--players 2 --hand-rule 5-5-5",
    "--players 3 --hand-rule 5-5-5",
    "--players 2 --hand-rule 7-5-5",
    "--players 4 --hand-rule 7-5-5",
    "--target 5",
    "--players 3 --target 1000",
    "--win-check round-end",
    "--players 4 --partners --rounding per-side",
    "--players 4 --floor-zero",
    "--players 3 --dead-layout end",
    "--reserve 1",
    "--players 3 --reserve 2",
    "--max-rounds 2",
    "--players 4 --partners --hand-rule 5-5-5 --target 150 --win-check round-end --rounding per-side --floor-zero \
     --dead-layout end --reserve 2 --max-rounds 20",
];

#[test]
fn simulated_matches_are_true_with_every_option() {
    let folder = tempfile::tempdir().expect("a folder");
    for options in OPTIONS {
        let flags = format!("{options} --matches 5 --seed 3 --bots greedy,random");
        let out = verify(&recorded(folder.path(), "records", &flags)).succeeded();
        assert_eq!(
            out, "5 matches verified, deals proved in 5; deals not proved in 0\n",
            "{options}"
        );
    }
}

#[test]
fn matches_of_the_reference_model_are_true_but_their_deals_are_not_proved() {
    let files = fs::read_dir(GAMES).expect("the folder is there");
    let mut matches = 0;
    for file in files.map(|entry| entry.expect("a file").path()) {
        if file.extension().is_some_and(|extension| extension == "jsonl") {
            let records = read(&file).lines().count();
            let expected = format!("{records} matches verified, deals proved in 0; deals not proved in {records}\n");
            assert_eq!(verify(&file).succeeded(), expected, "{}", file.display());
            matches += records;
        }
    }
    assert_eq!(matches, 24);
}

/// `line` with another last digit in the first number behind `place`.
fn with_a_digit_flipped(line: &str, place: &str) -> String {
    let (before, after) = line.split_once(place).expect("the place is in the record");
    let number = after.find(|c: char| c.is_ascii_digit()).expect("a number");
    let digits = after[number..].bytes().take_while(u8::is_ascii_digit).count();
    let at = before.len() + place.len() + number + digits - 1;
    let digit = line.as_bytes()[at] ^ 1;
    format!("{}{}{}", &line[..at], char::from(digit), &line[at + 1..])
}

#[test]
fn a_flipped_digit_is_found_and_its_field_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let records = read(recorded(
        folder.path(),
        "records",
        "--matches 2 --seed 9 --bots greedy,random",
    ));
    let (first, second) = records.trim_end().split_once('\n').expect("two records");
    let flips = [
        (r#""index":"#, "round 0, index"),
        (r#""starter":"#, "round 0, starter"),
        (r#""scores_before":["#, "round 0, scores_before"),
        (r#""events":[{"seat":"#, "round 0, turn 0, seat"),
        (r#""total":"#, "round 0, turn 0, total"),
        (r#""points":"#, "round 0, turn 0, points"),
        (r#""scores":["#, "round 0, turn 0, scores"),
        (r#""ends":[["L","#, "round 0, turn 0, ends"),
        (r#""out_seat":"#, "round 0, out_seat"),
        (r#""subtracted":["#, "round 0, subtracted"),
        (r#""scores_after":["#, "round 0, scores_after"),
        (r#""final":{"scores":["#, "final.scores"),
        (r#""winner_side":"#, "final.winner_side"),
        (r#""master":""#, "fair.commitment"),
        (r#""rounds":[{"commitment":""#, "round 0, fair.rounds.commitment"),
    ];
    let file = folder.path().join("flipped");
    for (place, field) in flips {
        let flipped = with_a_digit_flipped(second, place);
        fs::write(&file, format!("{first}\n\n{flipped}\n")).expect("a file");
        let err = verify(&file).failed(1);
        let start = format!("error: {}:3: match 1 (seed 9:1): {field}: ", file.display());
        assert!(err.starts_with(&start), "{place}: {err}");
    }
}

#[test]
fn a_line_that_is_no_record_is_a_fault() {
    let folder = tempfile::tempdir().expect("a folder");
    let record = read(recorded(folder.path(), "records", "--matches 1 --seed 9"));
    let cut = &record[..record.len() / 2];
    let unknown = record.replacen(r#"{"seed""#, r#"{"extra":1,"seed""#, 1);
    let steering = record.replacen(r#""deal":[[""#, "\"deal\":[[\"\\u001b[2J", 1);
    for (line, reason) in [
        (cut, "EOF while parsing"),
        (&unknown, "column 8: unknown field `extra`"),
        (&steering, "`\u{fffd}[2J"),
        ("7", "invalid type: integer `7`"),
    ] {
        let err = fives_reading(["verify", "-"], line).failed(1);
        assert!(err.starts_with("error: -:1: match 0: no record: "), "{err}");
        assert!(err.contains(reason), "{err}");
    }
}

#[test]
fn records_are_read_from_standard_input_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let records = read(recorded(folder.path(), "records", "--matches 3"));
    let out = fives_reading(["verify", "-"], records.trim_end()).succeeded();
    assert_eq!(out, "3 matches verified, deals proved in 3; deals not proved in 0\n");
}

#[test]
fn nothing_to_verify_is_not_success() {
    let err = fives_reading(["verify", "-"], "\n\n").failed(1);
    assert_eq!(err, "error: -: there is no record in it\n");
    let err = fives_line("verify /no/such/file").failed(2);
    assert!(err.starts_with("error: /no/such/file: "), "{err}");
    let folder = Path::new(GAMES);
    let err = verify(folder).failed(2);
    assert!(err.starts_with(&format!("error: {}: ", folder.display())), "{err}");
}
