//! Says which commit this is built from: what `FIVES_COMMIT` says (an image is built without `.git`), or else what git says.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=FIVES_COMMIT");
    // Grows whenever HEAD moves, by a commit, a checkout or a reset; Cargo would take a file that is not there for one that changed.
    if let Some(moves) = git(&["rev-parse", "--git-path", "logs/HEAD"]).filter(|path| Path::new(path).exists()) {
        println!("cargo::rerun-if-changed={moves}");
    }
    let given = std::env::var("FIVES_COMMIT").ok().filter(|commit| !commit.is_empty());
    let commit = given.or_else(|| git(&["rev-parse", "HEAD"]));
    let commit: String = commit
        .unwrap_or_else(|| "unknown".to_owned())
        .chars()
        .take(12)
        .collect();
    println!("cargo::rustc-env=FIVES_COMMIT={commit}");
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout)
        .ok()
        .filter(|_| output.status.success())?;
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}
