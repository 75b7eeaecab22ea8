//! Applies the rulebook to live tables.
//!
//! ```text
//! write   command ─▶ load ─▶ Table::decide ─▶ fold ─▶ commit ─┐
//!                                                           store
//! read    update  ◀─ Room ◀──────────── watch ◀───────────────┘
//! ```
//!
//! Two straight lines that touch only in the store: a write never talks to a watcher, and a watcher changes nothing. No
//! protocol and no database here; [`store`] has the traits that a database must keep.

pub mod audit;
pub mod batch;
pub mod clock;
pub mod command;
pub mod cursor;
pub mod emote;
pub mod erased;
pub mod error;
pub mod feed;
pub mod house;
pub mod id;
pub mod invite;
pub mod listing;
pub mod notice;
pub mod player;
pub mod presence;
pub mod referee;
pub mod replay;
pub mod request;
mod room;
pub mod roster;
pub mod store;
pub mod table;
pub mod time;
pub mod timekeeper;
pub mod trace;
pub mod view;
mod vitals;
pub mod watchers;
