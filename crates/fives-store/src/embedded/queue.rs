//! Queues: all of them in memory, each change also on the disk, so that a process that comes back finds its lines as they were.
//!
//! The writer thread changes the memory before the disk has it. What others see a moment early can only lead to writes that
//! come after it on the same disk; whoever asked for the change is answered when the disk has it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use async_trait::async_trait;
use fives_lobby::queue::{Claim, Line, Look, QueueName, Standing, Ticket};
use fives_lobby::store::{CLAIMS_SHOWN, LEFT_KEPT_MS, QueueStore};
use fives_referee::id::{MatchId, PlayerId};
use fives_referee::store::{MatchStore, StoreError};
use fives_referee::time::UnixMillis;

use super::EmbeddedStore;
use super::folder::Folder;
use super::writer::Write;
use crate::{codec, place, unpoisoned};

/// What a row's key begins with: what it is, then the queue, a zero, and the player or the match.
const TICKET: u8 = b't';
const CLAIM: u8 = b'c';
const INSTEAD: u8 = b'p';

/// A row and what it shall be; `None` for gone.
type Row = (Vec<u8>, Option<Vec<u8>>);

/// All queues.
#[derive(Default)]
pub(super) struct Lines(HashMap<QueueName, Queued>);

/// One queue.
#[derive(Default)]
struct Queued {
    tickets: HashMap<PlayerId, Waiting>,
    order: BTreeSet<(UnixMillis, PlayerId)>,
    claims: BTreeMap<MatchId, Claim>,
    instead: HashMap<PlayerId, Instead>,
    typical_wait_ms: Option<u64>,
}

struct Waiting {
    ticket: Ticket,
    /// Not on the disk: when the process comes back, everybody has a while to do so, too.
    renewed_at: UnixMillis,
}

/// What a player has who has no ticket.
#[derive(Clone)]
struct Instead {
    standing: Standing,
    /// When it is forgotten.
    until: UnixMillis,
}

impl Lines {
    /// What lies on the disk, as if everybody had given a sign of life at `now`.
    pub(super) fn read(folder: &Folder, now: UnixMillis) -> Result<Self, StoreError> {
        let mut lines = Self::default();
        for row in folder.queue_rows() {
            let (key, value) = row?;
            let (kind, name, id) = parse_key(&key).ok_or_else(place::damaged)?;
            let queued = lines.0.entry(name).or_default();
            match kind {
                TICKET => queued.put_ticket(codec::decode_ticket(&value)?, now),
                CLAIM => _ = queued.claims.insert(place::match_id(id)?, codec::decode_claim(&value)?),
                INSTEAD => _ = queued.instead.insert(place::player_id(id)?, parse_instead(&value)?),
                _ => return Err(place::damaged()),
            }
        }
        Ok(lines)
    }

    fn of(&mut self, queue: &QueueName) -> &mut Queued {
        self.0.entry(queue.clone()).or_default()
    }
}

impl Queued {
    fn put_ticket(&mut self, ticket: Ticket, renewed_at: UnixMillis) {
        self.remove_ticket(&ticket.player);
        self.order.insert((ticket.joined_at, ticket.player));
        self.tickets.insert(ticket.player, Waiting { ticket, renewed_at });
    }

    fn remove_ticket(&mut self, player: &PlayerId) -> Option<Ticket> {
        let Waiting { ticket, .. } = self.tickets.remove(player)?;
        self.order.remove(&(ticket.joined_at, *player));
        Some(ticket)
    }

    fn standing(&self, player: &PlayerId, now: UnixMillis) -> Standing {
        if let Some(instead) = self.instead.get(player).filter(|instead| now < instead.until) {
            return instead.standing.clone();
        }
        let waiting = self.tickets.get(player);
        waiting.map_or(Standing::Gone, |waiting| Standing::Waiting(waiting.ticket.clone()))
    }

