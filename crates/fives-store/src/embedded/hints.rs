//! Who waits to hear of a match, or of a player.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Mutex;

use fives_referee::store::Hint;
use tokio::sync::watch;

use crate::unpoisoned;

/// How many can be watched before those that nobody watches any more are looked for.
const FIRST_SWEEP: usize = 64;

/// The newest revision of each match that is watched; of players, only that there is something new.
pub(super) struct Hints<K>(Mutex<Watched<K>>);

struct Watched<K> {
    by_id: HashMap<K, watch::Sender<Hint>>,
    /// At this size it is swept. Sweeping at doubled sizes costs each watcher the same, however many there are.
    sweep_at: usize,
}

impl<K> Default for Hints<K> {
    fn default() -> Self {
        Self(Mutex::new(Watched {
            by_id: HashMap::new(),
            sweep_at: FIRST_SWEEP,
        }))
    }
}

impl<K: Copy + Eq + Hash> Hints<K> {
    pub(super) fn watch(&self, id: &K) -> watch::Receiver<Hint> {
        let mut watched = unpoisoned(self.0.lock());
        if watched.by_id.len() >= watched.sweep_at {
            watched.by_id.retain(|_, newest| !newest.is_closed());
            watched.sweep_at = FIRST_SWEEP.max(watched.by_id.len() * 2);
        }
        let newest = watched
            .by_id
            .entry(*id)
            .or_insert_with(|| watch::channel(Hint::default()).0);
        newest.subscribe()
    }

    /// Tells who watches these where they are now.
    pub(super) fn tell(&self, written: impl IntoIterator<Item = (K, u64)>) {
        let mut watched = unpoisoned(self.0.lock());
        for (id, revision) in written {
            if let Some(newest) = watched.by_id.get(&id)
                && newest.send(Hint { revision, step: None }).is_err()
            {
                watched.by_id.remove(&id);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use fives_referee::id::MatchId;

    use super::*;

    fn id(n: usize) -> MatchId {
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&n.to_be_bytes());
        MatchId::from_bytes(bytes)
    }

    #[test]
    fn nothing_is_kept_for_watchers_who_left() {
        let hints = Hints::default();
        let kept = hints.watch(&id(0));
        for n in 1..10_000 {
            drop(hints.watch(&id(n)));
        }
        assert!(unpoisoned(hints.0.lock()).by_id.len() <= FIRST_SWEEP);
        hints.tell([(id(0), 5)]);
        assert_eq!(kept.borrow().revision, 5);
        drop(kept);
        hints.tell([(id(0), 6)]);
        assert!(!unpoisoned(hints.0.lock()).by_id.contains_key(&id(0)));
    }
}
