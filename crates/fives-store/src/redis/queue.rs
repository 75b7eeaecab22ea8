//! Queues. All of a queue is in one slot of a cluster: one script takes all the tickets of a table.

use std::sync::LazyLock;

use async_trait::async_trait;
use fives_lobby::queue::{Claim, Line, Look, QueueName, Standing, Ticket};
use fives_lobby::store::{CLAIMS_SHOWN, LEFT_KEPT_MS, QueueStore};
use fives_referee::id::{MatchId, PlayerId};
use fives_referee::store::StoreError;
use fives_referee::time::UnixMillis;
use redis::{FromRedisValue, Script};

use super::failure::{unread, unwritten};
use super::script::Call;
use super::{RedisStore, keys, parsed};
use crate::{codec, place};

static TAKE: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("queue/take.lua")));
static LEAVE: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("queue/leave.lua")));
static RENEW: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("queue/renew.lua")));
static LOOK: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("queue/look.lua")));
static CLAIM: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("queue/claim.lua")));
static CLOSE: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("queue/close.lua")));

/// Those that wait for a replica, where commits do.
pub(super) static DURABLE: [&LazyLock<Script>; 4] = [&TAKE, &LEAVE, &CLAIM, &CLOSE];

#[async_trait]
impl QueueStore for RedisStore {
    async fn take_place(
        &self,
        queue: &QueueName,
        ticket: &Ticket,
        now: UnixMillis,
        fresh_since: UnixMillis,
        known: Option<MatchId>,
    ) -> Result<Standing, StoreError> {
        let call = Call::new(&TAKE, 4)
            .arg(keys::of_queue(queue, "t"))
            .arg(keys::of_queue(queue, "o"))
            .arg(keys::of_queue(queue, "r"))
            .arg(keys::instead(queue, &ticket.player))
            .arg(ticket.player.as_bytes().as_slice())
            .arg(kept(ticket))
            .arg(ticket.joined_at.0)
            .arg(now.0)
            .arg(fresh_since.0)
            .arg(known.as_ref().map_or(&[][..], |known| known.as_bytes()));
        standing(&self.change_queue::<Vec<u8>>(queue, call).await?)
    }

    async fn leave_line(&self, queue: &QueueName, player: &PlayerId) -> Result<Standing, StoreError> {
        let call = Call::new(&LEAVE, 4)
            .arg(keys::of_queue(queue, "t"))
            .arg(keys::of_queue(queue, "o"))
            .arg(keys::of_queue(queue, "r"))
            .arg(keys::instead(queue, player))
            .arg(player.as_bytes().as_slice())
            .arg(LEFT_KEPT_MS);
        standing(&self.change_queue::<Vec<u8>>(queue, call).await?)
    }

    async fn renew_tickets(
        &self,
        queue: &QueueName,
        players: &[PlayerId],
        now: UnixMillis,
    ) -> Result<Vec<Standing>, StoreError> {
        let mut call = Call::new(&RENEW, players.len() + 2)
            .arg(keys::of_queue(queue, "t"))
            .arg(keys::of_queue(queue, "r"));
        for player in players {
            call = call.arg(keys::instead(queue, player));
        }
        call = call.arg(now.0);
        for player in players {
            call = call.arg(player.as_bytes().as_slice());
        }
        let standings: Vec<Vec<u8>> = self.link.invoke(&call).await.map_err(unread)?;
        standings.iter().map(|bytes| standing(bytes)).collect()
    }