    fn renew(&mut self, player: &PlayerId, now: UnixMillis) -> Standing {
        if let Some(waiting) = self.tickets.get_mut(player) {
            waiting.renewed_at = waiting.renewed_at.max(now);
        }
        self.standing(player, now)
    }

    /// What is over at `now`: players without a sign of life, and what is forgotten.
    fn over(&self, fresh_since: UnixMillis, now: UnixMillis) -> (Vec<PlayerId>, Vec<PlayerId>) {
        let gone = self.tickets.values().filter(|waiting| waiting.renewed_at < fresh_since);
        let forgotten = self.instead.iter().filter(|(_, instead)| instead.until <= now);
        (
            gone.map(|waiting| waiting.ticket.player).collect(),
            forgotten.map(|(player, _)| *player).collect(),
        )
    }

    fn take(
        &mut self,
        queue: &QueueName,
        ticket: Ticket,
        now: UnixMillis,
        fresh_since: UnixMillis,
        known: Option<MatchId>,
    ) -> (Standing, Vec<Row>) {
        let player = ticket.player;
        let waits = |waiting: &Waiting| waiting.renewed_at >= fresh_since;
        match self.standing(&player, now) {
            standing @ Standing::Claimed(_) => return (standing, Vec::new()),
            Standing::Matched(id) if Some(id) != known => return (Standing::Matched(id), Vec::new()),
            Standing::Waiting(_) if self.tickets.get(&player).is_some_and(waits) => {
                return (self.renew(&player, now), Vec::new());
            }
            Standing::Waiting(_) | Standing::Matched(_) | Standing::Left | Standing::Gone => {}
        }
        self.instead.remove(&player);
        self.put_ticket(ticket.clone(), now);
        let rows = vec![
            (key(INSTEAD, queue, player.as_bytes()), None),
            (
                key(TICKET, queue, player.as_bytes()),
                Some(codec::encode_ticket(&ticket)),
            ),
        ];
        (Standing::Waiting(ticket), rows)
    }

    fn leave(&mut self, queue: &QueueName, player: PlayerId, now: UnixMillis) -> (Standing, Vec<Row>) {
        let had = self.standing(&player, now);
        if matches!(had, Standing::Claimed(_) | Standing::Gone) {
            return (had, Vec::new());
        }
        self.remove_ticket(&player);
        let left = (key(TICKET, queue, player.as_bytes()), None);
        let row = self.put_instead(queue, player, Standing::Left, now.plus_ms(LEFT_KEPT_MS));
        (had, vec![left, row])
    }

    fn claim(
        &mut self,
        queue: &QueueName,
        claim: Claim,
        tickets: &[Ticket],
        fresh_since: UnixMillis,
    ) -> (bool, Vec<Row>) {
        let is_there = |ticket: &Ticket| {
            let waiting = self.tickets.get(&ticket.player);
            waiting.is_some_and(|waiting| waiting.ticket.id == ticket.id && waiting.renewed_at >= fresh_since)
        };
        if !tickets.iter().all(is_there) {
            return (false, Vec::new());
        }
        let wait_ms = place::mean_wait_ms(&claim, &tickets.iter().collect::<Vec<_>>());
        self.typical_wait_ms = Some(self.typical_wait_ms.map_or(wait_ms, |waits| (4 * waits + wait_ms) / 5));
        let id = claim.match_id;
        let mut rows = vec![(key(CLAIM, queue, id.as_bytes()), Some(codec::encode_claim(&claim)))];
        for Ticket { player, .. } in tickets {
            self.remove_ticket(player);
            rows.push((key(TICKET, queue, player.as_bytes()), None));
            rows.push(self.put_instead(queue, *player, Standing::Claimed(id), UnixMillis(u64::MAX)));
        }
        self.claims.insert(id, claim);
        (true, rows)
    }

