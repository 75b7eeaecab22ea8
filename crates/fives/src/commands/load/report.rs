//! What is said at the end of a run.

use std::io::{self, Write};
use std::time::Duration;

use hdrhistogram::Histogram;
use serde_json::{Value, json};

use super::tally::{Few, Reading, Tally};
use crate::failure::Failure;

/// A run in numbers.
pub(super) struct Report {
    /// At the end of the time that was asked for; rates are of this time.
    window: Reading,
    window_s: f64,
    total: Reading,
    latency_us: Histogram<u64>,
    failures: Few,
    findings: Few,
}

impl Report {
    pub(super) fn new(window: Reading, took: Duration, tally: &Tally) -> Self {
        Self {
            window,
            window_s: took.as_secs_f64().max(f64::MIN_POSITIVE),
            total: tally.reading(),
            latency_us: tally.latency_us(),
            failures: tally.failures(),
            findings: tally.findings(),
        }
    }

    fn a_second(&self, count: u64) -> f64 {
        count as f64 / self.window_s
    }

    fn quantile_ms(&self, quantile: f64) -> f64 {
        self.latency_us.value_at_quantile(quantile) as f64 / 1000.0
    }

    fn called_off(&self) -> u64 {
        self.total.audited - self.total.finished
    }

    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let Reading {
            moves,
            started,
            finished,
            snapshots,
            retries,
            ..
        } = self.total;
        let called_off = self.called_off();
        writeln!(
            out,
            "matches: {started} started, {finished} finished, {called_off} called off; all audited"
        )?;
        writeln!(out, "moves: {moves}, {:.0}/s", self.a_second(self.window.moves))?;
        writeln!(
            out,
            "PlayTile: p50 {:.2} ms, p90 {:.2} ms, p99 {:.2} ms, max {:.2} ms",
            self.quantile_ms(0.5),
            self.quantile_ms(0.9),
            self.quantile_ms(0.99),
            self.latency_us.max() as f64 / 1000.0
        )?;
        writeln!(
            out,
            "deliveries to watchers: {}, {:.0}/s",
            self.total.deliveries,
            self.a_second(self.window.deliveries)
        )?;
        writeln!(
            out,
            "tries repeated: {retries}; snapshots in the middle of a stream: {snapshots}"
        )?;
        list(out, "calls failed for good", &self.failures)?;
        list(out, "findings", &self.findings)
    }

    pub(super) fn json(&self) -> Value {
        json!({
            "matches": {
                "started": self.total.started,
                "finished": self.total.finished,
                "called_off": self.called_off(),
            },
            "moves": self.total.moves,
            "moves_per_s": self.a_second(self.window.moves),
            "play_tile_ms": {
                "p50": self.quantile_ms(0.5),
                "p90": self.quantile_ms(0.9),
                "p99": self.quantile_ms(0.99),
                "max": self.latency_us.max() as f64 / 1000.0,
            },
            "deliveries": self.total.deliveries,
            "deliveries_per_s": self.a_second(self.window.deliveries),
            "retries": self.total.retries,
            "snapshots": self.total.snapshots,
            "failures": { "count": self.failures.count, "first": self.failures.first },
            "findings": { "count": self.findings.count, "first": self.findings.first },
        })
    }

    /// Whether the run went well.
    pub(super) fn verdict(&self) -> Result<(), Failure> {
        match (self.failures.count, self.findings.count) {
            (0, 0) if self.total.moves == 0 => Err(Failure::Fault("no move was made".to_owned())),
            (0, 0) => Ok(()),
            (failures, findings) => Err(Failure::Fault(format!(
                "{failures} calls failed for good, the audit has {findings} findings"
            ))),
        }
    }
}

fn list(out: &mut impl Write, title: &str, few: &Few) -> io::Result<()> {
    writeln!(out, "{title}: {}", few.count)?;
    for message in &few.first {
        writeln!(out, "  {message}")?;
    }
    let more = few.count - few.first.len() as u64;
    if more > 0 {
        writeln!(out, "  … and {more} more")?;
    }
    Ok(())
}
