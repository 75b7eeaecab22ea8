//! What surrounds a table: who sits down at one, and what stays of it.
//!
//! Leans on the referee, which knows nothing of it. No protocol and no database here; [`store`] has the traits that a database
//! must keep.

pub mod agenda;
pub mod archive;
pub mod cast;
pub mod courier;
pub mod emotes;
pub mod erasure;
pub mod error;
pub mod history;
pub mod identity;
pub mod platform;
pub mod queue;
pub mod rating;
pub mod rematch;
pub mod store;
