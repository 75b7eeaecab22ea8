//! Coming into a queue and leaving it.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use fives_referee::id::{MatchId, PlayerId, TicketId, random};
use fives_referee::player::Player;
use fives_referee::referee::Referee;
use fives_referee::roster::Roster;
use fives_referee::store::StoreError;
use fives_referee::time::UnixMillis;
use tokio::sync::Notify;

use super::lounge::Lounge;
use super::vitals::Vitals;
use super::waiter::Waiter;
use super::{Look, Queue, QueueName, Standing, Ticket};
use crate::error::{Error, Refusal};
use crate::rating::{Pool, Rating, RatingBook};
use crate::store::SharedLobbyStore;

/// The queues of a store. Cheap to clone; holds no ticket.
#[derive(Clone)]
pub struct Matchmaker {
    pub(super) store: SharedLobbyStore,
    pub(super) referee: Referee,
    pub(super) queues: Arc<[Counter]>,
    ratings: RatingBook,
    roster: Roster,
    pub(super) ticket_ms: u64,
    pub(super) lounge: Lounge,
    /// Somebody has come in here.
    pub(super) arrived: Arc<Notify>,
    pub(super) vitals: Arc<Vitals>,
}

/// A queue, and what was last seen of it.
pub(super) struct Counter {
    pub(super) queue: Queue,
    seen: Mutex<Seen>,
}

/// What was last seen of a queue.
#[derive(Clone, Default)]
pub(super) struct Seen {
    pub(super) waiting: u64,
    pub(super) typical_wait_ms: Option<u64>,
    /// Who waits with a partner.
    pub(super) partners: Arc<HashSet<PlayerId>>,
}

impl Counter {
    pub(super) fn seen(&self) -> Seen {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn see(&self, seen: Seen) {
        *self.seen.lock().unwrap_or_else(PoisonError::into_inner) = seen;
    }
}

/// A queue as it is now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Overview {
    /// The queue.
    pub queue: Queue,
    /// How many wait.
    pub waiting: u64,
    /// How long those waited who got a match lately.
    pub typical_wait_ms: Option<u64>,
}

impl Matchmaker {
    /// The queues of `store`, whose matches `referee` makes. A ticket of which nobody gives a sign of life for `ticket_ms` is gone.
    #[must_use]
    pub fn new(
        store: SharedLobbyStore,
        referee: Referee,
        ratings: RatingBook,
        queues: Vec<Queue>,
        ticket_ms: u64,
    ) -> Self {
        let seen = Mutex::default;
        let counters = queues.into_iter().map(|queue| Counter { queue, seen: seen() });
        Self {
            roster: Roster::new(Arc::clone(referee.store())),
            store,
            referee,
            queues: counters.collect(),
            ratings,
            ticket_ms,
            lounge: Lounge::default(),
            arrived: Arc::default(),
            vitals: Arc::new(Vitals::new()),
        }
    }

    /// Takes a person who is erased out of every queue. Where a claim has them already, the match comes first, and this again later.
    ///
    /// # Errors
    /// The store's.
    pub async fn forget(&self, player: &PlayerId) -> Result<(), Error> {
        for counter in self.queues.iter() {
            self.store.leave_line(&counter.queue.name, player).await?;
        }
        Ok(())
    }

    /// How well somebody plays what is played in a queue.
    async fn points(&self, queue: &Queue, player: &PlayerId) -> Result<i32, Error> {
        let pool = Pool::of(queue.options.seating());
        let standings = self.ratings.standings(pool, &[*player]).await?;
        let rating = standings.first().map_or(Rating::NEWCOMER, |standing| standing.rating);
        Ok(rating.value().round() as i32)
    }

    /// Every queue as it is now, in the order in which they were given.
    ///
    /// # Errors
    /// The store's.
    pub async fn overview(&self) -> Result<Vec<Overview>, Error> {
        let now = self.store.now().await?;
        let mut overviews = Vec::with_capacity(self.queues.len());
        for Counter { queue, .. } in self.queues.iter() {
            let line = self.store.look_at_line(&queue.name, self.look(now, 0)).await?;
            overviews.push(Overview {
                queue: queue.clone(),
                waiting: line.waiting,
                typical_wait_ms: line.typical_wait_ms,
            });
        }
        Ok(overviews)
    }

