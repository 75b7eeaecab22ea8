//! The Redis store keeps the same contract as the embedded one, wherever Redis is.

use std::sync::Arc;

use fives_lobby::store::SharedLobbyStore;
use fives_referee::store::{Created, MatchStore};
use fives_referee::table::Occupant;
use fives_store::contract;
use fives_store::contract::sample::{self, Terms};
use fives_store::redis::{Config, Durability, RedisStore};
use fives_store::retention::Retention;
use tokio::time::Duration;

use crate::harness::{RedisCluster, RedisNode, Sentinel, until};

async fn keeps_the_contract(url: &str, nodes: &[&RedisNode], durability: Durability) {
    let address = url.parse().expect("an address");
    let config = Config {
        durability,
        ..Config::default()
    };
    contract::all(|| async {
        for node in nodes {
            node.ask::<()>("FLUSHALL", &[]).await;
        }
        let store: SharedLobbyStore = Arc::new(RedisStore::new(&address, config).expect("a store"));
        store
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_single_node_keeps_the_contract() {
    let node = RedisNode::start().await;
    keeps_the_contract(&node.url(), &[&node], Durability::Primary).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_primary_with_a_replica_keeps_the_contract() {
    let (primary, replica) = (RedisNode::start().await, RedisNode::start().await);
    replica.replicate(primary.port()).await;
    keeps_the_contract(&primary.url(), &[&primary], Durability::Replicated).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cluster_keeps_the_contract() {
    let cluster = RedisCluster::start().await;
    let primaries: Vec<&RedisNode> = cluster.nodes[..3].iter().collect();
    keeps_the_contract(&cluster.url(), &primaries, Durability::Primary).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sentinel_names_the_primary_and_the_next_one() {
    let (mut primary, replica) = (RedisNode::start().await, RedisNode::start().await);
    replica.replicate(primary.port()).await;
    let sentinel = Sentinel::over(&primary).await;
    keeps_the_contract(&sentinel.url(), &[&primary], Durability::Replicated).await;

    let address = sentinel.url().parse().expect("an address");
    let store = RedisStore::new(&address, Config::default()).expect("a store");
    let made = sample::create(1, &Terms::of(&[Occupant::Open, Occupant::Open]));
    assert_eq!(
        store.create(&made.table, &made.batch).await.expect("kept"),
        Created::New
    );
    primary.until_replicated().await;
    primary.kill().await;
    let next = sample::command(&made.table, 1, &sample::join(1)).expect("a seat is free");
    until("the next primary", async || {
        store.commit(made.table.cursor, &next.table, &next.batch).await.is_ok()
    })
    .await;
    assert_eq!(store.load(&made.table.id).await.expect("an answer"), Some(next.table));
}

/// A match goes with everything that leads to it, and until then is where it belongs.
#[tokio::test(flavor = "multi_thread")]
async fn what_nobody_has_touched_for_long_enough_is_gone() {
    let node = RedisNode::start().await;
    let config = Config {
        retention: Retention {
            open: Duration::from_millis(300),
            ..Retention::default()
        },
        ..Config::default()
    };
    let store = RedisStore::new(&node.url().parse().expect("an address"), config).expect("a store");
    let made = sample::create(1, &Terms::of(&[sample::person(1), Occupant::Open]).private(1));
    let public = sample::create(2, &Terms::of(&[sample::person(1), Occupant::Open]));
    for made in [&made, &public] {
        assert_eq!(
            store.create(&made.table, &made.batch).await.expect("kept"),
            Created::New
        );
    }
    let live = sample::create(3, &Terms::of(&[sample::person(1), sample::person(2)]));
    assert_eq!(
        store.create(&live.table, &live.batch).await.expect("kept"),
        Created::New
    );
    until("the end of the open tables", async || {
        store.load(&public.table.id).await.expect("an answer").is_none()
    })
    .await;
    assert_eq!(store.batches(&public.table.id, 1, 10).await.expect("an answer"), []);
    assert_eq!(store.find_invite(&sample::code(1)).await.expect("an answer"), None);
    for listing in public.table.listings().iter().chain(&made.table.listings()) {
        let listed = store.list(listing, None, 10).await.expect("an answer");
        assert!(
            listed.iter().all(|position| position.id == live.table.id),
            "{listing:?}"
        );
    }
    assert!(
        store.load(&live.table.id).await.expect("an answer").is_some(),
        "a live match is kept for longer"
    );
}
