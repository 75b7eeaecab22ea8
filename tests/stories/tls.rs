//! TLS: everything is served over it, certificates are renewed while calls go on, and who says nothing blocks nobody.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use fives_client::{Client, Error, Tls, v1};
use fives_server::config::{Config, TlsSettings};
use fives_store::redis;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use crate::harness::{
    Authority, Issued, ONCE, RedisNode, Seated, Server, contents, free_port, in_time, me, open, play_out, public_match,
    seat_all, until, verified_replay,
};

fn settings(shown: &Issued) -> TlsSettings {
    TlsSettings {
        cert: shown.cert.clone(),
        key: shown.key.clone(),
        client_ca: None,
        reload_interval: Duration::from_millis(50),
        handshake_timeout: Duration::from_secs(30),
        max_handshakes: 16,
    }
}

fn serving(shown: &Issued) -> impl FnOnce(&mut Config) {
    let settings = settings(shown);
    |config| config.tls = Some(settings)
}

fn trusting(authority: &Authority) -> Tls {
    Tls::default().with_ca(contents(&authority.ca()))
}

fn client(server: &Server, tls: &Tls) -> Client {
    Client::connect_lazy_over(server.url(), tls).expect("an address")
}

/// Whether a server lets somebody in who asks once.
async fn serves(server: &Server, tls: &Tls) -> bool {
    let client = client(server, tls).with_policy(ONCE);
    match client.get_service_info(v1::GetServiceInfoRequest {}).await {
        Ok(_) => true,
        Err(Error::Lost(_)) => false,
        Err(error) => panic!("nobody got as far as {error}"),
    }
}

async fn connect(server: &Server) -> TcpStream {
    let address = server.url().trim_start_matches("https://");
    TcpStream::connect(address).await.expect("it listens")
}

/// A connection that speaks this protocol, as somebody makes it who trusts the authority.
async fn handshake(server: &Server, authority: &Authority, protocol: &str) -> TlsStream<TcpStream> {
    let mut roots = RootCertStore::empty();
    roots
        .add(CertificateDer::from_pem_slice(&contents(&authority.ca())).expect("PEM"))
        .expect("a certificate");
    let mut config = ClientConfig::builder()
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![protocol.into()];
    let name = ServerName::try_from("localhost").expect("a name");
    let connecting = TlsConnector::from(Arc::new(config)).connect(name, connect(server).await);
    in_time("a handshake", connecting).await.expect("a handshake")
}

/// The certificate that a new connection is shown.
async fn shown(server: &Server, authority: &Authority) -> Vec<u8> {
    let tls = handshake(server, authority, "h2").await;
    let (_, session) = tls.get_ref();
    assert_eq!(session.alpn_protocol(), Some(b"h2".as_slice()));
    session.peer_certificates().expect("a certificate")[0].to_vec()
}

