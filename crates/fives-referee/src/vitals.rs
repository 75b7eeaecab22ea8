//! What is counted here. Names and units follow OpenTelemetry's conventions; no label ever names a match or a player.

use std::sync::LazyLock;
use std::time::Duration;

use opentelemetry::metrics::{Counter, Histogram};
use opentelemetry::{KeyValue, global};

/// From a millisecond to what nobody should ever see, in seconds.
const LATENESS_S: [f64; 13] = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 30.0,
];

pub(crate) struct Vitals {
    /// Commits that found the match at another cursor.
    pub(crate) conflicts: Counter<u64>,
    /// Requests that were answered again.
    pub(crate) repeated: Counter<u64>,
    /// Followed matches whose history was lost.
    pub(crate) resets: Counter<u64>,
    /// Snapshots that followers got because they were too far behind.
    pub(crate) snapshots: Counter<u64>,
    /// From a commit to the moment when followers are sent it.
    pub(crate) feed_lag: Histogram<f64>,
    fired: Counter<u64>,
    lateness: Histogram<f64>,
}

impl Vitals {
    /// Counts a table that has done what it was due for, so late.
    pub(crate) fn fired(&self, by: &'static str, late: Duration) {
        self.fired.add(1, &[KeyValue::new("fives.author", by)]);
        self.lateness.record(late.as_secs_f64(), &[]);
    }
}

/// The instruments of this process. Whoever wants them collected sets the global provider before the first match.
pub(crate) fn vitals() -> &'static Vitals {
    static VITALS: LazyLock<Vitals> = LazyLock::new(|| {
        let meter = global::meter("fives");
        let counter = |name, unit, description| {
            meter
                .u64_counter(name)
                .with_unit(unit)
                .with_description(description)
                .build()
        };
        let seconds = |name, description| {
            meter
                .f64_histogram(name)
                .with_unit("s")
                .with_description(description)
                .with_boundaries(LATENESS_S.to_vec())
                .build()
        };
        let vitals = Vitals {
            conflicts: counter(
                "fives.commit.conflicts",
                "{commit}",
                "Commits that found the match at another cursor",
            ),
            repeated: counter(
                "fives.requests.repeated",
                "{request}",
                "Requests that were answered again under the same id",
            ),
            resets: counter(
                "fives.resets",
                "{match}",
                "Followed matches of which the store lost the newest revisions",
            ),
            snapshots: counter(
                "fives.feed.snapshots",
                "{snapshot}",
                "Snapshots that replaced what a stream had missed",
            ),
            feed_lag: seconds(
                "fives.feed.lag",
                "From a commit to the moment when it is handed to the streams",
            ),
            fired: counter(
                "fives.due.fired",
                "{match}",
                "Matches that did what they were due for: bots' plays, clocks that ran out",
            ),
            lateness: seconds("fives.due.lateness", "How late that was"),
        };
        // From the beginning: an alarm about the first one needs to see that there was none.
        for counter in [&vitals.conflicts, &vitals.repeated, &vitals.resets, &vitals.snapshots] {
            counter.add(0, &[]);
        }
        vitals
    });
    &VITALS
}
