//! What was just written, and who waits to hear of it.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex};

use fives_referee::id::MatchId;
use fives_referee::table::Table;
use tokio::sync::watch;

use super::unpoisoned;

/// How many tables are kept decoded.
const TABLES: usize = 4096;

/// The tables that were written last, decoded, and the hints for those who watch.
#[derive(Default)]
pub(super) struct Recent {
    tables: Mutex<Tables>,
    hints: Mutex<HashMap<MatchId, watch::Sender<u64>>>,
}

#[derive(Default)]
struct Tables {
    by_id: HashMap<MatchId, Arc<Table>>,
    /// In the order in which they came; the oldest goes first.
    order: VecDeque<MatchId>,
}

impl Recent {
    pub(super) fn get(&self, id: &MatchId) -> Option<Arc<Table>> {
        unpoisoned(self.tables.lock()).by_id.get(id).cloned()
    }

    /// Remembers a table that is on the disk, and tells who watches it.
    pub(super) fn written(&self, table: Arc<Table>) {
        let (id, revision) = (table.id, table.cursor.revision);
        unpoisoned(self.tables.lock()).insert(table);
        let mut hints = unpoisoned(self.hints.lock());
        if let Some(hint) = hints.get(&id)
            && hint.send(revision).is_err()
        {
            hints.remove(&id);
        }
    }

    pub(super) fn watch(&self, id: &MatchId) -> watch::Receiver<u64> {
        let mut hints = unpoisoned(self.hints.lock());
        hints.retain(|_, hint| !hint.is_closed());
        hints.entry(*id).or_insert_with(|| watch::channel(0).0).subscribe()
    }
}

impl Tables {
    fn insert(&mut self, table: Arc<Table>) {
        let id = table.id;
        if self.by_id.insert(id, table).is_none() {
            self.order.push_back(id);
        }
        if self.order.len() > TABLES
            && let Some(oldest) = self.order.pop_front()
        {
            self.by_id.remove(&oldest);
        }
    }
}
