//! Lists, codes, and what is due.
//!
//! Open and live matches and what is due lie beside the matches, shard by shard, and change with them. The matches of a player
//! and the codes lie elsewhere: they are added to before a commit and taken from after it.

use std::collections::BTreeSet;
use std::sync::Arc;

use fives_referee::cursor::Cursor;
use fives_referee::id::{InviteCode, MatchId, PlayerId};
use fives_referee::listing::{ListPosition, Listing};
use fives_referee::store::{MatchStore, StoreError};
use fives_referee::table::{Stage, Table};
use fives_referee::time::UnixMillis;
use futures::future::try_join_all;
use redis::cmd;
use tracing::warn;

use super::failure::{unread, unwritten};
use super::{RedisStore, keys};
use crate::place;
use crate::retention::Retention;

/// Everybody in whose list a table is.
pub(super) fn people(table: &Table) -> BTreeSet<PlayerId> {
    let listings = table.listings();
    let people = listings.iter().filter_map(|listing| match listing {
        Listing::Of(player) => Some(*player),
        Listing::Open | Listing::Live => None,
    });
    people.collect()
}

/// Whether the game had begun before the last commit.
fn started_earlier(table: &Table) -> bool {
    matches!(table.stage, Stage::Started { at_revision, .. } if at_revision < table.cursor.revision)
}

pub(super) fn position(table: &Table) -> ListPosition {
    ListPosition {
        created_at: table.created_at,
        id: table.id,
    }
}

/// For how long a code may be needed.
pub(super) fn kept_for_ms(retention: &Retention) -> u64 {
    retention.live.max(retention.open).as_millis() as u64
}

impl RedisStore {
    /// Adds a table to the lists of everybody who is new at it, and under its new codes. Gives the state before, where that is known and people change.
    pub(super) async fn add_to_lists(
        &self,
        expected: Option<Cursor>,
        table: &Table,
    ) -> Result<Option<Arc<Table>>, StoreError> {
        // Who sits at a table changes only before the start; plays cost nothing here.
        let before = match expected {
            None => None,
            Some(_) if started_earlier(table) => return Ok(None),
            Some(expected) => match self.recent.get(&table.id).filter(|before| before.cursor == expected) {
                Some(before) => Some(before),
                None => self.load(&table.id).await?,
            },
        };
        let known = before.as_deref().map(people).unwrap_or_default();
        for player in people(table).difference(&known) {
            let mut command = cmd("ZADD");
            command
                .arg(keys::matches_of(player))
                .arg(0)
                .arg(place::place(position(table)));
            self.link.run::<()>(&command).await.map_err(unwritten)?;
        }
        for player in known.difference(&people(table)) {
            self.remember_left(player, &table.id).await?;
        }
        let has_code = |code: &InviteCode| before.iter().any(|before| before.codes().any(|known| known == *code));
        for code in table.codes().filter(|code| !has_code(code)) {
            let mut command = cmd("SET");
            command.arg(keys::invite(&code)).arg(table.id.as_bytes().as_slice());
            command.arg("PX").arg(kept_for_ms(&self.config.retention));
            self.link.run::<()>(&command).await.map_err(unwritten)?;
        }
        Ok(before)
    }

    /// Keeps that somebody has stood up from a table: its log still knows the person, though no list will.
    async fn remember_left(&self, player: &PlayerId, id: &MatchId) -> Result<(), StoreError> {
        let key = keys::left_by(player);
        let mut command = cmd("SADD");
        command.arg(&key).arg(id.as_bytes().as_slice());
        self.link.run::<()>(&command).await.map_err(unwritten)?;
        let mut expiry = cmd("PEXPIRE");
        let retention = &self.config.retention;
        let longest = retention.live + retention.settled + retention.open;
        expiry
            .arg(&key)
            .arg(u64::try_from(longest.as_millis()).unwrap_or(u64::MAX));
        self.tidy(expiry).await;
        Ok(())
    }

    /// Takes a table out of the lists of those who have left it. What is not taken out now is passed over when it is read.
    pub(super) async fn remove_from_lists(&self, before: &Table, table: &Table) {
        for player in people(before).difference(&people(table)) {
            self.remove(&Listing::Of(*player), position(table)).await;
        }
    }

    async fn remove(&self, listing: &Listing, position: ListPosition) {
        let mut command = cmd("ZREM");
        command
            .arg(keys::list(listing, keys::shard(&position.id)))
            .arg(place::place(position));
        self.tidy(command).await;
    }

    /// Runs a command that only makes an index smaller: what it leaves behind does no harm.
    pub(super) async fn tidy(&self, command: redis::Cmd) {
        if let Err(failure) = self.link.run::<()>(&command).await {
            let error = unread(failure);
            warn!(error = &error as &dyn std::error::Error, "an index was not tidied");
        }
    }

