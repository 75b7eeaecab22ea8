//! Playing once more: everybody who sat at a finished match says yes, and the next one begins with the seats moved on by one.
//!
//! ```text
//! yes ─▶ compare-and-set of the record beside the finished match ─▶ all have said yes? ─▶ make the match whose id follows from it
//! ```
//!
//! The record is the decision, so no two processes can decide differently. The match follows from it: whoever finds it agreed on
//! and the match missing makes it, and a match is made once, whoever races or dies in between.

use std::sync::Arc;

use fives_referee::error::{Error, Refusal};
use fives_referee::id::{MatchId, PlayerId};
use fives_referee::referee::{Caller, Referee};
use fives_referee::request::RequestDigest;
use fives_referee::table::{MatchState, Occupant, Table};
use fives_referee::time::UnixMillis;
use fives_rules::seat::Seat;
use sha2::{Digest, Sha256};
use tracing::debug;

use crate::store::SharedLobbyStore;

/// How often an answer is tried again after others were faster.
const MAX_TRIES: usize = 8;

/// What the people of a finished match have said to another one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rematch {
    /// The match that is over.
    pub of: MatchId,
    /// How often this has changed, from 1.
    pub version: u64,
    /// When it was offered, by whoever said yes first.
    pub offered_at: UnixMillis,
    /// Until when all must have said yes.
    pub expires_at: UnixMillis,
    /// How far it has come.
    pub stage: Stage,
    /// What each seat has said last; at most one answer a seat.
    pub answers: Vec<Answer>,
}

/// How far a rematch has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Somebody has said yes, and not all have.
    Offered,
    /// Somebody has said no.
    Declined {
        /// From which seat.
        by: Seat,
    },
    /// All have said yes.
    Agreed,
}

/// What a seat has said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Answer {
    /// Which seat.
    pub seat: Seat,
    /// Under which request id: what makes a retry safe.
    pub request: RequestDigest,
    /// Whether it was yes.
    pub is_yes: bool,
    /// Whether it was said to this offer, and not to one before that nobody took in time.
    pub is_current: bool,
}

impl Rematch {
    /// The id of the next match after `of`.
    #[must_use]
    pub fn next_id(of: &MatchId) -> MatchId {
        let mut hash = Sha256::new();
        hash.update(b"fives rematch");
        hash.update(of.as_bytes());
        let digest: [u8; 32] = hash.finalize().into();
        MatchId::from_bytes(*digest.first_chunk().unwrap_or(&[0; 16]))
    }

    /// Whether it was offered and nobody took it in time.
    #[must_use]
    pub fn has_expired(&self, now: UnixMillis) -> bool {
        self.stage == Stage::Offered && self.expires_at <= now
    }

    /// The seats that have said yes to this offer.
    pub fn accepted(&self) -> impl Iterator<Item = Seat> {
        let current = self.answers.iter().filter(|answer| answer.is_yes && answer.is_current);
        current.map(|answer| answer.seat)
    }

    /// What becomes of `before` when a seat of `table` answers at `now`; `None` if that changes nothing.
    ///
    /// # Errors
    /// [`Refusal::RequestIdReused`].
    pub fn after(
        before: Option<&Self>,
        table: &Table,
        answer: Answer,
        now: UnixMillis,
        offer_ms: u64,
    ) -> Result<Option<Self>, Refusal> {
        let said = before.and_then(|before| before.answers.iter().find(|said| said.seat == answer.seat));
        match said {
            Some(said) if said.request == answer.request && said.is_yes != answer.is_yes => {
                return Err(Refusal::RequestIdReused);
            }
            Some(said) if said.request == answer.request => return Ok(None),
            _ => {}
        }
        let mut next = match before {
            // What was decided stays so.
            Some(before) if before.stage != Stage::Offered => return Ok(None),
            Some(before) if !before.has_expired(now) => before.clone(),
            other => Self {
                of: table.id,
                version: other.map_or(0, |before| before.version),
                offered_at: now,
                expires_at: now.plus_ms(offer_ms),
                stage: Stage::Offered,
                answers: other.map(|before| before.answers.clone()).unwrap_or_default(),
            }
            .forgetting(),
        };
        next.version += 1;
        next.answers.retain(|said| said.seat != answer.seat);
        next.answers.push(answer);
        if !answer.is_yes {
            next.stage = Stage::Declined { by: answer.seat };
        } else if people(table).all(|(seat, _)| next.accepted().any(|accepted| accepted == seat)) {
            next.stage = Stage::Agreed;
        }
        Ok(Some(next))
    }

