//! What many matches and many watchers cost.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use futures::future::join_all;
use redis::cmd;
use tokio::sync::Mutex;
use tonic::transport::Channel;

use crate::fanout;
use crate::measuring::{CONNECTIONS, Calling, ROUNDS, channels, median, row};
use crate::players::{Duel, Person};
use crate::processes::Process;
use crate::servers::{COST_HEAD, Servers, connect, key, measure};
use crate::watching::{Updates, next};

const STORED: [usize; 2] = [1_000, 20_000];
const IN_FLIGHT: usize = 64;

const TURNS: usize = 40;
const MATCH_GOAL_BYTES: f64 = 20_000.0;

const WATCHERS: usize = 5_000;
const SHOWN: usize = 3;
const WATCHER_GOAL_BYTES: f64 = 12_000.0;

pub(crate) async fn run() {
    matches().await;
    bytes_of_a_match().await;
    bytes_of_a_watcher().await;
}

/// Moves in all of the stored matches in turn.
async fn matches() {
    let servers = Servers::start().await;
    println!("growth: PlayTile, {IN_FLIGHT} in flight over {CONNECTIONS} connections");
    println!("live matches     moves/s   p50 ms   p99 ms{COST_HEAD}");
    let channels = channels(servers.fives.port, CONNECTIONS);
    let groups: Vec<Group> = (0..IN_FLIGHT).map(|_| Group::default()).collect();
    let mut rates = Vec::new();
    for matches in STORED {
        let filling = groups.iter().zip(channels.iter().cycle());
        join_all(filling.map(|(group, channel)| group.fill(channel, &servers, matches / IN_FLIGHT))).await;
        let mut of_rounds = Vec::new();
        for _ in 0..ROUNDS {
            let (figures, cost) = measure(groups.clone(), &servers.fives, &servers.redis).await;
            println!("{matches:>12}  {} {cost}", row(&figures));
            of_rounds.push(figures.calls_per_s);
        }
        rates.push(median(of_rounds));
    }
    let ratio = rates[1] / rates[0];
    println!(
        "{:>12}  median: {ratio:.2} of the moves/s with {}",
        STORED[1], STORED[0]
    );
}

/// Matches that somebody plays in turn, a move in each.
#[derive(Clone, Default)]
struct Group(Arc<Mutex<VecDeque<Duel>>>);

impl Group {
    /// Begins matches until there are so many.
    async fn fill(&self, channel: &Channel, servers: &Servers, matches: usize) {
        let people = [
            Person::sign_in(channel.clone()).await,
            Person::sign_in(channel.clone()).await,
        ];
        let mut duels = self.0.lock().await;
        while duels.len() < matches {
            duels.push_back(Duel::between(people.clone(), servers.store.clone()).await);
        }
    }
}

impl Calling for Group {
    async fn call(&mut self) -> Duration {
        // Nobody else wants it while it is measured.
        let mut duels = self.0.lock().await;
        let mut duel = duels.pop_front().unwrap();
        let latency = duel.call().await;
        duels.push_back(duel);
        latency
    }
}

async fn bytes_of_a_match() {
    let servers = Servers::start().await;
    let channel = channels(servers.fives.port, 1).remove(0);
    let mut redis = connect(&servers.redis).await;
    let mut bytes = Vec::new();
    for _ in 0..ROUNDS {
        let mut duel = Duel::sit_down(channel.clone(), servers.store.clone()).await;
        for _ in 0..TURNS {
            duel.call().await;
        }
        let mut sum = 0;
        for kind in ['m', 'x'] {
            let key = key(kind, &duel.match_id, &mut redis).await;
            let usage = cmd("MEMORY")
                .arg("USAGE")
                .arg(key)
                .arg("SAMPLES")
                .arg(0)
                .query_async(&mut redis)
                .await;
            let usage: u64 = usage.unwrap();
            sum += usage;
        }
        bytes.push(sum as f64);
    }
    let bytes = median(bytes);
    println!("Redis bytes a match after {TURNS} turns: {bytes:.0} (goal {MATCH_GOAL_BYTES:.0})");
}

/// What a further watcher on a connection adds to the process, once it has been shown something.
async fn bytes_of_a_watcher() {
    let servers = Servers::start().await;
    let few = fanout::served(&servers, fanout::CONNECTIONS).await;
    let before = settled(&servers.fives, few).await;
    let many = fanout::served(&servers, WATCHERS).await;
    let fives = each(settled(&servers.fives, many).await, before);
    let few = fanout::bare(&servers, fanout::CONNECTIONS).await;
    let before = settled(&servers.bare, few).await;
    let many = fanout::bare(&servers, WATCHERS).await;
    let bare = each(settled(&servers.bare, many).await, before);
    println!(
        "process bytes a watcher, beyond its connection: {fives:.0} (goal {WATCHER_GOAL_BYTES:.0}); bare {bare:.0}"
    );
}

fn each(with_many: u64, with_few: u64) -> f64 {
    (with_many as f64 - with_few as f64) / (WATCHERS - fanout::CONNECTIONS) as f64
}

/// The memory of a server after everybody has been shown some moves.
async fn settled<C: Calling>(server: &Process, (mut player, mut updates): (C, Vec<Updates>)) -> u64 {
    for _ in 0..SHOWN {
        player.call().await;
        for updates in &mut updates {
            next(updates).await;
        }
    }
    server.resident_bytes()
}
