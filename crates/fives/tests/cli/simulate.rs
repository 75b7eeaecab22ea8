//! `fives simulate`, and the program's usage as a whole.

use std::fs;
use std::path::Path;

use crate::program::{fives, fives_line, read, recorded};

#[test]
fn a_run_repeats_exactly() {
    let folder = tempfile::tempdir().expect("a folder");
    let flags = "--players 3 --matches 4 --seed 11 --bots random,greedy";
    let first = read(recorded(folder.path(), "first", flags));
    let second = read(recorded(folder.path(), "second", flags));
    assert_eq!(first.lines().count(), 4);
    assert!(first == second, "two runs differ");

    let summary = |out: String| {
        out.rsplit_once("\n")
            .and_then(|(head, _)| head.rsplit_once('\n'))
            .map(|(head, _)| head.to_owned())
    };
    let runs = [(); 2].map(|()| summary(fives_line(&format!("simulate {flags}")).succeeded()));
    assert_eq!(runs[0], runs[1]);
    assert!(
        runs[0]
            .as_ref()
            .is_some_and(|text| text.starts_with("4 matches, 3 players, seed 11\n"))
    );

    let other = read(recorded(
        folder.path(),
        "other",
        "--players 3 --matches 4 --seed 12 --bots random,greedy",
    ));
    assert!(first != other, "another seed deals the same");
}

/// A longer run begins with the shorter one: each match follows from its own number alone.
#[test]
fn a_match_follows_from_the_seed_and_its_number() {
    let folder = tempfile::tempdir().expect("a folder");
    let short = read(recorded(folder.path(), "short", "--matches 2 --seed 5 --bots random"));
    let long = read(recorded(folder.path(), "long", "--matches 5 --seed 5 --bots random"));
    assert!(long.starts_with(&short), "the first matches differ");
}

#[test]
fn records_say_where_they_come_from_and_who_played() {
    let folder = tempfile::tempdir().expect("a folder");
    let records = read(recorded(
        folder.path(),
        "four",
        "--players 4 --matches 2 --seed 18446744073709551615 --bots greedy,random",
    ));
    for (number, line) in records.lines().enumerate() {
        let start = format!(
            r#"{{"seed":"18446744073709551615:{number}","policy":"greedy,random,greedy,random","schema":"fives-record/1","#
        );
        assert!(line.starts_with(&start), "{}", &line[..200]);
        assert!(line.contains(r#""algorithm":"fives-deal/1""#));
        assert!(line.contains(r#""entropies":["","","",""]"#));
    }
    // SHA-256("fives simulate" ‖ u64 2^64 - 1 ‖ u64 1), by another program
    let master = r#""master":"06f31a7e34032118006dcdfffe16c0846b60a20a2480797ebac0cdc82fc0b6f8""#;
    assert!(records.lines().nth(1).is_some_and(|line| line.contains(master)));
}

#[test]
fn no_cap_on_rounds_is_possible_here() {
    let folder = tempfile::tempdir().expect("a folder");
    let flags = "--players 4 --partners --matches 3 --seed 1 --bots random --max-rounds";
    let uncapped = read(recorded(folder.path(), "uncapped", &format!("{flags} 0")));
    assert_eq!(uncapped.matches(r#""max_hands":0}"#).count(), 3);
    assert_eq!(uncapped.matches(r#""stopped_by_max_hands":false"#).count(), 3);
    let capped = read(recorded(folder.path(), "capped", &format!("{flags} 1")));
    assert_eq!(capped.matches(r#""stopped_by_max_hands":true"#).count(), 3);
}

#[test]
fn the_summary_counts_every_match_once() {
    let out =
        fives_line("simulate --players 4 --partners --matches 20 --max-rounds 2 --bots greedy,random").succeeded();
    assert!(out.contains("side 0 (greedy,greedy): "), "{out}");
    assert!(out.contains("side 1 (random,random): "), "{out}");
    let number_after = |word: &str| {
        let (_, after) = out.split_once(word).expect("the word is there");
        let digits: String = after.chars().take_while(char::is_ascii_digit).collect();
        digits.parse::<u32>().expect("a number")
    };
    let wins = number_after("(greedy,greedy): ") + number_after("(random,random): ");
    assert_eq!(wins + number_after("draws: "), 20);
}

#[test]
fn impossible_options_are_refused_with_their_reasons() {
    let refused = [
        ("--players 5", "a match has 2, 3 or 4 players"),
        ("--partners", "partners need four players"),
        ("--players 3 --partners", "partners need four players"),
        ("--hand-rule 6-6-6", "[possible values: 9-7-5, 5-5-5, 7-5-5]"),
        ("--target 0", "the target must be 5 to 1000 points, in fives"),
        ("--target 252", "the target must be 5 to 1000 points, in fives"),
        ("--target 1005", "the target must be 5 to 1000 points, in fives"),
        ("--win-check hand_end", "[possible values: immediate, round-end]"),
        ("--rounding never", "[possible values: per-hand, per-side]"),
        ("--dead-layout redeal", "[possible values: drain, end]"),
        ("--reserve 3", "the boneyard reserve must be 0, 1 or 2 tiles"),
        ("--max-rounds 1001", "the cap on rounds must be 1 to 1000"),
        ("--matches 0", "0 is not in 1.."),
        ("--seed -1", "unexpected argument"),
        ("--bots clever", "there is no bot `clever`: choose random or greedy"),
        ("--bots greedy,random,greedy", "3 bots for 2 seats"),
        ("--record", "a value is required"),
    ];
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("kept");
    fs::write(&file, "as it was").expect("a file");
    let path = file.to_str().expect("a path in UTF-8");
    for (flags, reason) in refused {
        let arguments = ["simulate", "--record", path]
            .into_iter()
            .chain(flags.split_whitespace());
        let err = fives(arguments).failed(2);
        assert!(err.contains(reason), "{flags}: {err}");
    }
    assert_eq!(read(&file), "as it was", "a refused run wrote a file");
}

#[test]
fn a_record_that_cannot_be_written_is_told() {
    let err = fives_line("simulate --matches 1 --record /no/such/folder/file").failed(2);
    assert!(err.starts_with("error: /no/such/folder/file: "), "{err}");
    // Always full, where the system has it.
    if Path::new("/dev/full").exists() {
        let err = fives_line("simulate --matches 1 --record /dev/full").failed(2);
        assert!(err.starts_with("error: /dev/full: "), "{err}");
    }
}

#[test]
fn every_command_explains_itself() {
    let version = fives_line("--version").succeeded();
    let build = version.strip_prefix(concat!("fives ", env!("CARGO_PKG_VERSION"), " (commit "));
    let (commit, schema) = build
        .and_then(|build| build.split_once(", storage schema "))
        .expect("all three");
    assert!(
        commit == "unknown" || commit.chars().all(|digit| digit.is_ascii_hexdigit()),
        "{version}"
    );
    assert!(
        schema.trim_end().trim_end_matches(')').parse::<u32>().is_ok(),
        "{version}"
    );
    let help = fives_line("--help").succeeded();
    assert!(help.contains("Exit codes:"), "{help}");
    for command in ["health", "load", "simulate", "score", "verify"] {
        assert!(help.contains(&format!("\n  {command} ")), "{help}");
        let own = fives([command, "--help"]).succeeded();
        assert!(
            own.contains(&format!("  fives {command} ")) || own.contains(&format!("$ fives {command} ")),
            "{own}"
        );
    }
    fives_line("").failed(2);
    fives_line("shuffle").failed(2);
}
