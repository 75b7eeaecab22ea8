//! Stories about Fives, told from outside: real clients, a real server, real streams. One module a story.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a story that meets something impossible stops there"
)]

mod bad_input;
mod clocks;
mod delays;
mod doors;
mod goldens;
mod harness;
mod races;
mod recorded_games;
mod refusals;
mod restart;
mod resume;
mod retries;
mod tour;
mod whole_matches;
