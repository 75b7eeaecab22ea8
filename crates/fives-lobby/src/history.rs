//! The matches that a person has played, as the archive keeps them.

use fives_referee::id::PlayerId;
use fives_referee::listing::ListPosition;
use fives_referee::time::UnixMillis;
use fives_rules::seat::Seat;

use crate::archive::{Archived, Ending};
use crate::error::Error;
use crate::store::SharedLobbyStore;

/// How many matches are looked at for one page, whatever is asked for: filters may leave little of them.
const LOOKED_AT_MAX: usize = 500;

/// How many of them are read at a time.
const CHUNK: usize = 100;

/// What a match must be like. What is `None` does not matter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Wanted {
    /// Played to its end, or voided.
    pub finished: Option<bool>,
    /// Counted for ratings, or not.
    pub ranked: Option<bool>,
    /// Somebody who sat at it, too.
    pub with: Option<PlayerId>,
    /// When it was made at the earliest.
    pub since: Option<UnixMillis>,
}

impl Wanted {
    fn is_met_by(&self, archived: &Archived) -> bool {
        let is_finished = matches!(archived.ending, Ending::Finished { .. });
        self.finished.is_none_or(|finished| finished == is_finished)
            && self.ranked.is_none_or(|ranked| ranked == archived.ranked)
            && self.with.is_none_or(|with| archived.seat_of(&with).is_some())
    }
}

/// How a match went for a person.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// The person's side won.
    Won,
    /// Another one did.
    Lost,
    /// Nobody won, and the person's side was among the best.
    Drawn,
    /// The person gave up.
    Resigned,
    /// It had no result.
    Voided,
}

/// A match that a person has played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    /// The match.
    pub archived: Archived,
    /// The person's seat.
    pub seat: Seat,
    /// How it went.
    pub standing: Standing,
}

impl Played {
    /// The match as this person has played it; `None` if the person did not sit there.
    #[must_use]
    pub fn of(archived: Archived, player: &PlayerId) -> Option<Self> {
        let seat = archived.seat_of(player)?;
        let resigned = archived.seats.get(seat.index()).is_some_and(|seated| seated.resigned);
        let side = archived.options.seating().side_of(seat);
        let standing = match &archived.ending {
            Ending::Voided => Standing::Voided,
            Ending::Finished { .. } if resigned => Standing::Resigned,
            Ending::Finished { outcome, .. } => match outcome.winner {
                Some(winner) if winner == side => Standing::Won,
                None if outcome.ranks[side] == 1 => Standing::Drawn,
                Some(_) | None => Standing::Lost,
            },
        };
        Some(Self {
            archived,
            seat,
            standing,
        })
    }
}

/// A page of a history.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Page {
    /// The matches, newest first.
    pub played: Vec<Played>,
    /// Where the next page begins; `None` after the last.
    pub next: Option<ListPosition>,
}

/// The histories of a store. Cheap to clone; holds nothing.
#[derive(Clone)]
pub struct Histories {
    store: SharedLobbyStore,
}

impl Histories {
    /// The histories of `store`.
    #[must_use]
    pub const fn new(store: SharedLobbyStore) -> Self {
        Self { store }
    }

    /// A page of the matches that a person has played, the newest first. It may have fewer than `limit` before the end.
    ///
    /// # Errors
    /// The store's errors.
    pub async fn page(
        &self,
        player: &PlayerId,
        wanted: &Wanted,
        mut after: Option<ListPosition>,
        limit: usize,
    ) -> Result<Page, Error> {
        let (mut played, mut looked_at) = (Vec::new(), 0);
        while looked_at < LOOKED_AT_MAX {
            let found = self.store.played(player, after, CHUNK).await?;
            let is_end = found.len() < CHUNK;
            for (position, archived) in found {
                if wanted.since.is_some_and(|since| position.created_at < since) {
                    return Ok(Page { played, next: None });
                }
                (after, looked_at) = (Some(position), looked_at + 1);
                let Some(archived) = archived.filter(|archived| wanted.is_met_by(archived)) else {
                    continue;
                };
                played.extend(Played::of(archived, player));
                if played.len() == limit {
                    return Ok(Page { played, next: after });
                }
            }
            if is_end {
                return Ok(Page { played, next: None });
            }
        }
        Ok(Page { played, next: after })
    }
}
