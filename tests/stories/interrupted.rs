//! A replica dies between two steps of a move, and the move is sent again: to it, or to another one. However it goes, it is
//! played once, and everybody who asks gets the same answer.

use std::sync::Arc;

use fives_client::{Client, Error, RetryPolicy, v1};
use fives_lobby::store::SharedLobbyStore;
use fives_referee::batch::Author;
use fives_referee::id::MatchId;
use fives_store::redis::{Config, RedisStore};

use crate::harness::{
    DEADLINE, ONCE, Proxy, RedisNode, ServerProcess, Way, in_time, join, me, open, public_match, view_of,
};

/// When the replica dies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Death {
    /// The commit is on its way to Redis and does not arrive.
    BeforeTheCommit,
    /// Redis has it, and its answer does not arrive.
    BeforeTheAnswer,
}

/// The person of this name at this replica.
async fn person(replica: &ServerProcess, name: &str, policy: RetryPolicy) -> Client {
    let client = Client::connect_lazy(&replica.url())
        .expect("an address")
        .with_policy(policy);
    let device = format!("the-device-of-{name}");
    client.sign_in(name, Some(&device)).await.expect("signed in");
    client
}

/// Who is on turn in a match that was just begun, what they could play, and the revision before it.
async fn next_move(people: &[(&str, Client)], match_id: &str) -> (String, v1::PlayTileRequest, u64) {
    for (name, person) in people {
        let view = view_of(person, match_id).await;
        let round = view.round.expect("it has begun");
        if let Some(legal) = round.legal_plays.first() {
            let request = v1::PlayTileRequest {
                request_id: "the-move-that-is-interrupted".to_owned(),
                match_id: match_id.to_owned(),
                round: Some(round.round),
                play: legal.play,
                ..Default::default()
            };
            return ((*name).to_owned(), request, view.cursor.expect("a cursor").revision);
        }
    }
    panic!("somebody is on turn");
}

async fn is_played_once(death: Death, again_at_the_same: bool) {
    let redis = RedisNode::start().await;
    let proxy = Proxy::to(redis.port()).await;
    let (mut dying, other) = (
        ServerProcess::replica(&proxy.url(), &[]),
        ServerProcess::replica(&redis.url(), &[]),
    );
    dying.until_ready().await;
    other.until_ready().await;
    let patient = RetryPolicy {
        give_up_after: DEADLINE,
        ..RetryPolicy::default()
    };
    let people = [
        ("anna", person(&other, "anna", patient).await),
        ("bela", person(&other, "bela", patient).await),
    ];
    let created = people[0]
        .1
        .create_match(public_match(vec![me(), open()]))
        .await
        .expect("created");
    let match_id = created.view.expect("a view").match_id;
    people[1].1.join_match(join(&match_id, vec![])).await.expect("joined");
    let (name, request, revision) = next_move(&people, &match_id).await;
    let interrupted = person(&dying, &name, ONCE).await;

    match death {
        Death::BeforeTheCommit => proxy.hold(Way::There, &request.request_id),
        // A commit that is done is answered with nothing.
        Death::BeforeTheAnswer => proxy.hold(Way::Back, "$-1"),
    }
    let interrupted = tokio::spawn({
        let request = request.clone();
        async move { interrupted.play_tile(request).await }
    });
    proxy.until_holding().await;
    let address = redis.url().parse().expect("an address");
    let store: SharedLobbyStore = Arc::new(RedisStore::new(&address, Config::default()).expect("a store"));
    let id: MatchId = match_id.parse().expect("an id");
    let kept = store
        .load(&id)
        .await
        .expect("Redis works")
        .expect("it is there")
        .cursor
        .revision;
    let is_committed = death == Death::BeforeTheAnswer;
    assert_eq!(kept, revision + u64::from(is_committed), "{death:?}");
    dying.kill_and_restart().await;
    let lost = in_time("the interrupted call", interrupted).await.expect("it ran");
    assert!(matches!(lost, Err(Error::Lost(_))), "{lost:?}");
    proxy.release();

    let (again, later) = if again_at_the_same {
        (&dying, &other)
    } else {
        (&other, &dying)
    };
    let play_again = async |replica| {
        let client = person(replica, &name, patient).await;
        in_time("the retry", client.play_tile(request.clone()))
            .await
            .expect("it is played")
    };
    let first = play_again(again).await;
    assert_eq!(first.cursor.expect("a cursor").revision, revision + 1, "{death:?}");
    for replica in [later, again] {
        assert_eq!(play_again(replica).await, first, "everybody gets the same answer");
    }
    let log = store.batches(&id, 1, 100).await.expect("the log");
    let by_request = log.iter().filter(
        |batch| matches!(&batch.author, Author::Player { request: by, .. } if by.as_str() == request.request_id),
    );
    assert_eq!(by_request.count(), 1, "{death:?}: it was played once");
}

#[tokio::test(flavor = "multi_thread")]
async fn before_the_commit_and_again_at_the_same() {
    is_played_once(Death::BeforeTheCommit, true).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn before_the_commit_and_again_at_another() {
    is_played_once(Death::BeforeTheCommit, false).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn before_the_answer_and_again_at_the_same() {
    is_played_once(Death::BeforeTheAnswer, true).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn before_the_answer_and_again_at_another() {
    is_played_once(Death::BeforeTheAnswer, false).await;
}
