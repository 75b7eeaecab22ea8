//! What a store must do for the lobby, besides keeping tables.

mod identity;
mod outbox;
mod queue;
mod rating;

use std::sync::Arc;

use fives_referee::store::Store;

pub use identity::{IdentityStore, Linked};
pub use outbox::{Backlog, DEAD_LETTERS_MAX, DeadLetter, Errand, OutboxStore, Parcel};
pub use queue::{CLAIMS_SHOWN, LEFT_KEPT_MS, QueueStore};
pub use rating::{RatingStore, Settled};

/// Everything that Fives keeps, tables and what surrounds them.
pub trait LobbyStore: Store + IdentityStore + OutboxStore + QueueStore + RatingStore {}

impl<T: Store + IdentityStore + OutboxStore + QueueStore + RatingStore> LobbyStore for T {}

/// A store that any part of the process can hold; wherever tables are all that matters, it is a
/// [`SharedStore`](fives_referee::store::SharedStore).
pub type SharedLobbyStore = Arc<dyn LobbyStore>;
