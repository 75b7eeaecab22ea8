//! What a store must do for the lobby, besides keeping tables.

mod queue;

use std::sync::Arc;

use fives_referee::store::Store;

pub use queue::{CLAIMS_SHOWN, LEFT_KEPT_MS, QueueStore};

/// Everything that Fives keeps, tables and what surrounds them.
pub trait LobbyStore: Store + QueueStore {}

impl<T: Store + QueueStore> LobbyStore for T {}

/// A store that any part of the process can hold; wherever tables are all that matters, it is a
/// [`SharedStore`](fives_referee::store::SharedStore).
pub type SharedLobbyStore = Arc<dyn LobbyStore>;
