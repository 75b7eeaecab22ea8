//! Stories about Fives, told from outside: real clients, a real server, real streams. One module a story.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a story that meets something impossible stops there"
)]

mod admin_port;
mod administration;
mod agendas;
mod alerts;
mod bad_input;
mod casters;
mod clocks;
mod deadlines;
mod delays;
mod doors;
mod emotes;
mod erasure;
mod fleets;
mod goldens;
mod harness;
mod history;
mod hooks;
mod hostile;
mod house;
mod interrupted;
mod invites;
mod links;
mod lost_tails;
mod outages;
mod platform_evening;
mod platform_tokens;
mod platforms;
mod presence;
mod queues;
mod races;
mod ratings;
mod recipes;
mod recorded_games;
mod redis_stores;
mod refusals;
mod rematches;
mod repairs;
mod restart;
mod resume;
mod retries;
mod shares;
mod tls;
mod tour;
mod traces;
mod under_load;
mod watchers;
mod whole_matches;
