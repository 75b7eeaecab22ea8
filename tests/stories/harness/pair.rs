//! Two replicas over one Redis, and people who are known to both.

use fives_client::Client;

use super::process::ServerProcess;
use super::redis::RedisNode;

/// Two replicas. Dropping it kills them.
pub(crate) struct Pair {
    pub(crate) replicas: [ServerProcess; 2],
    _redis: RedisNode,
}

impl Pair {
    /// Starts them, and waits until both are ready.
    pub(crate) async fn start() -> Self {
        let redis = RedisNode::start().await;
        let url = redis.url();
        let replicas = [(); 2].map(|()| ServerProcess::replica(&url, &[]));
        for replica in &replicas {
            replica.until_ready().await;
        }
        Self {
            replicas,
            _redis: redis,
        }
    }

    /// Somebody who is signed in at both.
    pub(crate) async fn guest(&self, name: &str) -> [Client; 2] {
        let device = format!("the-device-key-of-{name}");
        let clients = [self.replicas[0].client(), self.replicas[1].client()];
        for client in &clients {
            client.sign_in(name, Some(&device)).await.expect("guests are welcome");
        }
        clients
    }
}
