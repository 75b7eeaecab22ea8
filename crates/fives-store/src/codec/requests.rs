//! The requests that a retry may still ask for, column by column.

use fives_referee::id::PlayerId;
use fives_referee::request::{Fingerprint, Remembered, RequestMemory};

use super::{Damage, field};
use crate::storage;

pub(super) fn stored(memory: &RequestMemory) -> storage::Requests {
    let mut players: Vec<PlayerId> = Vec::new();
    let count = memory.iter().count();
    let mut stored = storage::Requests {
        asked_by: Vec::with_capacity(count),
        fingerprints: Vec::with_capacity(count * 16),
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
        if !stored.request_ids.is_empty() {
            stored.request_ids.push(' ');
        }
        stored.request_ids.push_str(remembered.request.as_str());
        stored.fingerprints.extend_from_slice(&remembered.fingerprint.0);
        stored.revisions.push(remembered.revision);
        stored.rounds.push(remembered.round);
    }
    stored
}

pub(super) fn decoded(stored: &storage::Requests) -> Result<RequestMemory, Damage> {
    const UNEVEN: Damage = "not every request has all that belongs to it";
    let (players, rest) = stored.players.as_chunks::<16>();
    let (fingerprints, more_rest) = stored.fingerprints.as_chunks::<16>();
    let count = stored.asked_by.len();
    let columns = [fingerprints.len(), stored.revisions.len(), stored.rounds.len()];
    if !rest.is_empty() || !more_rest.is_empty() || columns != [count; 3] {
        return Err(UNEVEN);
    }
    let mut ids = stored.request_ids.split_terminator(' ');
    let mut requests = Vec::with_capacity(count);
    let numbers = stored.revisions.iter().zip(&stored.rounds);
    for ((asked_by, fingerprint), (revision, round)) in stored.asked_by.iter().zip(fingerprints).zip(numbers) {
        let player = usize::try_from(*asked_by).ok().and_then(|index| players.get(index));
        requests.push(Remembered {
            player: PlayerId::from_bytes(*player.ok_or("a request is of nobody")?),
            request: field::request_id(ids.next().ok_or(UNEVEN)?)?,
            fingerprint: Fingerprint(*fingerprint),
            revision: *revision,
            round: *round,
        });
    }
    if ids.next().is_some() {
        return Err(UNEVEN);
    }
    let memory = RequestMemory::from_requests(requests);
    if memory.iter().count() == count {
        Ok(memory)
    } else {
        Err("more requests are kept than are remembered")
    }
}
