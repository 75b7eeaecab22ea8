//! Every reason that a request can be refused for, over the wire: its code, its details, and that nothing has changed.

use fives_client::{Client, Error, Refused, v1};
use tonic::Code;

use crate::harness::{Server, join, me, open, public_match, seat_all, view_of};

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

pub(crate) fn leave(match_id: &str) -> v1::LeaveMatchRequest {
    v1::LeaveMatchRequest {
        match_id: match_id.to_owned(),
        ..Default::default()
    }
}

pub(crate) fn resign(match_id: &str) -> v1::ResignRequest {
    v1::ResignRequest {
        match_id: match_id.to_owned(),
        ..Default::default()
    }
}

pub(crate) fn replay(match_id: &str) -> v1::GetReplayRequest {
    v1::GetReplayRequest {
        match_id: match_id.to_owned(),
        ..Default::default()
    }
}

/// Who of the two is on turn, who is not, and the view of the one who is.
async fn on_turn<'a>(clients: &'a [Client; 2], match_id: &str) -> (&'a Client, &'a Client, v1::MatchView) {
    let shown = view_of(&clients[0], match_id).await;
    match shown.round.as_ref().and_then(|round| round.seat_on_turn) {
        Some(0) => (&clients[0], &clients[1], shown),
        _ => (&clients[1], &clients[0], view_of(&clients[1], match_id).await),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn before_the_start() {
    let server = Server::start().await;
    let clients = server.guests::<2>().await;
    let [anna, bela] = &clients;
    let match_id = seat_all(std::slice::from_ref(anna), public_match(vec![me(), open(), open()])).await;
    let shown = view_of(anna, &match_id).await;

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
    assert_eq!(view_of(anna, &match_id).await, shown, "nothing has changed");

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
    assert_eq!(view_of(player, &match_id).await, shown, "nothing has changed");

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
    let shown = view_of(&clients[1], &match_id).await;
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
    assert_eq!(view_of(&clients[1], &match_id).await, shown, "nothing has changed");
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
