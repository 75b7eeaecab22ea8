//! Every reason that a request can be refused for, over the wire: its code, its details, and that nothing has changed.

use fives_client::{Client, Error, Refused, v1};
use tonic::Code;

use crate::harness::{Server, bot, join, me, open, public_match, seat_all};

/// The refusal behind an answer that must be one.
pub(crate) fn refused<T: std::fmt::Debug>(answer: Result<T, Error>, code: Code, reason: v1::ErrorReason) -> Refused {
    match answer {
        Err(Error::Refused(refused)) => {
            assert_eq!((refused.code, refused.reason), (code, reason), "{refused:?}");
            assert!(!refused.message.is_empty(), "a refusal says why");
            *refused
        }
        other => panic!("expected {reason:?}, got {other:?}"),
    }
}

fn play(match_id: &str, round: u32, tile: (u32, u32), end: v1::End) -> v1::PlayTileRequest {
    let (high, low) = tile;
    v1::PlayTileRequest {
        match_id: match_id.to_owned(),
        round: Some(round),
        play: Some(v1::Play {
            tile: Some(v1::Tile { high, low }),
            end: end.into(),
        }),
        ..Default::default()
    }
}

fn leave(match_id: &str) -> v1::LeaveMatchRequest {
    v1::LeaveMatchRequest {
        match_id: match_id.to_owned(),
        ..Default::default()
    }
}

fn resign(match_id: &str) -> v1::ResignRequest {
    v1::ResignRequest {
        match_id: match_id.to_owned(),
        ..Default::default()
    }
}

fn replay(match_id: &str) -> v1::GetReplayRequest {
    v1::GetReplayRequest {
        match_id: match_id.to_owned(),
        ..Default::default()
    }
}

async fn view(client: &Client, match_id: &str) -> v1::MatchView {
    let request = v1::GetMatchRequest {
        match_id: match_id.to_owned(),
        ..Default::default()
    };
    client.get_match(request).await.expect("seen").view.expect("a view")
}

