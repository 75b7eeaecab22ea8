//! Request ids: what makes a retry safe (law 5).

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;

use sha2::{Digest, Sha256};

use crate::id::{IdError, MatchId, PlayerId};
use crate::time::UnixMillis;

/// For how long a first request is the same one, in milliseconds: longer than two processes take that are asked at once, shorter than
/// any match and the time for which it is kept.
const FIRST_FOR_MS: u64 = 10_000;

/// What a client calls one action: 1 to 64 printable ASCII characters without spaces.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct RequestId(Arc<str>);

impl RequestId {
    /// The longest id, in characters.
    pub const MAX_LEN: usize = 64;

    /// Takes a text for a request id.
    ///
    /// # Errors
    /// If it is empty, too long or has other characters.
    pub fn new(text: &str) -> Result<Self, IdError> {
        let fits = (1..=Self::MAX_LEN).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
        if fits {
            Ok(Self(text.into()))
        } else {
            Err(IdError::Malformed)
        }
    }

    /// What stands for the request of a person who was erased since.
    #[must_use]
    pub fn erased() -> Self {
        Self("erased".into())
    }

    /// The id of the request for a match that follows on another one.
    pub(crate) fn after(last: MatchId) -> Self {
        Self(format!("after-{last}").into())
    }

    /// The id of the request for a match that follows on none that is known any more: the same for those who ask at about the same
    /// time, and another one each time after that, for an id of a match is never used again.
    pub(crate) fn first(now: UnixMillis) -> Self {
        Self(format!("first-{}", now.0 / FIRST_FOR_MS).into())
    }

    /// The id as the client wrote it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }
}

/// A hash of a request id: what a match remembers of it, because every move writes all that is remembered once more. A match
/// remembers at most 256 requests, so that two of one player pass for one with odds of 1 in 2^56.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RequestDigest(pub [u8; 8]);

impl RequestDigest {
    /// The digest of an id.
    #[must_use]
    pub fn of(id: &RequestId) -> Self {
        let digest: [u8; 32] = Sha256::digest(id.as_str()).into();
        Self(*digest.first_chunk().unwrap_or(&[0; 8]))
    }
}

/// A hash of what a request asks for, so that an id used again for something else is noticed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fingerprint(pub [u8; 16]);

impl Fingerprint {
    /// The fingerprint of these parts; each is hashed with its length, so that none can pass for two.
    #[must_use]
    pub fn of(parts: &[&[u8]]) -> Self {
        let mut hash = Sha256::new();
        for part in parts {
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(part);
        }
        let digest: [u8; 32] = hash.finalize().into();
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&digest[..16]);
        Self(bytes)
    }
}

/// A request that was carried out. What it asked for, the batch that it made knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Remembered {
    /// Who asked.
    pub player: PlayerId,
    /// Under which id.
    pub request: RequestDigest,
    /// The revision that it made.
    pub revision: u64,
    /// The round that was played then; 0 before the start.
    pub round: u32,
}

/// The requests of a match that a retry may still ask for: those of the current and of the previous round.
///
/// Later retries cannot play twice: a play names its round, and everything else is refused by the state of the match.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RequestMemory(VecDeque<Remembered>);

impl RequestMemory {
    /// Before the start nothing else bounds how often somebody can join and leave.
    const CAPACITY: usize = 256;

    /// The memory that holds `requests`, oldest first.
    #[must_use]
    pub fn from_requests(requests: impl IntoIterator<Item = Remembered>) -> Self {
        Self(requests.into_iter().take(Self::CAPACITY).collect())
    }

    /// What is remembered, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &Remembered> {
        self.0.iter()
    }

    /// The request of `player` under this id.
    #[must_use]
    pub fn find(&self, player: &PlayerId, request: &RequestId) -> Option<&Remembered> {
        let request = RequestDigest::of(request);
        self.0
            .iter()
            .find(|remembered| remembered.request == request && remembered.player == *player)
    }

    /// Remembers a request, and forgets those of rounds before the previous one.
    pub(crate) fn remember(&mut self, remembered: Remembered) {
        let oldest_kept = remembered.round.saturating_sub(1);
        while self
            .0
            .front()
            .is_some_and(|first| first.round < oldest_kept || self.0.len() >= Self::CAPACITY)
        {
            self.0.pop_front();
        }
        self.0.push_back(remembered);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(text: &str) -> RequestId {
        RequestId::new(text).expect("an id")
    }

    fn remembered(request: &str, round: u32) -> Remembered {
        Remembered {
            player: PlayerId::from_bytes([1; 16]),
            request: RequestDigest::of(&id(request)),
            revision: 1,
            round,
        }
    }

    #[test]
    fn requests_of_the_current_and_the_previous_round_are_kept() {
        let mut memory = RequestMemory::default();
        for (request, round) in [("a", 0), ("b", 1), ("c", 2)] {
            memory.remember(remembered(request, round));
        }
        let kept = ["a", "b", "c"].map(|request| memory.find(&PlayerId::from_bytes([1; 16]), &id(request)).is_some());
        assert_eq!(kept, [false, true, true]);
    }

    #[test]
    fn a_first_request_is_the_same_for_those_who_ask_at_once_and_never_comes_again() {
        let at = |ms| RequestId::first(UnixMillis(1_790_000_000_000 + ms));
        assert_eq!(at(0), at(FIRST_FOR_MS - 1));
        let hours = (0..100).map(|hour| at(hour * 3_600_000));
        assert_eq!(hours.collect::<std::collections::HashSet<_>>().len(), 100);
    }

    #[test]
    fn the_memory_is_bounded() {
        let mut memory = RequestMemory::default();
        for n in 0..1000 {
            memory.remember(remembered(&n.to_string(), 0));
        }
        assert_eq!(memory.iter().count(), RequestMemory::CAPACITY);
    }

    #[test]
    fn parts_of_a_fingerprint_do_not_run_together() {
        assert_ne!(Fingerprint::of(&[b"ab", b"c"]), Fingerprint::of(&[b"a", b"bc"]));
    }
}
