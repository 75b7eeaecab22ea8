//! `fives health`, as an orchestrator asks.

use std::net::TcpListener;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::program::{Run, fives};
use crate::server::Server;

/// How long a server may take to become ready after it listens.
const DEADLINE: Duration = Duration::from_secs(60);

fn health(url: &str) -> Run {
    fives(["health", "--server", url])
}

#[test]
fn a_server_is_ready_when_its_store_is() {
    let server = Server::start();
    let began = Instant::now();
    let mut asked = health(&server.url());
    while asked.code != Some(0) {
        assert!(began.elapsed() < DEADLINE, "not ready: {}", asked.err);
        sleep(Duration::from_millis(50));
        asked = health(&server.url());
    }
    assert_eq!(asked.succeeded(), "ready\n");
}

#[test]
fn a_server_without_its_store_is_not_ready() {
    // Bound and never accepted from: a Redis that does not answer.
    let silent = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let store = format!("redis://{}", silent.local_addr().expect("a bound port"));
    let key = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/keys/token-key.pem");
    let server = Server::start_with(&["--store", &store, "--token-key", key]);
    let err = health(&server.url()).failed(1);
    assert!(err.starts_with("error: not ready: "), "{err}");
}

#[test]
fn no_server_is_not_ready_and_no_address_is_wrong_usage() {
    let free = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let url = format!("http://{}", free.local_addr().expect("a bound port"));
    drop(free);
    let err = health(&url).failed(1);
    assert!(
        err.starts_with("error: the connection to the service was lost"),
        "{err}"
    );
    // Somebody who takes the connection and says nothing does not keep it waiting.
    let silent = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let url = format!("http://{}", silent.local_addr().expect("a bound port"));
    fives(["health", "--timeout-ms", "100", "--server", &url]).failed(1);
    health("http://").failed(2);
    fives(["health", "--timeout-ms", "0"]).failed(2);
}
