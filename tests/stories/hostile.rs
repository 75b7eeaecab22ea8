//! Clients that speak HTTP/2 to do harm: they lose their connection or are refused call by call, memory stays as it was, and others
//! are served meanwhile.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use fives_client::{Client, v1};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::harness::{Server, ServerProcess, in_time, until};

const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

const HEADERS: u8 = 0x1;
const RST_STREAM: u8 = 0x3;
const SETTINGS: u8 = 0x4;
const CONTINUATION: u8 = 0x9;

const END_HEADERS: u8 = 0x4;

/// More memory than an attack may cost.
const TOO_MUCH_KB: u64 = 64 * 1024;

/// A frame as it goes over the wire (RFC 9113, 4.1).
fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).expect("a short payload").to_be_bytes();
    [&length[1..], &[kind, flags], &stream.to_be_bytes(), payload].concat()
}

/// A header that no table remembers, in HPACK (RFC 7541, 6.2.2).
fn header(name: &str, value: &str) -> Vec<u8> {
    let text = |text: &str| {
        let length = u8::try_from(text.len()).ok().filter(|&length| length < 127);
        [&[length.expect("a short text")], text.as_bytes()].concat()
    };
    [vec![0], text(name), text(value)].concat()
}

/// The headers of a call that needs no token.
fn call() -> Vec<u8> {
    [
        header(":method", "POST"),
        header(":scheme", "http"),
        header(":authority", "here"),
        header(":path", "/fives.v1.PlayerService/GetServiceInfo"),
        header("content-type", "application/grpc"),
        header("te", "trailers"),
    ]
    .concat()
}

/// The stream ids of a client.
fn streams() -> impl Iterator<Item = u32> {
    (1..).step_by(2)
}

/// Sends these frames until the server ends the connection, which it must if they have no end.
async fn attack(server: &ServerProcess, mut frames: impl Iterator<Item = Vec<u8>>) {
    let connection = TcpStream::connect(server.listen()).await.expect("it listens");
    let (mut answers, mut requests) = connection.into_split();
    let ended =
        tokio::spawn(async move { while answers.read(&mut [0; 16 * 1024]).await.is_ok_and(|count| count > 0) {} });
    let attacking = async {
        let opening = [PREFACE, &frame(SETTINGS, 0, 0, &[])].concat();
        let mut sent = requests.write_all(&opening).await;
        while sent.is_ok() && !ended.is_finished() {
            // Many in one go, as an attacker would.
            let many: Vec<u8> = frames.by_ref().take(500).flatten().collect();
            if many.is_empty() {
                return;
            }
            sent = requests.write_all(&many).await;
        }
    };
    in_time("the end of an attack", attacking).await;
}

/// A number of kilobytes that the system knows of a process.
fn memory_kb(server: &ServerProcess, which: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.id())).expect("it runs");
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix(which))
        .expect("the figure");
    let digits: String = line.chars().filter(char::is_ascii_digit).collect();
    digits.parse().expect("a number")
}

/// Somebody who calls all the time over one connection, and is always answered.
struct Neighbour {
    calls: Arc<AtomicU64>,
    stopping: Arc<AtomicBool>,
    calling: tokio::task::JoinHandle<()>,
    retries: Arc<AtomicU64>,
}

impl Neighbour {
    fn of(server: &ServerProcess) -> Self {
        let (calls, stopping, retries): (Arc<AtomicU64>, Arc<AtomicBool>, Arc<AtomicU64>) = Default::default();
        let client = Client::connect_lazy(&server.url())
            .expect("an address")
            .with_retry_count(Arc::clone(&retries));
        let (count, stop) = (Arc::clone(&calls), Arc::clone(&stopping));
        let calling = tokio::spawn(async move {
            while !stop.load(Ordering::Relaxed) {
                client
                    .get_service_info(v1::GetServiceInfoRequest {})
                    .await
                    .expect("it is answered");
                count.fetch_add(1, Ordering::Relaxed);
            }
        });
        Self {
            calls,
            stopping,
            calling,
            retries,
        }
    }

    async fn until_served(&self) {
        let so_far = self.calls.load(Ordering::Relaxed);
        until("calls go on", async || self.calls.load(Ordering::Relaxed) > so_far + 10).await;
    }