    pub(super) async fn page(
        &self,
        listing: &Listing,
        mut after: Option<ListPosition>,
        limit: usize,
    ) -> Result<Vec<ListPosition>, StoreError> {
        let mut page = Vec::new();
        while page.len() < limit {
            let wanted = limit - page.len();
            let found = self.listed(listing, after, wanted).await?;
            after = found.last().copied();
            let is_end = found.len() < wanted;
            let belong = try_join_all(found.iter().map(|position| self.belongs(listing, position))).await?;
            for (position, belongs) in found.into_iter().zip(belong) {
                if belongs {
                    page.push(position);
                } else {
                    self.remove(listing, position).await;
                }
            }
            if is_end {
                break;
            }
        }
        Ok(page)
    }

    /// Whether a match is there and, where that may differ, says itself that it is in the list, and at this place: whoever made it
    /// at the same time as another process, and was slower, has written down another one.
    async fn belongs(&self, listing: &Listing, position: &ListPosition) -> Result<bool, StoreError> {
        match listing {
            Listing::Open | Listing::Live => self.is_there(&position.id).await,
            Listing::Of(_) => {
                let table = self.load(&position.id).await?;
                Ok(
                    table
                        .is_some_and(|table| self::position(&table) == *position && table.listings().contains(listing)),
                )
            }
        }
    }

    async fn is_there(&self, id: &MatchId) -> Result<bool, StoreError> {
        let mut command = cmd("EXISTS");
        command.arg(keys::of_match('m', id));
        self.link.run(&command).await.map_err(unread)
    }

    /// What an index says, merged over the shards.
    pub(super) async fn listed(
        &self,
        listing: &Listing,
        after: Option<ListPosition>,
        limit: usize,
    ) -> Result<Vec<ListPosition>, StoreError> {
        let begin = match after {
            Some(after) => [b"(".as_slice(), &place::place(after)].concat(),
            None => b"-".to_vec(),
        };
        let shards = match listing {
            Listing::Open | Listing::Live => 0..keys::SHARDS,
            Listing::Of(_) => 0..1,
        };
        let limit_i64 = i64::try_from(limit).unwrap_or(i64::MAX);
        let found = shards.map(|shard| {
            let mut command = cmd("ZRANGEBYLEX");
            command.arg(keys::list(listing, shard)).arg(begin.as_slice()).arg("+");
            command.arg("LIMIT").arg(0).arg(limit_i64);
            async move { self.link.run::<Vec<Vec<u8>>>(&command).await.map_err(unread) }
        });
        let mut members: Vec<Vec<u8>> = try_join_all(found).await?.into_iter().flatten().collect();
        members.sort_unstable();
        members
            .iter()
            .take(limit)
            .map(|member| place::parse_place(member))
            .collect()
    }

    pub(super) async fn live_in_all_shards(&self) -> Result<u64, StoreError> {
        let counts = (0..keys::SHARDS).map(|shard| {
            let mut command = cmd("ZCARD");
            command.arg(keys::of_shard(shard, keys::LIVE));
            async move { self.link.run::<u64>(&command).await.map_err(unread) }
        });
        Ok(try_join_all(counts).await?.into_iter().sum())
    }

    pub(super) async fn due_in_all_shards(&self, now: UnixMillis, limit: usize) -> Result<Vec<MatchId>, StoreError> {
        let limit_i64 = i64::try_from(limit).unwrap_or(i64::MAX);
        let found = (0..keys::SHARDS).map(|shard| {
            let mut command = cmd("ZRANGEBYSCORE");
            command
                .arg(keys::of_shard(shard, "due"))
                .arg("-inf")
                .arg(now.0)
                .arg("WITHSCORES");
            command.arg("LIMIT").arg(0).arg(limit_i64);
            async move { self.link.run::<Vec<(Vec<u8>, f64)>>(&command).await.map_err(unread) }
        });
        let mut due = Vec::new();
        for (member, at_ms) in try_join_all(found).await?.into_iter().flatten() {
            // Whole milliseconds stay exact far beyond any date.
            due.push((at_ms as u64, place::match_id(&member)?));
        }
        due.sort_unstable();
        due.truncate(limit);
        let are_there = try_join_all(due.iter().map(|(_, id)| self.is_there(id))).await?;
        let mut alive = Vec::with_capacity(due.len());
        for ((_, id), is_there) in due.into_iter().zip(are_there) {
            if is_there {
                alive.push(id);
            } else {
                let mut command = cmd("ZREM");
                command
                    .arg(keys::of_shard(keys::shard(&id), "due"))
                    .arg(id.as_bytes().as_slice());
                self.tidy(command).await;
            }
        }
        Ok(alive)
    }
}
