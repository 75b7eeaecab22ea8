//! Indexes: what follows from a table, so that it can be found (lists, what is due, invite codes).
//!
//! All of it is kept in the folder. What changes all the time, what is due and which matches are open or live, is held
//! in memory as well and read from there: in the folder, every entry that has gone stays in the way of a scan until it
//! is compacted away, and a bot's match leaves one behind with every move.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};
use std::ops::Bound;
use std::sync::Mutex;

use fives_referee::id::{InviteCode, MatchId};
use fives_referee::listing::{ListPosition, Listing};
use fives_referee::store::Index;
use fives_referee::table::{MatchState, Table};
use fives_referee::time::UnixMillis;

use crate::retention::Retention;
use crate::unpoisoned;

/// Where a table can be found.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Entry {
    /// As due at this time.
    Due(UnixMillis, MatchId),
    /// In a list.
    Listed(Listing, ListPosition),
    /// By a code.
    Invite(InviteCode, MatchId),
    /// As what is to be looked at then, because it may have been kept long enough.
    Ends(UnixMillis, MatchId),
}

/// All entries of a table.
pub(super) fn entries(table: &Table, retention: &Retention) -> Vec<Entry> {
    let id = table.id;
    let position = ListPosition {
        created_at: table.created_at,
        id,
    };
    let due = table.next_due.map(|at| Entry::Due(at, id));
    let invites = table.codes().map(|code| Entry::Invite(code, id));
    let lists = table.listings();
    let listed = lists.into_iter().map(|listing| Entry::Listed(listing, position));
    let ends = Entry::Ends(first_look(table, retention), id);
    due.into_iter().chain(invites).chain([ends]).chain(listed).collect()
}

/// When a table may have been kept long enough. While it is played this does not move with every move, which would cost each of
/// them an entry: who looks then sees that it goes on.
fn first_look(table: &Table, retention: &Retention) -> UnixMillis {
    match table.state() {
        MatchState::Live => table.created_at.plus_ms(retention.live.as_millis() as u64),
        MatchState::Open | MatchState::Finished | MatchState::Closed => retention.end_of(table),
    }
}

/// In the order of a list: newest first, equals by id.
type Newest = (Reverse<UnixMillis>, MatchId);

/// The entries that are held in memory. There are at most three a match that is not settled.
#[derive(Default)]
pub(super) struct Current(Mutex<Sets>);

#[derive(Default)]
struct Sets {
    due: BTreeSet<(UnixMillis, MatchId)>,
    open: BTreeSet<Newest>,
    live: BTreeSet<Newest>,
}

impl Sets {
    fn list(&self, listing: &Listing) -> Option<&BTreeSet<Newest>> {
        match listing {
            Listing::Open => Some(&self.open),
            Listing::Live => Some(&self.live),
            Listing::Of(_) => None,
        }
    }

    fn insert(&mut self, entry: &Entry) {
        match entry {
            Entry::Due(at, id) => _ = self.due.insert((*at, *id)),
            Entry::Listed(Listing::Open, position) => _ = self.open.insert(newest(position)),
            Entry::Listed(Listing::Live, position) => _ = self.live.insert(newest(position)),
            Entry::Listed(Listing::Of(_), _) | Entry::Invite(..) | Entry::Ends(..) => {}
        }
    }

    fn remove(&mut self, entry: &Entry) {
        match entry {
            Entry::Due(at, id) => _ = self.due.remove(&(*at, *id)),
            Entry::Listed(Listing::Open, position) => _ = self.open.remove(&newest(position)),
            Entry::Listed(Listing::Live, position) => _ = self.live.remove(&newest(position)),
            Entry::Listed(Listing::Of(_), _) | Entry::Invite(..) | Entry::Ends(..) => {}
        }
    }
}

