//! Calls at the same time, one after another each, and what they took.

use std::time::{Duration, Instant};

use tonic::transport::{Channel, Endpoint};

pub(crate) const CONNECTIONS: usize = 4;
pub(crate) const WARM_UP: Duration = Duration::from_secs(1);
pub(crate) const MEASURED: Duration = Duration::from_secs(4);
pub(crate) const ROUNDS: usize = 3;

/// Calls a second and latencies of one measurement.
pub(crate) struct Figures {
    pub(crate) calls_per_s: f64,
    pub(crate) p50: Duration,
    pub(crate) p99: Duration,
}

impl Figures {
    pub(crate) fn of(mut latencies: Vec<Duration>, elapsed: Duration) -> Self {
        latencies.sort_unstable();
        let at = |share: f64| latencies[((latencies.len() - 1) as f64 * share) as usize];
        Self {
            calls_per_s: latencies.len() as f64 / elapsed.as_secs_f64(),
            p50: at(0.5),
            p99: at(0.99),
        }
    }
}

/// One measurement in a table.
pub(crate) fn row(figures: &Figures) -> String {
    let ms = |latency: Duration| latency.as_secs_f64() * 1e3;
    format!(
        "{:>10.0} {:>8.2} {:>8.2}",
        figures.calls_per_s,
        ms(figures.p50),
        ms(figures.p99)
    )
}

/// So many connections to a port of this machine, made when they are first used.
pub(crate) fn channels(port: u16, count: usize) -> Vec<Channel> {
    let endpoint = Endpoint::from_shared(format!("http://127.0.0.1:{port}"))
        .unwrap()
        .tcp_nodelay(true);
    (0..count).map(|_| endpoint.connect_lazy()).collect()
}

/// Somebody who calls, and says how long each call took.
pub(crate) trait Calling: Send + 'static {
    /// Makes one call.
    fn call(&mut self) -> impl Future<Output = Duration> + Send;
}

/// Has all of them call at the same time, one call after another each, for a while.
pub(crate) async fn measure<C: Calling>(callers: Vec<C>) -> Figures {
    let begin = Instant::now() + WARM_UP;
    let end = begin + MEASURED;
    let calling = callers.into_iter().map(|mut caller| {
        tokio::spawn(async move {
            let mut latencies = Vec::new();
            while Instant::now() < end {
                let latency = caller.call().await;
                if Instant::now() >= begin {
                    latencies.push(latency);
                }
            }
            latencies
        })
    });
    let mut latencies = Vec::new();
    for caller in calling.collect::<Vec<_>>() {
        latencies.extend(caller.await.unwrap());
    }
    Figures::of(latencies, MEASURED)
}

pub(crate) fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}
