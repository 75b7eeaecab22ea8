//! Three replicas, one of which is killed every moment, while forty players come into a queue, get their match, and come again.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use fives_client::{Client, RetryPolicy, v1};
use tokio::task::JoinSet;

use super::{leave, line};
use crate::harness::{DEADLINE, Fleet, RedisNode, in_time, until, view_of};

const PLAYERS: usize = 40;

/// How often each comes at least, and how many replicas are killed meanwhile.
const ROUNDS: usize = 3;
const KILLS: u64 = 6;

/// A queue in which the last one who waits is not alone for ever.
const QUEUES: &str = r#"[{ "name": "duel", "players": 2, "bots_after_s": 4 }]"#;

/// Comes into the queue again and again; gives the matches.
async fn play_rounds(client: Client, kills: Arc<AtomicU64>) -> Vec<String> {
    let mut matches = Vec::new();
    while matches.len() < ROUNDS || kills.load(Ordering::Relaxed) < KILLS {
        let mut queued = client.join_queue("duel", "");
        let matched = in_time("a match", queued.matched()).await.expect("it goes on");
        matches.push(matched.expect("nobody has left"));
        // Only then there is another ticket: until it is left, the queue tells this match, however often it is asked.
        leave(&client, "duel").await;
    }
    matches
}

/// The matches that the service knows of a player.
async fn matches_of(client: &Client) -> Vec<v1::MatchSummary> {
    let request = v1::ListMatchesRequest {
        scope: v1::MatchScope::Mine.into(),
        page_size: 100,
        ..Default::default()
    };
    client.list_matches(request).await.expect("a list").matches
}

#[tokio::test(flavor = "multi_thread")]
async fn forty_players_get_one_match_for_each_ticket_whatever_is_killed() {
    let redis = RedisNode::start().await;
    let folder = tempfile::tempdir().expect("a folder");
    let queues = folder.path().join("queues.json");
    std::fs::write(&queues, QUEUES).expect("a file can be written");
    let mut fleet = Fleet::start_with(&redis.url(), &["--queues", &queues.to_string_lossy()]).await;
    let patient = RetryPolicy {
        give_up_after: DEADLINE,
        longest_wait: Duration::from_millis(200),
        ..RetryPolicy::default()
    };
    let mut clients = Vec::new();
    for number in 0..PLAYERS {
        let client = fleet.stranger().with_policy(patient);
        client
            .sign_in(&format!("player {number}"), None)
            .await
            .expect("guests are welcome");
        clients.push(client);
    }
    let kills = Arc::new(AtomicU64::new(0));
    let mut rounds = JoinSet::new();
    for (number, client) in clients.iter().cloned().enumerate() {
        let kills = Arc::clone(&kills);
        rounds.spawn(async move { (number, play_rounds(client, kills).await) });
    }
    let is_over = Arc::new(AtomicBool::new(false));
    let killing = {
        let is_over = Arc::clone(&is_over);
        let random = std::hash::RandomState::new();
        tokio::spawn(async move {
            while !is_over.load(Ordering::Relaxed) {
                let victim = std::hash::BuildHasher::hash_one(&random, kills.load(Ordering::Relaxed)) as usize
                    % fleet.replicas.len();
                fleet.replicas[victim].kill_and_restart().await;
                fleet.replicas[victim].until_ready().await;
                kills.fetch_add(1, Ordering::Relaxed);
            }
            fleet
        })
    };
    let mut told = BTreeMap::new();
    while let Some(done) = rounds.join_next().await {
        let (number, matches) = done.expect("every player gets every match");
        told.insert(number, matches);
    }
    is_over.store(true, Ordering::Relaxed);
    let fleet = killing.await.expect("replicas come back");

    let anna = &clients[0];
    until("nobody waits", async || line(anna, "duel").await == 0).await;
    until("every claim is closed", async || {
        redis.ask::<u64>("HLEN", &["f1:{q:duel}:c"]).await == 0
    })
    .await;
    for key in ["t", "o", "r", "a"] {
        let left: u64 = redis.ask("EXISTS", &[&format!("f1:{{q:duel}}:{key}")]).await;
        assert_eq!(left, 0, "{key} is not empty");
    }
    let mut seated: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (number, client) in clients.iter().enumerate() {
        let matches: BTreeSet<&String> = told[&number].iter().collect();
        assert_eq!(
            matches.len(),
            told[&number].len(),
            "player {number} got another match for each ticket"
        );
        let known = matches_of(client).await;
        let ids: BTreeSet<&String> = known.iter().map(|summary| &summary.match_id).collect();
        assert_eq!(ids, matches, "player {number} is in no other match");
        for summary in &known {
            assert_eq!(summary.state(), v1::MatchState::Live);
            let people = summary.seats.iter().filter(|seat| !seat.player_id.is_empty());
            let people: Vec<String> = people.map(|seat| seat.player_id.clone()).collect();
            let each: BTreeSet<String> = people.iter().cloned().collect();
            assert_eq!(each.len(), people.len(), "nobody plays with themselves: {summary:?}");
            assert_eq!(
                seated.entry(summary.match_id.clone()).or_insert_with(|| each.clone()),
                &each
            );
        }
    }
    let seats: usize = seated.values().map(BTreeSet::len).sum();
    assert_eq!(
        seats,
        told.values().map(Vec::len).sum::<usize>(),
        "a seat for each ticket"
    );
    let some = seated.keys().next().expect("there are matches");
    assert_eq!(
        view_of(&fleet.guest("watcher").await, some).await.state(),
        v1::MatchState::Live
    );
}
