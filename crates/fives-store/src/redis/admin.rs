//! What administrators need: audit rows, a walk over all matches, indexes made right again.

use std::sync::Arc;

use async_trait::async_trait;
use fives_referee::audit::{AUDIT_ROWS_MAX, AuditEntry, AuditRow};
use fives_referee::id::MatchId;
use fives_referee::store::{AdminStore, Bookmark, Index, MatchStore, Repair, Repaired, StoreError, Walked};
use fives_referee::table::Table;
use futures::stream::{self, StreamExt, TryStreamExt};
use redis::cmd;

use super::failure::{unread, unwritten};
use super::lists::{kept_for_ms, people, position};
use super::script::Call;
use super::{RedisStore, keys, script};
use crate::{codec, place};

/// How many matches are read, or repaired, at once.
const AT_ONCE: usize = 32;

/// How often the repair of a match is tried that others play meanwhile. What they commit, they index.
const REPAIR_TRIES: usize = 4;

/// A match that a walk has met, or what is wrong with it.
type Met = (MatchId, Result<Arc<Table>, StoreError>);

/// Two numbers in a bookmark: a shard and a position in its keys, or the two halves of a row's id.
fn bookmark(first: u64, second: u64) -> Bookmark {
    Bookmark((u128::from(first) << 64 | u128::from(second)).to_be_bytes())
}

const fn numbers(Bookmark(bytes): Bookmark) -> (u64, u64) {
    let both = u128::from_be_bytes(bytes);
    ((both >> 64) as u64, both as u64)
}

#[async_trait]
impl AdminStore for RedisStore {
    async fn append_audit(&self, entry: &AuditEntry) -> Result<(), StoreError> {
        let row = codec::encode_audit(self.now().await?, entry);
        let mut command = cmd("XADD");
        command.arg(keys::AUDIT).arg("MAXLEN").arg("~").arg(AUDIT_ROWS_MAX);
        command.arg("*").arg("b").arg(row);
        self.set::<String>(command, keys::AUDIT.as_bytes()).await.map(drop)
    }

    async fn audit(&self, before: Option<Bookmark>, limit: usize) -> Result<Vec<AuditRow>, StoreError> {
        let newest = match before.map(numbers) {
            None => "+".to_owned(),
            Some((ms, number)) => format!("({ms}-{number}"),
        };
        let mut command = cmd("XREVRANGE");
        command.arg(keys::AUDIT).arg(newest).arg("-");
        command.arg("COUNT").arg(i64::try_from(limit).unwrap_or(i64::MAX));
        type Entry = (String, (String, Vec<u8>));
        let entries: Vec<Entry> = self.link.run(&command).await.map_err(unread)?;
        let rows = entries.into_iter().map(|(id, (_, bytes))| {
            let (at, entry) = codec::decode_audit(&bytes)?;
            let bookmark = row_bookmark(&id).ok_or_else(place::damaged)?;
            Ok(AuditRow { bookmark, at, entry })
        });
        rows.collect()
    }

    async fn walk(&self, after: Option<Bookmark>, limit: usize) -> Result<Walked, StoreError> {
        let (shard, after) = after.map(numbers).unwrap_or_default();
        let shard = u8::try_from(shard).unwrap_or(u8::MAX).min(keys::SHARDS - 1);
        // The nodes of a cluster are walked shard by shard; one node has all of them at once.
        let is_cluster = self.link.is_cluster();
        let pattern = if is_cluster {
            format!("{}*", keys::of_shard(shard, "m:"))
        } else {
            "f1:{*}:m:*".to_owned()
        };
        let mut command = cmd("SCAN");
        command
            .arg(after)
            .arg("MATCH")
            .arg(pattern)
            .arg("COUNT")
            .arg(limit.max(1));
        let home = keys::of_shard(shard, "").to_string();
        let (next, found): (u64, Vec<String>) = self.link.run_at(&home, &command).await.map_err(unread)?;
        let ids: Vec<MatchId> = found.iter().filter_map(|key| keys::parse_match(key)).collect();
        let tables = stream::iter(ids).map(|id| self.load_whatever_it_is(id));
        let matches: Vec<Option<Met>> = tables.buffered(AT_ONCE).try_collect().await?;
        Ok(Walked {
            matches: matches.into_iter().flatten().collect(),
            next: match (next, shard + 1) {
                (0, next_shard) if is_cluster && next_shard < keys::SHARDS => Some(bookmark(next_shard.into(), 0)),
                (0, _) => None,
                (next, _) => Some(bookmark(shard.into(), next)),
            },
        })
    }

