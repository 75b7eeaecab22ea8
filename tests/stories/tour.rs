//! The tour of the README, run as it stands there with clients that nobody here wrote: `buf curl` and Python's `grpcio`.

use std::fs;
use std::path::Path;

use tokio::process::Command;

use crate::harness::{ServerProcess, in_time, program, workspace};

/// The code of the README's tour, block by block, as (language, text).
fn blocks() -> Vec<(String, String)> {
    let readme = fs::read_to_string(workspace().join("README.md")).expect("a README");
    let tour = readme
        .split("## Five-minute tour")
        .nth(1)
        .expect("a tour")
        .split("\n## ")
        .next()
        .expect("its text");
    let mut blocks = Vec::new();
    for block in tour.split("\n```").skip(1).step_by(2) {
        let (language, text) = block.split_once('\n').expect("a block has lines");
        blocks.push((language.to_owned(), text.to_owned()));
    }
    blocks
}

/// One script of all blocks: what one block sets, the next one uses, as in somebody's shell.
fn script(url: &str) -> String {
    let mut script = String::from("set -euo pipefail\n");
    for (language, text) in blocks() {
        match language.as_str() {
            "sh" => script += &text,
            "python" => script += &format!("export TOKEN MATCH\npython - <<'PYTHON'\n{text}\nPYTHON\n"),
            other => panic!("the tour has a block in `{other}`"),
        }
        script.push('\n');
    }
    assert!(
        script.contains("127.0.0.1:7400"),
        "the tour talks to the server of `make run`"
    );
    script.replace("127.0.0.1:7400", url.trim_start_matches("http://"))
}

#[tokio::test(flavor = "multi_thread")]
async fn the_tour_of_the_readme_is_true() {
    let tools = workspace().join("target/venv/bin");
    assert!(
        tools.join("buf").exists(),
        "{} has no buf: run `make tools`, or `make test`",
        tools.display()
    );
    let folder = tempfile::tempdir().expect("a folder");
    let server = ServerProcess::start(&folder.path().join("data")).await;
    let path = format!(
        "{}:{}:{}",
        program().parent().unwrap_or(Path::new(".")).display(),
        tools.display(),
        std::env::var("PATH").expect("a PATH")
    );
    let run = Command::new("bash")
        .args(["-c", &(script(&server.url()) + "echo the tour is over\n")])
        .env("PATH", path)
        .env("FIVES_SERVER", server.url())
        .current_dir(folder.path())
        .kill_on_drop(true)
        .output();
    let run = in_time("the tour", run).await.expect("bash starts");
    let (out, err) = (
        String::from_utf8_lossy(&run.stdout),
        String::from_utf8_lossy(&run.stderr),
    );
    let all = format!("--- output\n{out}\n--- errors\n{err}");
    assert!(run.status.success(), "{all}");
    for expected in ["legalPlays", "over: [", "the tour is over", "deals proved in 1"] {
        assert!(out.contains(expected), "`{expected}` is missing\n{all}");
    }
    assert!(all.contains("OLD_ROUND"), "the refusal says why\n{all}");
    server.terminate().await;
}
