//! Matchmaking: players wait in a queue until there is a fair table for them.
//!
//! ```text
//! join ─▶ ticket ─▶ claim (match id, seats) ─▶ the match is made ─▶ claim closed: the ticket leads to the match
//! ```
//!
//! Nobody owns a queue. Tickets and claims lie in the store; every process looks at all queues, and a claim is one atomic step
//! that takes all of its tickets or none. The id of the match is chosen before the match is made, so whoever finds a claim
//! that its process did not finish, finishes it: making the same match twice is making it once.

mod clerk;
mod lounge;
mod matching;
mod matchmaker;
mod ticket;
mod vitals;
mod waiter;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use fives_referee::clock::TurnClock;
use fives_rules::options::MatchOptions;
use fives_rules::seat::Seating;
use thiserror::Error;

pub use matching::{Chosen, find_tables};
pub use matchmaker::{Matchmaker, Overview};
pub use ticket::{Claim, Line, Look, Standing, Ticket};
pub use waiter::{Progress, Waiter};

/// The name of a queue: 1 to 32 small letters, digits and hyphens.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct QueueName(Arc<str>);

/// Why a text is no name of a queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("a queue is called by 1 to {} small letters, digits and hyphens", QueueName::MAX_LEN)]
pub struct QueueNameError;

impl QueueName {
    /// The longest name.
    pub const MAX_LEN: usize = 32;

    /// Takes a text for a name.
    ///
    /// # Errors
    /// If it cannot be one.
    pub fn new(text: &str) -> Result<Self, QueueNameError> {
        let is_sound = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        if (1..=Self::MAX_LEN).contains(&text.len()) && text.bytes().all(is_sound) {
            Ok(Self(text.into()))
        } else {
            Err(QueueNameError)
        }
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for QueueName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What a queue leads to, and how it chooses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Queue {
    /// What it is called.
    pub name: QueueName,
    /// What its matches are played with.
    pub options: MatchOptions,
    /// How long a person may think there.
    pub clock: Option<TurnClock>,
    /// Whether results count for ratings.
    pub ranked: bool,
    /// After how long a wait bots fill the seats that are left; `None`: never.
    pub bots_after_ms: Option<u64>,
    /// How far apart ratings may be; `None`: as far as they like.
    pub window: Option<RatingWindow>,
}

impl Queue {
    /// How many seats its tables have.
    #[must_use]
    pub const fn seats(&self) -> usize {
        self.options.players().count()
    }

    /// Whether two play as partners, and a player may come with one.
    #[must_use]
    pub fn has_partners(&self) -> bool {
        self.options.seating() == Seating::Partners
    }
}

/// How far apart the ratings at a table may be: the farther, the longer somebody has waited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RatingWindow {
    /// For who has just come, in points.
    pub start: u32,
    /// By how much it grows with each second of waiting.
    pub widen_per_s: u32,
    /// How far it grows at most; `None`: without end.
    pub most: Option<u32>,
}

impl RatingWindow {
    /// After so long a wait.
    #[must_use]
    pub fn after(&self, waited: Duration) -> u32 {
        let grown = waited.as_millis().saturating_mul(self.widen_per_s.into()) / 1000;
        let grown = u32::try_from(grown).unwrap_or(u32::MAX).saturating_add(self.start);
        self.most.map_or(grown, |most| grown.min(most))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_short_and_plain() {
        for text in ["duel", "4-at-a-table", &"x".repeat(32)] {
            assert_eq!(QueueName::new(text).unwrap().as_str(), text);
        }
        for text in ["", "Duel", "a b", "a_b", "ä", "a\0", &"x".repeat(33)] {
            assert_eq!(QueueName::new(text), Err(QueueNameError), "{text:?}");
        }
    }

    #[test]
    fn a_window_widens_up_to_its_end() {
        let window = |most| RatingWindow {
            start: 100,
            widen_per_s: 10,
            most,
        };
        let after = |most, ms| window(most).after(Duration::from_millis(ms));
        assert_eq!([0, 99, 100, 5_000].map(|ms| after(Some(140), ms)), [100, 100, 101, 140]);
        assert_eq!(after(None, 60_000), 700);
        assert_eq!(window(None).after(Duration::MAX), u32::MAX);
    }
}
