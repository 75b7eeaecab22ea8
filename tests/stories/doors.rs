//! Doors that stay shut, over the wire: private matches, matches without spectators, what does not exist or cannot be, a full
//! server.

use fives_client::v1;
use tonic::Code;

use crate::harness::{Server, bot, hasty, join, me, open, public_match, seat_all};
use crate::invites::unknown;
use crate::refusals::{leave, refused, replay, resign};

#[tokio::test(flavor = "multi_thread")]
async fn private_matches_and_matches_without_spectators() {
    let server = Server::start().await;
    let [anna, bela] = server.guests::<2>().await;
    let stranger = server.stranger();
    let private = v1::CreateMatchRequest {
        visibility: v1::MatchVisibility::Private.into(),
        spectators_allowed: false,
        ..public_match(vec![me(), open()])
    };
    let made = anna.create_match(private).await.expect("created").view.expect("a view");
    assert_eq!(made.invite_code.len(), 9, "the creator gets the code");
    let by_id = v1::GetMatchRequest {
        match_id: made.match_id.clone(),
        ..Default::default()
    };
    let by_code = v1::GetMatchRequest {
        invite_code: made.invite_code.to_lowercase(),
        ..by_id.clone()
    };
    refused(
        stranger.get_match(by_id.clone()).await,
        Code::PermissionDenied,
        v1::ErrorReason::InviteRequired,
    );
    let seen = stranger
        .get_match(by_code.clone())
        .await
        .expect("who has the code may look")
        .view
        .expect("a view");
    assert!(seen.invite_code.is_empty(), "the code is for the seated");
    refused(
        bela.join_match(join(&made.match_id, vec![])).await,
        Code::PermissionDenied,
        v1::ErrorReason::InviteRequired,
    );
    let wrong = v1::JoinMatchRequest {
        target: Some(v1::join_match_request::Target::InviteCode(unknown(1))),
        ..Default::default()
    };
    refused(
        bela.join_match(wrong).await,
        Code::NotFound,
        v1::ErrorReason::InviteNotFound,
    );
    let open_list = v1::ListMatchesRequest {
        scope: v1::MatchScope::Open.into(),
        ..Default::default()
    };
    assert!(
        bela.list_matches(open_list).await.expect("a list").matches.is_empty(),
        "private matches are not listed"
    );
    let right = v1::JoinMatchRequest {
        target: Some(v1::join_match_request::Target::InviteCode(made.invite_code.clone())),
        ..Default::default()
    };
    bela.join_match(right).await.expect("the code opens it");
    refused(
        stranger.get_match(by_code).await,
        Code::PermissionDenied,
        v1::ErrorReason::SpectatorsNotAllowed,
    );
    refused(
        stranger.watch(&made.match_id, &made.invite_code, None).next().await,
        Code::PermissionDenied,
        v1::ErrorReason::SpectatorsNotAllowed,
    );
    refused(
        stranger.watch(&made.match_id, "", None).next().await,
        Code::PermissionDenied,
        v1::ErrorReason::InviteRequired,
    );
    let live = stranger
        .list_live_matches(v1::ListLiveMatchesRequest::default())
        .await
        .expect("a list");
    assert!(live.matches.is_empty());
    anna.get_match(by_id).await.expect("the seated always see their match");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_does_not_exist() {
    let server = Server::start().await;
    let [anna] = server.guests::<1>().await;
    let nowhere = format!("m-{}", "a".repeat(26));
    refused(
        anna.get_match(v1::GetMatchRequest {
            match_id: nowhere.clone(),
            ..Default::default()
        })
        .await,
        Code::NotFound,
        v1::ErrorReason::MatchNotFound,
    );
    refused(
        anna.join_match(join(&nowhere, vec![])).await,
        Code::NotFound,
        v1::ErrorReason::MatchNotFound,
    );
    refused(
        anna.leave_match(leave(&nowhere)).await,
        Code::NotFound,
        v1::ErrorReason::MatchNotFound,
    );
    refused(
        anna.resign(resign(&nowhere)).await,
        Code::NotFound,
        v1::ErrorReason::MatchNotFound,
    );
    refused(
        anna.follow(&nowhere, None).next().await,
        Code::NotFound,
        v1::ErrorReason::MatchNotFound,
    );
    refused(
        anna.watch(&nowhere, "", None).next().await,
        Code::NotFound,
        v1::ErrorReason::MatchNotFound,
    );
    refused(
        anna.get_replay(replay(&nowhere)).await,
        Code::NotFound,
        v1::ErrorReason::MatchNotFound,
    );
    let nobody = v1::GetPlayerRequest {
        player_id: format!("p-{}", "a".repeat(26)),
    };
    refused(
        anna.get_player(nobody).await,
        Code::NotFound,
        v1::ErrorReason::PlayerNotFound,
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn impossible_options_and_seats() {
    let server = Server::start().await;
    let [anna] = server.guests::<1>().await;
    let with = |options: v1::MatchOptions| v1::CreateMatchRequest {
        options: Some(options),
        ..public_match(vec![me(), bot(v1::BotKind::Greedy)])
    };
    for options in [
        v1::MatchOptions {
            partners: Some(true),
            ..Default::default()
        },
        v1::MatchOptions {
            target_points: Some(7),
            ..Default::default()
        },
        v1::MatchOptions {
            target_points: Some(1005),
            ..Default::default()
        },
        v1::MatchOptions {
            boneyard_reserve: Some(3),
            ..Default::default()
        },
        v1::MatchOptions {
            max_rounds: Some(0),
            ..Default::default()
        },
        v1::MatchOptions {
            max_rounds: Some(1001),
            ..Default::default()
        },
    ] {
        refused(
            anna.create_match(with(options)).await,
            Code::InvalidArgument,
            v1::ErrorReason::InvalidOptions,
        );
    }
    for seats in [
        vec![],
        vec![me()],
        vec![me(), me()],
        vec![me(); 5],
        vec![me(), v1::SeatRequest { occupant: None }],
    ] {
        refused(
            anna.create_match(public_match(seats)).await,
            Code::InvalidArgument,
            v1::ErrorReason::InvalidField,
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_with_no_room_says_so() {
    let server = Server::start_with(|config| config.max_streams = 1).await;
    let clients = server.guests::<2>().await;
    let match_id = seat_all(&clients, public_match(vec![me(), open()])).await;
    let mut first = clients[0].follow(&match_id, None);
    first.next().await.expect("the stream opens").expect("a snapshot");
    let mut second = hasty(&clients[1]).follow(&match_id, None);
    let refusal = refused(
        second.next().await,
        Code::ResourceExhausted,
        v1::ErrorReason::TooManyStreams,
    );
    assert!(refusal.retry_after.is_some(), "it says when to try again");
    drop(first);
    let mut third = clients[1].follow(&match_id, None);
    third.next().await.expect("there is room again").expect("a snapshot");
}
