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

#[path = "../shared/echo.rs"]
mod echo;
#[path = "../shared/measuring.rs"]
mod measuring;
#[path = "../shared/players.rs"]
mod players;

use std::sync::Arc;

use fives_lobby::store::SharedLobbyStore;
use fives_server::config::{Config, Limits, ServeArgs};
use fives_store::embedded::EmbeddedStore;
use mimalloc::MiMalloc;
use tokio::net::TcpListener;
use tonic::transport::Server;

use echo::{Bare, Nothing};
use measuring::{CONNECTIONS, ROUNDS, channels, measure, median, row};
use players::Duel;

/// As in the program `fives`; the echo has it, too.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let store: SharedLobbyStore = Arc::new(EmbeddedStore::open(folder.path()).unwrap());
    let mut config = Config::try_from(ServeArgs::default()).unwrap();
    config.limits = Limits::none(Vec::new());
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let served = channels(listener.local_addr().unwrap().port(), CONNECTIONS);
    tokio::spawn(fives_server::serve(
        config,
        listener,
        store.clone(),
        std::future::pending(),
    ));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let echo = channels(listener.local_addr().unwrap().port(), CONNECTIONS);
    tokio::spawn(echo::serve(listener, Server::builder().add_service(Bare(Nothing))));

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
            let callers =
                (0..in_flight).map(|task| echo::Caller::new::<Nothing>(echo[task % CONNECTIONS].clone(), task));
            let echoes = measure(callers.collect()).await;
            let ratio = plays.calls_per_s / echoes.calls_per_s;
            println!("{in_flight:>9}  {}  {}  {ratio:>6.2}", row(&plays), row(&echoes));
            ratios.push(ratio);
        }
        println!("{in_flight:>9}  median ratio {:.2}", median(ratios));
    }
}
