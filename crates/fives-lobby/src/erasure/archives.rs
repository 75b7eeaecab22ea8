//! Matches that are over: the seat stays, and who had it is nobody's to know.

use async_trait::async_trait;
use fives_referee::id::PlayerId;

use super::Forget;
use crate::archive::Archived;
use crate::error::Error;
use crate::store::SharedLobbyStore;

/// How many matches are read at a time.
const CHUNK: usize = 100;

/// What is archived of persons.
pub(super) struct Archives {
    store: SharedLobbyStore,
}

impl Archives {
    pub(super) const fn new(store: SharedLobbyStore) -> Self {
        Self { store }
    }
}

#[async_trait]
impl Forget for Archives {
    fn what(&self) -> &'static str {
        "archive"
    }

    async fn forget(&self, player: &PlayerId) -> Result<(), Error> {
        let mut after = None;
        loop {
            let found = self.store.played(player, after, CHUNK).await?;
            after = found.last().map(|(position, _)| *position);
            let is_end = found.len() < CHUNK;
            for (position, archived) in found {
                if archived.is_some_and(|archived| archived.everybody().contains(player)) {
                    let without = |archived: Archived| archived.without(player);
                    self.store.change_archived(&position.id, &without).await?;
                }
            }
            if is_end {
                return Ok(());
            }
        }
    }
}
