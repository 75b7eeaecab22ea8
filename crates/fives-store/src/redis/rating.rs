//! Ratings: everything about a pool is in one slot, so one script settles a match. Only the lists of changes are with their
//! players; they are written after it, from the note that the script has left, by whoever asks until they are.

use std::time::Duration;

use async_trait::async_trait;
use fives_lobby::rating::{CHANGES_MAX, Place, Pool, RatingChange, Settlement, Standing};
use fives_lobby::store::{RatingStore, Settled};
use fives_referee::id::PlayerId;
use fives_referee::store::StoreError;
use fives_referee::time::UnixMillis;
use futures::future::try_join_all;
use redis::{FromRedisValue, cmd};

use super::failure::{unread, unwritten};
use super::script::Call;
use super::{RedisStore, keys, parsed, script};
use crate::{codec, place};

/// How much longer than a finished match its note is kept: whoever still holds the match is done with it by then.
const NOTE_OUTLIVES_MATCH: Duration = Duration::from_secs(24 * 3600);

#[async_trait]
impl RatingStore for RedisStore {
    async fn standings(&self, pool: Pool, players: &[PlayerId]) -> Result<Vec<Option<Standing>>, StoreError> {
        let found = players.iter().map(|player| {
            let mut command = cmd("HGET");
            command.arg(keys::standing(pool, player)).arg("s");
            async move { self.link.run::<Option<Vec<u8>>>(&command).await.map_err(unread) }
        });
        let found = try_join_all(found).await?.into_iter();
        found
            .map(|bytes| bytes.map(|bytes| codec::decode_standing(&bytes)).transpose())
            .collect()
    }

    async fn settle_ratings(&self, settlement: &Settlement) -> Result<Settled, StoreError> {
        let pool = settlement.pool;
        let kept_for = self.config.retention.settled + NOTE_OUTLIVES_MATCH;
        let call = settle_call(settlement, kept_for);
        let instead: Option<Vec<u8>> = self.run_script(call, keys::board(pool)).await?;
        match instead.as_deref() {
            None => {
                self.note_changes(pool, settlement.changes()).await?;
                Ok(Settled::Done)
            }
            Some([]) => Ok(Settled::Conflict),
            Some(note) => {
                let first = codec::decode_settlement(note)?;
                // Who is not named any more has been forgotten since.
                let is_named = |player: &PlayerId| settlement.rows.iter().any(|row| row.player == *player);
                let changes = first.changes().filter(|(player, _)| is_named(player));
                self.note_changes(pool, changes).await?;
                Ok(Settled::Already(first))
            }
        }
    }

    async fn rating_changes(&self, pool: Pool, player: &PlayerId) -> Result<Vec<RatingChange>, StoreError> {
        let mut command = cmd("ZREVRANGE");
        command
            .arg(keys::rating_changes(pool, player))
            .arg(0)
            .arg(CHANGES_MAX - 1);
        let changes: Vec<Vec<u8>> = self.link.run(&command).await.map_err(unread)?;
        changes.iter().map(|bytes| codec::decode_rating_change(bytes)).collect()
    }

    async fn places(&self, pool: Pool, skip: u64, limit: usize) -> Result<Vec<Place>, StoreError> {
        if limit == 0 {
            return Ok(Vec::new());
        }
        let first = i64::try_from(skip).unwrap_or(i64::MAX);
        let last = first.saturating_add(i64::try_from(limit - 1).unwrap_or(i64::MAX));
        let mut command = cmd("ZRANGE");
        command.arg(keys::board(pool)).arg(first).arg(last).arg("WITHSCORES");
        let members: Vec<(Vec<u8>, f64)> = self.link.run(&command).await.map_err(unread)?;
        members
            .iter()
            .map(|(member, score)| parse_place(member, *score))
            .collect()
    }

    async fn count_ahead(&self, pool: Pool, player: &PlayerId) -> Result<Option<u64>, StoreError> {
        let call = Call::new(&script::COUNT_AHEAD, 2)
            .arg(keys::standing(pool, player))
            .arg(keys::board(pool));
        self.link.invoke(&call).await.map_err(unread)
    }