    async fn repair_indexes(&self, ids: &[MatchId]) -> Result<Vec<Repaired>, StoreError> {
        let repaired = stream::iter(ids.to_vec()).map(|id| self.repair(id));
        let repaired: Vec<Repaired> = repaired.buffered(AT_ONCE).try_collect().await?;
        Ok(repaired
            .into_iter()
            .filter(|repaired| !repaired.repairs.is_empty())
            .collect())
    }
}

impl RedisStore {
    /// A match that a walk has met: damage to one must not stop it. `None` if it is gone by now.
    async fn load_whatever_it_is(&self, id: MatchId) -> Result<Option<Met>, StoreError> {
        match self.load(&id).await {
            Ok(table) => Ok(table.map(|table| (id, Ok(table)))),
            Err(error @ (StoreError::Damaged(_) | StoreError::NewerSchema { .. })) => Ok(Some((id, Err(error)))),
            Err(error) => Err(error),
        }
    }

    async fn repair(&self, id: MatchId) -> Result<Repaired, StoreError> {
        let mut repairs = Vec::new();
        for _ in 0..REPAIR_TRIES {
            let Some(table) = self.load(&id).await? else { break };
            let beside: Option<Vec<String>> = self.link.invoke(&repair_call(&table)).await.map_err(unwritten)?;
            if let Some(beside) = beside {
                repairs.extend(beside.iter().filter_map(|said| parse_repair(said)));
                repairs.extend(self.repair_elsewhere(&table).await?);
                break;
            }
        }
        Ok(Repaired { id, repairs })
    }

    /// What lies in other slots is only ever missing: what is there too much is noticed when it is read.
    async fn repair_elsewhere(&self, table: &Arc<Table>) -> Result<Vec<Repair>, StoreError> {
        let mut repairs = Vec::new();
        for player in people(table) {
            let mut command = cmd("ZADD");
            command
                .arg(keys::matches_of(&player))
                .arg(0)
                .arg(place::place(position(table)));
            let added: u64 = self.link.run(&command).await.map_err(unwritten)?;
            repairs.extend((added > 0).then_some(Repair::Added(Index::Player)));
        }
        for code in table.codes() {
            let mut command = cmd("SET");
            command.arg(keys::invite(&code)).arg(table.id.as_bytes().as_slice());
            command.arg("NX").arg("PX").arg(kept_for_ms(&self.config.retention));
            let added: Option<String> = self.link.run(&command).await.map_err(unwritten)?;
            repairs.extend(added.map(|_| Repair::Added(Index::Invite)));
        }
        Ok(repairs)
    }
}

fn repair_call(table: &Table) -> Call {
    let shard = keys::shard(&table.id);
    let list = table.listings().iter().find_map(script::list_beside);
    Call::new(&script::REPAIR, 4)
        .arg(keys::of_match('m', &table.id))
        .arg(keys::of_shard(shard, "due"))
        .arg(keys::of_shard(shard, keys::OPEN))
        .arg(keys::of_shard(shard, keys::LIVE))
        .arg(script::cursor(table.cursor))
        .arg(table.next_due.map(|at| at.0.to_string()).unwrap_or_default())
        .arg(list.unwrap_or_default())
        .arg(table.id.as_bytes().as_slice())
        .arg(place::place(position(table)))
}

/// What the script says of an entry.
fn parse_repair(said: &str) -> Option<Repair> {
    let index = |name| match name {
        "due" => Some(Index::Due),
        keys::OPEN => Some(Index::Open),
        keys::LIVE => Some(Index::Live),
        _ => None,
    };
    match said.split_at_checked(1)? {
        ("+", name) => index(name).map(Repair::Added),
        ("-", name) => index(name).map(Repair::Removed),
        _ => None,
    }
}

/// The id of a row, `<ms>-<number>`.
fn row_bookmark(id: &str) -> Option<Bookmark> {
    let (ms, number) = id.split_once('-')?;
    Some(bookmark(ms.parse().ok()?, number.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bookmarks_are_read_as_they_are_written() {
        for (first, second) in [(0, 0), (31, u64::MAX), (1_790_000_000_000, 7)] {
            assert_eq!(numbers(bookmark(first, second)), (first, second));
        }
        assert_eq!(row_bookmark("1790000000000-7"), Some(bookmark(1_790_000_000_000, 7)));
        for garbage in ["", "1", "-", "1-x", "x-1"] {
            assert_eq!(row_bookmark(garbage), None, "{garbage}");
        }
    }

    #[test]
    fn a_repair_is_read_as_the_script_says_it() {
        assert_eq!(parse_repair("+due"), Some(Repair::Added(Index::Due)));
        assert_eq!(parse_repair("-live"), Some(Repair::Removed(Index::Live)));
        for garbage in ["", "+", "due", "+ends", "é"] {
            assert_eq!(parse_repair(garbage), None, "{garbage}");
        }
    }
}
