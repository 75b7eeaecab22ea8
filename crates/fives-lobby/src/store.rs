//! What a store must do for the lobby, besides keeping tables.

mod emote;
mod news;
mod rematch;

use std::sync::Arc;

use fives_referee::store::Store;

pub use emote::{EMOTES_BEHIND, EmoteStore};
pub use news::NewsStore;
pub use rematch::RematchStore;

/// Everything that Fives keeps, tables and what surrounds them.
pub trait LobbyStore: Store + EmoteStore + NewsStore + RematchStore {}

impl<T: Store + EmoteStore + NewsStore + RematchStore> LobbyStore for T {}

/// A store that any part of the process can hold; wherever tables are all that matters, it is a
/// [`SharedStore`](fives_referee::store::SharedStore).
pub type SharedLobbyStore = Arc<dyn LobbyStore>;