    async fn count_listed(&self, pool: Pool) -> Result<u64, StoreError> {
        let mut command = cmd("ZCARD");
        command.arg(keys::board(pool));
        self.link.run(&command).await.map_err(unread)
    }

    async fn forget_ratings(&self, player: &PlayerId) -> Result<(), StoreError> {
        for pool in Pool::ALL {
            let call = Call::new(&script::FORGET_STANDING, 2)
                .arg(keys::standing(pool, player))
                .arg(keys::board(pool));
            self.run_script::<u64>(call, keys::board(pool)).await?;
            let changes = keys::rating_changes(pool, player);
            let mut command = cmd("DEL");
            command.arg(&changes);
            self.set::<u64>(command, changes.as_bytes()).await?;
        }
        Ok(())
    }
}

impl RedisStore {
    /// Runs a script that writes to the slot of `key`; it counts when a commit would.
    async fn run_script<T: FromRedisValue>(&self, call: Call, key: String) -> Result<T, StoreError> {
        match &self.replicated {
            None => self.link.invoke(&call).await.map_err(unwritten),
            Some(replicated) => parsed(replicated.write(call.command, key.into_bytes()).await?),
        }
    }

    async fn note_changes(
        &self,
        pool: Pool,
        changes: impl Iterator<Item = (PlayerId, RatingChange)>,
    ) -> Result<(), StoreError> {
        let noted = changes.map(|(player, change)| {
            let key = keys::rating_changes(pool, &player);
            let call = Call::new(&script::NOTE_CHANGE, 1)
                .arg(&key)
                .arg(change.number)
                .arg(codec::encode_rating_change(&change))
                .arg(CHANGES_MAX);
            self.run_script::<u64>(call, key)
        });
        // What the script before it has settled stays settled: this is what remains to be done, however it fails.
        let perhaps = |error| match error {
            StoreError::Unavailable(cause) => StoreError::Unconfirmed(cause),
            error => error,
        };
        try_join_all(noted).await.map(drop).map_err(perhaps)
    }
}

fn settle_call(settlement: &Settlement, kept_for: Duration) -> Call {
    let Settlement {
        match_id, pool, rows, ..
    } = settlement;
    let mut call = Call::new(&script::SETTLE_RATINGS, 2 + rows.len())
        .arg(keys::settlement(*pool, match_id))
        .arg(keys::board(*pool));
    for row in rows {
        call = call.arg(keys::standing(*pool, &row.player));
    }
    call = call
        .arg(codec::encode_settlement(settlement))
        .arg(u64::try_from(kept_for.as_millis()).unwrap_or(u64::MAX));
    for row in rows {
        let place = row.after.place(row.player);
        call = call
            .arg(row.before.matches)
            .arg(row.after.matches)
            .arg(codec::encode_standing(&row.after))
            .arg(place.map(|place| member(&place)).unwrap_or_default())
            .arg(place.map_or(0, |place| -i64::from(place.points)));
    }
    call
}

/// What orders equals: who has had the points for longer comes first.
fn member(place: &Place) -> Vec<u8> {
    [place.reached_at.0.to_be_bytes().as_slice(), place.player.as_bytes()].concat()
}

fn parse_place(member: &[u8], score: f64) -> Result<Place, StoreError> {
    let (reached_at, player) = member.split_first_chunk().ok_or_else(place::damaged)?;
    Ok(Place {
        // Whole numbers, as they were written.
        points: (-score) as i32,
        reached_at: UnixMillis(u64::from_be_bytes(*reached_at)),
        player: place::player_id(player)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read_as_they_are_written() {
        for (points, at) in [(1700, 1_790_000_000_000), (-31, 0), (0, u64::MAX)] {
            let place = Place {
                points,
                reached_at: UnixMillis(at),
                player: PlayerId::from_bytes([9; 16]),
            };
            assert_eq!(parse_place(&member(&place), -f64::from(points)).unwrap(), place);
        }
        for garbage in [&[][..], &[0; 8], &[0; 23], &[0; 25]] {
            assert!(parse_place(garbage, 0.0).is_err());
        }
    }
}