impl Current {
    /// Takes over what a synced group has changed, in its order.
    pub(super) fn change<'a>(&self, changes: impl IntoIterator<Item = &'a Change>) {
        let mut sets = unpoisoned(self.0.lock());
        for change in changes {
            match change {
                Change::Gone(entry) => sets.remove(entry),
                Change::New(entry) => sets.insert(entry),
            }
        }
    }

    /// How many matches are live.
    pub(super) fn live_count(&self) -> u64 {
        unpoisoned(self.0.lock()).live.len() as u64
    }

    /// The entries of these matches, each with its place in the lists: whatever is held in memory.
    pub(super) fn of(&self, positions: &HashMap<MatchId, ListPosition>) -> Vec<(MatchId, Entry)> {
        let sets = unpoisoned(self.0.lock());
        let due = sets.due.iter().filter(|(_, id)| positions.contains_key(id));
        let mut entries: Vec<_> = due.map(|(at, id)| (*id, Entry::Due(*at, *id))).collect();
        for (id, position) in positions {
            for listing in [Listing::Open, Listing::Live] {
                if sets.list(&listing).is_some_and(|list| list.contains(&newest(position))) {
                    entries.push((*id, Entry::Listed(listing, *position)));
                }
            }
        }
        entries
    }

    /// Whether an entry is held in memory, or is none of those that are.
    pub(super) fn has(&self, entry: &Entry) -> bool {
        let sets = unpoisoned(self.0.lock());
        match entry {
            Entry::Due(at, id) => sets.due.contains(&(*at, *id)),
            Entry::Listed(listing, position) => sets.list(listing).is_none_or(|list| list.contains(&newest(position))),
            Entry::Invite(..) | Entry::Ends(..) => true,
        }
    }

    /// Whatever is due at `now`, the longest due first.
    pub(super) fn due(&self, now: UnixMillis, limit: usize) -> Vec<MatchId> {
        let sets = unpoisoned(self.0.lock());
        let due = sets.due.iter().take_while(|(at, _)| *at <= now);
        due.take(limit).map(|(_, id)| *id).collect()
    }

    /// A page of a list, or `None` if the list is only in the folder.
    pub(super) fn list(
        &self,
        listing: &Listing,
        after: Option<ListPosition>,
        limit: usize,
    ) -> Option<Vec<ListPosition>> {
        let sets = unpoisoned(self.0.lock());
        let begin = after.map_or(Bound::Unbounded, |after| Bound::Excluded(newest(&after)));
        let listed = sets.list(listing)?.range((begin, Bound::Unbounded));
        let positions = listed.take(limit).map(|(Reverse(created_at), id)| ListPosition {
            created_at: *created_at,
            id: *id,
        });
        Some(positions.collect())
    }
}

impl Entry {
    /// The index that it is in.
    pub(super) const fn index(&self) -> Index {
        match self {
            Self::Due(..) => Index::Due,
            Self::Listed(Listing::Open, _) => Index::Open,
            Self::Listed(Listing::Live, _) => Index::Live,
            Self::Listed(Listing::Of(_), _) => Index::Player,
            Self::Invite(..) => Index::Invite,
            Self::Ends(..) => Index::Expiry,
        }
    }
}

/// An entry that a commit brings or takes away.
#[derive(Clone, Copy)]
pub(super) enum Change {
    /// It is gone.
    Gone(Entry),
    /// It is there.
    New(Entry),
}

/// What changes when `old` becomes `new`.
pub(super) fn changes(old: Option<&Table>, new: &Table, retention: &Retention) -> impl Iterator<Item = Change> {
    let old = old.map(|old| entries(old, retention)).unwrap_or_default();
    let new = entries(new, retention);
    let gone: Vec<Change> = old
        .iter()
        .filter(|entry| !new.contains(entry))
        .map(|entry| Change::Gone(*entry))
        .collect();
    let fresh = new
        .into_iter()
        .filter(move |entry| !old.contains(entry))
        .map(Change::New);
    gone.into_iter().chain(fresh)
}

const fn newest(position: &ListPosition) -> Newest {
    (Reverse(position.created_at), position.id)
}
