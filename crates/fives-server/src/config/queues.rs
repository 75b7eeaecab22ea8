//! The queues: those of a file, or those that are built in.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use fives_lobby::queue::{Queue, QueueName, RatingWindow};
use fives_referee::clock::{AfterMisses, TurnClock};
use fives_rules::options::{MatchOptions, OptionChoices};
use fives_rules::seat::Players;
use serde::Deserialize;

use super::ConfigError;

/// How many queues there may be: each is looked at every second, and each is a label of metrics.
const QUEUES_MAX: usize = 64;

/// The longest wait for bots, in seconds.
const BOTS_AFTER_MAX_S: u64 = 24 * 3600;

/// The smallest window that a queue may start with, in points, and the largest number of points anywhere.
const WINDOW_MIN: u32 = 10;
const POINTS_MAX: u32 = 100_000;

/// With how many missed turns something follows, if nothing else is said.
const MISSED_TURNS_MAX: u8 = 3;

/// What is built in, in the words of a file.
const BUILT_IN: &str = include_str!("queues.json");

/// A queue as a file has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: String,
    #[serde(default = "all_fives")]
    preset: String,
    players: usize,
    #[serde(default)]
    partners: bool,
    target_points: Option<u32>,
    #[serde(default)]
    ranked: bool,
    turn_time_s: Option<u32>,
    missed_turns_max: Option<u8>,
    #[serde(default)]
    forfeit: bool,
    bots_after_s: Option<u64>,
    rating_window: Option<Window>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Window {
    start: u32,
    widen_per_s: u32,
    max: Option<u32>,
}

fn all_fives() -> String {
    "all-fives".to_owned()
}

/// The queues of this file, or those that are built in.
pub(super) fn read(file: Option<&Path>) -> Result<Vec<Queue>, ConfigError> {
    let queues = match file {
        None => parse(BUILT_IN),
        Some(path) => {
            let text = fs::read_to_string(path).map_err(|error| error.to_string());
            let queues = text.and_then(|text| parse(&text));
            queues.map_err(|problem| format!("{}: {problem}", path.display()))
        }
    };
    queues.map_err(|problem| ConfigError {
        flag: "queues",
        problem,
    })
}

fn parse(text: &str) -> Result<Vec<Queue>, String> {
    let entries: Vec<Entry> = serde_json::from_str(text).map_err(|error| format!("no list of queues: {error}"))?;
    if entries.len() > QUEUES_MAX {
        return Err(format!("{} queues; there may be {QUEUES_MAX}", entries.len()));
    }
    let mut names = HashSet::new();
    let mut queues = Vec::with_capacity(entries.len());
    for entry in &entries {
        let named = |problem: String| format!("queue `{}`: {problem}", entry.name);
        let queue = queue(entry).map_err(named)?;
        if !names.insert(queue.name.clone()) {
            return Err(named("there are two of this name".to_owned()));
        }
        queues.push(queue);
    }
    Ok(queues)
}

fn queue(entry: &Entry) -> Result<Queue, String> {
    if entry.ranked && entry.bots_after_s.is_some() {
        return Err("`bots_after_s` in a ranked queue; bots have no rating".to_owned());
    }
    if entry.bots_after_s.is_some_and(|s| s > BOTS_AFTER_MAX_S) {
        return Err(format!("`bots_after_s` is more than {BOTS_AFTER_MAX_S}"));
    }
    Ok(Queue {
        name: QueueName::new(&entry.name).map_err(|error| error.to_string())?,
        options: options(entry)?,
        clock: clock(entry)?,
        ranked: entry.ranked,
        bots_after_ms: entry.bots_after_s.map(|s| s * 1000),
        window: entry.rating_window.as_ref().map(window).transpose()?,
    })
}

fn options(entry: &Entry) -> Result<MatchOptions, String> {
    if entry.preset != all_fives() {
        return Err(format!(
            "there is no preset `{}`; there is `{}`",
            entry.preset,
            all_fives()
        ));
    }
    let players = Players::new(entry.players).ok_or("`players` is 2, 3 or 4")?;
    let choices = OptionChoices {
        partners: Some(entry.partners),
        target_points: entry.target_points,
        ..OptionChoices::default()
    };
    let options = choices.resolve(players);
    options.map_err(|error| format!("`{}`: {error}", error.option()))
}

