//! Reading ratings, and settling matches.

use async_trait::async_trait;
use fives_referee::error::{Error as TableError, Refusal as TableRefusal};
use fives_referee::id::{MatchId, PlayerId};
use fives_referee::notice::{Notice, NoticeEvent};
use tracing::debug;

use super::{Contest, LISTED_AFTER, Place, Pool, Rating, RatingChange, SettledRow, Settlement, Standing, rate};
use crate::courier::Settle;
use crate::error::{Error, Refusal};
use crate::store::{Settled, SharedLobbyStore};

/// How often a match is rated anew because others have changed its players' standings meanwhile. Each time at least one other
/// match of these players has been settled, so this is far more than there can be.
const TRIES: usize = 64;

/// The ratings of a store. Cheap to clone; holds none.
#[derive(Clone)]
pub struct RatingBook {
    store: SharedLobbyStore,
}

/// Somebody on a leaderboard.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ranked {
    /// The rank, 1 for the best; nobody shares one.
    pub rank: u64,
    /// The place.
    pub place: Place,
    /// Where they stand: perhaps a moment younger than the place.
    pub standing: Standing,
}

/// A part of a leaderboard.
#[derive(Clone, PartialEq, Debug)]
pub struct BoardPage {
    /// Who is there, the best first.
    pub ranked: Vec<Ranked>,
    /// How many the whole leaderboard lists.
    pub listed: u64,
    /// How many are before the next page; `None` if this was the last.
    pub next: Option<u64>,
}

impl RatingBook {
    /// The ratings of `store`.
    #[must_use]
    pub const fn new(store: SharedLobbyStore) -> Self {
        Self { store }
    }

    /// Rates a match, if there is something to rate about it: `None` if it is not there any more, not over, not ranked, voided,
    /// or was not played by people only. Safe to call as often as one likes, anywhere: what was settled first stays, and is the
    /// answer. Ends well only when everything about it is kept.
    ///
    /// Matches of one player are rated in the order in which they are settled. Who is no player any more keeps nothing.
    ///
    /// # Errors
    /// [`TableRefusal::Conflict`] if others were faster again and again; the store's errors. Call again.
    pub async fn settle(&self, id: &MatchId) -> Result<Option<Settlement>, Error> {
        let Some(table) = self.store.load(id).await? else {
            return Ok(None);
        };
        let Some(contest) = Contest::of(&table) else {
            return Ok(None);
        };
        let players: Vec<PlayerId> = contest.entrants().map(|entrant| entrant.player).collect();
        let mut are_there = Vec::with_capacity(players.len());
        for player in &players {
            are_there.push(self.store.load_player(player).await?.is_some());
        }
        for _ in 0..TRIES {
            let before = self.standings(contest.pool, &players).await?;
            let ratings: Vec<Rating> = before.iter().map(|standing| standing.rating).collect();
            let at = self.store.now().await?;
            let each = players.iter().zip(&are_there).zip(before);
            let rows = each
                .zip(rate(&contest, &ratings))
                .filter(|(((_, is_there), _), _)| **is_there);
            let settlement = Settlement {
                match_id: *id,
                pool: contest.pool,
                at,
                rows: rows
                    .map(|(((player, _), before), rating)| SettledRow {
                        player: *player,
                        before,
                        after: before.next(rating, at),
                    })
                    .collect(),
            };
            match self.store.settle_ratings(&settlement).await? {
                Settled::Done => return Ok(Some(settlement)),
                Settled::Already(first) => return Ok(Some(first)),
                Settled::Conflict => debug!(match_id = %id, "another match of its players was settled meanwhile"),
            }
        }
        Err(TableError::from(TableRefusal::Conflict).into())
    }

    /// Where these players stand, in their order.
    ///
    /// # Errors
    /// The store's.
    pub async fn standings(&self, pool: Pool, players: &[PlayerId]) -> Result<Vec<Standing>, Error> {
        let standings = self.store.standings(pool, players).await?;
        let each = standings.into_iter();
        Ok(each.map(|standing| standing.unwrap_or(Standing::NEWCOMER)).collect())
    }

