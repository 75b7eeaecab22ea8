//! Queues.

use fives_lobby::queue::{Claim, Line, Look, QueueName, Standing, Ticket};
use fives_lobby::store::QueueStore;
use fives_referee::id::{MatchId, PlayerId};
use fives_referee::store::StoreError;
use fives_referee::time::UnixMillis;

use super::Measured;

#[tonic::async_trait]
impl QueueStore for Measured {
    async fn take_place(
        &self,
        queue: &QueueName,
        ticket: &Ticket,
        now: UnixMillis,
        fresh_since: UnixMillis,
        known: Option<MatchId>,
    ) -> Result<Standing, StoreError> {
        let work = self.store.take_place(queue, ticket, now, fresh_since, known);
        self.measured("store.take_place", work).await
    }

    async fn leave_line(&self, queue: &QueueName, player: &PlayerId) -> Result<Standing, StoreError> {
        self.measured("store.leave_line", self.store.leave_line(queue, player))
            .await
    }

    async fn renew_tickets(
        &self,
        queue: &QueueName,
        players: &[PlayerId],
        now: UnixMillis,
    ) -> Result<Vec<Standing>, StoreError> {
        let work = self.store.renew_tickets(queue, players, now);
        self.measured("store.renew_tickets", work).await
    }

    async fn look_at_line(&self, queue: &QueueName, look: Look) -> Result<Line, StoreError> {
        self.measured("store.look_at_line", self.store.look_at_line(queue, look))
            .await
    }

    async fn claim(
        &self,
        queue: &QueueName,
        claim: &Claim,
        tickets: &[&Ticket],
        fresh_since: UnixMillis,
    ) -> Result<bool, StoreError> {
        let work = self.store.claim(queue, claim, tickets, fresh_since);
        self.measured("store.claim", work).await
    }

    async fn close_claim(&self, queue: &QueueName, claim: &Claim, kept_for_ms: u64) -> Result<(), StoreError> {
        let work = self.store.close_claim(queue, claim, kept_for_ms);
        self.measured("store.close_claim", work).await
    }
}