    async fn leave(self) {
        self.stopping.store(true, Ordering::Relaxed);
        in_time("the last call", self.calling)
            .await
            .expect("every call was answered");
        assert_eq!(self.retries.load(Ordering::Relaxed), 0, "at once");
    }
}

async fn harms_nobody(frames: impl Fn() -> Box<dyn Iterator<Item = Vec<u8>> + Send>) {
    let folder = tempfile::tempdir().expect("a folder");
    let server = ServerProcess::start(folder.path()).await;
    let neighbour = Neighbour::of(&server);
    neighbour.until_served().await;
    let before_kb = memory_kb(&server, "VmRSS:");
    for _ in 0..5 {
        attack(&server, frames()).await;
        neighbour.until_served().await;
    }
    neighbour.leave().await;
    let most_kb = memory_kb(&server, "VmHWM:");
    assert!(
        most_kb < before_kb + TOO_MUCH_KB,
        "{before_kb} kB before, {most_kb} kB at the most"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_that_are_taken_back_at_once() {
    let cancel = 8_u32.to_be_bytes();
    harms_nobody(move || {
        Box::new(streams().map(move |stream| {
            let begun = frame(HEADERS, END_HEADERS, stream, &call());
            [begun, frame(RST_STREAM, 0, stream, &cancel)].concat()
        }))
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn headers_without_end() {
    harms_nobody(|| {
        let begun = frame(HEADERS, 0, 1, &call());
        let more: Vec<u8> = (0..60).flat_map(|_| header("x-more", &"x".repeat(100))).collect();
        let more = frame(CONTINUATION, 0, 1, &more);
        Box::new(std::iter::once(begun).chain(std::iter::repeat(more)))
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn empty_continuations_without_end() {
    harms_nobody(|| {
        let begun = frame(HEADERS, 0, 1, &call());
        Box::new(std::iter::once(begun).chain(std::iter::repeat(frame(CONTINUATION, 0, 1, &[]))))
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_whose_headers_are_too_large() {
    harms_nobody(|| {
        let large: Vec<u8> = (0..140).flat_map(|_| header("x-more", &"x".repeat(100))).collect();
        let rest: Vec<u8> = (0..40).flat_map(|_| header("x-more", &"x".repeat(100))).collect();
        // Each is refused by itself, as a browser with too many cookies would be.
        Box::new(streams().take(5_000).map(move |stream| {
            let begun = frame(HEADERS, 0, stream, &[call(), large.clone()].concat());
            [begun, frame(CONTINUATION, END_HEADERS, stream, &rest)].concat()
        }))
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_that_make_no_sense() {
    harms_nobody(|| {
        // A header of HTTP/1.1 is an error of the one stream (RFC 9113, 8.2.2), which the server has to reset.
        let headers = [call(), header("connection", "close")].concat();
        Box::new(streams().map(move |stream| frame(HEADERS, END_HEADERS, stream, &headers)))
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_says_nothing_is_hung_up_on_and_then_there_is_room_again() {
    let server = Server::start_with(|config| config.max_connections = 2).await;
    let address = server.url().trim_start_matches("http://");
    let mut silent = Vec::new();
    for _ in 0..4 {
        silent.push(TcpStream::connect(address).await.expect("it listens"));
    }
    for mut connection in silent {
        let read = in_time("the end of a silent connection", connection.read(&mut [0; 1])).await;
        assert!(matches!(read, Ok(0) | Err(_)), "nothing is said to it");
    }
    let client = server.stranger();
    until("there is room", async || {
        client.get_service_info(Default::default()).await.is_ok()
    })
    .await;
    // Whoever has spoken may be silent as long as he likes; a third one has no place beside two.
    let second = server.stranger();
    second
        .get_service_info(Default::default())
        .await
        .expect("the second place");
    let mut third = TcpStream::connect(address).await.expect("it listens");
    let read = in_time("the end of one too many", third.read(&mut [0; 1])).await;
    assert!(matches!(read, Ok(0) | Err(_)), "it is closed at once");
    client
        .get_service_info(Default::default())
        .await
        .expect("the first place");
}
