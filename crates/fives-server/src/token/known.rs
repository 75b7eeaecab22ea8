//! Tokens that were checked before. A signature costs more to check than everything else in a call together, and a player sends
//! the same one with each call.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use fives_referee::id::PlayerId;
use fives_wire::status::Denial;
use sha2::{Digest, Sha256};

/// How many tokens a generation holds; two generations are kept, about 100 bytes a token of this service, 1 kB one of an issuer.
const GENERATION: usize = 32 * 1024;

/// What a good token says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Verified {
    pub(super) player: PlayerId,
    /// When it ends, in seconds since 1970: to be compared at each call.
    pub(super) exp_s: u64,
}

/// What is known of good tokens, by their hash: what is kept here opens nothing. Bad ones are never kept, so nobody can fill it with
/// rubbish.
pub(super) struct Known<T>(Mutex<Generations<T>>);

struct Generations<T> {
    young: HashMap<[u8; 32], T>,
    old: HashMap<[u8; 32], T>,
}

/// What a token is known by.
pub(super) fn hash(token: &str) -> [u8; 32] {
    Sha256::digest(token).into()
}

impl<T> Default for Known<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> Default for Generations<T> {
    fn default() -> Self {
        Self {
            young: HashMap::new(),
            old: HashMap::new(),
        }
    }
}

impl<T: Clone> Known<T> {
    /// What is known of a token, or what `check` finds out.
    pub(super) fn get_or_check(&self, token: &str, check: impl FnOnce() -> Result<T, Denial>) -> Result<T, Denial> {
        let hash = hash(token);
        if let Some(known) = self.find(&hash) {
            return Ok(known);
        }
        // Not under the lock: nobody else waits for a signature.
        let checked = check()?;
        self.keep(hash, checked.clone());
        Ok(checked)
    }

    /// What is known of the token with this hash.
    pub(super) fn find(&self, hash: &[u8; 32]) -> Option<T> {
        self.lock(|generations| generations.find(hash))
    }

    /// Keeps what was found out about one.
    pub(super) fn keep(&self, hash: [u8; 32], checked: T) {
        self.lock(|generations| generations.keep(hash, checked));
    }

    fn lock<R>(&self, act: impl FnOnce(&mut Generations<T>) -> R) -> R {
        // A map that lost an entry half-way would only be asked again.
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl<T: Clone> Generations<T> {
    fn find(&mut self, hash: &[u8; 32]) -> Option<T> {
        if let Some(known) = self.young.get(hash) {
            return Some(known.clone());
        }
        let known = self.old.remove(hash)?;
        self.keep(*hash, known.clone());
        Some(known)
    }

    /// A full generation becomes the old one; what was not asked for since is forgotten.
    fn keep(&mut self, hash: [u8; 32], checked: T) {
        if self.young.len() >= GENERATION {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(hash, checked);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verified(number: u64) -> Verified {
        Verified {
            player: PlayerId::from_bytes([7; 16]),
            exp_s: number,
        }
    }

    #[test]
    fn a_good_token_is_checked_once_and_a_bad_one_each_time() {
        let known = Known::default();
        assert_eq!(known.get_or_check("good", || Ok(verified(1))), Ok(verified(1)));
        assert_eq!(known.get_or_check("good", || panic!("it is known")), Ok(verified(1)));
        for _ in 0..2 {
            let bad = known.get_or_check("bad", || Err(Denial::TokenInvalid));
            assert_eq!(bad, Err(Denial::TokenInvalid));
        }
    }

    #[test]
    fn it_does_not_grow_for_ever_and_keeps_who_calls() {
        let mut generations = Generations::default();
        let hash = |number: usize| {
            let mut hash = [0; 32];
            hash[..8].copy_from_slice(&number.to_be_bytes());
            hash
        };
        for number in 0..GENERATION * 3 {
            generations.keep(hash(number), verified(number as u64));
            assert_eq!(
                generations.find(&hash(0)),
                Some(verified(0)),
                "somebody who calls all the time"
            );
        }
        assert!(generations.young.len() + generations.old.len() <= GENERATION * 2);
        assert_eq!(generations.find(&hash(1)), None, "somebody who never called again");
    }
}
