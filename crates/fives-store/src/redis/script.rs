//! The scripts, and what a commit gives them.

use std::fmt::{self, Display};
use std::sync::LazyLock;
use std::time::Duration;

use fives_referee::batch::Batch;
use fives_referee::cursor::Cursor;
use fives_referee::id::MatchId;
use fives_referee::listing::{ListPosition, Listing};
use fives_referee::notice::{Lane, Notice};
use fives_referee::store::Committed;
use fives_referee::table::Table;
use redis::{Cmd, ErrorKind, RedisError, Script, ServerErrorKind, ToRedisArgs};

use super::keys::{self, Text, Topic};
use super::outbox;
use crate::{codec, place};

pub(super) static COMMIT: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("commit.lua")));
pub(super) static CONFIRM: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("confirm.lua")));

pub(super) static ALIVE: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("alive.lua")));

pub(super) static REPAIR: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("repair.lua")));

pub(super) static SETTLE_RATINGS: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("settle_ratings.lua")));

/// Keeps a change of a rating under its number, once however often it comes, and lets go of the oldest.
/// KEYS: the list. ARGV: number, change, how many are kept.
pub(super) static NOTE_CHANGE: LazyLock<Script> = LazyLock::new(|| {
    Script::new(
        "#!lua\nredis.call('ZADD', KEYS[1], ARGV[1], ARGV[2])\n\
         return redis.call('ZREMRANGEBYRANK', KEYS[1], 0, -1 - ARGV[3])",
    )
});

/// Removes a standing and its place. KEYS: the standing, the leaderboard.
pub(super) static FORGET_STANDING: LazyLock<Script> = LazyLock::new(|| {
    Script::new(
        "#!lua\nlocal place = redis.call('HGET', KEYS[1], 'p')\n\
         if place then redis.call('ZREM', KEYS[2], place) end\n\
         return redis.call('DEL', KEYS[1])",
    )
});

/// How many are ahead of a place. KEYS: the standing, the leaderboard.
pub(super) static COUNT_AHEAD: LazyLock<Script> = LazyLock::new(|| {
    Script::new(
        "#!lua flags=no-writes\nlocal place = redis.call('HGET', KEYS[1], 'p')\n\
         return place and redis.call('ZRANK', KEYS[2], place)",
    )
});
pub(super) static LINK: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("link.lua")));
pub(super) static UNLINK: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("unlink.lua")));
pub(super) static ARCHIVE: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("archive.lua")));
pub(super) static CHANGE_ARCHIVED: LazyLock<Script> =
    LazyLock::new(|| Script::new(include_str!("change_archived.lua")));
pub(super) static ERASE: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("erase.lua")));
pub(super) static CLAIM_ERASURE: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("claim_erasure.lua")));
pub(super) static END_ERASURE: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("end_erasure.lua")));
pub(super) static RELEASE_DEVICE: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("release_device.lua")));
pub(super) static REWRITE: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("rewrite.lua")));
pub(super) static REMATCH: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("rematch.lua")));

/// What a commit needs room for.
const ARGUMENTS: usize = 20;
const BYTES: usize = 2048;

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
pub(super) fn cursor(cursor: Cursor) -> Text<impl Display> {
    Text(fmt::from_fn(move |f| {
        write!(f, "{}:{:016x}", cursor.revision, cursor.stamp)
    }))
}

/// The cursor that was kept so.
pub(super) fn parse_cursor(text: &str) -> Option<Cursor> {
    let (revision, stamp) = text.split_once(':')?;
    Some(Cursor {
        revision: revision.parse().ok()?,
        stamp: u64::from_str_radix(stamp, 16).ok()?,
    })
}

/// A script of ours and what it is given: one command, written once, since every move sends one.
pub(super) struct Call {
    pub(super) script: &'static Script,
    pub(super) command: Cmd,
}

impl Call {
    /// A call with so many keys; they come before the other arguments.
    pub(super) fn new(script: &'static Script, keys: usize) -> Self {
        let mut command = Cmd::with_capacity(ARGUMENTS, BYTES);
        command.arg("EVALSHA").arg(script.get_hash()).arg(keys);
        Self { script, command }
    }

    pub(super) fn arg(mut self, argument: impl ToRedisArgs) -> Self {
        self.command.arg(argument);
        self
    }
}

/// Whether Redis says that it does not know a script.
pub(super) fn is_unknown(error: &RedisError) -> bool {
    error.kind() == ErrorKind::Server(ServerErrorKind::NoScript)
}

/// The name of a list that lies beside its matches.
pub(super) const fn list_beside(listing: &Listing) -> Option<&'static str> {
    match listing {
        Listing::Open => Some(keys::OPEN),
        Listing::Live => Some(keys::LIVE),
        Listing::Of(_) => None,
    }
}

/// Keeps `table` and `batch`, if the match is at `expected`; a new match, if there is none.
pub(super) fn commit(
    expected: Option<Cursor>,
    table: &Table,
    batch: &Batch,
    told: &[(Lane, Notice)],
    kept_for: Duration,
) -> Call {
    let id = &table.id;
    let shard = keys::shard(id);
    let list = table.listings().iter().find_map(list_beside);
    let position = ListPosition {
        created_at: table.created_at,
        id: *id,
    };
    let lanes = if told.is_empty() { &[][..] } else { &Lane::ALL };
    let mut call = Call::new(&COMMIT, 5 + lanes.len() * outbox::KEYS_OF_LANE)
        .arg(keys::of_match('m', id))
        .arg(keys::of_match('x', id))
        .arg(keys::of_shard(shard, "due"))
        .arg(keys::of_shard(shard, keys::OPEN))
        .arg(keys::of_shard(shard, keys::LIVE));
    for lane in lanes {
        call = call
            .arg(keys::notices(*lane, id))
            .arg(keys::errands(*lane, shard))
            .arg(keys::waiting(*lane, shard));
    }
    call = call
        .arg(Text(fmt::from_fn(|f| {
            expected.map_or(Ok(()), |expected| cursor(expected).fmt(f))
        })))
        .arg(cursor(table.cursor))
        .arg(table.cursor.revision)
        .arg(codec::encode_table(table))
        .arg(codec::encode_batch(batch))
        .arg(kept_for.as_millis().max(1) as u64)
        .arg(Text(fmt::from_fn(|f| table.next_due.map_or(Ok(()), |at| at.0.fmt(f)))))
        .arg(list.unwrap_or_default())
        .arg(id.as_bytes().as_slice())
        .arg(place::place(position))
        .arg(keys::channel(&Topic::Match(*id)));
    if !told.is_empty() {
        call = call.arg(batch.at.0);
    }
    for (lane, notice) in told {
        call = call.arg(outbox::first_key(*lane)).arg(outbox::framed(notice));
    }
    call
}

/// Asks whether the match is at `at`, with a write that WAIT can wait for.
pub(super) fn confirm(id: &MatchId, at: Cursor) -> Call {
    Call::new(&CONFIRM, 1).arg(keys::of_match('m', id)).arg(cursor(at))
}