    /// Brings a player into a queue, or back to the place that they have there: to a match, too, that was made while they were
    /// away, as long as they play in it.
    ///
    /// # Errors
    /// [`Refusal::QueueNotFound`], [`Refusal::QueueHasNoPartners`], [`Refusal::PartnerIsSelf`], [`Refusal::AlreadyQueued`];
    /// `PlayerNotFound` for a partner who is nobody; the store's.
    pub async fn join(&self, player: &Player, queue: &QueueName, partner: Option<PlayerId>) -> Result<Waiter, Error> {
        let place = self.place(queue)?;
        let queue = &self.queues[place].queue;
        if let Some(partner) = &partner {
            if !queue.has_partners() {
                return Err(Refusal::QueueHasNoPartners.into());
            }
            if *partner == player.id {
                return Err(Refusal::PartnerIsSelf.into());
            }
            self.roster.find(partner).await?;
        }
        let ticket = Ticket {
            id: TicketId::from_bytes(random()?),
            player: player.id,
            name: player.name.clone(),
            partner,
            rating: self.points(queue, &player.id).await?,
            joined_at: self.store.now().await?,
        };
        let standing = self.take_place(queue, &ticket, None).await?;
        let standing = match standing {
            Standing::Matched(known) if !self.plays_in(&known, &player.id).await? => {
                self.take_place(queue, &ticket, Some(known)).await?
            }
            standing => standing,
        };
        if matches!(&standing, Standing::Waiting(kept) if kept.partner != partner) {
            return Err(Refusal::AlreadyQueued.into());
        }
        let presence = self.lounge.enter(&queue.name, player.id, standing);
        self.arrived.notify_one();
        Ok(Waiter::new(self.clone(), place, ticket, presence))
    }

    /// Takes a player out of a queue. Whoever has got a match there is told which, and may then come for another one.
    ///
    /// # Errors
    /// [`Refusal::QueueNotFound`], [`Refusal::MatchBeingMade`]; the store's.
    pub async fn leave(&self, player: &PlayerId, queue: &QueueName) -> Result<Option<MatchId>, Error> {
        let queue = &self.queues[self.place(queue)?].queue;
        match self.store.leave_line(&queue.name, player).await? {
            Standing::Claimed(_) => Err(Refusal::MatchBeingMade.into()),
            Standing::Matched(id) => Ok(Some(id)),
            Standing::Gone | Standing::Waiting(_) | Standing::Left => Ok(None),
        }
    }

    /// What the player has of the queue, after this ticket was offered.
    pub(super) async fn take_place(
        &self,
        queue: &Queue,
        ticket: &Ticket,
        known: Option<MatchId>,
    ) -> Result<Standing, StoreError> {
        let now = self.store.now().await?;
        let fresh_since = self.fresh_since(now);
        self.store
            .take_place(&queue.name, ticket, now, fresh_since, known)
            .await
    }

    /// Tickets without a sign of life since then are gone.
    pub(super) fn fresh_since(&self, now: UnixMillis) -> UnixMillis {
        UnixMillis(now.0.saturating_sub(self.ticket_ms))
    }

    /// Which of the queues it is.
    fn place(&self, name: &QueueName) -> Result<usize, Refusal> {
        let place = self.queues.iter().position(|counter| counter.queue.name == *name);
        place.ok_or(Refusal::QueueNotFound)
    }

    pub(super) fn look(&self, now: UnixMillis, limit: usize) -> Look {
        Look {
            fresh_since: self.fresh_since(now),
            claimed_before: UnixMillis(now.0.saturating_sub(super::clerk::CLAIM_GRACE_MS)),
            limit,
        }
    }

    /// Whether the match goes on, and the player with it.
    async fn plays_in(&self, id: &MatchId, player: &PlayerId) -> Result<bool, Error> {
        let Some(table) = self.store.load(id).await? else {
            return Ok(false);
        };
        let seat = table.seat_of(player).filter(|seat| !table.has_resigned(*seat));
        Ok(seat.is_some() && !table.is_settled())
    }
}