    fn close(&mut self, queue: &QueueName, claim: &Claim, until: UnixMillis) -> Vec<Row> {
        let id = claim.match_id;
        self.claims.remove(&id);
        let mut rows = vec![(key(CLAIM, queue, id.as_bytes()), None)];
        for player in claim.players() {
            let instead = self.instead.get(player).map(|instead| &instead.standing);
            if instead == Some(&Standing::Claimed(id)) {
                rows.push(self.put_instead(queue, *player, Standing::Matched(id), until));
            }
        }
        rows
    }

    fn tidy(&mut self, queue: &QueueName, fresh_since: UnixMillis, now: UnixMillis) -> Vec<Row> {
        let (gone, forgotten) = self.over(fresh_since, now);
        let mut rows = Vec::with_capacity(gone.len() + forgotten.len());
        for player in gone {
            self.remove_ticket(&player);
            rows.push((key(TICKET, queue, player.as_bytes()), None));
        }
        for player in forgotten {
            self.instead.remove(&player);
            rows.push((key(INSTEAD, queue, player.as_bytes()), None));
        }
        rows
    }

    fn put_instead(&mut self, queue: &QueueName, player: PlayerId, standing: Standing, until: UnixMillis) -> Row {
        let instead = Instead { standing, until };
        let row = (key(INSTEAD, queue, player.as_bytes()), Some(instead_bytes(&instead)));
        self.instead.insert(player, instead);
        row
    }
}

impl EmbeddedStore {
    /// Changes a queue, in memory and on the disk.
    async fn change_queue<T: Send + 'static>(
        &self,
        queue: &QueueName,
        change: impl FnOnce(&QueueName, &mut Queued) -> (T, Vec<Row>) + Send + 'static,
    ) -> Result<T, StoreError> {
        let queue = queue.clone();
        self.write(|answer| {
            Write::Queue(Box::new(move |kept, group| {
                let (outcome, rows) = change(&queue, unpoisoned(kept.lines.lock()).of(&queue));
                for (key, value) in rows {
                    kept.folder.change_queue(&mut group.batch, key, value);
                }
                group.answer(answer, Ok(outcome));
            }))
        })
        .await
    }
}

#[async_trait]
impl QueueStore for EmbeddedStore {
    async fn take_place(
        &self,
        queue: &QueueName,
        ticket: &Ticket,
        now: UnixMillis,
        fresh_since: UnixMillis,
        known: Option<MatchId>,
    ) -> Result<Standing, StoreError> {
        let ticket = ticket.clone();
        self.change_queue(queue, move |queue, queued| {
            queued.take(queue, ticket, now, fresh_since, known)
        })
        .await
    }

    async fn leave_line(&self, queue: &QueueName, player: &PlayerId) -> Result<Standing, StoreError> {
        let (player, now) = (*player, self.now().await?);
        self.change_queue(queue, move |queue, queued| queued.leave(queue, player, now))
            .await
    }

    async fn renew_tickets(
        &self,
        queue: &QueueName,
        players: &[PlayerId],
        now: UnixMillis,
    ) -> Result<Vec<Standing>, StoreError> {
        let mut lines = unpoisoned(self.kept.lines.lock());
        let queued = lines.of(queue);
        Ok(players.iter().map(|player| queued.renew(player, now)).collect())
    }

    async fn look_at_line(&self, queue: &QueueName, look: Look) -> Result<Line, StoreError> {
        let (now, fresh_since) = (self.now().await?, look.fresh_since);
        let is_tidy = {
            let (gone, forgotten) = unpoisoned(self.kept.lines.lock()).of(queue).over(fresh_since, now);
            gone.is_empty() && forgotten.is_empty()
        };
        if !is_tidy {
            self.change_queue(queue, move |queue, queued| ((), queued.tidy(queue, fresh_since, now)))
                .await?;
        }
        let mut lines = unpoisoned(self.kept.lines.lock());
        let queued = lines.of(queue);
        let mut claims: Vec<&Claim> = queued.claims.values().collect();
        claims.retain(|claim| claim.claimed_at < look.claimed_before);
        claims.sort_by_key(|claim| (claim.claimed_at, claim.match_id));
        let first = queued.order.iter().take(look.limit);
        Ok(Line {
            waiting: queued.order.len() as u64,
            typical_wait_ms: queued.typical_wait_ms,
            tickets: first
                .filter_map(|(_, player)| Some(queued.tickets.get(player)?.ticket.clone()))
                .collect(),
            claims: claims.into_iter().take(CLAIMS_SHOWN).cloned().collect(),
        })
    }

