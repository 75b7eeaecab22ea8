//! Ratings in the folder.

use fives_lobby::rating::{CHANGES_MAX, Pool, RatingChange, Settlement, Standing};
use fives_referee::id::{MatchId, PlayerId};
use fives_referee::store::StoreError;
use fjall::Keyspace;

use super::{Folder, OpenError, WriteBatch, unavailable};
use crate::{codec, place};

/// One keyspace a kind of thing.
pub(super) struct Ratings {
    /// Pool and player -> the standing.
    standings: Keyspace,
    /// Match -> the note that it is settled, and how.
    settled: Keyspace,
    /// Pool, player and number -> a change of the rating.
    changes: Keyspace,
}

impl Ratings {
    pub(super) fn open(keyspace: impl Fn(&'static str) -> Result<Keyspace, OpenError>) -> Result<Self, OpenError> {
        Ok(Self {
            standings: keyspace("standings")?,
            settled: keyspace("settled")?,
            changes: keyspace("rating-changes")?,
        })
    }

    /// The note goes with its match.
    pub(super) fn remove_note(&self, batch: &mut WriteBatch, id: &MatchId) {
        batch.0.remove(&self.settled, id.as_bytes().as_slice());
    }
}

/// What the pools are called in keys.
const fn tag(pool: Pool) -> u8 {
    match pool {
        Pool::Singles => 0,
        Pool::Partners => 1,
    }
}

fn of_player(pool: Pool, player: &PlayerId) -> Vec<u8> {
    [&[tag(pool)], player.as_bytes().as_slice()].concat()
}

fn numbered(pool: Pool, player: &PlayerId, number: u64) -> Vec<u8> {
    [of_player(pool, player).as_slice(), &number.to_be_bytes()].concat()
}

impl Folder {
    pub(in crate::embedded) fn standing(&self, pool: Pool, player: &PlayerId) -> Result<Option<Standing>, StoreError> {
        let found = self
            .ratings
            .standings
            .get(of_player(pool, player))
            .map_err(unavailable)?;
        found.map(|bytes| codec::decode_standing(&bytes)).transpose()
    }

    /// All standings of a pool.
    pub(in crate::embedded) fn all_standings(
        &self,
        pool: Pool,
    ) -> impl Iterator<Item = Result<(PlayerId, Standing), StoreError>> {
        self.ratings.standings.prefix([tag(pool)]).map(|entry| {
            let (key, bytes) = entry.into_inner().map_err(unavailable)?;
            let (_, player) = key.split_first().ok_or_else(place::damaged)?;
            Ok((place::player_id(player)?, codec::decode_standing(&bytes)?))
        })
    }

    pub(in crate::embedded) fn settlement(&self, id: &MatchId) -> Result<Option<Settlement>, StoreError> {
        let found = self.ratings.settled.get(id.as_bytes()).map_err(unavailable)?;
        found.map(|bytes| codec::decode_settlement(&bytes)).transpose()
    }

    /// Newest first.
    pub(in crate::embedded) fn rating_changes(
        &self,
        pool: Pool,
        player: &PlayerId,
    ) -> Result<Vec<RatingChange>, StoreError> {
        let changes = self.ratings.changes.prefix(of_player(pool, player)).rev();
        let read = changes
            .take(CHANGES_MAX as usize)
            .map(|entry| codec::decode_rating_change(&entry.value().map_err(unavailable)?));
        read.collect()
    }

    /// The note, the standings and the changes; of each player's changes, the one that is too many by it goes.
    pub(in crate::embedded) fn put_settlement(&self, batch: &mut WriteBatch, settlement: &Settlement) {
        let (
            Ratings {
                standings,
                settled,
                changes,
            },
            pool,
        ) = (&self.ratings, settlement.pool);
        let note = codec::encode_settlement(settlement);
        batch.0.insert(settled, settlement.match_id.as_bytes().as_slice(), note);
        for row in &settlement.rows {
            let standing = codec::encode_standing(&row.after);
            batch.0.insert(standings, of_player(pool, &row.player), standing);
        }
        for (player, change) in settlement.changes() {
            let bytes = codec::encode_rating_change(&change);
            batch.0.insert(changes, numbered(pool, &player, change.number), bytes);
            if let Some(old) = change.number.checked_sub(CHANGES_MAX) {
                batch.0.remove(changes, numbered(pool, &player, old));
            }
        }
    }

    /// Removes a player's standing and changes; `newest` is the number of the last one.
    pub(in crate::embedded) fn remove_ratings(
        &self,
        batch: &mut WriteBatch,
        pool: Pool,
        player: &PlayerId,
        newest: u64,
    ) {
        batch.0.remove(&self.ratings.standings, of_player(pool, player));
        for number in newest.saturating_sub(CHANGES_MAX)..=newest {
            batch.0.remove(&self.ratings.changes, numbered(pool, player, number));
        }
    }
}