    /// The same, with what was said counting no more.
    fn forgetting(mut self) -> Self {
        self.answers.iter_mut().for_each(|said| said.is_current = false);
        self
    }
}

/// Everybody who must say yes. Bots always do.
fn people(table: &Table) -> impl Iterator<Item = (Seat, PlayerId)> {
    table.seats().filter_map(|(seat, chair)| match &chair.occupant {
        Occupant::Person { player, .. } => Some((seat, *player)),
        Occupant::Open | Occupant::Bot(_) => None,
    })
}

/// The rematches of a store. Cheap to clone.
#[derive(Clone)]
pub struct Rematches {
    referee: Referee,
    store: SharedLobbyStore,
    offer_ms: u64,
}

impl Rematches {
    /// The rematches of `store`, each offered for `offer_ms`.
    #[must_use]
    pub const fn new(referee: Referee, store: SharedLobbyStore, offer_ms: u64) -> Self {
        Self {
            referee,
            store,
            offer_ms,
        }
    }

    /// Says yes or no for the seat of the caller: offers a rematch, or answers to one that was offered. Gives what has become of it;
    /// if it is agreed on, the next match is there.
    ///
    /// # Errors
    /// [`Refusal::MatchNotFound`], [`Refusal::NotSeated`], [`Refusal::NotFinished`], [`Refusal::Closed`],
    /// [`Refusal::RequestIdReused`], [`Refusal::Conflict`]; the store's errors.
    pub async fn answer(&self, of: &MatchId, caller: &Caller, is_yes: bool) -> Result<Rematch, Error> {
        let (table, seat) = self.seated(of, &caller.player).await?;
        let answer = Answer {
            seat,
            request: RequestDigest::of(&caller.request),
            is_yes,
            is_current: true,
        };
        for _ in 0..MAX_TRIES {
            let before = self.store.rematch(of).await?;
            let now = self.store.now().await?;
            let answered = match Rematch::after(before.as_ref(), &table, answer, now, self.offer_ms)? {
                Some(next) => self.store.keep_rematch(&next).await?.then_some(next),
                None => before,
            };
            let Some(next) = answered else { continue };
            self.finish(&table, &next).await?;
            self.tell(&table).await;
            return Ok(next);
        }
        Err(Refusal::Conflict.into())
    }

    /// What has become of the rematch of a finished match, for somebody who sat at it; `None` if nobody has said anything.
    ///
    /// # Errors
    /// [`Refusal::MatchNotFound`], [`Refusal::NotSeated`], [`Refusal::NotFinished`], [`Refusal::Closed`]; the store's errors.
    pub async fn look(&self, of: &MatchId, player: &PlayerId) -> Result<Option<Rematch>, Error> {
        let (table, _) = self.seated(of, player).await?;
        let found = self.store.rematch(of).await?;
        if let Some(rematch) = &found {
            self.finish(&table, rematch).await?;
        }
        Ok(found)
    }

    /// Makes the next match if it is agreed on and not there: whoever decided it may have died before.
    async fn finish(&self, table: &Table, rematch: &Rematch) -> Result<(), Error> {
        if rematch.stage == Stage::Agreed {
            let first = rematch.accepted().next();
            let first = people(table).find(|(seat, _)| Some(*seat) == first);
            let offered_by = first.map_or(table.creator, |(_, player)| player);
            self.referee
                .play_again(table, Rematch::next_id(&rematch.of), offered_by)
                .await?;
        }
        Ok(())
    }

    /// Who follows their matches hears of it at once, or, if this is lost, a little later.
    async fn tell(&self, table: &Table) {
        let people: Vec<PlayerId> = people(table).map(|(_, player)| player).collect();
        if let Err(error) = self.store.tell_players(&people).await {
            debug!(error = &error as &dyn std::error::Error, "nobody was told of a rematch");
        }
    }

    async fn seated(&self, of: &MatchId, player: &PlayerId) -> Result<(Arc<Table>, Seat), Error> {
        let table = self.store.load(of).await?.ok_or(Refusal::MatchNotFound)?;
        let seat = table.seat_of(player).ok_or(Refusal::NotSeated)?;
        match table.state() {
            MatchState::Finished => Ok((table, seat)),
            MatchState::Closed => Err(Refusal::Closed.into()),
            MatchState::Open | MatchState::Live => Err(Refusal::NotFinished.into()),
        }
    }
}
