//! The tour of the README, run as it stands there with clients that nobody here wrote: `buf curl` and Python's `grpcio`. And its
//! chapter for operators, with curl and `fives admin`.

use std::fs;
use std::path::Path;

use tokio::process::Command;

use crate::harness::{Administered, ServerProcess, in_time, me, open, program, public_match, seat_all, workspace};

/// The code of a chapter of the README, block by block, as (language, text).
fn blocks(chapter: &str) -> Vec<(String, String)> {
    let readme = fs::read_to_string(workspace().join("README.md")).expect("a README");
    let tour = readme
        .split(&format!("## {chapter}\n"))
        .nth(1)
        .expect("a chapter")
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
    for (language, text) in blocks("Five-minute tour") {
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

#[tokio::test(flavor = "multi_thread")]
async fn what_the_readme_says_to_operators_is_true() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut server = Administered::start(&folder.path().join("data")).await;
    let clients = [(); 3].map(|()| server.process.client());
    for client in &clients {
        client.sign_in("guest", None).await.expect("guests are welcome");
    }
    let match_id = seat_all(&clients, public_match(vec![me(), open(), open()])).await;
    let player = clients[2]
        .get_player(Default::default())
        .await
        .expect("a player")
        .player;
    let player_id = player.expect("it is shown").player_id;
    std::fs::copy(server.token_file(), folder.path().join("admin-token")).expect("copied");

    let mut script = String::from("set -euo pipefail\n");
    let mut serves = 0;
    for (language, text) in blocks("Operate") {
        assert_eq!(language, "sh");
        // This one makes the secret and serves, which is done already.
        if text.contains("fives serve") {
            serves += 1;
        } else {
            script += &text;
            script.push('\n');
        }
    }
    assert_eq!(serves, 1);
    let script = script.replace("127.0.0.1:7401", server.admin()) + "echo all is done\n";
    let programs = program().parent().unwrap_or(Path::new(".")).display().to_string();
    let run = Command::new("bash")
        .args(["-c", &script])
        .env("PATH", format!("{programs}:{}", std::env::var("PATH").expect("a PATH")))
        .env("FIVES_ADMIN_SERVER", server.admin_url())
        .env("MATCH", match_id)
        .env("PLAYER", player_id)
        .current_dir(folder.path())
        .kill_on_drop(true)
        .output();
    let run = in_time("the chapter", run).await.expect("bash starts");
    let (out, err) = (
        String::from_utf8_lossy(&run.stdout),
        String::from_utf8_lossy(&run.stderr),
    );
    let all = format!("--- output\n{out}\n--- errors\n{err}");
    assert!(run.status.success(), "{all}");
    for expected in [
        "storage_schema",
        "fives_server=debug",
        "hand of seat 2",
        "a complaint",
        "stopping",
        "all is done",
    ] {
        assert!(out.contains(expected), "`{expected}` is missing\n{all}");
    }
    server.process.until_ended_well().await;
}
