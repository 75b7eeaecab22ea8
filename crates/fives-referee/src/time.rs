//! Points in time, always by the store's clock (law 7).

use std::time::Duration;

/// Milliseconds since 1970 by the store's clock.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct UnixMillis(pub u64);

/// A time in which no process of the service was there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Outage {
    /// The last sign of life before it.
    pub from: UnixMillis,
    /// The first sign of life after it.
    pub to: UnixMillis,
}

impl UnixMillis {
    /// This much later.
    #[must_use]
    pub const fn plus_ms(self, ms: u64) -> Self {
        Self(self.0.saturating_add(ms))
    }

    /// How long after `earlier` this is; nothing if it is before.
    #[must_use]
    pub const fn since(self, earlier: Self) -> Duration {
        Duration::from_millis(self.0.saturating_sub(earlier.0))
    }
}
