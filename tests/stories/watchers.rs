//! Watchers: counted over all replicas, gone when they go, and never held up by one who does not read.

use fives_client::v1::match_update::Update;
use fives_client::{Client, v1};

use tonic::transport::Endpoint;

use crate::harness::{
    Fleet, RedisNode, Server, Witness, bot, in_time, me, open, play_out, public_match, seat_all, until,
};

/// How many watch the only live match, as this client is told.
async fn watchers(client: &Client) -> u32 {
    let list = client.list_live_matches(v1::ListLiveMatchesRequest::default()).await;
    list.expect("a list").matches.first().map_or(0, |live| live.watchers)
}

async fn until_all_count(fleet: &Fleet, wanted: u32) {
    for (number, replica) in fleet.replicas.iter().enumerate() {
        let client = replica.client();
        until(&format!("replica {number} counts {wanted}"), async || {
            watchers(&client).await == wanted
        })
        .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn watchers_are_counted_over_all_replicas_and_freed_when_they_leave() {
    let redis = RedisNode::start().await;
    let mut fleet = Fleet::start(&redis.url()).await;
    let clients = [fleet.guest("anna").await, fleet.guest("bela").await];
    let match_id = seat_all(&clients, public_match(vec![me(), open()])).await;
    // They go on reading: whom the load balancer led to the replica that dies, watches on at another one.
    let mut watching = Vec::new();
    for client in [
        fleet.stranger(),
        fleet.stranger(),
        fleet.replicas[0].client(),
        fleet.replicas[1].client(),
    ] {
        watching.push(Witness::see_all_from_now(client.watch(&match_id, "", None)).await);
    }
    until_all_count(&fleet, 4).await;
    // One that came through the load balancer: it passes on that a client is gone.
    watching[0].abort();
    until_all_count(&fleet, 3).await;
    // What a replica told before it died does not count for long.
    fleet.replicas[1].kill_and_restart().await;
    fleet.replicas[1].until_ready().await;
    watching[3].abort();
    until_all_count(&fleet, 2).await;
}

/// The memory of this process, in bytes.
fn resident_bytes() -> u64 {
    let pages = std::fs::read_to_string("/proc/self/statm").expect("Linux tells");
    let resident: u64 = pages
        .split(' ')
        .nth(1)
        .and_then(|pages| pages.parse().ok())
        .expect("a number of pages");
    resident * 4096
}

#[tokio::test(flavor = "multi_thread")]
async fn a_watcher_who_does_not_read_holds_nobody_up() {
    const GOOD: usize = 200;
    let server = Server::start().await;
    let clients = server.guests::<2>().await;
    let long = v1::CreateMatchRequest {
        options: Some(v1::MatchOptions {
            target_points: Some(300),
            ..Default::default()
        }),
        ..public_match(vec![me(), open(), bot(v1::BotKind::Random)])
    };
    let match_id = seat_all(&clients, long).await;
    // Room for a few updates, as on a bad network; by default a client takes megabytes.
    let endpoint = Endpoint::from_shared(server.url().to_owned()).expect("an address");
    let narrow = Client::over(endpoint.initial_stream_window_size(16 * 1024).connect_lazy());
    let mut slow = narrow.watch(&match_id, "", None);
    let first = in_time("a snapshot", slow.next())
        .await
        .expect("a stream")
        .expect("a snapshot");
    let good = server.stranger();
    let watching: Vec<_> = (0..GOOD)
        .map(|_| tokio::spawn(Witness::default().see_all(good.watch(&match_id, "", None))))
        .collect();
    let before = resident_bytes();
    let seen = play_out(&clients, &match_id).await;
    for watcher in watching {
        let witness = in_time("a good watcher", watcher).await.expect("the end was seen");
        assert_eq!(witness.cursor(), seen[0].cursor());
        assert_eq!(witness.snapshots(), 1, "nobody was held up");
    }
    let grown = resident_bytes().saturating_sub(before);
    assert!(grown < 256 * 1024 * 1024, "memory grew by {grown} bytes");

    // It has missed too much to be told all of it: it gets a snapshot, and then the end.
    let mut witness = Witness::default();
    witness.see(&first);
    while let Some(update) = in_time("what is left", slow.next()).await.expect("a stream") {
        if let Update::Snapshot(snapshot) = &update {
            assert!(!snapshot.reset, "it is late, not elsewhere");
        }
        witness.see(&update);
    }
    assert_eq!(witness.cursor(), seen[0].cursor());
    assert_eq!(witness.snapshots(), 2);
}
