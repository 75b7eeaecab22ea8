//! `fives score`.

use crate::program::{GAMES, fives, read};

#[test]
fn every_worked_example_is_counted_right() {
    let worked = read(format!("{GAMES}/worked.txt"));
    let mut examples = 0;
    for row in worked.lines().filter(|row| !row.starts_with('#')) {
        let columns: Vec<&str> = row.split(" | ").collect();
        let [id, plays, ends, totals, points] = columns[..] else {
            panic!("a row of five columns: {row}");
        };
        let out = fives(["score", plays]).succeeded();
        let lines: Vec<&str> = out.lines().collect();
        let (last, tiles) = lines.split_last().expect("at least the points");
        assert_eq!(*last, format!("points {points}"), "{id}");
        let told = |word: &str| {
            let values = tiles.iter().map(|line| {
                let (_, after) = line.split_once(word).expect("each line has all columns");
                after.split_whitespace().next().expect("a number")
            });
            values.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(told("  total "), totals, "{id}");
        assert_eq!(told("  points "), points, "{id}");
        let written: Vec<&str> = tiles.iter().filter_map(|line| line.split("  ").next()).collect();
        assert_eq!(written.join(" "), plays, "{id}");
        let columns: Vec<&str> = tiles.last().expect("a tile").split("  ").collect();
        assert_eq!(columns[1], ends, "{id}");
        examples += 1;
    }
    assert_eq!(examples, 42);
}

#[test]
fn plays_may_come_as_one_word_or_as_many() {
    let expected = "5-5  L5 R5  total 10  points 10\n\
                    5-3@R  L10 R3  total 13  points 0\n\
                    5-4@L  L4 R3  total 7  points 0\n\
                    points 10 0 0\n";
    assert_eq!(fives(["score", "5-5 5-3@R 5-4@L"]).succeeded(), expected);
    assert_eq!(fives(["score", "5-5", "5-3@R", "5-4@L"]).succeeded(), expected);
}

/// RULES.md 4.1.
#[test]
fn illegal_plays_are_refused_with_their_reasons() {
    let refused = [
        (
            "X01",
            "5-5 5-0@R 5-1@N",
            "the arms are closed until both sides of the spinner are covered",
        ),
        (
            "X02",
            "6-6 6-5@L 6-4@S",
            "the arms are closed until both sides of the spinner are covered",
        ),
        (
            "X03",
            "6-4 4-4@R 4-1@N",
            "the arms are closed until both sides of the spinner are covered",
        ),
        ("X04", "6-4 3-2@R", "3-2 does not fit: the end shows 4"),
        (
            "X05",
            "6-6 6-4@R 4-4@R 4-1@R 6-3@L 4-0@N",
            "4-0 does not fit: the end shows 6",
        ),
        (
            "X06",
            "6-6 6-4@R 6-3@L 6-2@N 6-1@N",
            "6-1 does not fit: the end shows 2",
        ),
        ("X07", "6-4 6-4@L", "6-4 is on the table already"),
        ("X08", "6-6 6-5", "name an end: the table is not empty"),
        ("X09", "6-6@L", "a lead names no end"),
        ("X10", "6-4 4-3@R 3-1@S", "there is no spinner, so there are no arms"),
    ];
    for (id, plays, reason) in refused {
        let attempt = plays.split(' ').next_back().expect("a play");
        let err = fives(["score", plays]).failed(1);
        assert_eq!(err, format!("error: {attempt}: {reason}\n"), "{id}");
    }
}

#[test]
fn words_that_are_no_plays_are_wrong_usage() {
    let err = fives(["score", "6-4 4-7@R"]).failed(2);
    assert_eq!(
        err,
        "error: `4-7` is no tile: write two numbers from 0 to 6, as in 6-4\n"
    );
    let err = fives(["score", "6-4 4-3@X"]).failed(2);
    assert_eq!(err, "error: `X` is no end: write L, R, N or S\n");
    let err = fives(["score", " "]).failed(2);
    assert_eq!(err, "error: there is no play: name at least the lead\n");
}
