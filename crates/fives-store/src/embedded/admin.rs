//! What administrators need: audit rows, a walk over all matches, indexes made right again.

use std::collections::HashMap;
use std::sync::Arc;

use async_trait::async_trait;
use fives_referee::audit::{AuditEntry, AuditRow};
use fives_referee::id::MatchId;
use fives_referee::listing::ListPosition;
use fives_referee::store::{AdminStore, Bookmark, MatchStore, Repair, Repaired, StoreError, Walked};

use super::index::{self, Change, Entry};
use super::writer::{Group, Write};
use super::{EmbeddedStore, Kept};
use crate::codec;

/// The number of a row is in the second half of its bookmark.
fn row_bookmark(number: u64) -> Bookmark {
    Bookmark(u128::from(number).to_be_bytes())
}

#[async_trait]
impl AdminStore for EmbeddedStore {
    async fn append_audit(&self, entry: &AuditEntry) -> Result<(), StoreError> {
        let row = codec::encode_audit(self.now().await?, entry);
        self.write(|answer| Write::AppendAudit { row, answer }).await
    }

    async fn audit(&self, before: Option<Bookmark>, limit: usize) -> Result<Vec<AuditRow>, StoreError> {
        let before = before.map_or(u64::MAX, |Bookmark(bytes)| {
            u64::try_from(u128::from_be_bytes(bytes)).unwrap_or(u64::MAX)
        });
        let rows = self
            .kept
            .folder
            .audit(before, limit)?
            .into_iter()
            .map(|(number, bytes)| {
                let (at, entry) = codec::decode_audit(&bytes)?;
                let bookmark = row_bookmark(number);
                Ok(AuditRow { bookmark, at, entry })
            });
        rows.collect()
    }

    async fn walk(&self, after: Option<Bookmark>, limit: usize) -> Result<Walked, StoreError> {
        let after = after.map(|Bookmark(bytes)| MatchId::from_bytes(bytes));
        let walked = self.kept.folder.walk(after, limit)?;
        let last = walked.last().filter(|_| walked.len() == limit);
        Ok(Walked {
            next: last.map(|(id, _)| Bookmark(*id.as_bytes())),
            matches: walked
                .into_iter()
                .map(|(id, table)| (id, table.map(Arc::new)))
                .collect(),
        })
    }

    async fn repair_indexes(&self, ids: &[MatchId]) -> Result<Vec<Repaired>, StoreError> {
        let ids = ids.to_vec();
        self.write(|answer| Write::RepairIndexes { ids, answer }).await
    }
}

/// What the writer thread does of it: there, no commit comes between a look and a change.
impl Kept {
    pub(super) fn append_audit(&self, group: &mut Group, row: Vec<u8>) -> Result<(), StoreError> {
        let last = self.folder.audit(u64::MAX, 1)?.first().map(|(number, _)| *number);
        let next = last.map_or(0, |last| last + 1) + group.audit_rows;
        self.folder.put_audit(&mut group.batch, next, row);
        group.audit_rows += 1;
        Ok(())
    }

    pub(super) fn repair_indexes(&self, group: &mut Group, ids: &[MatchId]) -> Result<Vec<Repaired>, StoreError> {
        let mut right = Vec::with_capacity(ids.len());
        let mut positions = HashMap::with_capacity(ids.len());
        for id in ids {
            let Some(table) = self.newest(group, id)? else { continue };
            let position = ListPosition {
                created_at: table.created_at,
                id: *id,
            };
            positions.insert(*id, position);
            right.push((*id, index::entries(&table, &self.retention)));
        }
        let mut held: HashMap<MatchId, Vec<Entry>> = HashMap::new();
        for (id, entry) in self.current.of(&positions) {
            held.entry(id).or_default().push(entry);
        }
        let mut repaired = Vec::new();
        for (id, right) in right {
            let mut changes = Vec::new();
            for entry in right.iter().filter(|entry| !group.brings(entry)) {
                if !self.folder.has_entry(entry)? || !self.current.has(entry) {
                    changes.push(Change::New(*entry));
                }
            }
            let held = held.remove(&id).unwrap_or_default();
            let wrong = held
                .into_iter()
                .filter(|entry| !right.contains(entry) && !group.takes(entry));
            changes.extend(wrong.map(Change::Gone));
            if changes.is_empty() {
                continue;
            }
            let repairs = changes.iter().map(|change| match change {
                Change::New(entry) => Repair::Added(entry.index()),
                Change::Gone(entry) => Repair::Removed(entry.index()),
            });
            let repairs = repairs.collect();
            for change in changes {
                self.folder.change_index(&mut group.batch, &change);
                group.changes.push(change);
            }
            repaired.push(Repaired { id, repairs });
        }
        Ok(repaired)
    }
}

impl Group {
    /// Whether it is about to bring this entry.
    fn brings(&self, entry: &Entry) -> bool {
        self.changes
            .iter()
            .any(|change| matches!(change, Change::New(new) if new == entry))
    }

    /// Whether it is about to take this entry away.
    fn takes(&self, entry: &Entry) -> bool {
        self.changes
            .iter()
            .any(|change| matches!(change, Change::Gone(gone) if gone == entry))
    }
}
