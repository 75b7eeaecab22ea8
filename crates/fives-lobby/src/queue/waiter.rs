//! Somebody who waits, and what they are told meanwhile.

use std::time::Duration;

use fives_referee::id::MatchId;
use fives_referee::time::UnixMillis;
use tokio::time::timeout;

use super::lounge::{News, Presence};
use super::matchmaker::{Counter, Matchmaker};
use super::{Standing, Ticket};
use crate::error::Error;

/// How often somebody is told how things stand, though nothing has changed.
const TELL_INTERVAL: Duration = Duration::from_secs(5);

/// What somebody who waits is told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Progress {
    /// How things stand.
    Waiting {
        /// The place in line.
        ticket: Ticket,
        /// The store's clock.
        now: UnixMillis,
        /// How long those waited who got a match lately.
        typical_wait_ms: Option<u64>,
        /// How many wait, as far as this process has seen.
        waiting: u64,
        /// Whether the partner whom they named waits, too, and named them.
        has_partner: bool,
    },
    /// The match; nothing follows.
    Matched(MatchId),
    /// The player has left, perhaps with another device; nothing follows.
    Left,
}

/// A device of a player who waits. Its ticket lives as long as this does, and a while longer.
pub struct Waiter {
    matchmaker: Matchmaker,
    place: usize,
    /// What was offered; the ticket that is kept may be an older one.
    ticket: Ticket,
    presence: Presence,
    is_first: bool,
    is_over: bool,
}

impl Waiter {
    pub(super) fn new(matchmaker: Matchmaker, place: usize, ticket: Ticket, presence: Presence) -> Self {
        Self {
            matchmaker,
            place,
            ticket,
            presence,
            is_first: true,
            is_over: false,
        }
    }

    /// What there is to tell: at once, when something changes, and every few seconds; `None` after the last.
    ///
    /// # Errors
    /// The store's.
    pub async fn next(&mut self) -> Result<Option<Progress>, Error> {
        while !self.is_over {
            if !std::mem::take(&mut self.is_first) {
                // A sender that is gone tells nothing more, and cannot be: it goes with the last of its receivers.
                let _ = timeout(TELL_INTERVAL, self.presence.news.changed()).await;
            }
            let News { standing, has_partner } = self.presence.news.borrow_and_update().clone();
            match standing {
                Standing::Waiting(ticket) => {
                    self.ticket = ticket;
                    return self.waiting(has_partner).await.map(Some);
                }
                Standing::Claimed(_) => {}
                Standing::Matched(id) => {
                    self.is_over = true;
                    return Ok(Some(Progress::Matched(id)));
                }
                Standing::Left => {
                    self.is_over = true;
                    return Ok(Some(Progress::Left));
                }
                Standing::Gone => self.come_back().await?,
            }
        }
        Ok(None)
    }

    async fn waiting(&self, has_partner: bool) -> Result<Progress, Error> {
        let seen = self.counter().seen();
        Ok(Progress::Waiting {
            ticket: self.ticket.clone(),
            now: self.matchmaker.store.now().await?,
            typical_wait_ms: seen.typical_wait_ms,
            waiting: seen.waiting.max(1),
            has_partner,
        })
    }

    /// Nobody could give a sign of life for too long, as when the store was away. The player is still here: that costs no place.
    async fn come_back(&mut self) -> Result<(), Error> {
        let (queue, ticket) = (&self.counter().queue, &self.ticket);
        let standing = self.matchmaker.take_place(queue, ticket, None).await?;
        let (lounge, name) = (&self.matchmaker.lounge, queue.name.clone());
        // Before the old presence is dropped, so that somebody is here all the time.
        let presence = lounge.enter(&name, self.ticket.player, standing);
        self.presence = presence;
        self.is_first = true;
        Ok(())
    }

    fn counter(&self) -> &Counter {
        &self.matchmaker.queues[self.place]
    }
}
