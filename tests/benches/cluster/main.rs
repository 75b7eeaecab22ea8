//! Fives over Redis, with the whole path that a move has: `make bench-cluster`.
//!
//! The program itself, a real `redis-server` and the bare services that Fives is compared with are processes of their own; this
//! one drives them. What is compared is measured in turn in the same run, driven alike. All of them share the cores.
//!
//! Parts can be chosen: `cargo bench -p fives-tests --bench cluster -- play fanout`.

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a benchmark prints, and stops at the first trouble"
)]

mod bare;
#[path = "../shared/echo.rs"]
mod echo;
mod fanout;
mod growth;
mod load;
#[path = "../shared/measuring.rs"]
mod measuring;
mod moves;
mod play;
#[path = "../shared/players.rs"]
mod players;
mod processes;
mod raw;
mod servers;
mod telemetry;
mod watching;

use mimalloc::MiMalloc;

use processes::SERVE_BARE;

/// As in the program `fives`; the bare services have it, too.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

const PARTS: [&str; 6] = ["play", "moves", "telemetry", "load", "fanout", "growth"];

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() {
    // Cargo adds one.
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| argument != "--bench")
        .collect();
    if let [SERVE_BARE, arguments @ ..] = arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        return bare::serve(arguments).await;
    }
    for part in &arguments {
        assert!(PARTS.contains(&part.as_str()), "`{part}` is none of {PARTS:?}");
    }
    for part in PARTS {
        if !arguments.is_empty() && !arguments.iter().any(|argument| argument == part) {
            continue;
        }
        match part {
            "play" => play::run().await,
            "moves" => moves::run().await,
            "telemetry" => telemetry::run().await,
            "load" => load::run(),
            "fanout" => fanout::run().await,
            _ => growth::run().await,
        }
        println!();
    }
}