fn der(issued: &Issued) -> Vec<u8> {
    CertificateDer::from_pem_slice(&contents(&issued.cert))
        .expect("PEM")
        .to_vec()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_and_the_probes_over_tls() {
    let authority = Authority::new();
    let server = Server::start_with(serving(&authority.issue("server"))).await;
    let mut clients = Vec::new();
    for name in ["anna", "bela"] {
        let client = client(&server, &trusting(&authority));
        client.sign_in(name, None).await.expect("guests are welcome");
        clients.push(client);
    }
    let match_id = seat_all(&clients, public_match(vec![me(), open()])).await;
    play_out(&clients, &match_id).await;
    verified_replay(&clients[0], &match_id).await;

    let mut probe = handshake(&server, &authority, "http/1.1").await;
    let request = b"GET /readyz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
    probe.write_all(request).await.expect("it reads");
    let mut answer = Vec::new();
    in_time("an answer", probe.read_to_end(&mut answer))
        .await
        .expect("it answers");
    let answer = String::from_utf8_lossy(&answer);
    assert!(
        answer.starts_with("HTTP/1.1 200 OK\r\n") && answer.ends_with("ready\n"),
        "{answer}"
    );

    assert!(
        !serves(&server, &trusting(&Authority::new())).await,
        "a server of another authority is not trusted"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn with_mutual_tls_nobody_is_served_without_a_certificate_of_the_right_authority() {
    let (authority, clients) = (Authority::new(), Authority::new());
    let mut settings = settings(&authority.issue("server"));
    settings.client_ca = Some(clients.ca());
    let server = Server::start_with(|config| config.tls = Some(settings)).await;
    let showing = |issued: Issued| trusting(&authority).with_identity(contents(&issued.cert), contents(&issued.key));
    in_time(
        "service for the right one",
        client(&server, &showing(clients.issue("client"))).get_service_info(v1::GetServiceInfoRequest {}),
    )
    .await
    .expect("it is served");
    assert!(
        !serves(&server, &showing(authority.issue("other"))).await,
        "of another authority"
    );
    assert!(!serves(&server, &trusting(&authority)).await, "without a certificate");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_connects_and_says_nothing_blocks_nobody() {
    let authority = Authority::new();
    let server = Server::start_with(serving(&authority.issue("server"))).await;
    let mut silent = Vec::new();
    // Many more than there may be.
    for _ in 0..100 {
        silent.push(connect(&server).await);
    }
    let client = client(&server, &trusting(&authority));
    client
        .sign_in("anna", None)
        .await
        .expect("there is room for those who speak");
    let first = &mut silent[0];
    let ended = in_time("the end of the oldest", first.read(&mut [0; 1])).await;
    assert!(matches!(ended, Ok(0) | Err(_)), "it was given up for another one");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_handshake_has_its_time() {
    let authority = Authority::new();
    let mut settings = settings(&authority.issue("server"));
    settings.handshake_timeout = Duration::from_millis(100);
    let server = Server::start_with(|config| config.tls = Some(settings)).await;
    let mut silent = connect(&server).await;
    let ended = in_time("its end", silent.read(&mut [0; 1])).await;
    assert!(matches!(ended, Ok(0) | Err(_)), "it was closed");
}

#[tokio::test(flavor = "multi_thread")]
async fn certificates_are_renewed_while_calls_go_on() {
    let authority = Authority::new();
    let first = authority.issue("server");
    let server = Server::start_with(serving(&first)).await;
    let before = der(&first);
    assert_eq!(shown(&server, &authority).await, before);

    let (stopping, retries, calls) = (
        Arc::new(AtomicBool::new(false)),
        Arc::new(AtomicU64::new(0)),
        Arc::new(AtomicU64::new(0)),
    );
    let tls = trusting(&authority);
    let mut playing = JoinSet::new();
    // Some over a connection that lasts, some over a new one for each match.
    for lasting in [true, true, false, false] {
        let (stopping, retries, calls) = (Arc::clone(&stopping), Arc::clone(&retries), Arc::clone(&calls));
        let new = {
            let (url, tls) = (server.url().to_owned(), tls.clone());
            move || {
                let client = Client::connect_lazy_over(&url, &tls).expect("an address");
                client.with_retry_count(Arc::clone(&retries))
            }
        };
        playing.spawn(async move {
            let mut client = new();
            while !stopping.load(Ordering::Relaxed) {
                if !lasting {
                    client = new();
                }
                client.sign_in("anna", None).await.expect("signed in");
                let request = public_match(vec![me(), crate::harness::bot(v1::BotKind::Greedy)]);
                let match_id = seat_all(std::slice::from_ref(&client), request).await;
                Seated::new(&client, &match_id).play_to_the_end().await;
                calls.fetch_add(1, Ordering::Relaxed);
            }
        });
    }
    for _ in 0..3 {
        let so_far = calls.load(Ordering::Relaxed);
        let after = der(&authority.issue("server"));
        until("the new certificate", async || {
            shown(&server, &authority).await == after
        })
        .await;
        until("more matches", async || calls.load(Ordering::Relaxed) > so_far + 4).await;
    }
    stopping.store(true, Ordering::Relaxed);
    while let Some(played) = in_time("the last matches", playing.join_next()).await {
        played.expect("no call failed");
    }
    assert_eq!(retries.load(Ordering::Relaxed), 0, "and none had to be tried again");
    assert_ne!(shown(&server, &authority).await, before);
}

#[tokio::test(flavor = "multi_thread")]
async fn redis_over_tls_with_an_authority_of_its_own() {
    let authority = Authority::new();
    let issued = authority.issue("redis");
    let port = free_port();
    let path = |path: &std::path::Path| path.to_str().expect("UTF-8").to_owned();
    let node = RedisNode::start_with(&[
        "--tls-port",
        &port.to_string(),
        "--tls-cert-file",
        &path(&issued.cert),
        "--tls-key-file",
        &path(&issued.key),
        "--tls-ca-cert-file",
        &path(&authority.ca()),
        "--tls-auth-clients",
        "no",
    ])
    .await;
    let address = |authority: &Authority| {
        let address: redis::Address = format!("rediss://127.0.0.1:{port}").parse().expect("an address");
        address.trusting(contents(&authority.ca())).expect("roots")
    };
    let store = redis::RedisStore::new(&address(&authority), redis::Config::default()).expect("a store");
    let server = Server::start_over(Arc::new(store), |_| {}).await;
    let clients = server.guests::<2>().await;
    let match_id = seat_all(&clients, public_match(vec![me(), open()])).await;
    play_out(&clients, &match_id).await;
    verified_replay(&clients[1], &match_id).await;
    assert!(node.ask::<u64>("DBSIZE", &[]).await > 0, "it was kept there");

    let other = redis::RedisStore::new(&address(&Authority::new()), redis::Config::default()).expect("a store");
    let other: fives_lobby::store::SharedLobbyStore = Arc::new(other);
    assert!(
        other.now().await.is_err(),
        "a Redis of another authority is not trusted"
    );
}
