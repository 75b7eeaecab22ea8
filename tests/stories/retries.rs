//! Every write sent again: the same answer, and nothing happens twice.

use fives_client::{Client, v1};

use crate::harness::{Server, Witness, join, me, open, public_match, seat_all, verified_replay, view_of};

/// The revision that the match is at.
async fn revision(client: &Client, match_id: &str) -> u64 {
    let view = view_of(client, match_id).await;
    view.cursor.expect("a cursor").revision
}

#[tokio::test(flavor = "multi_thread")]
async fn every_request_of_a_match_can_be_sent_again_at_any_time() {
    let server = Server::start().await;
    let [anna, bela] = server.guests::<2>().await;

    let create = v1::CreateMatchRequest {
        request_id: "create".into(),
        ..public_match(vec![me(), open()])
    };
    let created = anna.create_match(create.clone()).await.expect("created");
    let again = anna.create_match(create.clone()).await.expect("created before");
    assert_eq!((created.cursor, &created.batch), (again.cursor, &again.batch));
    let match_id = created.view.expect("a view").match_id;
    assert_eq!(
        again.view.expect("a view").match_id,
        match_id,
        "a retry finds the match of the first try"
    );

    let joining = v1::JoinMatchRequest {
        request_id: "join".into(),
        ..join(&match_id, vec![1, 2, 3])
    };
    let joined = bela.join_match(joining.clone()).await.expect("joined");
    let again = bela.join_match(joining.clone()).await.expect("joined before");
    assert_eq!((joined.cursor, joined.batch), (again.cursor, again.batch));

    // Both play, and send every play twice; the play before is sent again as well, after the other one has played.
    let mut earlier: Option<(Client, v1::PlayTileRequest, v1::PlayTileResponse)> = None;
    let mut played = 0;
    'match_goes_on: loop {
        for client in [&anna, &bela] {
            let view = view_of(client, &match_id).await;
            if view.state() != v1::MatchState::Live {
                break 'match_goes_on;
            }
            let round = view.round.expect("a live match has a round");
            let Some(best) = round.legal_plays.iter().max_by_key(|scored| scored.points) else {
                continue;
            };
            let play = v1::PlayTileRequest {
                request_id: format!("play-{played}"),
                match_id: match_id.clone(),
                round: Some(round.round),
                play: best.play,
                expected_cursor: view.cursor,
                ..Default::default()
            };
            let first = client.play_tile(play.clone()).await.expect("a legal play");
            let again = client.play_tile(play.clone()).await.expect("played before");
            assert_eq!(first, again, "the first answer again");
            if let Some((client, play, first)) = earlier.replace((client.clone(), play, first)) {
                let before = revision(&client, &match_id).await;
                match client.play_tile(play).await {
                    Ok(again) => assert_eq!(first, again, "the first answer, a turn later"),
                    // Ids are kept for the round and the one after; a later retry is refused, never played.
                    Err(error) => assert_eq!(error.reason(), Some(v1::ErrorReason::OldRound)),
                }
                assert_eq!(revision(&client, &match_id).await, before, "nothing happened twice");
            }
            played += 1;
        }
    }
    let record = verified_replay(&anna, &match_id).await;
    let recorded: usize = record
        .hands
        .iter()
        .flat_map(|round| &round.events)
        .filter(|turn| turn.play.is_some())
        .count();
    assert_eq!(recorded, played, "every play happened once");

    let again = anna.create_match(create).await.expect("created before");
    assert_eq!(again.batch, created.batch, "even after the end");
}

#[tokio::test(flavor = "multi_thread")]
async fn leaving_and_resigning_can_be_sent_again() {
    let server = Server::start().await;
    let [anna, bela] = server.guests::<2>().await;
    let match_id = seat_all(&[anna.clone(), bela.clone()], public_match(vec![me(), open(), open()])).await;
    let leave = v1::LeaveMatchRequest {
        request_id: "leave".into(),
        match_id: match_id.clone(),
    };
    let left = bela.leave_match(leave.clone()).await.expect("left");
    assert_eq!(bela.leave_match(leave).await.expect("left before"), left);

    let match_id = seat_all(&[anna.clone(), bela.clone()], public_match(vec![me(), open()])).await;
    let resign = v1::ResignRequest {
        request_id: "resign".into(),
        match_id,
    };
    let resigned = bela.resign(resign.clone()).await.expect("resigned");
    assert_eq!(bela.resign(resign).await.expect("resigned before"), resigned);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_id_used_for_something_else_is_refused() {
    let server = Server::start().await;
    let [anna, bela] = server.guests::<2>().await;
    let create = v1::CreateMatchRequest {
        request_id: "one".into(),
        ..public_match(vec![me(), open()])
    };
    let match_id = anna
        .create_match(create.clone())
        .await
        .expect("created")
        .view
        .expect("a view")
        .match_id;
    let other = v1::CreateMatchRequest {
        spectators_allowed: false,
        ..create
    };
    let refused = anna
        .create_match(other)
        .await
        .expect_err("other contents under the same id");
    assert_eq!(refused.reason(), Some(v1::ErrorReason::RequestIdReused));

    let joining = v1::JoinMatchRequest {
        request_id: "two".into(),
        ..join(&match_id, vec![1])
    };
    bela.join_match(joining.clone()).await.expect("joined");
    let other = v1::JoinMatchRequest {
        entropy: vec![2].into(),
        ..joining
    };
    let refused = bela
        .join_match(other)
        .await
        .expect_err("other contents under the same id");
    assert_eq!(refused.reason(), Some(v1::ErrorReason::RequestIdReused));

    let resign = v1::ResignRequest {
        request_id: "two".into(),
        match_id,
    };
    let refused = bela.resign(resign).await.expect_err("another call under the same id");
    assert_eq!(refused.reason(), Some(v1::ErrorReason::RequestIdReused));
}

#[tokio::test(flavor = "multi_thread")]
async fn checking_a_play_changes_nothing() {
    let server = Server::start().await;
    let clients = server.guests::<2>().await;
    let match_id = seat_all(&clients, public_match(vec![me(), open()])).await;
    for client in &clients {
        let witness = Witness::at_first(client.follow(&match_id, None)).await;
        let Some(request) = crate::harness::Seated::new(client, &match_id).greedy_play(&witness) else {
            continue;
        };
        let checked = v1::PlayTileRequest {
            request_id: "check".into(),
            validate_only: true,
            ..request.clone()
        };
        let answer = client.play_tile(checked.clone()).await.expect("a legal play");
        assert_eq!((answer.cursor, answer.batch), (witness.cursor(), None));
        assert_eq!(
            revision(client, &match_id).await,
            witness.cursor().expect("a cursor").revision
        );
        let real = v1::PlayTileRequest {
            request_id: "check".into(),
            ..request
        };
        assert!(
            client
                .play_tile(real)
                .await
                .expect("the id was not kept")
                .batch
                .is_some()
        );
    }
}
