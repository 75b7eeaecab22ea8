//! What a store must do for the lobby, besides keeping tables.

mod outbox;
mod rating;

use std::sync::Arc;

use fives_referee::store::Store;

pub use outbox::{Backlog, DEAD_LETTERS_MAX, DeadLetter, Errand, OutboxStore, Parcel};
pub use rating::{RatingStore, Settled};

/// Everything that Fives keeps, tables and what surrounds them.
pub trait LobbyStore: Store + OutboxStore + RatingStore {}

impl<T: Store + OutboxStore + RatingStore> LobbyStore for T {}

/// A store that any part of the process can hold; wherever tables are all that matters, it is a
/// [`SharedStore`](fives_referee::store::SharedStore).
pub type SharedLobbyStore = Arc<dyn LobbyStore>;
