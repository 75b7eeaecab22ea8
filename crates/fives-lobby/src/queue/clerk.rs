//! Looks at the queues, claims tickets that make a table, and makes the matches. Every process runs one, and any number of them may.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use fives_bots::BotKind;
use fives_referee::command::SeatedMatch;
use fives_referee::id::{MatchId, PlayerId, random};
use fives_referee::table::Occupant;
use fives_referee::time::UnixMillis;
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval, sleep};
use tracing::{debug, warn};

use super::matchmaker::{Counter, Matchmaker, Seen};
use super::{Chosen, Claim, Queue, Ticket, find_tables};
use crate::error::Error;

/// How often a queue is looked at, and a sign of life given for those who wait here.
const LOOK_INTERVAL: Duration = Duration::from_secs(1);

/// How long a queue is left alone at least, however many come.
const PAUSE: Duration = Duration::from_millis(200);

/// How many tickets are looked at: those who wait the longest.
const TICKETS_AT_ONCE: usize = 2_000;

/// How many matches are made at once.
const MATCHES_AT_ONCE: usize = 16;

/// How long a claim is left to the process that made it, in milliseconds, before others finish it.
pub(super) const CLAIM_GRACE_MS: u64 = 2_000;

/// How long a player who comes back is told which match they got, in milliseconds.
const MATCH_KEPT_MS: u64 = 10 * 60 * 1000;

/// Who plays where somebody is missing.
const FILLER: BotKind = BotKind::Greedy;

impl Matchmaker {
    /// Has matches made until it is dropped.
    pub async fn run(self) {
        let mut looks = interval(LOOK_INTERVAL);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                _ = looks.tick() => {}
                () = self.arrived.notified() => {}
            }
            for counter in self.queues.iter() {
                if let Err(error) = self.serve(counter).await {
                    let error: &dyn std::error::Error = &error;
                    debug!(queue = %counter.queue.name, error, "a queue was not looked at");
                }
            }
            sleep(PAUSE).await;
        }
    }

    async fn serve(&self, counter: &Counter) -> Result<(), Error> {
        let queue = &counter.queue;
        // First the signs of life: after an outage, those who wait here are no older than it was.
        self.renew(counter).await?;
        let now = self.store.now().await?;
        let line = self
            .store
            .look_at_line(&queue.name, self.look(now, TICKETS_AT_ONCE))
            .await?;
        counter.see(Seen {
            waiting: line.waiting,
            typical_wait_ms: line.typical_wait_ms,
            partners: Arc::new(partners(&line.tickets)),
        });
        self.vitals.waiting(&queue.name, line.waiting);
        let mut making = JoinSet::new();
        for claim in line.claims {
            making.spawn(self.clone().finish(queue.clone(), claim));
        }
        let mut are_others_faster = false;
        for table in find_tables(queue, &line.tickets, now) {
            // Who was faster has seen the same tickets: what is left is theirs, too, or will be found with the next look.
            if are_others_faster {
                break;
            }
            match self.claim(queue, &table, now).await? {
                Some(claim) => drop(making.spawn(self.clone().finish(queue.clone(), claim))),
                None => are_others_faster = true,
            }
            if making.len() >= MATCHES_AT_ONCE {
                making.join_next().await;
            }
        }
        if making.is_empty() {
            return Ok(());
        }
        while making.join_next().await.is_some() {}
        self.renew(counter).await
    }

    /// Tells everybody who waits here how they stand.
    async fn renew(&self, counter: &Counter) -> Result<(), Error> {
        let partners = counter.seen().partners;
        let has_partner = |player: &PlayerId| partners.contains(player);
        Ok(self.lounge.renew(&self.store, &counter.queue.name, has_partner).await?)
    }

    /// Takes the tickets of a table, if all of them are still there.
    async fn claim(&self, queue: &Queue, table: &[Chosen<'_>], now: UnixMillis) -> Result<Option<Claim>, Error> {
        let occupant = |chosen: &Chosen<'_>| match chosen {
            Chosen::Person(ticket) => Occupant::Person {
                player: ticket.player,
                name: ticket.name.clone(),
            },
            Chosen::Bot => Occupant::Bot(FILLER),
        };
        let tickets: Vec<&Ticket> = table
            .iter()
            .filter_map(|chosen| match chosen {
                Chosen::Person(ticket) => Some(*ticket),
                Chosen::Bot => None,
            })
            .collect();
        let claim = Claim {
            match_id: MatchId::from_bytes(random()?),
            claimed_at: now,
            seated: SeatedMatch {
                options: queue.options,
                clock: queue.clock,
                ranked: queue.ranked,
                occupants: table.iter().map(occupant).collect(),
            },
        };
        let fresh_since = self.fresh_since(now);
        if !self.store.claim(&queue.name, &claim, &tickets, fresh_since).await? {
            return Ok(None);
        }
        for ticket in tickets {
            self.vitals.matched(&queue.name, now.since(ticket.joined_at));
        }
        Ok(Some(claim))
    }

    /// Makes the match of a claim, and only then lets go of the claim. What fails here is found again, by anybody.
    async fn finish(self, queue: Queue, claim: Claim) {
        let made = async {
            self.referee.seat_match(claim.match_id, &claim.seated).await?;
            Ok::<(), Error>(self.store.close_claim(&queue.name, &claim, MATCH_KEPT_MS).await?)
        };
        if let Err(error) = made.await {
            let error: &dyn std::error::Error = &error;
            warn!(queue = %queue.name, match_id = %claim.match_id, error, "a match was not made; it will be tried again");
        }
    }
}

/// Who waits with a partner: both have named each other.
fn partners(tickets: &[Ticket]) -> HashSet<PlayerId> {
    let named = tickets
        .iter()
        .filter_map(|ticket| Some((ticket.player, ticket.partner?)));
    let named: HashSet<(PlayerId, PlayerId)> = named.collect();
    let mutual = named
        .iter()
        .filter(|(player, partner)| named.contains(&(*partner, *player)));
    mutual.map(|(player, _)| *player).collect()
}
