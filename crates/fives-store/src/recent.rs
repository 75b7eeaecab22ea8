//! The tables that were written or read last, decoded: who plays a match needs it before each move.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex};

use fives_referee::id::MatchId;
use fives_referee::table::Table;

use crate::unpoisoned;

/// A bounded memory of tables; how current they are is up to who fills it.
pub(crate) struct Recent {
    capacity: usize,
    tables: Mutex<Tables>,
}

#[derive(Default)]
struct Tables {
    by_id: HashMap<MatchId, Arc<Table>>,
    /// In the order in which they came; the oldest goes first, and comes back with its next move.
    order: VecDeque<MatchId>,
}

impl Recent {
    pub(crate) fn new(capacity: usize) -> Self {
        Self {
            capacity,
            tables: Mutex::default(),
        }
    }

    pub(crate) fn get(&self, id: &MatchId) -> Option<Arc<Table>> {
        unpoisoned(self.tables.lock()).by_id.get(id).cloned()
    }

    /// Forgets these matches.
    pub(crate) fn forget<'a>(&self, gone: impl IntoIterator<Item = &'a MatchId>) {
        let mut tables = unpoisoned(self.tables.lock());
        for id in gone {
            // Its place in the order stays, and is passed over when its turn comes.
            tables.by_id.remove(id);
        }
    }

    /// Remembers these, each instead of what was remembered of its match.
    pub(crate) fn remember(&self, written: impl IntoIterator<Item = Arc<Table>>) {
        let mut tables = unpoisoned(self.tables.lock());
        for table in written {
            let id = table.id;
            if tables.by_id.insert(id, table).is_none() {
                tables.order.push_back(id);
            }
            if tables.order.len() > self.capacity
                && let Some(oldest) = tables.order.pop_front()
            {
                tables.by_id.remove(&oldest);
            }
        }
    }
}
