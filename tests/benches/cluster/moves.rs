//! Whole moves: the call, the commit, and one update to each of four: both seats and two watchers.

use std::time::{Duration, Instant};

use fives_referee::store::SharedStore;
use futures::future::join4;
use tonic::transport::Channel;

use crate::bare::{Room, Sizes};
use crate::echo::Caller;
use crate::measuring::{Calling, Figures, ROUNDS, channels, median, row};
use crate::players::{Duel, Person};
use crate::processes::Process;
use crate::servers::{COST_HEAD, Cost, Servers, measure};
use crate::watching::{Updates, follow, next, watch, watch_bare};

pub(crate) const SHARED_CONNECTIONS: usize = 32;
const MATCHES: [usize; 2] = [64, 256];
const GOAL: f64 = 0.85;

pub(crate) async fn run() {
    let servers = Servers::start().await;
    println!(
        "moves: PlayTile, and an update to both seats and two watchers; {:?}",
        servers.sizes
    );
    println!("matches  connections  what       moves/s   p50 ms   p99 ms{COST_HEAD}");
    for matches in MATCHES {
        for has_own in [false, true] {
            let connections = if has_own { 4 * matches } else { SHARED_CONNECTIONS };
            let mut ratios = Vec::new();
            for _ in 0..ROUNDS {
                let served = served(&servers, &servers.fives, matches, connections).await;
                let bare = bare(&servers, matches, connections).await;
                for (what, (figures, cost)) in [("Fives", &served), ("bare", &bare)] {
                    println!("{matches:>7}  {connections:>11}  {what:<8} {} {cost}", row(figures));
                }
                ratios.push(served.0.calls_per_s / bare.0.calls_per_s);
            }
            println!(
                "{matches:>7}  {connections:>11}  median: {:.2} of the bare room (goal {GOAL:.2})",
                median(ratios)
            );
        }
    }
}

/// Whole moves of a process that has the store of these servers.
pub(crate) async fn served(servers: &Servers, fives: &Process, matches: usize, connections: usize) -> (Figures, Cost) {
    let channels = channels(fives.port, connections);
    let mut tables = Vec::new();
    for number in 0..matches {
        tables.push(Served::sit_down(of_table(&channels, number), servers.store.clone()).await);
    }
    measure(tables, fives, &servers.redis).await
}

async fn bare(servers: &Servers, matches: usize, connections: usize) -> (Figures, Cost) {
    let channels = channels(servers.bare.port, connections);
    let mut tables = Vec::new();
    for number in 0..matches {
        tables.push(BareTable::sit_down(of_table(&channels, number), number, &servers.sizes).await);
    }
    measure(tables, &servers.bare, &servers.redis).await
}

/// The connections of the four at a table: neighbours, each of whom may have others behind it.
fn of_table(channels: &[Channel], number: usize) -> [Channel; 4] {
    [0, 1, 2, 3].map(|place| channels[(4 * number + place) % channels.len()].clone())
}

/// Waits until all four have heard.
async fn heard(updates: &mut [Updates; 4]) {
    for updates in updates {
        next(updates).await;
    }
}

/// A match of Fives.
struct Served {
    duel: Duel,
    people: [Person; 2],
    watchers: [Channel; 2],
    updates: [Updates; 4],
}

impl Served {
    async fn sit_down(channels: [Channel; 4], store: SharedStore) -> Self {
        let [first, second, third, fourth] = channels;
        let people = [Person::sign_in(first).await, Person::sign_in(second).await];
        let duel = Duel::between(people.clone(), store).await;
        let watchers = [third, fourth];
        Self {
            updates: open(&people, &watchers, &duel.match_id).await,
            duel,
            people,
            watchers,
        }
    }
}

async fn open(people: &[Person; 2], watchers: &[Channel; 2], id: &str) -> [Updates; 4] {
    let ([first, second], [third, fourth]) = (people, watchers.clone());
    let opened = join4(
        follow(first, id),
        follow(second, id),
        watch(third, id),
        watch(fourth, id),
    );
    opened.await.into()
}

impl Calling for Served {
    async fn call(&mut self) -> Duration {
        if self.duel.game.outcome().is_some() {
            self.duel.begin_another().await;
            self.updates = open(&self.people, &self.watchers, &self.duel.match_id).await;
        }
        let begun = Instant::now();
        self.duel.call().await;
        heard(&mut self.updates).await;
        begun.elapsed()
    }
}

/// A match of the bare room.
struct BareTable {
    caller: Caller,
    updates: [Updates; 4],
}

impl BareTable {
    async fn sit_down(channels: [Channel; 4], number: usize, sizes: &Sizes) -> Self {
        let caller = Caller::new::<Room>(channels[0].clone(), number);
        let id = caller.request.match_id.clone();
        let [first, second, third, fourth] = channels;
        let opened = join4(
            watch_bare(first, &id, sizes.followed),
            watch_bare(second, &id, sizes.followed),
            watch_bare(third, &id, sizes.watched),
            watch_bare(fourth, &id, sizes.watched),
        );
        Self {
            caller,
            updates: opened.await.into(),
        }
    }
}

impl Calling for BareTable {
    async fn call(&mut self) -> Duration {
        let begun = Instant::now();
        self.caller.call().await;
        heard(&mut self.updates).await;
        begun.elapsed()
    }
}
