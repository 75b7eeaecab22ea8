//! `fives load`, against a server that is a process of its own.

use std::fs;
use std::path::Path;
use std::thread::{sleep, spawn};
use std::time::Duration;

use crate::program::fives_line;
use crate::server::Server;

fn number(report: &serde_json::Value, pointer: &str) -> f64 {
    let value = report.pointer(pointer).and_then(serde_json::Value::as_f64);
    value.expect("the report has the number")
}

#[test]
fn matches_are_played_measured_and_audited() {
    let server = Server::start();
    let url = server.url();
    let line = format!("load --matches 4 --players 2 --watchers 2 --seconds 2 --json --server {url}");
    let out = fives_line(&line).succeeded();
    let report: serde_json::Value = serde_json::from_str(&out).expect("one JSON object");
    for pointer in [
        "/moves",
        "/moves_per_s",
        "/deliveries",
        "/play_tile_ms/max",
        "/matches/finished",
    ] {
        assert!(number(&report, pointer) > 0.0, "{pointer}: {report}");
    }
    // Both watchers of a match are shown every move, unless they came late or a snapshot stood for it.
    assert!(number(&report, "/deliveries") > number(&report, "/moves"), "{report}");
    for pointer in ["/failures/count", "/findings/count", "/matches/called_off"] {
        assert_eq!(number(&report, pointer), 0.0, "{pointer}: {report}");
    }
    let (started, finished) = (
        number(&report, "/matches/started"),
        number(&report, "/matches/finished"),
    );
    assert_eq!(started, finished, "{report}");
}

#[test]
fn a_server_that_is_killed_and_started_again_loses_nothing() {
    let mut server = Server::start();
    let line = format!(
        "load --matches 4 --watchers 2 --seconds 3 --think-ms 5 --json --server {}",
        server.url()
    );
    let run = spawn(move || fives_line(&line));
    for _ in 0..2 {
        sleep(Duration::from_secs(1));
        server.kill_and_start_again(|_| {});
    }
    let out = run.join().expect("the run ends").succeeded();
    let report: serde_json::Value = serde_json::from_str(&out).expect("one JSON object");
    assert!(number(&report, "/retries") > 0.0, "the connection was lost: {report}");
    assert!(number(&report, "/matches/finished") > 0.0, "{report}");
}

/// The audit must be able to fail: here the service goes back to an older folder, and plays that it has answered for are gone.
#[test]
fn a_store_that_lost_its_newest_moves_is_found_out() {
    let mut server = Server::start();
    let line = format!(
        "load --matches 4 --watchers 1 --seconds 6 --finish-s 0 --think-ms 20 --give-up-after-s 5 --target 250 --server {}",
        server.url()
    );
    let run = spawn(move || fives_line(&line));
    let older = tempfile::tempdir().expect("a folder");
    sleep(Duration::from_secs(1));
    server.kill_and_start_again(|data| copy(data.path(), older.path()));
    // Clients wait for up to a second and a half before they come back, and shall play on then.
    sleep(Duration::from_secs(3));
    server.kill_and_start_again(|data| *data = older);
    let run = run.join().expect("the run ends");
    let out = run.out.clone();
    let err = run.failed(1);
    assert!(err.starts_with("error: ") && err.contains(" findings"), "{err}");
    assert!(out.contains(": lost: acknowledged to seat "), "{out}");
}

fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let target = to.join(entry.file_name());
        if entry.file_type().expect("a type").is_dir() {
            fs::create_dir(&target).expect("a new folder");
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("a copy");
        }
    }
}

#[test]
fn matches_that_cannot_finish_in_time_are_called_off_and_audited_all_the_same() {
    let server = Server::start();
    let url = server.url();
    let line = format!(
        "load --matches 2 --players 3 --target 1000 --watchers 1 --seconds 1 --finish-s 0 --think-ms 50 --connections each \
         --server {url} {url}"
    );
    let out = fives_line(&line).succeeded();
    assert!(
        out.starts_with("matches: 2 started, 0 finished, 2 called off; all audited\n"),
        "{out}"
    );
    assert!(out.contains("\ncalls failed for good: 0\nfindings: 0\n"), "{out}");
}

#[test]
fn no_server_is_told_soon_and_nonsense_at_once() {
    let nobody = "load --matches 1 --seconds 1 --give-up-after-s 1 --server http://127.0.0.1:1";
    let err = fives_line(nobody).failed(2);
    assert!(err.contains("the connection to the service was lost"), "{err}");
    for (flags, reason) in [
        ("--matches 0", "0 is not in 1.."),
        ("--players 5", "a match has 2, 3 or 4 players"),
        ("--target 252", "the target must be 5 to 1000 points, in fives"),
        ("--connections some", "[possible values: shared, each]"),
        ("--server http://", "not an address of a service"),
    ] {
        let err = fives_line(&format!("load {flags}")).failed(2);
        assert!(err.contains(reason), "{flags}: {err}");
    }
}
