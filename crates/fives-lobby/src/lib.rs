//! What surrounds a table: who sits down at one, and what stays of it.
//!
//! Leans on the referee, which knows nothing of it. No protocol and no database here; [`store`] has the traits that a database
//! must keep.

pub mod agenda;
pub mod emotes;
pub mod rematch;
pub mod store;
