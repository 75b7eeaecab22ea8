//! The service's signs of life: the last one, and when there was none for too long.

use std::collections::VecDeque;

use fives_referee::store::{OUTAGES_MAX, StoreError};
use fives_referee::time::{Outage, UnixMillis};

/// The last sign of life and the newest outages, oldest first; the bytes are eight for each point in time.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Alive {
    last: Option<UnixMillis>,
    outages: VecDeque<Outage>,
}

impl Alive {
    /// A sign of life at `now`.
    pub(super) fn renew(&mut self, now: UnixMillis, silence_max_ms: u64) {
        if let Some(from) = self.last
            && from.plus_ms(silence_max_ms) < now
        {
            self.outages.push_back(Outage { from, to: now });
            while self.outages.len() > OUTAGES_MAX {
                self.outages.pop_front();
            }
        }
        // Two who ask at once may come in the other order.
        self.last = self.last.max(Some(now));
    }

    pub(super) fn outages_since(&self, since: UnixMillis) -> Vec<Outage> {
        self.outages
            .iter()
            .filter(|outage| outage.to > since)
            .copied()
            .collect()
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let outages = self.outages.iter().flat_map(|outage| [outage.from, outage.to]);
        let times = self.last.into_iter().chain(outages);
        times.flat_map(|at| at.0.to_be_bytes()).collect()
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Self, StoreError> {
        let damaged = || StoreError::Damaged("the last sign of life is not what Fives writes".to_owned());
        let (times, rest) = bytes.as_chunks::<8>();
        let mut times = times.iter().map(|bytes| UnixMillis(u64::from_be_bytes(*bytes)));
        let mut alive = Self {
            last: times.next(),
            outages: VecDeque::new(),
        };
        while let Some(from) = times.next() {
            let to = times.next().filter(|to| from < *to).ok_or_else(damaged)?;
            alive.outages.push_back(Outage { from, to });
        }
        if rest.is_empty() && alive.outages.len() <= OUTAGES_MAX {
            Ok(alive)
        } else {
            Err(damaged())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alive(signs: &[u64]) -> Alive {
        let mut alive = Alive::default();
        signs.iter().for_each(|now| alive.renew(UnixMillis(*now), 10));
        alive
    }

    #[test]
    fn too_long_a_silence_is_an_outage() {
        let outage = |from, to| Outage {
            from: UnixMillis(from),
            to: UnixMillis(to),
        };
        let alive = alive(&[100, 110, 105, 120, 131, 400]);
        assert_eq!(alive.outages_since(UnixMillis(0)), [outage(120, 131), outage(131, 400)]);
        assert_eq!(alive.outages_since(UnixMillis(131)), [outage(131, 400)]);
        assert_eq!(alive.outages_since(UnixMillis(400)), []);
    }

    #[test]
    fn it_is_read_as_it_is_written() {
        let many: Vec<u64> = (0..200).map(|n| n * 100).collect();
        for signs in [&[][..], &[7], &[7, 99], &many] {
            let alive = alive(signs);
            assert_eq!(Alive::from_bytes(&alive.to_bytes()).unwrap(), alive, "{signs:?}");
            assert!(alive.outages.len() <= OUTAGES_MAX);
        }
    }

    #[test]
    fn what_is_none_is_damage() {
        for bytes in [&[1; 7][..], &[1; 16], &[1; 24], &[1; 25]] {
            assert!(Alive::from_bytes(bytes).is_err(), "{bytes:?}");
        }
    }
}
