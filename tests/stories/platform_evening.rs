//! A platform's evening, from its tokens to the proof: two phones and a party of two come into a ranked queue, play partners through
//! three replicas of which one dies, are rated once, and the platform is told once it can listen. A stranger is refused at each step.

use std::fs;

use fives_client::v1::platform_service_client::PlatformServiceClient;
use fives_client::{Client, v1};
use fives_wire::status;
use serde_json::json;
use tonic::{Code, Request};

use crate::harness::{
    Fleet, IssuerKey, Receiver, RedisNode, Reply, Seated, TokenIssuer, in_time, until, verified_replay, view_of,
};
use crate::queues::parties::id;
use crate::queues::{matched, waiting};
use crate::refusals::refused;

const ISSUER: &str = "https://id.stories.example/";
const QUEUE: &str = "evening";

/// What a stranger's calls come to: none of them is answered.
async fn nothing_for_strangers(fleet: &Fleet, forged: &str, key: &IssuerKey, issuer: &TokenIssuer, match_id: &str) {
    let nobody = fleet.stranger();
    refused(
        nobody.join_queue(QUEUE, "").next().await,
        Code::Unauthenticated,
        v1::ErrorReason::TokenMissing,
    );
    let forger = fleet.stranger();
    forger.set_token(forged).expect("printable");
    refused(
        forger.join_queue(QUEUE, "").next().await,
        Code::Unauthenticated,
        v1::ErrorReason::TokenInvalid,
    );
    refused(
        forger.get_ratings(Default::default()).await,
        Code::Unauthenticated,
        v1::ErrorReason::TokenInvalid,
    );
    // Known to the platform, but not at this table, and no backend.
    let onlooker = player(fleet, key, issuer, "emil");
    refused(
        onlooker.follow(match_id, None).next().await,
        Code::PermissionDenied,
        v1::ErrorReason::NotSeated,
    );
    let view = view_of(&onlooker, match_id).await;
    let tile = v1::Tile { high: 6, low: 6 };
    let play = v1::PlayTileRequest {
        match_id: match_id.to_owned(),
        round: view.round.map(|round| round.round),
        play: Some(v1::Play {
            tile: Some(tile),
            ..Default::default()
        }),
        ..Default::default()
    };
    refused(
        onlooker.play_tile(play).await,
        Code::PermissionDenied,
        v1::ErrorReason::NotSeated,
    );
    let mut void = Request::new(v1::PlatformServiceVoidMatchRequest {
        match_id: match_id.to_owned(),
        reason: "mine".to_owned(),
    });
    let bearer = format!("Bearer {}", key.sign(&issuer.claims("emil")));
    void.metadata_mut()
        .insert("authorization", bearer.parse().expect("printable"));
    let mut backend = PlatformServiceClient::connect(fleet.url().to_owned())
        .await
        .expect("it listens");
    let status = backend.void_match(void).await.expect_err("refused");
    assert_eq!(
        status::reason(&status),
        Some(v1::ErrorReason::ScopeMissing),
        "{status:?}"
    );
}

/// Somebody with a token of the platform.
fn player(fleet: &Fleet, key: &IssuerKey, issuer: &TokenIssuer, subject: &str) -> Client {
    let client = fleet.stranger();
    client.set_token(&key.sign(&issuer.claims(subject))).expect("printable");
    client
}

/// How many partners matches a player's rating comes from.
async fn rated(client: &Client) -> u64 {
    let ratings = client.get_ratings(Default::default()).await.expect("ratings").ratings;
    let of_partners = ratings
        .into_iter()
        .find(|rating| rating.pool() == v1::RatingPool::Partners);
    of_partners.expect("a pool").matches
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_evening() {
    let (key, redis, folder) = (
        IssuerKey::ed25519("ed"),
        RedisNode::start().await,
        tempfile::tempdir().expect("a folder"),
    );
    let issuer = TokenIssuer::start(ISSUER, &[&key]).await;
    let receiver = Receiver::start(|number, _| Reply::Status(if number < 3 { 503 } else { 204 })).await;
    let hooks = receiver.hooks(folder.path(), json!({ "events": ["match_finished"] }));
    let queues = folder.path().join("queues.json");
    let queue = json!([{ "name": QUEUE, "players": 4, "partners": true, "ranked": true, "target_points": 50 }]);
    fs::write(&queues, queue.to_string()).expect("written");
    let issuers = issuer.file(&["player"]);
    let flags: Vec<String> = [("--issuers", &issuers), ("--hooks", &hooks), ("--queues", &queues)]
        .into_iter()
        .flat_map(|(flag, file)| [flag.to_owned(), file.display().to_string()])
        .collect();
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    let mut fleet = Fleet::start_with(&redis.url(), &flags).await;

    let people = ["anna", "bela", "cleo", "dora"].map(|subject| player(&fleet, &key, &issuer, subject));
    let [anna, bela, cleo, dora] = &people;
    let (anna_id, bela_id) = (id(anna).await, id(bela).await);
    let mut waits = [
        anna.join_queue(QUEUE, &bela_id),
        bela.join_queue(QUEUE, &anna_id),
        cleo.join_queue(QUEUE, ""),
        dora.join_queue(QUEUE, ""),
    ];
    waiting(&mut waits[0]).await;
    let [first, second, third, fourth] = &mut waits;
    let all = tokio::join!(matched(first), matched(second), matched(third), matched(fourth));
    let match_id = all.0;
    assert!(
        [all.1, all.2, all.3].iter().all(|other| *other == match_id),
        "one table"
    );
    let view = view_of(anna, &match_id).await;
    assert!(view.ranked);
    let seat = |player: &str| view.seats.iter().position(|seat| seat.player_id == player);
    assert_eq!(
        seat(&anna_id).map(|seat| (seat + 2) % 4),
        seat(&bela_id),
        "partners sit opposite"
    );

    let forged = IssuerKey::p256("ed").sign(&issuer.claims("anna"));
    nothing_for_strangers(&fleet, &forged, &key, &issuer, &match_id).await;

    let playing = people
        .each_ref()
        .map(|client| tokio::spawn(Seated::new(client, &match_id).play_to_the_end()));
    until("some tiles lie", async || {
        view_of(anna, &match_id)
            .await
            .cursor
            .is_some_and(|cursor| cursor.revision > 8)
    })
    .await;
    fleet.replicas.remove(0).kill().await;
    for one in playing {
        in_time("the match", one).await.expect("it was played to the end");
    }

    until("everybody is rated", async || {
        let matches = futures::future::join_all(people.iter().map(rated)).await;
        matches.iter().all(|matches| *matches == 1)
    })
    .await;
    until("the platform is told", async || receiver.came().len() >= 4).await;
    let played = v1::ListPlayedMatchesRequest::default;
    until("it is in the history", async || {
        let page = dora.list_played_matches(played()).await.expect("a page");
        page.matches.iter().any(|row| row.match_id == match_id)
    })
    .await;
    verified_replay(cleo, &match_id).await;

    let came = receiver.came();
    assert_eq!(came.len(), 4, "three failures, and then it was taken: {came:?}");
    assert!(came.iter().all(|delivery| delivery.id == came[0].id), "one delivery");
    assert_eq!(came[3].body["match"], match_id.as_str());
    for client in &people {
        assert_eq!(rated(client).await, 1, "once, however often it was told");
    }
}