    /// How good these players play, in their order: for whoever brings them together.
    ///
    /// # Errors
    /// The store's.
    pub async fn ratings(&self, pool: Pool, players: &[PlayerId]) -> Result<Vec<Rating>, Error> {
        let standings = self.standings(pool, players).await?;
        Ok(standings.into_iter().map(|standing| standing.rating).collect())
    }

    /// The last changes of a player's rating, newest first.
    ///
    /// # Errors
    /// The store's.
    pub async fn changes(&self, pool: Pool, player: &PlayerId) -> Result<Vec<RatingChange>, Error> {
        Ok(self.store.rating_changes(pool, player).await?)
    }

    /// At most `limit` of a leaderboard, behind the first `skip`.
    ///
    /// # Errors
    /// The store's.
    pub async fn page(&self, pool: Pool, skip: u64, limit: usize) -> Result<BoardPage, Error> {
        let places = self.store.places(pool, skip, limit).await?;
        let listed = self.store.count_listed(pool).await?;
        let players: Vec<PlayerId> = places.iter().map(|place| place.player).collect();
        let standings = self.store.standings(pool, &players).await?;
        let end = skip.saturating_add(places.len() as u64);
        let next = (places.len() == limit && end < listed).then_some(end);
        let each = (skip.saturating_add(1)..).zip(places).zip(standings);
        // Who was forgotten since is left out.
        let ranked = each.filter_map(|((rank, place), standing)| {
            let standing = standing?;
            Some(Ranked { rank, place, standing })
        });
        Ok(BoardPage {
            ranked: ranked.collect(),
            listed,
            next,
        })
    }

    /// A player in the middle of at most `limit` of a leaderboard; less in the middle near its ends.
    ///
    /// # Errors
    /// [`Refusal::NotRanked`]; the store's errors.
    pub async fn around(&self, pool: Pool, player: &PlayerId, limit: usize) -> Result<BoardPage, Error> {
        let ahead = self.ahead(pool, player).await?;
        let listed = self.store.count_listed(pool).await?;
        let size = u64::try_from(limit).unwrap_or(u64::MAX);
        let last_begin = listed.saturating_sub(size);
        self.page(pool, ahead.saturating_sub(size / 2).min(last_begin), limit)
            .await
    }

    /// A player's rank, and how many the leaderboard lists.
    ///
    /// # Errors
    /// [`Refusal::NotRanked`]; the store's errors.
    pub async fn rank(&self, pool: Pool, player: &PlayerId) -> Result<(Ranked, u64), Error> {
        let ahead = self.ahead(pool, player).await?;
        let listed = self.store.count_listed(pool).await?;
        let standing = self.standing(pool, player).await?;
        // Forgotten in between, otherwise it would have a place.
        let place = standing.place(*player).ok_or_else(|| not_ranked(&standing))?;
        let rank = ahead + 1;
        Ok((Ranked { rank, place, standing }, listed.max(rank)))
    }

    /// Removes everything about a player's ratings.
    ///
    /// # Errors
    /// The store's.
    pub async fn forget(&self, player: &PlayerId) -> Result<(), Error> {
        Ok(self.store.forget_ratings(player).await?)
    }

    async fn standing(&self, pool: Pool, player: &PlayerId) -> Result<Standing, Error> {
        let standings = self.store.standings(pool, &[*player]).await?;
        Ok(standings.into_iter().flatten().next().unwrap_or(Standing::NEWCOMER))
    }

    async fn ahead(&self, pool: Pool, player: &PlayerId) -> Result<u64, Error> {
        match self.store.count_ahead(pool, player).await? {
            Some(ahead) => Ok(ahead),
            None => Err(not_ranked(&self.standing(pool, player).await?)),
        }
    }
}

/// Results come by the outbox.
#[async_trait]
impl Settle for RatingBook {
    async fn settle(&self, notice: &Notice) -> Result<(), Error> {
        match notice.event {
            NoticeEvent::MatchFinished { .. } => Self::settle(self, &notice.id.match_id).await.map(drop),
            _ => Ok(()),
        }
    }
}

fn not_ranked(standing: &Standing) -> Error {
    let refusal = Refusal::NotRanked {
        matches: standing.matches,
        needed: LISTED_AFTER,
    };
    refusal.into()
}
