//! Ratings: in the folder; the leaderboards are held in memory as well, since a rank is a count of all who are ahead.

use std::collections::{BTreeMap, HashMap};
use std::sync::Mutex;

use async_trait::async_trait;
use fives_lobby::rating::{Place, Pool, RatingChange, Settlement, Standing};
use fives_lobby::store::{RatingStore, Settled};
use fives_referee::id::{MatchId, PlayerId};
use fives_referee::store::StoreError;

use super::folder::Folder;
use super::writer::{Group, Write};
use super::{EmbeddedStore, Kept};
use crate::unpoisoned;

#[async_trait]
impl RatingStore for EmbeddedStore {
    async fn standings(&self, pool: Pool, players: &[PlayerId]) -> Result<Vec<Option<Standing>>, StoreError> {
        let each = players.iter();
        each.map(|player| self.kept.folder.standing(pool, player)).collect()
    }

    async fn settle_ratings(&self, settlement: &Settlement) -> Result<Settled, StoreError> {
        let settlement = settlement.clone();
        self.write(|answer| Write::SettleRatings { settlement, answer }).await
    }

    async fn rating_changes(&self, pool: Pool, player: &PlayerId) -> Result<Vec<RatingChange>, StoreError> {
        self.kept.folder.rating_changes(pool, player)
    }

    async fn places(&self, pool: Pool, skip: u64, limit: usize) -> Result<Vec<Place>, StoreError> {
        Ok(self.kept.boards.places(pool, skip, limit))
    }

    async fn count_ahead(&self, pool: Pool, player: &PlayerId) -> Result<Option<u64>, StoreError> {
        let standing = self.kept.folder.standing(pool, player)?;
        let place = standing.and_then(|standing| standing.place(*player));
        Ok(place.map(|place| self.kept.boards.count_ahead(pool, &place)))
    }

    async fn count_listed(&self, pool: Pool) -> Result<u64, StoreError> {
        Ok(self.kept.boards.count(pool))
    }

    async fn forget_ratings(&self, player: &PlayerId) -> Result<(), StoreError> {
        let player = *player;
        self.write(|answer| Write::ForgetRatings { player, answer }).await
    }
}

/// The leaderboards, each a list in its order: a rank is found by halving, and a place moves by moving what is behind it, which
/// is a matter of microseconds for as many players as one process serves.
#[derive(Default)]
pub(super) struct Boards(Mutex<BTreeMap<Pool, Vec<Place>>>);

impl Boards {
    pub(super) fn of(folder: &Folder) -> Result<Self, StoreError> {
        let mut boards = BTreeMap::new();
        for pool in Pool::ALL {
            let mut places = Vec::new();
            for standing in folder.all_standings(pool) {
                let (player, standing) = standing?;
                places.extend(standing.place(player));
            }
            places.sort_unstable();
            boards.insert(pool, places);
        }
        Ok(Self(Mutex::new(boards)))
    }

    /// Takes over what a synced group has changed, in its order.
    pub(super) fn change(&self, moves: &[Move]) {
        let mut boards = unpoisoned(self.0.lock());
        for Move { pool, from, to } in moves {
            let places = boards.entry(*pool).or_default();
            if let Some(Ok(found)) = from.map(|from| places.binary_search(&from)) {
                places.remove(found);
            }
            if let Some(to) = to
                && let Err(room) = places.binary_search(to)
            {
                places.insert(room, *to);
            }
        }
    }

    fn places(&self, pool: Pool, skip: u64, limit: usize) -> Vec<Place> {
        let boards = unpoisoned(self.0.lock());
        let places = boards.get(&pool).map(Vec::as_slice).unwrap_or_default();
        let begin = usize::try_from(skip).unwrap_or(usize::MAX).min(places.len());
        places.iter().skip(begin).take(limit).copied().collect()
    }

    fn count_ahead(&self, pool: Pool, place: &Place) -> u64 {
        let boards = unpoisoned(self.0.lock());
        let places = boards.get(&pool).map(Vec::as_slice).unwrap_or_default();
        places.partition_point(|other| other < place) as u64
    }

    fn count(&self, pool: Pool) -> u64 {
        unpoisoned(self.0.lock()).get(&pool).map_or(0, Vec::len) as u64
    }
}

/// A player who comes to a leaderboard, goes from it, or moves on it.
pub(super) struct Move {
    pool: Pool,
    from: Option<Place>,
    to: Option<Place>,
}

/// What a group is about to write about ratings.
#[derive(Default)]
pub(super) struct Rated {
    standings: HashMap<(Pool, PlayerId), Option<Standing>>,
    settled: HashMap<MatchId, Settlement>,
    pub(super) moves: Vec<Move>,
}

/// What the writer thread does of it: there, nothing comes between a look and a change.
impl Kept {
    pub(super) fn settle_ratings(&self, group: &mut Group, settlement: Settlement) -> Result<Settled, StoreError> {
        let pool = settlement.pool;
        let first = match group.rated.settled.get(&settlement.match_id) {
            Some(first) => Some(first.clone()),
            None => self.folder.settlement(&settlement.match_id)?,
        };
        if let Some(first) = first {
            return Ok(Settled::Already(first));
        }
        let mut moves = Vec::with_capacity(settlement.rows.len());
        for row in &settlement.rows {
            let now = self.newest_standing(group, pool, &row.player)?;
            if now.map_or(0, |now| now.matches) != row.before.matches {
                return Ok(Settled::Conflict);
            }
            moves.push(Move {
                pool,
                from: now.and_then(|now| now.place(row.player)),
                to: row.after.place(row.player),
            });
        }
        self.folder.put_settlement(&mut group.batch, &settlement);
        let standings = settlement.rows.iter().map(|row| ((pool, row.player), Some(row.after)));
        group.rated.standings.extend(standings);
        group.rated.moves.extend(moves);
        group.rated.settled.insert(settlement.match_id, settlement);
        Ok(Settled::Done)
    }

    pub(super) fn forget_ratings(&self, group: &mut Group, player: &PlayerId) -> Result<(), StoreError> {
        for pool in Pool::ALL {
            let Some(now) = self.newest_standing(group, pool, player)? else {
                continue;
            };
            self.folder.remove_ratings(&mut group.batch, pool, player, now.matches);
            group.rated.standings.insert((pool, *player), None);
            group.rated.moves.push(Move {
                pool,
                from: now.place(*player),
                to: None,
            });
        }
        Ok(())
    }

    fn newest_standing(&self, group: &Group, pool: Pool, player: &PlayerId) -> Result<Option<Standing>, StoreError> {
        match group.rated.standings.get(&(pool, *player)) {
            Some(standing) => Ok(*standing),
            None => self.folder.standing(pool, player),
        }
    }
}
