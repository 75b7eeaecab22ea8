//! Who listens to what is said at a match.

use std::collections::HashMap;
use std::sync::Mutex;

use fives_lobby::store::EMOTES_BEHIND;
use fives_referee::emote::Emote;
use fives_referee::id::MatchId;
use tokio::sync::broadcast;

use crate::unpoisoned;

/// How many matches can be listened to before those that nobody listens to any more are looked for.
const FIRST_SWEEP: usize = 64;

/// The listeners of each match that has any.
pub(super) struct Emotes(Mutex<Heard>);

struct Heard {
    by_id: HashMap<MatchId, broadcast::Sender<Emote>>,
    /// At this size it is swept, as hints are.
    sweep_at: usize,
}

impl Default for Emotes {
    fn default() -> Self {
        Self(Mutex::new(Heard {
            by_id: HashMap::new(),
            sweep_at: FIRST_SWEEP,
        }))
    }
}

impl Emotes {
    pub(super) fn hear(&self, id: &MatchId) -> broadcast::Receiver<Emote> {
        let mut heard = unpoisoned(self.0.lock());
        if heard.by_id.len() >= heard.sweep_at {
            heard.by_id.retain(|_, listeners| listeners.receiver_count() > 0);
            heard.sweep_at = FIRST_SWEEP.max(heard.by_id.len() * 2);
        }
        let listeners = heard.by_id.entry(*id);
        listeners
            .or_insert_with(|| broadcast::channel(EMOTES_BEHIND).0)
            .subscribe()
    }

    pub(super) fn say(&self, id: &MatchId, emote: Emote) {
        let mut heard = unpoisoned(self.0.lock());
        if let Some(listeners) = heard.by_id.get(id)
            && listeners.send(emote).is_err()
        {
            heard.by_id.remove(id);
        }
    }
}

#[cfg(test)]
mod tests {
    use fives_referee::emote::EmoteKind;
    use fives_referee::time::UnixMillis;
    use fives_rules::seat::Seat;

    use super::*;

    fn id(n: usize) -> MatchId {
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&n.to_be_bytes());
        MatchId::from_bytes(bytes)
    }

    #[test]
    fn nothing_is_kept_for_listeners_who_left() {
        let emotes = Emotes::default();
        let mut kept = emotes.hear(&id(0));
        for n in 1..10_000 {
            drop(emotes.hear(&id(n)));
        }
        assert!(unpoisoned(emotes.0.lock()).by_id.len() <= FIRST_SWEEP);
        let emote = Emote {
            seat: Seat::ALL[1],
            kind: EmoteKind::Wow,
            at: UnixMillis(1),
        };
        emotes.say(&id(0), emote);
        emotes.say(&id(1), emote);
        assert_eq!(kept.try_recv(), Ok(emote));
        drop(kept);
        emotes.say(&id(0), emote);
        assert!(!unpoisoned(emotes.0.lock()).by_id.contains_key(&id(0)));
    }
}
