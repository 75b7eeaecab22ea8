//! The recipes of docs/clients.md, run as they stand there: Python's `grpcio`, and TypeScript's `connect-web` in Node.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use tokio::process::Command;

use crate::harness::{ServerProcess, in_time, workspace};

/// The code of a chapter of docs/clients.md, in these languages.
fn recipe(chapter: &str, languages: [&str; 2]) -> [String; 2] {
    let page = fs::read_to_string(workspace().join("docs/clients.md")).expect("the page");
    let text = page.split(&format!("\n## {chapter}\n")).nth(1).expect("a chapter");
    let text = text.split("\n## ").next().expect("its text");
    languages.map(|language| {
        let opening = format!("\n```{language}\n");
        let blocks: Vec<&str> = text.split(&opening).skip(1).collect();
        assert_eq!(blocks.len(), 1, "blocks in {language}");
        blocks[0].split("\n```").next().expect("its text").to_owned()
    })
}

/// Runs a script in a folder, and gives what it says.
async fn run(script: &str, folder: &Path, server: &ServerProcess) -> String {
    let tools = workspace().join("target/venv/bin");
    let path = format!("{}:{}", tools.display(), std::env::var("PATH").expect("a PATH"));
    let run = Command::new("bash")
        .args(["-euo", "pipefail", "-c", script])
        .current_dir(folder)
        .env("PATH", path)
        .env("FIVES", server.listen())
        .kill_on_drop(true)
        .output();
    let run = in_time("the recipe", run).await.expect("bash starts");
    let out = String::from_utf8_lossy(&run.stdout).into_owned();
    assert!(
        run.status.success(),
        "--- output\n{out}\n--- errors\n{}",
        String::from_utf8_lossy(&run.stderr)
    );
    out
}

#[tokio::test(flavor = "multi_thread")]
async fn the_python_recipe_plays_a_match() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = ServerProcess::start(&folder.path().join("data")).await;
    // As in a checkout, but what is generated stays out of it.
    for part in ["proto", "clients"] {
        symlink(workspace().join(part), folder.path().join(part)).expect("a link");
    }
    let [generate, play] = recipe("Python", ["sh", "python"]);
    fs::write(folder.path().join("play.py"), play).expect("written");
    let out = run(&format!("{generate}\npython play.py"), folder.path(), &server).await;
    assert!(out.contains("python: over"), "{out}");
    assert!(out.contains("python: refused, TOKEN_INVALID"), "{out}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_typescript_recipe_is_well_typed_and_plays_a_match() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = ServerProcess::start(&folder.path().join("data")).await;
    let [generate, play] = recipe("TypeScript", ["sh", "ts"]);
    // What npm installs is there already: `make tools` has taken the versions of clients/typescript.
    let generate: Vec<&str> = generate.lines().filter(|line| !line.starts_with("npm ")).collect();
    let generate = generate
        .join("\n")
        .replace("../../proto", "proto")
        .replace("\"..\"", "\"clients\"")
        .replace("../google", "clients/google");
    for (there, here) in [
        ("proto", "proto"),
        ("clients", "clients"),
        ("target/node/node_modules", "node_modules"),
    ] {
        symlink(workspace().join(there), folder.path().join(here)).expect("a link");
    }
    for file in ["package.json", "tsconfig.json"] {
        fs::copy(
            workspace().join("clients/typescript").join(file),
            folder.path().join(file),
        )
        .expect("copied");
    }
    fs::write(folder.path().join("play.ts"), play).expect("written");
    let script = format!("{generate}\nnode_modules/.bin/tsc\nFIVES=http://$FIVES node out/play.js");
    let out = run(&script, folder.path(), &server).await;
    assert!(out.contains("typescript: over"), "{out}");
    assert!(out.contains("typescript: refused, TOKEN_INVALID"), "{out}");
}
