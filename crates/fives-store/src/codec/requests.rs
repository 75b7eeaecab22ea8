//! The requests that a retry may still ask for, column by column.

use fives_referee::id::PlayerId;
use fives_referee::request::{Remembered, RequestDigest, RequestMemory};

use super::{Damage, field};
use crate::storage;

const UNEVEN: Damage = "not every request has all that belongs to it";

pub(super) fn stored(memory: &RequestMemory) -> storage::Requests {
    let mut players: Vec<PlayerId> = Vec::new();
    let count = memory.iter().count();
    let mut stored = storage::Requests {
        asked_by: Vec::with_capacity(count),
        digests: Vec::with_capacity(count * 8),
        revisions: Vec::with_capacity(count),
        rounds: Vec::with_capacity(count),
        ..storage::Requests::default()
    };
    for remembered in memory.iter() {
        let known = players.iter().position(|player| *player == remembered.player);
        let player = known.unwrap_or_else(|| {
            players.push(remembered.player);
            stored.players.extend_from_slice(remembered.player.as_bytes());
            players.len() - 1
        });
        stored.asked_by.push(player as u32);
        stored.digests.extend_from_slice(&remembered.request.0);
        stored.revisions.push(remembered.revision);
        stored.rounds.push(remembered.round);
    }
    stored
}

pub(super) fn decoded(stored: &storage::Requests) -> Result<RequestMemory, Damage> {
    let (players, rest) = stored.players.as_chunks::<16>();
    let count = stored.asked_by.len();
    let columns = [stored.revisions.len(), stored.rounds.len()];
    if !rest.is_empty() || columns != [count; 2] {
        return Err(UNEVEN);
    }
    let digests = digests(stored)?;
    if digests.len() != count {
        return Err(UNEVEN);
    }
    let mut requests = Vec::with_capacity(count);
    let numbers = stored.revisions.iter().zip(&stored.rounds);
    for ((asked_by, request), (revision, round)) in stored.asked_by.iter().zip(digests).zip(numbers) {
        let player = usize::try_from(*asked_by).ok().and_then(|index| players.get(index));
        requests.push(Remembered {
            player: PlayerId::from_bytes(*player.ok_or("a request is of nobody")?),
            request,
            revision: *revision,
            round: *round,
        });
    }
    let memory = RequestMemory::from_requests(requests);
    if memory.iter().count() == count {
        Ok(memory)
    } else {
        Err("more requests are kept than are remembered")
    }
}

fn digests(stored: &storage::Requests) -> Result<Vec<RequestDigest>, Damage> {
    // Format 1 kept the ids themselves.
    let mut digests = Vec::with_capacity(stored.asked_by.len());
    for id in stored.request_ids.split_terminator(' ') {
        digests.push(RequestDigest::of(&field::request_id(id)?));
    }
    let (kept, rest) = stored.digests.as_chunks::<8>();
    digests.extend(kept.iter().copied().map(RequestDigest));
    if rest.is_empty() { Ok(digests) } else { Err(UNEVEN) }
}
