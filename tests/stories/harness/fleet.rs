//! Several replicas over one Redis, behind a real load balancer that runs the configuration of deploy/.

use std::process::Stdio;

use fives_client::Client;
use tokio::process::{Child, Command};

use super::process::{ServerProcess, free_address};
use super::{in_time, workspace};

/// Three replicas and an HAProxy. Dropping it kills them all.
pub(crate) struct Fleet {
    pub(crate) replicas: Vec<ServerProcess>,
    balancer: String,
    _haproxy: Child,
}

impl Fleet {
    /// Starts them, and waits until all three are ready.
    pub(crate) async fn start(redis_url: &str) -> Self {
        Self::start_with(redis_url, &[]).await
    }

    /// With more flags of `fives serve`.
    pub(crate) async fn start_with(redis_url: &str, more: &[&str]) -> Self {
        let replicas: Vec<_> = (0..3).map(|_| ServerProcess::replica(redis_url, more)).collect();
        let balancer = free_address();
        let mut haproxy = Command::new("haproxy");
        haproxy
            .arg("-f")
            .arg(workspace().join("deploy/haproxy.cfg"))
            .env("FIVES_BIND", &balancer);
        for (number, replica) in replicas.iter().enumerate() {
            haproxy.env(format!("FIVES_REPLICA_{}", number + 1), replica.listen());
        }
        let haproxy = haproxy
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .expect("haproxy is installed: `make servers`");
        let fleet = Self {
            replicas,
            balancer: format!("http://{balancer}"),
            _haproxy: haproxy,
        };
        for replica in &fleet.replicas {
            replica.until_ready().await;
        }
        in_time("the load balancer", async {
            while fleet.stranger().get_service_info(Default::default()).await.is_err() {}
        })
        .await;
        fleet
    }

    /// The address of the load balancer.
    pub(crate) fn url(&self) -> &str {
        &self.balancer
    }

    /// A client of the load balancer, over a connection of its own.
    pub(crate) fn stranger(&self) -> Client {
        Client::connect_lazy(&self.balancer).expect("an address")
    }

    /// A client that has signed in.
    pub(crate) async fn guest(&self, name: &str) -> Client {
        let client = self.stranger();
        client.sign_in(name, None).await.expect("guests are welcome");
        client
    }
}
