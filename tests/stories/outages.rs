//! Redis goes away and comes back: calls are refused at once, nobody is restarted, and everything goes on by itself.

use fives_client::{Client, v1};

use crate::harness::{
    Fleet, ONCE, RedisNode, Seated, Witness, ask, in_time, join, me, open, public_match, until, verified_replay,
    view_of,
};

async fn until_all_say(fleet: &Fleet, path: &str, wanted: u16) {
    for replica in &fleet.replicas {
        until(path, async || {
            ask(replica.listen(), path)
                .await
                .is_some_and(|(status, _)| status == wanted)
        })
        .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn redis_stops_and_starts_again() {
    let mut redis = RedisNode::start().await;
    let fleet = Fleet::start(&redis.url()).await;
    let processes: Vec<u32> = fleet.replicas.iter().map(crate::harness::ServerProcess::id).collect();
    let clients = [fleet.guest("anna").await, fleet.guest("bela").await];
    let created = clients[0]
        .create_match(public_match(vec![me(), open()]))
        .await
        .expect("created");
    let match_id = created.view.expect("a view").match_id;
    let mut watching = Vec::new();
    for replica in &fleet.replicas {
        watching.push(Witness::see_all_from_now(replica.client().watch(&match_id, "", None)).await);
    }
    until_all_say(&fleet, "/readyz", 200).await;

    redis.kill().await;
    until_all_say(&fleet, "/readyz", 503).await;
    for replica in &fleet.replicas {
        let alive = ask(replica.listen(), "/livez").await.map(|(status, _)| status);
        assert_eq!(alive, Some(200));
        refused_at_once(&replica.url(), &match_id).await;
    }

    redis.restart().await;
    until_all_say(&fleet, "/readyz", 200).await;
    clients[1].join_match(join(&match_id, vec![])).await.expect("joined");
    let others = tokio::spawn({
        let (client, match_id) = (clients[1].clone(), match_id.clone());
        async move { Seated::new(&client, &match_id).play_to_the_end().await }
    });
    let seen = in_time("the match", Seated::new(&clients[0], &match_id).play_to_the_end()).await;
    in_time("the other player", others).await.expect("the end was seen");
    for watcher in watching {
        let witness = in_time("a watcher", watcher).await.expect("the end was seen");
        assert_eq!(witness.cursor(), seen.cursor());
        assert_eq!(witness.snapshots(), 1, "the watcher was not sent away");
    }
    verified_replay(&clients[0], &match_id).await;
    let still: Vec<u32> = fleet.replicas.iter().map(crate::harness::ServerProcess::id).collect();
    assert_eq!(processes, still, "nothing was restarted");
}

/// Many calls at once are all refused, and say when to come again.
async fn refused_at_once(url: &str, match_id: &str) {
    let direct = Client::connect_lazy(url).expect("an address").with_policy(ONCE);
    // More than could wait for one connection attempt each.
    let calls = (0..50).map(|_| {
        let direct = direct.clone();
        let request = v1::GetMatchRequest {
            match_id: match_id.to_owned(),
            ..Default::default()
        };
        async move { direct.get_match(request).await }
    });
    for answer in in_time("fifty refusals", futures::future::join_all(calls)).await {
        let error = answer.expect_err("the store is gone");
        assert_eq!(error.reason(), Some(v1::ErrorReason::StoreUnavailable), "{error}");
        let fives_client::Error::Refused(refused) = error else {
            panic!("it was refused")
        };
        assert!(refused.retry_after.is_some(), "it says when to come again");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redis_that_only_reads_makes_no_replica_ready() {
    let redis = RedisNode::start().await;
    let fleet = Fleet::start(&redis.url()).await;
    let anna = fleet.guest("anna").await;
    let created = anna.create_match(public_match(vec![me(), open()])).await;
    let match_id = created.expect("created").view.expect("a view").match_id;
    let mut direct = Vec::new();
    for replica in &fleet.replicas {
        let client = replica.client().with_policy(ONCE);
        client.sign_in("bela", None).await.expect("guests are welcome");
        direct.push(client);
    }
    // Too few replicas; no memory left.
    for (setting, value) in [("min-replicas-to-write", "1"), ("maxmemory", "1")] {
        redis.ask::<()>("CONFIG", &["SET", setting, value]).await;
        until_all_say(&fleet, "/readyz", 503).await;
        for client in &direct {
            let refused = client.create_match(public_match(vec![me(), open()])).await;
            let error = refused.expect_err("nothing can be kept");
            assert_eq!(
                error.reason(),
                Some(v1::ErrorReason::StoreUnavailable),
                "{setting}: {error}"
            );
            let view = view_of(client, &match_id).await;
            assert_eq!(view.match_id, match_id, "what is there can be read");
        }
        redis.ask::<()>("CONFIG", &["SET", setting, "0"]).await;
        until_all_say(&fleet, "/readyz", 200).await;
    }
    let request = public_match(vec![me(), open()]);
    anna.create_match(request).await.expect("it is kept again");
}
