//! How many plays a second one server acknowledges, every one of them on the disk: `make bench-serve`.
//!
//! Printed beside a bare tonic echo that receives and answers messages of the same sizes, over as many connections, in the
//! same process and run: the ratio is what Fives costs on top of its transport. Servers and clients share the cores.

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a benchmark prints, and stops at the first trouble"
)]

mod echo;
mod players;

use std::sync::Arc;
use std::time::{Duration, Instant};

use fives_server::config::{Config, ServeArgs};
use fives_store::embedded::EmbeddedStore;
use mimalloc::MiMalloc;
use tokio::net::TcpListener;
use tonic::transport::{Channel, Endpoint};

use players::Duel;

/// As in the program `fives`; the echo has it, too.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

const CONNECTIONS: usize = 4;
const WARM_UP: Duration = Duration::from_secs(1);
const MEASURED: Duration = Duration::from_secs(4);
const ROUNDS: usize = 3;

/// Calls a second and latencies of one measurement.
struct Figures {
    calls_per_s: f64,
    p50: Duration,
    p99: Duration,
}

impl Figures {
    fn of(mut latencies: Vec<Duration>, elapsed: Duration) -> Self {
        latencies.sort_unstable();
        let at = |share: f64| latencies[((latencies.len() - 1) as f64 * share) as usize];
        Self {
            calls_per_s: latencies.len() as f64 / elapsed.as_secs_f64(),
            p50: at(0.5),
            p99: at(0.99),
        }
    }
}

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let store: Arc<EmbeddedStore> = Arc::new(EmbeddedStore::open(folder.path()).unwrap());
    let config = Config::try_from(ServeArgs::default()).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let served = channels(listener.local_addr().unwrap().port()).await;
    tokio::spawn(fives_server::serve(
        config,
        listener,
        store.clone(),
        std::future::pending(),
    ));
    let echo = channels(echo::start().await).await;

    println!(
        "PlayTile, every answer durable, beside a bare tonic echo of the same message sizes ({CONNECTIONS} connections)"
    );
    println!(
        "{:>9}  {:>28}  {:>28}  {:>6}",
        "in flight", "PlayTile/s   p50 ms   p99 ms", "echo/s   p50 ms   p99 ms", "ratio"
    );
    for in_flight in [1, 32, 256] {
        let mut ratios = Vec::new();
        for _ in 0..ROUNDS {
            let mut duels = Vec::new();
            for task in 0..in_flight {
                duels.push(Duel::sit_down(served[task % CONNECTIONS].clone(), store.clone()).await);
            }
            let plays = measure(duels).await;
            let callers = (0..in_flight).map(|task| echo::Caller::new(echo[task % CONNECTIONS].clone(), task));
            let echoes = measure(callers.collect()).await;
            let ratio = plays.calls_per_s / echoes.calls_per_s;
            println!("{in_flight:>9}  {}  {}  {ratio:>6.2}", row(&plays), row(&echoes));
            ratios.push(ratio);
        }
        ratios.sort_by(f64::total_cmp);
        println!("{in_flight:>9}  median ratio {:.2}", ratios[ROUNDS / 2]);
    }
}

fn row(figures: &Figures) -> String {
    let ms = |latency: Duration| latency.as_secs_f64() * 1e3;
    format!(
        "{:>10.0} {:>8.2} {:>8.2}",
        figures.calls_per_s,
        ms(figures.p50),
        ms(figures.p99)
    )
}

async fn channels(port: u16) -> Vec<Channel> {
    let endpoint = Endpoint::from_shared(format!("http://127.0.0.1:{port}"))
        .unwrap()
        .tcp_nodelay(true);
    (0..CONNECTIONS).map(|_| endpoint.connect_lazy()).collect()
}

/// Somebody who calls, and says how long each call took.
pub(crate) trait Calling: Send + 'static {
    /// Makes one call.
    fn call(&mut self) -> impl Future<Output = Duration> + Send;
}

/// Has all of them call at the same time, one call after another each, for a while.
async fn measure<C: Calling>(callers: Vec<C>) -> Figures {
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
