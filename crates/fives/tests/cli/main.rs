//! The program from outside: what it prints, writes and exits with.

#![allow(
    clippy::expect_used,
    reason = "clippy.toml allows it in tests, but knows only the functions marked as such"
)]

mod health;
mod load;
mod program;
mod score;
mod server;
mod simulate;
mod verify;
