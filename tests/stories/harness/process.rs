//! The built program, as somebody would start it.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use fives_client::{Client, RetryPolicy, v1};
use tokio::net::TcpListener;
use tokio::process::{Child, Command};

use super::{in_time, workspace};

/// A `fives serve` of its own. Dropping it kills it.
pub(crate) struct ServerProcess {
    child: Child,
    listen: String,
}

impl ServerProcess {
    /// Starts one on a free port with its data in this folder, and waits until it answers.
    pub(crate) async fn start(data: &Path) -> Self {
        let free = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let listen = free.local_addr().expect("a bound port").to_string();
        drop(free);
        Self::start_at(data, listen).await
    }

    /// Starts one at this address.
    pub(crate) async fn start_at(data: &Path, listen: String) -> Self {
        let child = Command::new(program())
            .args(["serve", "--bot-delay-ms", "0", "--listen", &listen, "--data"])
            .arg(data)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .expect("target/debug/fives starts");
        let server = Self { child, listen };
        server
            .client()
            .get_service_info(v1::GetServiceInfoRequest {})
            .await
            .expect("the server answers in time");
        server
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.listen)
    }

    /// A client that keeps trying for as long as a story may take.
    pub(crate) fn client(&self) -> Client {
        let policy = RetryPolicy {
            give_up_after: super::DEADLINE,
            longest_wait: Duration::from_millis(200),
            ..RetryPolicy::default()
        };
        Client::connect_lazy(&self.url())
            .expect("an address")
            .with_policy(policy)
    }

    /// `kill -9`; gives the address, which is free again.
    pub(crate) async fn kill(mut self) -> String {
        self.child.kill().await.expect("the server was running");
        self.listen.clone()
    }

    /// SIGTERM; waits for a clean end and gives the address, which is free again.
    pub(crate) async fn terminate(mut self) -> String {
        let id = self.child.id().expect("the server is running").to_string();
        let sent = Command::new("kill")
            .args(["-TERM", &id])
            .status()
            .await
            .expect("kill is there");
        assert!(sent.success());
        let status = in_time("a graceful stop", self.child.wait())
            .await
            .expect("the server ends");
        assert!(status.success(), "the server ended with {status}");
        self.listen.clone()
    }
}

/// The built program; `make test` builds it first.
pub(crate) fn program() -> std::path::PathBuf {
    let program = workspace().join("target/debug/fives");
    assert!(
        program.exists(),
        "{} is missing: run `cargo build -p fives`, or `make test`",
        program.display()
    );
    program
}
