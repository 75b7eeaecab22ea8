//! Generates the messages of `proto/fives/storage/v1`. protox reads the files, so no machine needs protoc.

use std::error::Error;

const PROTO_ROOT: &str = "../../proto";
const FILES: &[&str] = &[
    "types", "snapshot", "batch", "player", "archive", "audit", "invite", "outbox", "queue", "rating", "rematch",
];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    let files = FILES
        .iter()
        .map(|name| format!("{PROTO_ROOT}/fives/storage/v1/{name}.proto"));
    let files: Vec<String> = files.collect();
    for file in &files {
        println!("cargo::rerun-if-changed={file}");
    }
    let descriptors = protox::compile(files, [PROTO_ROOT])?;
    // These messages hold hands and seeds: nothing may print them (law 4).
    prost_build::Config::new().skip_debug(["."]).compile_fds(descriptors)?;
    Ok(())
}