    async fn claim(
        &self,
        queue: &QueueName,
        claim: &Claim,
        tickets: &[&Ticket],
        fresh_since: UnixMillis,
    ) -> Result<bool, StoreError> {
        let claim = claim.clone();
        let tickets: Vec<Ticket> = tickets.iter().copied().cloned().collect();
        self.change_queue(queue, move |queue, queued| {
            queued.claim(queue, claim, &tickets, fresh_since)
        })
        .await
    }

    async fn close_claim(&self, queue: &QueueName, claim: &Claim, kept_for_ms: u64) -> Result<(), StoreError> {
        let (claim, until) = (claim.clone(), self.now().await?.plus_ms(kept_for_ms));
        self.change_queue(queue, move |queue, queued| ((), queued.close(queue, &claim, until)))
            .await
    }
}

fn key(kind: u8, queue: &QueueName, id: &[u8; 16]) -> Vec<u8> {
    [&[kind], queue.as_str().as_bytes(), &[0], id].concat()
}

fn parse_key(key: &[u8]) -> Option<(u8, QueueName, &[u8])> {
    let (head, id) = key.split_last_chunk::<16>()?;
    let [kind, name @ .., 0] = head else { return None };
    let name = QueueName::new(std::str::from_utf8(name).ok()?).ok()?;
    Some((*kind, name, id))
}

/// When it is forgotten, a letter, and the match if there is one.
fn instead_bytes(instead: &Instead) -> Vec<u8> {
    let (letter, id) = match &instead.standing {
        Standing::Claimed(id) => (b'c', id.as_bytes().as_slice()),
        Standing::Matched(id) => (b'm', id.as_bytes().as_slice()),
        Standing::Gone | Standing::Waiting(_) | Standing::Left => (b'l', [].as_slice()),
    };
    [instead.until.0.to_be_bytes().as_slice(), &[letter], id].concat()
}

fn parse_instead(bytes: &[u8]) -> Result<Instead, StoreError> {
    let (until, rest) = bytes.split_first_chunk().ok_or_else(place::damaged)?;
    let standing = match rest {
        [b'l'] => Standing::Left,
        [b'c', id @ ..] => Standing::Claimed(place::match_id(id)?),
        [b'm', id @ ..] => Standing::Matched(place::match_id(id)?),
        _ => return Err(place::damaged()),
    };
    let until = UnixMillis(u64::from_be_bytes(*until));
    Ok(Instead { standing, until })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_as_they_are_written() {
        let queue = QueueName::new("duel").unwrap();
        let (kind, name, id) = (TICKET, queue.clone(), [0; 16]);
        assert_eq!(parse_key(&key(kind, &queue, &id)), Some((kind, name, &id[..])));
        let match_id = MatchId::from_bytes([7; 16]);
        for standing in [Standing::Left, Standing::Claimed(match_id), Standing::Matched(match_id)] {
            let until = UnixMillis(9);
            let read = parse_instead(&instead_bytes(&Instead {
                standing: standing.clone(),
                until,
            }))
            .unwrap();
            assert_eq!((read.standing, read.until), (standing, until));
        }
    }

    #[test]
    fn what_is_no_row_is_damage() {
        for key in [&[][..], &[0; 16], &[b't'; 20], &[b't', 0]] {
            assert!(parse_key(key).is_none(), "{key:?}");
        }
        for bytes in [&[][..], &[0; 8], &[0; 9], b"\0\0\0\0\0\0\0\0c", b"\0\0\0\0\0\0\0\0l-"] {
            assert!(parse_instead(bytes).is_err(), "{bytes:?}");
        }
    }
}
