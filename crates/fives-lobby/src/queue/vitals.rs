//! What is counted of queues. The label is the name of a queue: there are as many as are configured.

use std::time::Duration;

use opentelemetry::metrics::{Gauge, Histogram};
use opentelemetry::{KeyValue, global};

use super::QueueName;

/// From a moment to what nobody waits for, in seconds.
const WAITS_S: [f64; 11] = [0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 60.0, 120.0, 300.0, 900.0];

pub(super) struct Vitals {
    tickets: Gauge<u64>,
    waits: Histogram<f64>,
}

impl Vitals {
    /// The instruments of this process.
    pub(super) fn new() -> Self {
        let meter = global::meter("fives");
        Self {
            tickets: meter
                .u64_gauge("fives.queue.tickets")
                .with_unit("{ticket}")
                .with_description("Players who wait in a queue, of the whole store")
                .build(),
            waits: meter
                .f64_histogram("fives.queue.wait")
                .with_unit("s")
                .with_description("How long players waited until they were seated, by the process that seated them")
                .with_boundaries(WAITS_S.to_vec())
                .build(),
        }
    }

    pub(super) fn waiting(&self, queue: &QueueName, tickets: u64) {
        self.tickets.record(tickets, &[label(queue)]);
    }

    pub(super) fn matched(&self, queue: &QueueName, waited: Duration) {
        self.waits.record(waited.as_secs_f64(), &[label(queue)]);
    }
}

fn label(queue: &QueueName) -> KeyValue {
    KeyValue::new("fives.queue.name", queue.to_string())
}
