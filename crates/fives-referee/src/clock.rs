//! Turn clocks: how long a person may think, and what follows when nobody plays in time.
//!
//! The rules know nothing of time. A match that has a clock has it in its terms; whose turn it is and since when stands in the
//! table, so that no process owns a clock and any of them can find that one has run out (law 7).

use std::sync::Arc;

use fives_rules::seat::Seat;

use crate::time::{Outage, UnixMillis};

/// How long a person has for a turn, and what follows when turns are missed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TurnClock {
    /// The time for one turn, in milliseconds ([`TurnClock::MIN_TURN_TIME_MS`] to [`TurnClock::MAX_TURN_TIME_MS`]).
    pub turn_time_ms: u32,
    /// With how many missed turns in a row `after_misses` follows (1 to [`TurnClock::MAX_MISSED_TURNS`]).
    pub missed_turns_max: u8,
    /// What follows then.
    pub after_misses: AfterMisses,
}

impl TurnClock {
    /// The shortest time for a turn, in milliseconds.
    pub const MIN_TURN_TIME_MS: u32 = 100;
    /// The longest time for a turn, in milliseconds: a day.
    pub const MAX_TURN_TIME_MS: u32 = 24 * 60 * 60 * 1000;
    /// The most turns in a row that may be missed before something follows.
    pub const MAX_MISSED_TURNS: u8 = 10;

    /// Whether all of it is within the bounds.
    #[must_use]
    pub const fn is_possible(&self) -> bool {
        self.turn_time_ms >= Self::MIN_TURN_TIME_MS
            && self.turn_time_ms <= Self::MAX_TURN_TIME_MS
            && self.missed_turns_max >= 1
            && self.missed_turns_max <= Self::MAX_MISSED_TURNS
    }
}

/// What becomes of a seat whose person has missed too many turns in a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AfterMisses {
    /// A bot keeps it until the person takes it back.
    BotKeepsSeat,
    /// It is resigned.
    Forfeit,
}

/// A turn that is being timed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimedTurn {
    /// Whose turn it is.
    pub seat: Seat,
    /// Since when.
    pub began_at: UnixMillis,
    /// When it runs out, if the service is there all the time.
    pub deadline: UnixMillis,
}

impl TimedTurn {
    /// When it runs out, if the service was away during `outages` (oldest first): an outage costs nobody time, so the deadline
    /// moves by the part of each that lies in the turn.
    #[must_use]
    pub fn deadline_after(&self, outages: &[Outage]) -> UnixMillis {
        outages.iter().fold(self.deadline, |deadline, outage| {
            if outage.from < deadline {
                let shared = outage.to.since(outage.from.max(self.began_at));
                deadline.plus_ms(u64::try_from(shared.as_millis()).unwrap_or(u64::MAX))
            } else {
                deadline
            }
        })
    }
}

/// What the store's clock shows, and when nobody looked at it: all that it takes to say how much time is left.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClockFace {
    /// The store's clock.
    pub now: UnixMillis,
    /// The outages that are known, oldest first.
    pub outages: Arc<[Outage]>,
}

/// How much time is left for a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TurnTimer {
    /// Whose turn it is.
    pub seat: Seat,
    /// The store's clock when this was told.
    pub now: UnixMillis,
    /// When the time is over.
    pub deadline: UnixMillis,
}

impl TurnTimer {
    /// What was left when this was told, in milliseconds; nothing once the time is over.
    #[must_use]
    pub fn remaining_ms(&self) -> u64 {
        u64::try_from(self.deadline.since(self.now).as_millis()).unwrap_or(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moved(outages: &[(u64, u64)]) -> u64 {
        let turn = TimedTurn {
            seat: Seat::ALL[0],
            began_at: UnixMillis(1_000),
            deadline: UnixMillis(2_000),
        };
        let outages: Vec<Outage> = outages
            .iter()
            .map(|&(from, to)| Outage {
                from: UnixMillis(from),
                to: UnixMillis(to),
            })
            .collect();
        turn.deadline_after(&outages).0
    }

    #[test]
    fn a_deadline_moves_by_what_it_shares_with_outages() {
        for (outages, expected) in [
            (&[][..], 2_000),
            // Before the turn, and after its end.
            (&[(0, 1_000), (2_000, 9_000)], 2_000),
            // Within the turn, over its beginning, over its end: of the last, all that was left is still left.
            (&[(1_200, 1_300)], 2_100),
            (&[(500, 1_100)], 2_100),
            (&[(1_900, 9_900)], 10_000),
            // The first moves the deadline behind the beginning of the second.
            (&[(1_500, 1_800), (2_200, 2_500)], 2_600),
            (&[(0, 99_000)], 100_000),
        ] {
            assert_eq!(moved(outages), expected, "{outages:?}");
        }
    }

    #[test]
    fn damaged_outages_move_nothing_backwards() {
        assert_eq!(moved(&[(1_800, 1_200)]), 2_000);
        assert_eq!(moved(&[(0, u64::MAX)]), u64::MAX);
    }
}
