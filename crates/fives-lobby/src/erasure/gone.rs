//! Whose tokens are not good any more: the marks that the store keeps, as this process has read them last.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use fives_referee::erased::ErasedMark;
use fives_referee::id::PlayerId;
use fives_referee::store::StoreError;
use fives_referee::time::UnixMillis;

use crate::store::SharedLobbyStore;

/// How many marks are read at a time.
const CHUNK: usize = 1000;

/// How far back a reading begins before the newest mark that is known: clocks of several processes are never quite the same.
const OVERLAP_MS: u64 = 10_000;

/// The marks of persons who were erased while tokens of theirs may still be valid: 24 bytes each.
#[derive(Debug, Default)]
pub struct Gone(RwLock<HashMap<ErasedMark, UnixMillis>>);

impl Gone {
    /// Whether a person was erased, as far as this process knows: for a second or so, others know it first.
    #[must_use]
    pub fn has(&self, player: &PlayerId) -> bool {
        let marks = self.0.read().unwrap_or_else(PoisonError::into_inner);
        // Mostly nobody was, and then there is nothing to hash.
        !marks.is_empty() && marks.contains_key(&ErasedMark::of(player))
    }

    pub(super) fn add(&self, mark: ErasedMark, at: UnixMillis) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).insert(mark, at);
    }

    pub(super) fn drop_before(&self, before: UnixMillis) {
        let mut marks = self.0.write().unwrap_or_else(PoisonError::into_inner);
        marks.retain(|_, at| *at >= before);
    }

    /// Reads what has come since it was read last.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn refresh(&self, store: &SharedLobbyStore) -> Result<(), StoreError> {
        let newest = {
            let marks = self.0.read().unwrap_or_else(PoisonError::into_inner);
            marks.values().max().copied().unwrap_or_default()
        };
        let mut since = UnixMillis(newest.0.saturating_sub(OVERLAP_MS));
        loop {
            let read = store.erased(since, CHUNK).await?;
            let last = read.last().map(|(at, _)| *at).filter(|_| read.len() == CHUNK);
            for (at, mark) in read {
                self.add(mark, at);
            }
            match last {
                // As many within one millisecond would never end.
                Some(last) => since = last.max(since.plus_ms(1)),
                None => return Ok(()),
            }
        }
    }
}
