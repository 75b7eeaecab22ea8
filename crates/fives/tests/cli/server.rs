//! A server that is a process of its own.

use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// How long a server may take to listen.
const DEADLINE: Duration = Duration::from_secs(60);

/// A `fives serve` with a folder of its own. Dropping it kills it.
pub(crate) struct Server {
    child: Child,
    listen: String,
    data: TempDir,
    more: Vec<String>,
}

impl Server {
    /// Starts one on a free port, and waits until it listens.
    pub(crate) fn start() -> Self {
        Self::start_with(&[])
    }

    /// Starts one with more flags.
    pub(crate) fn start_with(more: &[&str]) -> Self {
        let free = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let listen = free.local_addr().expect("a bound port").to_string();
        drop(free);
        let data = tempfile::tempdir().expect("a folder");
        let more: Vec<String> = more.iter().map(|&flag| flag.to_owned()).collect();
        let child = serve(&listen, &data, &more);
        Self {
            child,
            listen,
            data,
            more,
        }
    }

    /// `kill -9`, and another process in its place; in between, something may happen to its folder.
    pub(crate) fn kill_and_start_again(&mut self, meanwhile: impl FnOnce(&mut TempDir)) {
        self.child.kill().expect("the server was running");
        self.child.wait().expect("it is ours");
        meanwhile(&mut self.data);
        self.child = serve(&self.listen, &self.data, &self.more);
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.listen)
    }
}

fn serve(listen: &str, data: &TempDir, more: &[String]) -> Child {
    let child = Command::new(env!("CARGO_BIN_EXE_fives"))
        .args([
            "serve",
            "--listen",
            listen,
            "--admin-listen",
            "off",
            "--log",
            "error",
            "--data",
        ])
        .arg(data.path())
        .args(more)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .expect("the program is built");
    let began = Instant::now();
    while TcpStream::connect(listen).is_err() {
        assert!(began.elapsed() < DEADLINE, "the server does not listen");
        sleep(Duration::from_millis(50));
    }
    child
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
