//! `fives load` as a user runs it: whole matches from the first sign-in to the audit, a connection for each client.

use std::process::Command;

use serde_json::Value;

use crate::measuring::ROUNDS;
use crate::processes::{Process, children_cpu, program};

const SECONDS: u32 = 10;

/// Matches, watchers of each, and how many microseconds of processors a move may cost the server.
const ROWS: [(u32, u32, f64); 2] = [(50, 0, 60.0), (200, 5, 120.0)];

pub(crate) fn run() {
    let redis = Process::redis();
    let fives = Process::fives(&redis, &[]);
    println!(
        "load: `fives load --connections each`, {SECONDS} s; the costs have everything in them, sign-in and audit, too"
    );
    println!("matches  watchers    moves/s   p50 ms   p99 ms   server µs   Redis µs   driver µs  goal");
    for (matches, watchers, goal_us) in ROWS {
        for _ in 0..ROUNDS {
            let before = [&fives, &redis].map(Process::cpu);
            let (report, driver) = load(&fives, matches, watchers);
            let moves = number(&report["moves"]);
            let us = |process: &Process, before| (process.cpu() - before).as_secs_f64() * 1e6 / moves;
            println!(
                "{matches:>7}  {watchers:>8} {:>10.0} {:>8.2} {:>8.2} {:>11.1} {:>10.1} {:>11.1} {goal_us:>5.0}",
                number(&report["moves_per_s"]),
                number(&report["play_tile_ms"]["p50"]),
                number(&report["play_tile_ms"]["p99"]),
                us(&fives, before[0]),
                us(&redis, before[1]),
                driver * 1e6 / moves,
            );
        }
    }
}

/// The report of a run, and how many seconds of processors it cost.
fn load(fives: &Process, matches: u32, watchers: u32) -> (Value, f64) {
    let mut command = Command::new(program());
    command.args(["load", "--server", &format!("http://127.0.0.1:{}", fives.port)]);
    command.args(["--connections", "each", "--json"]);
    for (flag, value) in [("--matches", matches), ("--watchers", watchers), ("--seconds", SECONDS)] {
        command.args([flag, &value.to_string()]);
    }
    let before = children_cpu();
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    (
        serde_json::from_slice(&output.stdout).unwrap(),
        (children_cpu() - before).as_secs_f64(),
    )
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}