fn clock(entry: &Entry) -> Result<Option<TurnClock>, String> {
    let Some(turn_time_s) = entry.turn_time_s else {
        return match entry.missed_turns_max.is_some() || entry.forfeit {
            true => Err("`missed_turns_max` and `forfeit` need a `turn_time_s`".to_owned()),
            false => Ok(None),
        };
    };
    let clock = TurnClock {
        turn_time_ms: turn_time_s.saturating_mul(1000),
        missed_turns_max: entry.missed_turns_max.unwrap_or(MISSED_TURNS_MAX),
        after_misses: if entry.forfeit {
            AfterMisses::Forfeit
        } else {
            AfterMisses::BotKeepsSeat
        },
    };
    let bounds = || {
        format!(
            "`turn_time_s` is 1 to {}, `missed_turns_max` 1 to {}",
            TurnClock::MAX_TURN_TIME_MS / 1000,
            TurnClock::MAX_MISSED_TURNS
        )
    };
    Some(clock).filter(TurnClock::is_possible).map(Some).ok_or_else(bounds)
}

fn window(window: &Window) -> Result<RatingWindow, String> {
    let Window {
        start,
        widen_per_s,
        max,
    } = *window;
    let most = max.unwrap_or(POINTS_MAX);
    if (WINDOW_MIN..=POINTS_MAX).contains(&start) && widen_per_s <= POINTS_MAX && (start..=POINTS_MAX).contains(&most) {
        Ok(RatingWindow {
            start,
            widen_per_s,
            most: max,
        })
    } else {
        Err(format!(
            "`rating_window` starts with {WINDOW_MIN} to {POINTS_MAX} points, and `max` is no less"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_built_in_is_possible() {
        let queues = read(None).expect("possible");
        let names: Vec<&str> = queues.iter().map(|queue| queue.name.as_str()).collect();
        assert_eq!(
            names,
            [
                "duel",
                "duel-ranked",
                "table-of-four",
                "table-of-four-ranked",
                "partners",
                "partners-ranked"
            ]
        );
        for queue in &queues {
            assert_eq!(queue.ranked, queue.name.as_str().ends_with("-ranked"), "{queue:?}");
            assert_eq!(queue.ranked, queue.window.is_some(), "{queue:?}");
            assert_eq!(queue.ranked, queue.bots_after_ms.is_none(), "{queue:?}");
            assert_eq!(
                queue.has_partners(),
                queue.name.as_str().starts_with("partners"),
                "{queue:?}"
            );
        }
    }

    #[test]
    fn the_file_in_the_readme_is_possible() {
        let readme = include_str!("../../../../README.md");
        let chapter = readme.split_once("### Matchmaking").expect("a chapter").1;
        let block = chapter.split_once("```json").expect("a file").1;
        let queues = parse(block.split_once("```").expect("its end").0).expect("possible");
        assert_eq!(queues.len(), 2);
    }

    #[test]
    fn a_queue_that_cannot_be_is_named_with_what_is_wrong() {
        let duel = r#""name": "duel", "players": 2"#;
        for (text, problem) in [
            ("{}", "no list of queues"),
            ("[", "no list of queues"),
            (r#"[{"name": "duel"}]"#, "players"),
            (&format!("[{{{duel}, \"bots\": true}}]"), "bots"),
            (r#"[{"name": "Duel", "players": 2}]"#, "small letters"),
            (r#"[{"name": "duel", "players": 5}]"#, "2, 3 or 4"),
            (&format!("[{{{duel}, \"partners\": true}}]"), "partners need four"),
            (&format!("[{{{duel}, \"preset\": \"chess\"}}]"), "chess"),
            (&format!("[{{{duel}, \"target_points\": 7}}]"), "target_points"),
            (
                &format!("[{{{duel}, \"ranked\": true, \"bots_after_s\": 5}}]"),
                "ranked",
            ),
            (&format!("[{{{duel}, \"bots_after_s\": 86401}}]"), "bots_after_s"),
            (&format!("[{{{duel}, \"forfeit\": true}}]"), "turn_time_s"),
            (&format!("[{{{duel}, \"turn_time_s\": 0}}]"), "turn_time_s"),
            (
                &format!("[{{{duel}, \"turn_time_s\": 9, \"missed_turns_max\": 11}}]"),
                "missed_turns_max",
            ),
            (
                &format!("[{{{duel}, \"rating_window\": {{\"start\": 9, \"widen_per_s\": 1}}}}]"),
                "rating_window",
            ),
            (
                &format!("[{{{duel}, \"rating_window\": {{\"start\": 90, \"widen_per_s\": 1, \"max\": 80}}}}]"),
                "rating_window",
            ),
            (&format!("[{{{duel}}}, {{{duel}}}]"), "two of this name"),
        ] {
            let told = parse(text).expect_err(text);
            assert!(told.contains(problem), "{text}: {told}");
        }
        let many: Vec<String> = (0..65)
            .map(|n| format!(r#"{{"name": "q{n}", "players": 2}}"#))
            .collect();
        assert!(parse(&format!("[{}]", many.join(","))).is_err());
        assert!(parse("[]").expect("no matchmaking at all").is_empty());
    }
}
