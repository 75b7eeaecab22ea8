//! `PlayTile` alone, nobody watches: what Fives costs on top of its transport, and on top of transport and script.

use crate::bare::Commit;
use crate::echo::{Behind, Caller, Nothing};
use crate::measuring::{CONNECTIONS, Figures, ROUNDS, channels, median, row};
use crate::players::Duel;
use crate::servers::{COST_HEAD, Cost, Servers, measure};

/// Calls under way, and the goals: the share of the bare script, and of the echo.
const ROWS: [(usize, f64, f64); 2] = [(32, 0.85, 0.45), (256, 0.85, 0.55)];

pub(crate) async fn run() {
    let servers = Servers::start().await;
    println!("play: PlayTile over {CONNECTIONS} connections; {:?}", servers.sizes);
    println!("in flight  what       calls/s   p50 ms   p99 ms{COST_HEAD}");
    for (in_flight, of_commit_goal, of_echo_goal) in ROWS {
        let mut of_commit = Vec::new();
        let mut of_echo = Vec::new();
        for _ in 0..ROUNDS {
            let played = played(&servers, in_flight).await;
            let committed = called::<Commit>(&servers, in_flight).await;
            let echoed = called::<Nothing>(&servers, in_flight).await;
            for (what, (figures, cost)) in [("PlayTile", &played), ("script", &committed), ("echo", &echoed)] {
                println!("{in_flight:>9}  {what:<8} {} {cost}", row(figures));
            }
            of_commit.push(played.0.calls_per_s / committed.0.calls_per_s);
            of_echo.push(played.0.calls_per_s / echoed.0.calls_per_s);
        }
        println!(
            "{in_flight:>9}  median: {:.2} of the script (goal {of_commit_goal:.2}), {:.2} of the echo (goal {of_echo_goal:.2})",
            median(of_commit),
            median(of_echo),
        );
    }
}

async fn played(servers: &Servers, in_flight: usize) -> (Figures, Cost) {
    let channels = channels(servers.fives.port, CONNECTIONS);
    let mut duels = Vec::new();
    for channel in channels.iter().cycle().take(in_flight) {
        duels.push(Duel::sit_down(channel.clone(), servers.store.clone()).await);
    }
    measure(duels, &servers.fives, &servers.redis).await
}

async fn called<B: Behind>(servers: &Servers, in_flight: usize) -> (Figures, Cost) {
    let channels = channels(servers.bare.port, CONNECTIONS);
    let callers = (0..in_flight).map(|task| Caller::new::<B>(channels[task % CONNECTIONS].clone(), task));
    measure(callers.collect(), &servers.bare, &servers.redis).await
}
