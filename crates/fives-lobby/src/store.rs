//! What a store must do for the lobby, besides keeping tables.

mod archive;
mod erasure;
mod outbox;

use std::sync::Arc;

use fives_referee::store::Store;

pub use archive::{ArchiveStore, Change};
pub use erasure::{ErasureStore, Unfinished};
pub use outbox::{Backlog, DEAD_LETTERS_MAX, DeadLetter, Errand, OutboxStore, Parcel};

/// Everything that Fives keeps, tables and what surrounds them.
pub trait LobbyStore: Store + ArchiveStore + ErasureStore + OutboxStore {}

impl<T: Store + ArchiveStore + ErasureStore + OutboxStore> LobbyStore for T {}

/// A store that any part of the process can hold; wherever tables are all that matters, it is a
/// [`SharedStore`](fives_referee::store::SharedStore).
pub type SharedLobbyStore = Arc<dyn LobbyStore>;
