//! Queues: tickets, and the claims that take them.

use async_trait::async_trait;
use fives_referee::id::{MatchId, PlayerId};
use fives_referee::store::StoreError;
use fives_referee::time::UnixMillis;

use crate::queue::{Claim, Line, Look, QueueName, Standing, Ticket};

/// How long it is remembered that a player has left, in milliseconds: longer than it takes each of their devices to hear of it.
pub const LEFT_KEPT_MS: u64 = 60_000;

/// How many claims a look shows at most.
pub const CLAIMS_SHOWN: usize = 64;

/// Keeps queues. Whatever changes one does so in one atomic step.
#[async_trait]
pub trait QueueStore: Send + Sync + 'static {
    /// Keeps a ticket that is alive from `now` on, unless its player has something of this queue already: a ticket with a sign of
    /// life since `fresh_since`, a claim, or a match other than `known`. Gives what the player has then.
    ///
    /// # Errors
    /// [`StoreError`]; [`StoreError::Unconfirmed`] if it is perhaps kept.
    async fn take_place(
        &self,
        queue: &QueueName,
        ticket: &Ticket,
        now: UnixMillis,
        fresh_since: UnixMillis,
        known: Option<MatchId>,
    ) -> Result<Standing, StoreError>;

    /// Takes away what a player has of this queue, unless that is a claim; gives what it was.
    ///
    /// # Errors
    /// [`StoreError`]; [`StoreError::Unconfirmed`] if it is perhaps done.
    async fn leave_line(&self, queue: &QueueName, player: &PlayerId) -> Result<Standing, StoreError>;

    /// A sign of life for each of these players who wait; gives what each of them has, in their order. Not durable.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn renew_tickets(
        &self,
        queue: &QueueName,
        players: &[PlayerId],
        now: UnixMillis,
    ) -> Result<Vec<Standing>, StoreError>;

    /// What there is to see of a queue; removes a bounded number of tickets that have had no sign of life for too long.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn look_at_line(&self, queue: &QueueName, look: Look) -> Result<Line, StoreError>;

    /// Takes these tickets out of the line and keeps the claim, if each of them is still there and had a sign of life since
    /// `fresh_since`; otherwise nothing changes, and it is false.
    ///
    /// # Errors
    /// [`StoreError`]; [`StoreError::Unconfirmed`] if it is perhaps done.
    async fn claim(
        &self,
        queue: &QueueName,
        claim: &Claim,
        tickets: &[&Ticket],
        fresh_since: UnixMillis,
    ) -> Result<bool, StoreError>;

    /// Removes a claim whose match is made, and remembers for `kept_for_ms` which match its players got. Twice is as good as once.
    ///
    /// # Errors
    /// [`StoreError`]; [`StoreError::Unconfirmed`] if it is perhaps done.
    async fn close_claim(&self, queue: &QueueName, claim: &Claim, kept_for_ms: u64) -> Result<(), StoreError>;
}
