//! How long matches are kept.

use std::time::Duration;

use fives_referee::table::{MatchState, Table};
use fives_referee::time::UnixMillis;

/// How long a match is kept after its last change, by its state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Retention {
    /// While it waits for seats to be taken.
    pub open: Duration,
    /// While it is played.
    pub live: Duration,
    /// After its end, or after it was given up.
    pub settled: Duration,
    /// What is archived of it, after its end; `None` for ever.
    pub archived: Option<Duration>,
}

impl Retention {
    /// How long `table` is kept if nothing more happens.
    #[must_use]
    pub fn of(&self, table: &Table) -> Duration {
        match table.state() {
            MatchState::Open => self.open,
            MatchState::Live => self.live,
            MatchState::Finished | MatchState::Closed => self.settled,
        }
    }

    /// How long what is archived is kept, in milliseconds.
    #[must_use]
    pub fn archived_ms(&self) -> Option<u64> {
        let ms = self.archived?.as_millis();
        Some(u64::try_from(ms).unwrap_or(u64::MAX))
    }

    /// When `table` goes if nothing more happens.
    #[must_use]
    pub fn end_of(&self, table: &Table) -> UnixMillis {
        table.changed_at.plus_ms(self.of(table).as_millis() as u64)
    }
}

impl Default for Retention {
    /// Half an hour, a week, six hours; 30 days in the archive.
    fn default() -> Self {
        const HOUR_S: u64 = 3600;
        Self {
            open: Duration::from_secs(HOUR_S / 2),
            live: Duration::from_secs(7 * 24 * HOUR_S),
            settled: Duration::from_secs(6 * HOUR_S),
            archived: Some(Duration::from_secs(30 * 24 * HOUR_S)),
        }
    }
}
