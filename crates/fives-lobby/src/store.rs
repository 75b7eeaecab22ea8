//! What a store must do for the lobby, besides keeping tables.

mod archive;
mod emote;
mod erasure;
mod identity;
mod news;
mod outbox;
mod queue;
mod rating;
mod rematch;

use std::sync::Arc;

use fives_referee::store::Store;

pub use archive::{ArchiveStore, Change};
pub use emote::{EMOTES_BEHIND, EmoteStore};
pub use erasure::{ErasureStore, Unfinished};
pub use identity::{IdentityStore, Linked};
pub use news::NewsStore;
pub use outbox::{Backlog, DEAD_LETTERS_MAX, DeadLetter, Errand, OutboxStore, Parcel};
pub use queue::{CLAIMS_SHOWN, LEFT_KEPT_MS, QueueStore};
pub use rating::{RatingStore, Settled};
pub use rematch::RematchStore;

/// Everything that Fives keeps, tables and what surrounds them.
pub trait LobbyStore:
    Store
    + ArchiveStore
    + EmoteStore
    + ErasureStore
    + IdentityStore
    + NewsStore
    + OutboxStore
    + QueueStore
    + RatingStore
    + RematchStore
{
}

impl<T> LobbyStore for T where
    T: Store
        + ArchiveStore
        + EmoteStore
        + ErasureStore
        + IdentityStore
        + NewsStore
        + OutboxStore
        + QueueStore
        + RatingStore
        + RematchStore
{
}

/// A store that any part of the process can hold; wherever tables are all that matters, it is a
/// [`SharedStore`](fives_referee::store::SharedStore).
pub type SharedLobbyStore = Arc<dyn LobbyStore>;
