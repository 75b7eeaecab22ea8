//! The scripts, and what a commit gives them.

use std::sync::LazyLock;
use std::time::Duration;

use fives_referee::batch::Batch;
use fives_referee::cursor::Cursor;
use fives_referee::id::MatchId;
use fives_referee::listing::{ListPosition, Listing};
use fives_referee::store::Committed;
use fives_referee::table::Table;
use redis::{Script, ScriptInvocation};

use super::keys;
use crate::{codec, place};

pub(super) static COMMIT: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("commit.lua")));
pub(super) static CONFIRM: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("confirm.lua")));

pub(super) static ALIVE: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("alive.lua")));

/// `TIME` cannot be sent to the node of a key; a script can.
pub(super) static TIME: LazyLock<Script> =
    LazyLock::new(|| Script::new("#!lua flags=no-writes\nreturn redis.call('TIME')"));

/// The script's answer: the cursor that is there instead, or none when it is done.
pub(super) type Instead = Option<String>;

/// What came of a commit.
pub(super) fn committed(instead: Instead) -> Committed {
    match instead.as_deref() {
        None => Committed::Done,
        Some("") => Committed::Missing,
        Some(_) => Committed::Conflict,
    }
}

/// A cursor as the state keeps it.
pub(super) fn cursor(cursor: Cursor) -> String {
    format!("{}:{:016x}", cursor.revision, cursor.stamp)
}

/// Keeps `table` and `batch`, if the match is at `expected`; a new match, if there is none.
pub(super) fn commit(
    expected: Option<Cursor>,
    table: &Table,
    batch: &Batch,
    kept_for: Duration,
) -> ScriptInvocation<'static> {
    let id = &table.id;
    let shard = keys::shard(id);
    let due = table.next_due.map(|at| at.0.to_string()).unwrap_or_default();
    let list = table.listings().iter().find_map(|listing| match listing {
        Listing::Open => Some(keys::OPEN),
        Listing::Live => Some(keys::LIVE),
        Listing::Of(_) => None,
    });
    let position = ListPosition {
        created_at: table.created_at,
        id: *id,
    };
    let mut script = COMMIT.prepare_invoke();
    script
        .key(keys::of_match('m', id))
        .key(keys::of_match('x', id))
        .key(keys::of_shard(shard, "due"))
        .key(keys::of_shard(shard, keys::OPEN))
        .key(keys::of_shard(shard, keys::LIVE))
        .arg(expected.map(cursor).unwrap_or_default())
        .arg(cursor(table.cursor))
        .arg(table.cursor.revision)
        .arg(codec::encode_table(table))
        .arg(codec::encode_batch(batch))
        .arg(kept_for.as_millis().max(1) as u64)
        .arg(due)
        .arg(list.unwrap_or_default())
        .arg(id.as_bytes().as_slice())
        .arg(place::place(position))
        .arg(keys::channel(id));
    script
}

/// Asks whether the match is at `at`, with a write that WAIT can wait for.
pub(super) fn confirm(id: &MatchId, at: Cursor) -> ScriptInvocation<'static> {
    let mut script = CONFIRM.prepare_invoke();
    script.key(keys::of_match('m', id)).arg(cursor(at));
    script
}
