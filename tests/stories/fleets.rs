//! Three replicas behind a load balancer: each call goes to whichever replica, and nobody can tell.

use fives_client::Client;
use fives_client::v1;

use crate::harness::{
    Fleet, RedisCluster, RedisNode, Seated, Witness, bot, in_time, join, me, open, public_match, verified_replay,
};

/// Four people, each over a connection of their own, play a whole match, watched on every replica.
async fn a_whole_match(fleet: &Fleet) {
    let mut people: Vec<Client> = Vec::new();
    for name in ["anna", "bela", "cleo", "dora"] {
        people.push(fleet.guest(name).await);
    }
    let request = public_match(vec![me(), open(), open(), open()]);
    let created = people[0].create_match(request).await.expect("created");
    let match_id = created.view.expect("a view").match_id;
    let mut watching = Vec::new();
    for replica in &fleet.replicas {
        watching.push(Witness::see_all_from_now(replica.client().watch(&match_id, "", None)).await);
    }
    for person in &people[1..] {
        person.join_match(join(&match_id, vec![7; 7])).await.expect("joined");
    }
    let playing: Vec<_> = people
        .iter()
        .map(|person| {
            let (person, match_id) = (person.clone(), match_id.clone());
            tokio::spawn(async move { Seated::new(&person, &match_id).play_to_the_end().await })
        })
        .collect();
    let mut seen = Vec::new();
    for player in playing {
        seen.push(in_time("the match", player).await.expect("the end was seen"));
    }
    let end = seen[0].cursor();
    assert!(seen.iter().all(|witness| witness.cursor() == end));
    let mut watched = Vec::new();
    for watcher in watching {
        watched.push(in_time("a watcher", watcher).await.expect("the end was seen"));
    }
    for witness in &watched {
        assert_eq!(witness.cursor(), end);
        assert_eq!(witness.snapshots(), 1, "nothing was missed");
        assert_eq!(witness.batches(), watched[0].batches(), "all replicas show the same");
    }
    verified_replay(&people[0], &match_id).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn matches_are_whole_and_look_the_same_on_every_replica() {
    let redis = RedisNode::start().await;
    let fleet = Fleet::start(&redis.url()).await;
    for _ in 0..3 {
        a_whole_match(&fleet).await;
    }
    // The bots of one are played by whoever comes first, and once.
    let anna = fleet.guest("anna").await;
    let bots = vec![
        bot(v1::BotKind::Greedy),
        bot(v1::BotKind::Random),
        bot(v1::BotKind::Greedy),
    ];
    let created = anna.create_match(public_match(bots)).await.expect("created");
    let match_id = created.view.expect("a view").match_id;
    in_time("the bots", Witness::default().see_all(anna.watch(&match_id, "", None))).await;
    verified_replay(&anna, &match_id).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cluster_goes_on_after_one_of_its_primaries_is_gone() {
    let mut cluster = RedisCluster::start().await;
    let fleet = Fleet::start(&cluster.url()).await;
    a_whole_match(&fleet).await;
    cluster.nodes[0].kill().await;
    a_whole_match(&fleet).await;
}
