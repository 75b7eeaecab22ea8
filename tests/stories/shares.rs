//! Everybody has a share of the service and is told so when it is used up; others never notice.

use std::slice::from_ref;
use std::time::Duration;

use fives_client::{Refused, v1};
use fives_server::config::{Config, Limits};
use fives_wire::status;
use fives_wire::v1::player_service_client::PlayerServiceClient;
use tonic::Code;
use tonic::transport::Endpoint;

use crate::harness::{Server, bot, hasty, in_time, join, me, open, public_match, seat_all};
use crate::refusals::{leave, refused};

/// A server with these shares and no others.
async fn server(change: impl FnOnce(&mut Limits)) -> Server {
    Server::start_with(|config: &mut Config| change(&mut config.limits)).await
}

fn rate_limited<T: std::fmt::Debug>(answer: Result<T, fives_client::Error>) -> Refused {
    let refusal = refused(answer, Code::ResourceExhausted, v1::ErrorReason::RateLimited);
    let wait = refusal.retry_after.expect("it says when to try again");
    assert!(wait > Duration::ZERO && wait <= Duration::from_secs(60), "{wait:?}");
    refusal
}

fn alone() -> v1::CreateMatchRequest {
    public_match(vec![me(), bot(v1::BotKind::Greedy)])
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_has_a_share_of_calls() {
    // Once two are used up, the next comes after a second, in which a client tries again by itself.
    let server = server(|limits| limits.player_calls_per_s = 1).await;
    let [anna, bela] = server.guests::<2>().await;
    let mut answers = Vec::new();
    for _ in 0..10 {
        answers.push(hasty(&anna).get_player(v1::GetPlayerRequest::default()).await);
    }
    let refused = answers
        .into_iter()
        .find(Result::is_err)
        .expect("ten at once are too many");
    rate_limited(refused);
    bela.get_player(v1::GetPlayerRequest::default())
        .await
        .expect("another player's share is whole");
    in_time("the next call", anna.get_player(v1::GetPlayerRequest::default()))
        .await
        .expect("a client that waits as it was told is served");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_makes_so_many_matches_a_minute() {
    let server = server(|limits| limits.player_matches_per_min = 2).await;
    let [anna, bela] = server.guests::<2>().await;
    for _ in 0..2 {
        anna.create_match(alone()).await.expect("within the share");
    }
    rate_limited(hasty(&anna).create_match(alone()).await);
    bela.create_match(alone())
        .await
        .expect("another player's share is whole");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_signs_in_so_many_a_minute() {
    let server = server(|limits| limits.address_sign_ins_per_min = 2).await;
    let [anna, _bela] = server.guests::<2>().await;
    rate_limited(hasty(&server.stranger()).sign_in("cleo", None).await);
    anna.get_player(v1::GetPlayerRequest::default())
        .await
        .expect("who is signed in is served");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_has_a_share_of_calls_before_anything_is_looked_at() {
    let server = server(|limits| limits.address_calls_per_s = 1).await;
    let endpoint = Endpoint::from_shared(server.url().to_owned()).expect("an address");
    let mut raw = PlayerServiceClient::new(endpoint.connect_lazy());
    let mut refusals = Vec::new();
    for _ in 0..10 {
        // It has no token, which is only found out by who gets as far.
        let refusal = raw
            .get_player(v1::GetPlayerRequest::default())
            .await
            .expect_err("no token");
        refusals.push((refusal.code(), status::reason(&refusal).expect("a reason")));
    }
    let (limited, missing) = (v1::ErrorReason::RateLimited, v1::ErrorReason::TokenMissing);
    assert_eq!(refusals[0], (Code::Unauthenticated, missing));
    assert!(refusals.contains(&(Code::ResourceExhausted, limited)), "{refusals:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_changes_so_often() {
    let server = server(|limits| limits.match_writes_per_s = 1).await;
    let [anna, bela] = server.guests::<2>().await;
    let match_id = seat_all(from_ref(&anna), public_match(vec![me(), open()])).await;
    let other = seat_all(from_ref(&anna), public_match(vec![me(), open()])).await;
    let mut answers = Vec::new();
    for _ in 0..10 {
        // Whether there is anything to change comes after.
        answers.push(hasty(&bela).leave_match(leave(&match_id)).await);
    }
    let is_limited = |answer: &Result<_, fives_client::Error>| {
        answer
            .as_ref()
            .is_err_and(|error| error.reason() == Some(v1::ErrorReason::RateLimited))
    };
    rate_limited(answers.into_iter().find(is_limited).expect("ten at once are too many"));
    bela.join_match(join(&other, vec![]))
        .await
        .expect("another match's share is whole");
}

#[tokio::test(flavor = "multi_thread")]
async fn streams_are_shared_out_among_players_and_addresses() {
    let server = server(|limits| {
        limits.max_streams_per_player = 1;
        limits.max_streams_per_address = 1;
    })
    .await;
    let clients = server.guests::<2>().await;
    let match_id = seat_all(&clients, public_match(vec![me(), open()])).await;
    let too_many = (Code::ResourceExhausted, v1::ErrorReason::TooManyStreams);
    let strangers = [server.stranger(), server.stranger()];
    let mut open = Vec::new();
    for (first, second) in [(&clients[0], &clients[0]), (&strangers[0], &strangers[1])] {
        let mut updates = first.watch(&match_id, "", None);
        updates.next().await.expect("within the share").expect("a snapshot");
        open.push(updates);
        let refusal = refused(
            hasty(second).watch(&match_id, "", None).next().await,
            too_many.0,
            too_many.1,
        );
        assert!(refusal.retry_after.is_some(), "it says when to try again");
    }
    let mut other = clients[1].follow(&match_id, None);
    other
        .next()
        .await
        .expect("another player's share is whole")
        .expect("a snapshot");
    drop(open);
    let mut again = clients[0].follow(&match_id, None);
    again.next().await.expect("there is room again").expect("a snapshot");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_creator_has_so_many_tables_that_wait() {
    let server = server(|limits| limits.max_open_tables_per_player = 2).await;
    let [anna, bela] = server.guests::<2>().await;
    let waiting = || public_match(vec![me(), open()]);
    let first = v1::CreateMatchRequest {
        request_id: "the-first".to_owned(),
        ..waiting()
    };
    let match_id = seat_all(from_ref(&anna), first.clone()).await;
    seat_all(from_ref(&anna), waiting()).await;
    let too_many = v1::ErrorReason::TooManyTables;
    refused(anna.create_match(waiting()).await, Code::ResourceExhausted, too_many);
    let again = anna.create_match(first).await.expect("a retry finds its table");
    assert_eq!(again.view.map(|view| view.match_id), Some(match_id.clone()));
    seat_all(from_ref(&bela), waiting()).await;
    bela.join_match(join(&match_id, vec![])).await.expect("a seat is free");
    let third = seat_all(from_ref(&anna), waiting()).await;
    refused(anna.create_match(waiting()).await, Code::ResourceExhausted, too_many);
    anna.leave_match(leave(&third)).await.expect("the creator closes it");
    seat_all(from_ref(&anna), waiting()).await;
}

/// Without this, everybody behind a load balancer would have one share together.
#[tokio::test(flavor = "multi_thread")]
async fn behind_a_trusted_proxy_the_address_is_the_clients() {
    let server = server(|limits| {
        limits.address_sign_ins_per_min = 1;
        limits.trusted_proxies = vec!["127.0.0.1/32".parse().expect("a network")];
    })
    .await;
    let endpoint = Endpoint::from_shared(server.url().to_owned()).expect("an address");
    let mut proxy = PlayerServiceClient::new(endpoint.connect_lazy());
    let mut sign_in = async |forwarded: &'static str| {
        let message = v1::SignInGuestRequest {
            display_name: "anna".to_owned(),
            ..Default::default()
        };
        let mut request = tonic::Request::new(message);
        request
            .metadata_mut()
            .insert("x-forwarded-for", forwarded.parse().expect("a value"));
        proxy
            .sign_in_guest(request)
            .await
            .map_err(|refusal| status::reason(&refusal))
    };
    let limited = Some(v1::ErrorReason::RateLimited);
    sign_in("192.0.2.1").await.expect("the first from there");
    assert_eq!(sign_in("192.0.2.1").await.err(), Some(limited));
    sign_in("192.0.2.2").await.expect("the first from there");
    assert_eq!(
        sign_in("192.0.2.99, 192.0.2.1").await.err(),
        Some(limited),
        "what a client says of itself is no use"
    );
}
