//! What an operator sees of a move, and what nobody must ever see.

use std::collections::BTreeSet;

use fives_client::v1::player_service_client::PlayerServiceClient;
use fives_client::{Client, v1};
use fives_referee::store::MatchStore;
use fives_store::redis::{Config, RedisStore};

use crate::harness::{
    Collector, RedisNode, ServerProcess, drawn, in_time, me, next_play, open, play_out, public_match, seat_all, until,
};

/// A trace that the client has begun and wants kept (W3C Trace Context).
const TRACE_ID: &str = "0af7651916cd43dd8448eb211c80319c";
const TRACEPARENT: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

async fn begun(replica: &ServerProcess) -> ([Client; 2], String) {
    let clients = [replica.client(), replica.client()];
    for (client, name) in clients.iter().zip(["anna", "bela"]) {
        client.sign_in(name, None).await.expect("guests are welcome");
    }
    let match_id = seat_all(&clients, public_match(vec![me(), open()])).await;
    (clients, match_id)
}

#[tokio::test(flavor = "multi_thread")]
async fn one_trace_shows_a_move_from_the_call_to_the_fan_out_elsewhere() {
    let (redis, collector) = (RedisNode::start().await, Collector::start().await);
    let telemetry = ["--otlp-endpoint", &collector.url, "--trace-sample-ratio", "0"];
    let [playing, watching] = [0, 1].map(|_| ServerProcess::replica(&redis.url(), &telemetry));
    playing.until_ready().await;
    watching.until_ready().await;
    let (clients, match_id) = begun(&playing).await;
    let mut watched = watching.client().watch(&match_id, "", None);
    in_time("a snapshot", watched.next()).await.expect("a stream");

    let (seat, request) = next_play(&clients, &match_id).await;
    let client = &clients[seat];
    let traced = client.clone().with_traceparent(TRACEPARENT).expect("a traceparent");
    traced.play_tile(request.clone()).await.expect("a legal play");
    in_time("the move", watched.next()).await.expect("a stream");

    let wanted = [
        "fives.v1.MatchService/PlayTile",
        "decide",
        "store.commit",
        "redis",
        "feed.fan_out",
    ];
    until("the trace", async || {
        let names: BTreeSet<String> = collector.trace(TRACE_ID).into_iter().map(|span| span.name).collect();
        wanted.iter().all(|name| names.contains(*name))
    })
    .await;
    let spans = collector.trace(TRACE_ID);
    println!("{}", drawn(&spans));
    let named = |name: &str| spans.iter().find(|span| span.name == name).expect("it was waited for");
    let (call, commit, fan_out) = (named(wanted[0]), named("store.commit"), named("feed.fan_out"));
    assert_eq!(call.parent, "b7ad6b7169203331", "it follows on the client's span");
    assert_eq!(commit.parent, call.id);
    assert!(
        spans
            .iter()
            .any(|span| span.name == "redis" && span.parent == commit.id),
        "the round trip is in the commit"
    );
    assert_eq!(fan_out.parent, call.id);
    assert_ne!(fan_out.instance, call.instance, "the watcher is at the other replica");

    // What the caller does not want kept is not, and is named in a refusal all the same.
    let not_kept = "00-11111111111111111111111111111111-b7ad6b7169203331-00";
    let untraced = client.clone().with_traceparent(not_kept).expect("a traceparent");
    let again = v1::PlayTileRequest {
        request_id: String::new(),
        ..request
    };
    let refused = untraced.play_tile(again).await.expect_err("it was played already");
    assert_eq!(refused.trace_id(), Some("11111111111111111111111111111111"));
    playing.terminate().await;
    assert!(collector.trace("11111111111111111111111111111111").is_empty());
    let metrics = collector.metrics();
    for metric in [
        "rpc.server.call.duration",
        "fives.store.operation.duration",
        "fives.refusals",
    ] {
        assert!(metrics.iter().any(|name| name == metric), "{metric} is sent, too");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_secret_is_ever_logged_or_traced() {
    let (redis, collector) = (RedisNode::start().await, Collector::start().await);
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("log");
    let telemetry = [
        "--otlp-endpoint",
        &collector.url,
        "--trace-sample-ratio",
        "1",
        "--log",
        "trace",
    ];
    let replica = ServerProcess::replica_logging_to(&log, &redis.url(), &telemetry);
    replica.until_ready().await;

    let device_keys = [
        "anna-s-device-key-0123456789abcdef",
        "bela-s-device-key-0123456789abcdef",
    ];
    let clients = [replica.client(), replica.client()];
    let mut secrets: Vec<String> = device_keys.map(str::to_owned).to_vec();
    for (client, device_key) in clients.iter().zip(device_keys) {
        let request = v1::SignInGuestRequest {
            display_name: "guest".to_owned(),
            device_key: device_key.to_owned(),
        };
        let mut players = PlayerServiceClient::connect(replica.url()).await.expect("it listens");
        let token = players.sign_in_guest(request).await.expect("guests are welcome");
        let token = token.into_inner().access_token;
        client.set_token(&token).expect("a token");
        // Its signature alone would do.
        secrets.extend(token.rsplit('.').next().map(str::to_owned));
    }
    let private = v1::CreateMatchRequest {
        visibility: v1::MatchVisibility::Private.into(),
        ..public_match(vec![me(), open()])
    };
    let view = clients[0].create_match(private).await.expect("created").view;
    let (match_id, code) = view.map(|view| (view.match_id, view.invite_code)).expect("a view");
    let by_code = v1::JoinMatchRequest {
        target: Some(v1::join_match_request::Target::InviteCode(code.clone())),
        ..Default::default()
    };
    clients[1].join_match(by_code).await.expect("joined");
    secrets.push(code);

    // What was dealt, as the store has it.
    let store = RedisStore::new(&redis.url().parse().expect("an address"), Config::default()).expect("a store");
    let table = store
        .load(&match_id.parse().expect("an id"))
        .await
        .expect("it is there");
    let table = table.expect("it is there");
    let master = table.master.reveal();
    secrets.push(data_encoding::HEXLOWER.encode(master));
    secrets.push(data_encoding::BASE64.encode(master));
    secrets.push(format!("{master:?}"));
    let round = table.game().expect("it has begun").round();
    for hand in round.hands().0.iter().filter(|hand| !hand.is_empty()) {
        let tiles: Vec<u8> = hand.iter().map(|tile| tile.number()).collect();
        secrets.extend([hand.bits().to_string(), format!("{tiles:?}")]);
    }
    // As a view would be printed.
    secrets.push("hand: [Tile".to_owned());

    in_time("the match", play_out(&clients, &match_id)).await;
    replica.terminate().await;

    let written = std::fs::read_to_string(&log).expect("a log");
    assert!(written.contains("TRACE"), "everything is logged");
    let traced = collector.everything();
    assert!(traced.contains("PlayTile"), "everything is traced");
    for secret in secrets {
        assert!(secret.len() >= 5, "long enough to be found by chance never: {secret}");
        assert!(!written.contains(&secret), "the log has {secret}");
        assert!(!traced.contains(&secret), "a span or a metric has {secret}");
    }
}
