//! Everything that a measurement needs, started fresh: no part finds what another has left.

use std::fmt;
use std::sync::Arc;

use fives_referee::store::SharedStore;
use fives_store::redis::{Config, RedisStore};
use redis::aio::MultiplexedConnection;
use redis::cmd;
use tokio::time::sleep;

use crate::bare::Sizes;
use crate::measuring::{Calling, Figures, MEASURED, WARM_UP, channels};
use crate::players::{Duel, Person};
use crate::processes::{self, Process};
use crate::watching::{follow, next, watch};

/// How many plays the sizes are averages of, and how many come before: a match remembers the requests of two rounds, and is small
/// until it has them.
const SAMPLED: usize = 120;
const BEFORE: usize = 60;

/// Fives and the bare services, over one Redis.
pub(crate) struct Servers {
    pub(crate) fives: Process,
    pub(crate) bare: Process,
    pub(crate) redis: Process,
    /// The store that Fives has, for a look at what is dealt.
    pub(crate) store: SharedStore,
    pub(crate) sizes: Sizes,
}

impl Servers {
    pub(crate) async fn start() -> Self {
        let redis = Process::redis();
        let fives = Process::fives(&redis, &[]);
        let store: SharedStore = Arc::new(RedisStore::new(&redis.url().parse().unwrap(), Config::default()).unwrap());
        let sizes = sizes(&fives, &redis, &store).await;
        Self {
            bare: Process::bare(&redis, sizes),
            fives,
            redis,
            store,
            sizes,
        }
    }
}

/// Plays a while, and looks at what was written and sent.
async fn sizes(fives: &Process, redis: &Process, store: &SharedStore) -> Sizes {
    let channel = channels(fives.port, 1).remove(0);
    let people = [
        Person::sign_in(channel.clone()).await,
        Person::sign_in(channel.clone()).await,
    ];
    let mut duel = Duel::between(people.clone(), Arc::clone(store)).await;
    let mut followed = follow(&people[0], &duel.match_id).await;
    let mut watched = watch(channel, &duel.match_id).await;
    let mut redis = connect(redis).await;
    let key = key('m', &duel.match_id, &mut redis).await;
    for _ in 0..BEFORE {
        duel.call().await;
        next(&mut watched).await;
        next(&mut followed).await;
    }
    let mut sums = [0; 4];
    for _ in 0..SAMPLED {
        duel.call().await;
        let table = cmd("HSTRLEN").arg(&key).arg("table").query_async(&mut redis).await;
        let entry = cmd("XREVRANGE")
            .arg(key.replace(":m:", ":x:"))
            .arg(&["+", "-", "COUNT", "1"])
            .query_async(&mut redis)
            .await;
        let entry: Vec<(String, (String, Vec<u8>))> = entry.unwrap();
        let seen = [
            table.unwrap(),
            entry[0].1.1.len(),
            next(&mut watched).await,
            next(&mut followed).await,
        ];
        sums.iter_mut().zip(seen).for_each(|(sum, size)| *sum += size);
    }
    let [table, batch, watched, followed] = sums.map(|sum| sum / SAMPLED);
    Sizes {
        table,
        batch,
        watched,
        followed,
    }
}

pub(crate) async fn connect(redis: &Process) -> MultiplexedConnection {
    let client = redis::Client::open(redis.url()).unwrap();
    client.get_multiplexed_async_connection().await.unwrap()
}

/// The key of a match that begins so.
pub(crate) async fn key(kind: char, match_id: &str, redis: &mut MultiplexedConnection) -> String {
    let pattern = format!("f1:*:{kind}:{match_id}");
    let keys: Vec<String> = cmd("KEYS").arg(pattern).query_async(redis).await.unwrap();
    keys.into_iter().next().expect("the match is stored")
}

/// What a measurement has cost a call.
#[derive(Clone, Copy)]
pub(crate) struct Cost {
    pub(crate) server_us: f64,
    pub(crate) redis_us: f64,
    /// This process, which drives.
    pub(crate) driver_us: f64,
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            server_us,
            redis_us,
            driver_us,
        } = self;
        write!(f, "{server_us:>11.1} {redis_us:>10.1} {driver_us:>11.1}")
    }
}

/// The heads of the columns of a [`Cost`].
pub(crate) const COST_HEAD: &str = "  server µs   Redis µs   driver µs";

/// Measures, and reads from both processes what it cost them.
pub(crate) async fn measure<C: Calling>(callers: Vec<C>, server: &Process, redis: &Process) -> (Figures, Cost) {
    let used = || [server.cpu(), redis.cpu(), processes::cpu(std::process::id())];
    let using = async {
        sleep(WARM_UP).await;
        let before = used();
        sleep(MEASURED).await;
        let after = used();
        [0, 1, 2].map(|process| (after[process] - before[process]).as_secs_f64() * 1e6)
    };
    let (figures, [server_us, redis_us, driver_us]) = tokio::join!(crate::measuring::measure(callers), using);
    let calls = figures.calls_per_s * MEASURED.as_secs_f64();
    let cost = Cost {
        server_us: server_us / calls,
        redis_us: redis_us / calls,
        driver_us: driver_us / calls,
    };
    (figures, cost)
}
