//! What a store must do for the lobby, besides keeping tables.

mod identity;

use std::sync::Arc;

use fives_referee::store::Store;

pub use identity::{IdentityStore, Linked};

/// Everything that Fives keeps, tables and what surrounds them.
pub trait LobbyStore: Store + IdentityStore {}

impl<T: Store + IdentityStore> LobbyStore for T {}

/// A store that any part of the process can hold; wherever tables are all that matters, it is a
/// [`SharedStore`](fives_referee::store::SharedStore).
pub type SharedLobbyStore = Arc<dyn LobbyStore>;
