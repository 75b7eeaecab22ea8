//! The built program, as somebody would start it.

use std::ffi::OsString;
use std::fs::File;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use fives_client::{Client, RetryPolicy, v1};
use tokio::process::{Child, Command};

use super::redis::free_port;
use super::{in_time, workspace};

/// A `fives serve` of its own. Dropping it kills it.
pub(crate) struct ServerProcess {
    child: Child,
    listen: String,
    arguments: Vec<OsString>,
}

impl ServerProcess {
    /// Starts one on a free port with its data in this folder, and waits until it answers.
    pub(crate) async fn start(data: &Path) -> Self {
        Self::start_at(data, free_address()).await
    }

    /// Starts one at this address.
    pub(crate) async fn start_at(data: &Path, listen: String) -> Self {
        let server = Self::spawn(listen, vec!["--data".into(), data.into()], Stdio::inherit());
        server.until_ready().await;
        server
    }

    /// Starts one over this Redis on a free port, with the key of the tests; does not wait until it is ready.
    pub(crate) fn replica(redis_url: &str, more: &[&str]) -> Self {
        Self::spawn(free_address(), Self::over(redis_url, more), Stdio::inherit())
    }

    /// The same, with its log in a file.
    pub(crate) fn replica_logging_to(log: &Path, redis_url: &str, more: &[&str]) -> Self {
        let log = File::create(log).expect("a file can be made");
        Self::spawn(free_address(), Self::over(redis_url, more), log.into())
    }

    fn over(redis_url: &str, more: &[&str]) -> Vec<OsString> {
        let mut arguments: Vec<OsString> = vec![
            "--store".into(),
            redis_url.into(),
            "--token-key".into(),
            workspace().join("tests/keys/token-key.pem").into(),
        ];
        arguments.extend(more.iter().map(OsString::from));
        arguments
    }

    /// Starts one that logs there. Without an admin port unless the arguments ask for one: several run on this machine.
    pub(super) fn spawn(listen: String, arguments: Vec<OsString>, log: Stdio) -> Self {
        let no_admin = ["--admin-listen", "off"];
        let has_admin = arguments.iter().any(|argument| *argument == no_admin[0]);
        let child = Command::new(program())
            .args(["serve", "--bot-delay-ms", "0", "--no-shares", "--listen", &listen])
            .args(no_admin.iter().filter(|_| !has_admin))
            .args(&arguments)
            .env(
                "FIVES_LOG",
                std::env::var("FIVES_LOG").unwrap_or_else(|_| "error".to_owned()),
            )
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .kill_on_drop(true)
            .spawn()
            .expect("target/debug/fives starts");
        Self {
            child,
            listen,
            arguments,
        }
    }

    /// Waits until it answers a call.
    pub(crate) async fn until_ready(&self) {
        let info = self.client();
        let info = info.get_service_info(v1::GetServiceInfoRequest {});
        info.await.expect("the server answers in time");
    }

    /// `kill -9`; it can be started again.
    pub(crate) async fn kill_for_now(&mut self) {
        self.child.kill().await.expect("the server was running");
    }

    /// The same again at the same address, after it was killed.
    pub(crate) fn start_again(&mut self) {
        let arguments = std::mem::take(&mut self.arguments);
        *self = Self::spawn(self.listen.clone(), arguments, Stdio::inherit());
    }

    /// `kill -9`, and the same again at the same address.
    pub(crate) async fn kill_and_restart(&mut self) {
        self.kill_for_now().await;
        self.start_again();
    }

    /// SIGTERM, and the same again at the same address after a clean end.
    pub(crate) async fn terminate_and_restart(&mut self) {
        self.end_gracefully().await;
        self.start_again();
    }

    /// The address, `host:port`.
    pub(crate) fn listen(&self) -> &str {
        &self.listen
    }

    /// The id of the process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id().expect("the server is running")
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
        self.end_gracefully().await;
        self.listen.clone()
    }

    async fn end_gracefully(&mut self) {
        signal(self.id(), "-TERM").await;
        self.until_ended_well().await;
    }

    /// Waits until it has ended by itself, cleanly.
    pub(crate) async fn until_ended_well(&mut self) {
        let status = in_time("a graceful stop", self.child.wait())
            .await
            .expect("the server ends");
        assert!(status.success(), "the server ended with {status}");
    }
}

/// Sends a signal to a process that is running.
pub(crate) async fn signal(process: u32, signal: &str) {
    let sent = Command::new("kill").args([signal, &process.to_string()]).status().await;
    assert!(sent.expect("kill is there").success());
}

/// An address with a port that nobody uses.
pub(crate) fn free_address() -> String {
    format!("127.0.0.1:{}", free_port())
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