    async fn look_at_line(&self, queue: &QueueName, look: Look) -> Result<Line, StoreError> {
        let call = Call::new(&LOOK, 6)
            .arg(keys::of_queue(queue, "t"))
            .arg(keys::of_queue(queue, "o"))
            .arg(keys::of_queue(queue, "r"))
            .arg(keys::of_queue(queue, "c"))
            .arg(keys::of_queue(queue, "a"))
            .arg(keys::of_queue(queue, "e"))
            .arg(look.fresh_since.0)
            .arg(look.claimed_before.0)
            .arg(look.limit)
            .arg(CLAIMS_SHOWN);
        type Seen = (u64, String, Vec<Vec<u8>>, Vec<Vec<u8>>);
        let (waiting, waits, tickets, claims): Seen = self.link.invoke(&call).await.map_err(unread)?;
        Ok(Line {
            waiting,
            typical_wait_ms: waits.parse().ok(),
            tickets: tickets.iter().map(|bytes| ticket(bytes)).collect::<Result<_, _>>()?,
            claims: claims
                .iter()
                .map(|bytes| codec::decode_claim(bytes))
                .collect::<Result<_, _>>()?,
        })
    }

    async fn claim(
        &self,
        queue: &QueueName,
        claim: &Claim,
        tickets: &[&Ticket],
        fresh_since: UnixMillis,
    ) -> Result<bool, StoreError> {
        let mut call = Call::new(&CLAIM, tickets.len() + 6)
            .arg(keys::of_queue(queue, "t"))
            .arg(keys::of_queue(queue, "o"))
            .arg(keys::of_queue(queue, "r"))
            .arg(keys::of_queue(queue, "c"))
            .arg(keys::of_queue(queue, "a"))
            .arg(keys::of_queue(queue, "e"));
        for ticket in tickets {
            call = call.arg(keys::instead(queue, &ticket.player));
        }
        call = call
            .arg(claim.match_id.as_bytes().as_slice())
            .arg(codec::encode_claim(claim))
            .arg(claim.claimed_at.0)
            .arg(fresh_since.0)
            .arg(place::mean_wait_ms(claim, tickets));
        for ticket in tickets {
            call = call
                .arg(ticket.player.as_bytes().as_slice())
                .arg(ticket.id.as_bytes().as_slice());
        }
        self.change_queue(queue, call).await
    }

    async fn close_claim(&self, queue: &QueueName, claim: &Claim, kept_for_ms: u64) -> Result<(), StoreError> {
        let mut call = Call::new(&CLOSE, claim.players().count() + 2)
            .arg(keys::of_queue(queue, "c"))
            .arg(keys::of_queue(queue, "a"));
        for player in claim.players() {
            call = call.arg(keys::instead(queue, player));
        }
        call = call.arg(claim.match_id.as_bytes().as_slice()).arg(kept_for_ms);
        self.change_queue(queue, call).await
    }
}

impl RedisStore {
    /// Runs a script that changes a queue; it counts when a commit would.
    async fn change_queue<T: FromRedisValue>(&self, queue: &QueueName, call: Call) -> Result<T, StoreError> {
        match &self.replicated {
            None => self.link.invoke(&call).await.map_err(unwritten),
            Some(replicated) => {
                let slot = keys::of_queue(queue, "t").into_bytes();
                parsed(replicated.write(call.command, slot).await?)
            }
        }
    }
}

/// A ticket as it is kept: its id in front, so that a script can tell it from another one.
fn kept(ticket: &Ticket) -> Vec<u8> {
    [ticket.id.as_bytes().as_slice(), &codec::encode_ticket(ticket)].concat()
}

fn ticket(kept: &[u8]) -> Result<Ticket, StoreError> {
    let (_, bytes) = kept.split_first_chunk::<16>().ok_or_else(place::damaged)?;
    codec::decode_ticket(bytes)
}

fn standing(bytes: &[u8]) -> Result<Standing, StoreError> {
    match bytes {
        [] => Ok(Standing::Gone),
        [b'l'] => Ok(Standing::Left),
        [b'w', kept @ ..] => ticket(kept).map(Standing::Waiting),
        [b'c', id @ ..] => place::match_id(id).map(Standing::Claimed),
        [b'm', id @ ..] => place::match_id(id).map(Standing::Matched),
        _ => Err(place::damaged()),
    }
}
