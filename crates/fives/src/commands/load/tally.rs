//! What a run has come to so far; everybody adds to it.

use std::fmt::Display;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hdrhistogram::Histogram;
use hdrhistogram::errors::CreationError;

use super::finding::Finding;

/// Of failures and of findings, the first so many are kept; all are counted.
const KEPT: usize = 20;

/// The longest call that is told from longer ones, in microseconds: ten minutes.
const LONGEST_US: u64 = 600_000_000;

/// The counts of a run.
pub(super) struct Tally {
    moves: AtomicU64,
    deliveries: AtomicU64,
    started: AtomicU64,
    finished: AtomicU64,
    audited: AtomicU64,
    snapshots: AtomicU64,
    retries: Arc<AtomicU64>,
    latency_us: Mutex<Histogram<u64>>,
    failures: Mutex<Few>,
    findings: Mutex<Few>,
}

/// The first of many messages, and how many there are.
#[derive(Clone, Default, Debug)]
pub(super) struct Few {
    pub(super) count: u64,
    pub(super) first: Vec<String>,
}

/// The counts at one moment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading {
    pub(super) moves: u64,
    pub(super) deliveries: u64,
    pub(super) started: u64,
    pub(super) finished: u64,
    /// Finished ones and those that were called off.
    pub(super) audited: u64,
    /// Those that bridged something, not those that streams begin with.
    pub(super) snapshots: u64,
    pub(super) retries: u64,
    pub(super) failures: u64,
    pub(super) findings: u64,
}

impl Tally {
    /// `retries` is counted by the clients.
    pub(super) fn new(retries: Arc<AtomicU64>) -> Result<Self, CreationError> {
        Ok(Self {
            moves: AtomicU64::new(0),
            deliveries: AtomicU64::new(0),
            started: AtomicU64::new(0),
            finished: AtomicU64::new(0),
            audited: AtomicU64::new(0),
            snapshots: AtomicU64::new(0),
            retries,
            latency_us: Mutex::new(Histogram::new_with_bounds(1, LONGEST_US, 3)?),
            failures: Mutex::default(),
            findings: Mutex::default(),
        })
    }

    /// A play was acknowledged after `took`, all tries together.
    pub(super) fn moved(&self, took: Duration) {
        self.moves.fetch_add(1, Ordering::Relaxed);
        let took_us = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        lock(&self.latency_us).saturating_record(took_us);
    }

    /// A watcher was shown so many revisions.
    pub(super) fn deliver(&self, batches: u64) {
        self.deliveries.fetch_add(batches, Ordering::Relaxed);
    }

    /// A call or stream failed for good.
    pub(super) fn fail(&self, what: String, error: &impl Display) {
        lock(&self.failures).add(|| format!("{what}: {error}"));
    }

    pub(super) fn started(&self) {
        self.started.fetch_add(1, Ordering::Relaxed);
    }

    /// A match is over or was called off, and this is what its audit found.
    pub(super) fn audited(&self, finished: bool, snapshots: u64, found: Vec<Finding>) {
        self.finished.fetch_add(finished.into(), Ordering::Relaxed);
        self.audited.fetch_add(1, Ordering::Relaxed);
        self.snapshots.fetch_add(snapshots, Ordering::Relaxed);
        let mut findings = lock(&self.findings);
        for finding in found {
            findings.add(|| finding.to_string());
        }
    }

    pub(super) fn reading(&self) -> Reading {
        let read = |count: &AtomicU64| count.load(Ordering::Relaxed);
        Reading {
            moves: read(&self.moves),
            deliveries: read(&self.deliveries),
            started: read(&self.started),
            finished: read(&self.finished),
            audited: read(&self.audited),
            snapshots: read(&self.snapshots),
            retries: read(&self.retries),
            failures: lock(&self.failures).count,
            findings: lock(&self.findings).count,
        }
    }

    pub(super) fn failures(&self) -> Few {
        lock(&self.failures).clone()
    }

    pub(super) fn findings(&self) -> Few {
        lock(&self.findings).clone()
    }

    pub(super) fn latency_us(&self) -> Histogram<u64> {
        lock(&self.latency_us).clone()
    }
}

impl Few {
    fn add(&mut self, message: impl FnOnce() -> String) {
        self.count += 1;
        if self.first.len() < KEPT {
            self.first.push(message());
        }
    }
}

/// Counts are whole after every step, so a panic elsewhere spoils nothing.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