/// Who of the two is on turn, who is not, and the view of the one who is.
async fn on_turn<'a>(clients: &'a [Client; 2], match_id: &str) -> (&'a Client, &'a Client, v1::MatchView) {
    let shown = view(&clients[0], match_id).await;
    match shown.round.as_ref().and_then(|round| round.seat_on_turn) {
        Some(0) => (&clients[0], &clients[1], shown),
        _ => (&clients[1], &clients[0], view(&clients[1], match_id).await),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn before_the_start() {
    let server = Server::start().await;
    let clients = server.guests::<2>().await;
    let [anna, bela] = &clients;
    let match_id = seat_all(std::slice::from_ref(anna), public_match(vec![me(), open(), open()])).await;
    let shown = view(anna, &match_id).await;

    let lead = play(&match_id, 0, (6, 6), v1::End::Unspecified);
    refused(
        anna.play_tile(lead.clone()).await,
        Code::FailedPrecondition,
        v1::ErrorReason::MatchNotStarted,
    );
    refused(
        bela.play_tile(lead).await,
        Code::PermissionDenied,
        v1::ErrorReason::NotSeated,
    );
    refused(
        anna.resign(resign(&match_id)).await,
        Code::FailedPrecondition,
        v1::ErrorReason::MatchNotStarted,
    );
    refused(
        bela.leave_match(leave(&match_id)).await,
        Code::PermissionDenied,
        v1::ErrorReason::NotSeated,
    );
    refused(
        anna.join_match(join(&match_id, vec![])).await,
        Code::FailedPrecondition,
        v1::ErrorReason::AlreadySeated,
    );
    let taken = v1::JoinMatchRequest {
        seat: Some(0),
        ..join(&match_id, vec![])
    };
    refused(
        bela.join_match(taken).await,
        Code::FailedPrecondition,
        v1::ErrorReason::SeatTaken,
    );
    let none_such = v1::JoinMatchRequest {
        seat: Some(3),
        ..join(&match_id, vec![])
    };
    refused(
        bela.join_match(none_such).await,
        Code::InvalidArgument,
        v1::ErrorReason::InvalidField,
    );
    refused(
        anna.get_replay(replay(&match_id)).await,
        Code::FailedPrecondition,
        v1::ErrorReason::MatchNotFinished,
    );
    refused(
        bela.follow(&match_id, None).next().await,
        Code::PermissionDenied,
        v1::ErrorReason::NotSeated,
    );
    assert_eq!(view(anna, &match_id).await, shown, "nothing has changed");

    anna.leave_match(leave(&match_id))
        .await
        .expect("the creator may close the table");
    for answer in [
        anna.resign(resign(&match_id)).await.map(|_| ()),
        anna.leave_match(leave(&match_id)).await.map(|_| ()),
    ] {
        let reason = answer.as_ref().err().and_then(Error::reason);
        assert!(
            matches!(reason, Some(v1::ErrorReason::MatchClosed | v1::ErrorReason::NotSeated)),
            "after the table was closed: {answer:?}"
        );
    }
    refused(
        bela.join_match(join(&match_id, vec![])).await,
        Code::FailedPrecondition,
        v1::ErrorReason::MatchClosed,
    );
    refused(
        anna.get_replay(replay(&match_id)).await,
        Code::FailedPrecondition,
        v1::ErrorReason::MatchClosed,
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn during_the_match() {
    let server = Server::start().await;
    let clients = server.guests::<2>().await;
    let stranger = server.guest("emil").await;
    let match_id = seat_all(&clients, public_match(vec![me(), open()])).await;
    let (player, waiting, shown) = on_turn(&clients, &match_id).await;
    let round = shown.round.clone().expect("a round");
    let held = round.hand[0];
    let lead = play(&match_id, 0, (held.high, held.low), v1::End::Unspecified);

    let other_round = v1::PlayTileRequest {
        round: Some(1),
        ..lead.clone()
    };
    refused(
        player.play_tile(other_round).await,
        Code::FailedPrecondition,
        v1::ErrorReason::OldRound,
    );
    refused(
        waiting.play_tile(lead.clone()).await,
        Code::FailedPrecondition,
        v1::ErrorReason::NotYourTurn,
    );
    refused(
        stranger.play_tile(lead.clone()).await,
        Code::PermissionDenied,
        v1::ErrorReason::NotSeated,
    );
    let stale = v1::Cursor { revision: 1, stamp: 1 };
    let stale = v1::PlayTileRequest {
        expected_cursor: Some(stale),
        ..lead.clone()
    };
    refused(
        player.play_tile(stale).await,
        Code::Aborted,
        v1::ErrorReason::StaleCursor,
    );
    refused(
        stranger.join_match(join(&match_id, vec![])).await,
        Code::FailedPrecondition,
        v1::ErrorReason::MatchAlreadyStarted,
    );
    refused(
        player.leave_match(leave(&match_id)).await,
        Code::FailedPrecondition,
        v1::ErrorReason::MatchAlreadyStarted,
    );
    refused(
        player.get_replay(replay(&match_id)).await,
        Code::FailedPrecondition,
        v1::ErrorReason::MatchNotFinished,
    );

    let illegal = |end, reason| {
        let (request, legal) = (
            play(&match_id, 0, (held.high, held.low), end),
            round.legal_plays.clone(),
        );
        async move {
            let refusal = refused(
                player.play_tile(request).await,
                Code::FailedPrecondition,
                v1::ErrorReason::IllegalPlay,
            );
            let detail = refusal.illegal_play.expect("an illegal play says what is legal");
            assert_eq!((detail.reason(), detail.legal_plays), (reason, legal));
        }
    };
    illegal(v1::End::Left, v1::illegal_play::Reason::LeadNamesNoEnd).await;
    let absent = (0..=6)
        .flat_map(|high| (0..=high).map(move |low| (high, low)))
        .find(|&(high, low)| !round.hand.contains(&v1::Tile { high, low }))
        .expect("nobody holds all tiles");
    let refusal = refused(
        player.play_tile(play(&match_id, 0, absent, v1::End::Unspecified)).await,
        Code::FailedPrecondition,
        v1::ErrorReason::IllegalPlay,
    );
    let detail = refusal.illegal_play.expect("a detail");
    assert_eq!(detail.reason(), v1::illegal_play::Reason::TileNotInHand);
    assert_eq!(view(player, &match_id).await, shown, "nothing has changed");

    player.play_tile(lead).await.expect("the lead is legal");
    let (player, _, shown) = on_turn(&clients, &match_id).await;
    let held = shown.round.expect("a round").hand[0];
    for (end, reason) in [
        (v1::End::Unspecified, v1::illegal_play::Reason::EndRequired),
        (v1::End::North, v1::illegal_play::Reason::NoSpinner),
    ] {
        let request = play(&match_id, 0, (held.high, held.low), end);
        let refusal = refused(
            player.play_tile(request).await,
            Code::FailedPrecondition,
            v1::ErrorReason::IllegalPlay,
        );
        let got = refusal.illegal_play.expect("a detail").reason();
        // If the lead was a double, there is a spinner, and its arms are closed.
        let closed = reason == v1::illegal_play::Reason::NoSpinner && got == v1::illegal_play::Reason::ArmClosed;
        assert!(got == reason || closed, "{got:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn after_the_end() {
    let server = Server::start().await;
    let clients = server.guests::<2>().await;
    let match_id = seat_all(&clients, public_match(vec![me(), open()])).await;
    clients[0].resign(resign(&match_id)).await.expect("resigned");
    let shown = view(&clients[1], &match_id).await;
    let lead = play(&match_id, 0, (6, 6), v1::End::Unspecified);
    refused(
        clients[1].play_tile(lead).await,
        Code::FailedPrecondition,
        v1::ErrorReason::MatchOver,
    );
    refused(
        clients[1].resign(resign(&match_id)).await,
        Code::FailedPrecondition,
        v1::ErrorReason::MatchOver,
    );
    refused(
        clients[1].leave_match(leave(&match_id)).await,
        Code::FailedPrecondition,
        v1::ErrorReason::MatchOver,
    );
    let stranger = server.guest("emil").await;
    refused(
        stranger.join_match(join(&match_id, vec![])).await,
        Code::FailedPrecondition,
        v1::ErrorReason::MatchOver,
    );
    assert_eq!(view(&clients[1], &match_id).await, shown, "nothing has changed");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_seat_that_was_given_up_is_a_bots() {
    let server = Server::start().await;
    let clients = server.guests::<3>().await;
    let match_id = seat_all(&clients, public_match(vec![me(), open(), open()])).await;
    clients[2].resign(resign(&match_id)).await.expect("resigned");
    refused(
        clients[2].resign(resign(&match_id)).await,
        Code::FailedPrecondition,
        v1::ErrorReason::SeatResigned,
    );
    let lead = play(&match_id, 0, (6, 6), v1::End::Unspecified);
    refused(
        clients[2].play_tile(lead).await,
        Code::FailedPrecondition,
        v1::ErrorReason::SeatResigned,
    );
}

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
    assert_eq!(made.invite_code.len(), 8, "the creator gets the code");
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
        target: Some(v1::join_match_request::Target::InviteCode("00000000".into())),
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
    let policy = fives_client::RetryPolicy {
        give_up_after: std::time::Duration::from_secs(1),
        ..Default::default()
    };
    let mut second = clients[1].clone().with_policy(policy).follow(&match_id, None);
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
