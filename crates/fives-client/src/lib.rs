//! The Rust client of Fives: retries with the same request id, resume, typed refusals.
