//! The Redis store keeps the same contract as the embedded one, wherever Redis is.

use std::sync::Arc;

use fives_referee::store::SharedStore;
use fives_store::contract;
use fives_store::redis::{Config, Durability, RedisStore};

use crate::harness::{RedisCluster, RedisNode};

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
        let store: SharedStore = Arc::new(RedisStore::new(&address, config).expect("a store"));
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
