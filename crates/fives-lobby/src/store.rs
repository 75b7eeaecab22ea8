//! What a store must do for the lobby, besides keeping tables.

mod archive;
mod erasure;
mod identity;
mod outbox;
mod queue;
mod rating;

use std::sync::Arc;

use fives_referee::store::Store;

pub use archive::{ArchiveStore, Change};
pub use erasure::{ErasureStore, Unfinished};
pub use identity::{IdentityStore, Linked};
pub use outbox::{Backlog, DEAD_LETTERS_MAX, DeadLetter, Errand, OutboxStore, Parcel};
pub use queue::{CLAIMS_SHOWN, LEFT_KEPT_MS, QueueStore};
pub use rating::{RatingStore, Settled};

/// Everything that Fives keeps, tables and what surrounds them.
pub trait LobbyStore:
    Store + ArchiveStore + ErasureStore + IdentityStore + OutboxStore + QueueStore + RatingStore
{
}

impl<T> LobbyStore for T where
    T: Store + ArchiveStore + ErasureStore + IdentityStore + OutboxStore + QueueStore + RatingStore
{
}

/// A store that any part of the process can hold; wherever tables are all that matters, it is a
/// [`SharedStore`](fives_referee::store::SharedStore).
pub type SharedLobbyStore = Arc<dyn LobbyStore>;
