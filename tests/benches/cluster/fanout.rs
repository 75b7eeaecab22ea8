//! One match before a large public.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use futures::StreamExt;
use futures::stream::select_all;
use tokio::sync::Notify;
use tokio::task::JoinSet;
use tonic::transport::Channel;

use crate::bare::Room;
use crate::echo::Caller;
use crate::measuring::{Calling, Figures, ROUNDS, channels, median, row};
use crate::players::Duel;
use crate::servers::Servers;
use crate::watching::{Updates, open_all, watch, watch_bare};

pub(crate) const CONNECTIONS: usize = 50;

/// Watchers, and how many moves they are shown.
const ROWS: [(usize, usize); 2] = [(1_000, 400), (5_000, 100)];
const WARM_UP_MOVES: usize = 10;
const GOAL: f64 = 0.8;

/// How many streams are opened at the same time.
const OPENED_AT_ONCE: usize = 250;

pub(crate) async fn run() {
    let servers = Servers::start().await;
    println!("fanout: one match over {CONNECTIONS} connections; {:?}", servers.sizes);
    println!("watchers  what   deliveries/s   p50 ms   p99 ms   server µs a delivery");
    for (watchers, moves) in ROWS {
        let mut ratios = Vec::new();
        for _ in 0..ROUNDS {
            let (duel, updates) = served(&servers, watchers).await;
            let before = servers.fives.cpu();
            let served = show(duel, updates, moves).await;
            let served_us = us_each(servers.fives.cpu() - before, watchers, moves);
            let (caller, updates) = bare(&servers, watchers).await;
            let before = servers.bare.cpu();
            let bare = show(caller, updates, moves).await;
            let bare_us = us_each(servers.bare.cpu() - before, watchers, moves);
            println!("{watchers:>8}  Fives {} {served_us:>11.2}", row(&served));
            println!("{watchers:>8}  bare  {} {bare_us:>11.2}", row(&bare));
            ratios.push(served.calls_per_s / bare.calls_per_s);
        }
        let ratio = median(ratios);
        println!("{watchers:>8}  median: {ratio:.2} of the bare stream (goal {GOAL:.2})");
    }
}

fn us_each(used: Duration, watchers: usize, moves: usize) -> f64 {
    used.as_secs_f64() * 1e6 / (watchers * (moves + WARM_UP_MOVES)) as f64
}

/// A match of Fives with so many watchers.
pub(crate) async fn served(servers: &Servers, watchers: usize) -> (Duel, Vec<Updates>) {
    let channels = channels(servers.fives.port, CONNECTIONS);
    let duel = Duel::sit_down(channels[0].clone(), servers.store.clone()).await;
    let updates = opened(&channels, watchers, |channel| watch(channel, &duel.match_id)).await;
    (duel, updates)
}

/// A match of the bare room with so many.
pub(crate) async fn bare(servers: &Servers, watchers: usize) -> (Caller, Vec<Updates>) {
    let channels = channels(servers.bare.port, CONNECTIONS);
    let caller = Caller::new::<Room>(channels[0].clone(), 0);
    let watch = |channel| watch_bare(channel, &caller.request.match_id, servers.sizes.watched);
    let updates = opened(&channels, watchers, watch).await;
    (caller, updates)
}

async fn opened<F: Future<Output = Updates>>(
    channels: &[Channel],
    watchers: usize,
    watch: impl Fn(Channel) -> F,
) -> Vec<Updates> {
    let opening = (0..watchers).map(|watcher| watch(channels[watcher % CONNECTIONS].clone()));
    open_all(opening, OPENED_AT_ONCE).await
}

/// What those who play and those who watch know of each other.
struct Shown {
    begun: Instant,
    /// When the newest move was sent, in nanoseconds after `begun`.
    sent_ns: AtomicU64,
    /// How many watchers have not been shown the newest move yet.
    waiting: AtomicUsize,
    all_have_it: Notify,
}

/// Makes moves, each when all have been shown the one before. How long it took from sending the move to each of them.
async fn show<C: Calling>(mut player: C, updates: Vec<Updates>, moves: usize) -> Figures {
    let watchers = updates.len();
    let shown = Arc::new(Shown {
        begun: Instant::now(),
        sent_ns: AtomicU64::new(0),
        waiting: AtomicUsize::new(0),
        all_have_it: Notify::new(),
    });
    let mut watching = JoinSet::new();
    for of_connection in by_connection(updates) {
        watching.spawn(look_on(of_connection, moves + WARM_UP_MOVES, Arc::clone(&shown)));
    }
    let mut begun = Instant::now();
    for number in 0..WARM_UP_MOVES + moves {
        if number == WARM_UP_MOVES {
            begun = Instant::now();
        }
        shown.waiting.store(watchers, Ordering::SeqCst);
        shown
            .sent_ns
            .store(shown.begun.elapsed().as_nanos() as u64, Ordering::SeqCst);
        player.call().await;
        shown.all_have_it.notified().await;
    }
    let elapsed = begun.elapsed();
    Figures::of(watching.join_all().await.concat(), elapsed)
}

fn by_connection(updates: Vec<Updates>) -> Vec<Vec<Updates>> {
    let mut sorted: Vec<Vec<Updates>> = (0..CONNECTIONS).map(|_| Vec::new()).collect();
    for (watcher, updates) in updates.into_iter().enumerate() {
        sorted[watcher % CONNECTIONS].push(updates);
    }
    sorted
}

/// Receives so many moves on each of these streams; how long each took, but for those of the warm-up.
async fn look_on(updates: Vec<Updates>, moves: usize, shown: Arc<Shown>) -> Vec<Duration> {
    let watchers = updates.len();
    let mut updates = select_all(updates);
    let mut latencies = Vec::with_capacity(watchers * moves);
    for number in 0..watchers * moves {
        updates.next().await.expect("the match goes on").unwrap();
        let took_ns = shown.begun.elapsed().as_nanos() as u64 - shown.sent_ns.load(Ordering::SeqCst);
        if number >= watchers * WARM_UP_MOVES {
            latencies.push(Duration::from_nanos(took_ns));
        }
        if shown.waiting.fetch_sub(1, Ordering::SeqCst) == 1 {
            shown.all_have_it.notify_one();
        }
    }
    latencies
}
