//! Two at once: for a seat, for a turn, for the same request.

use fives_client::v1;

use crate::harness::{Seated, Server, Witness, in_time, join, me, open, public_match, seat_all};

#[tokio::test(flavor = "multi_thread")]
async fn a_seat_goes_to_one_of_those_who_reach_for_it() {
    let server = Server::start().await;
    let [anna, bela, cleo, dora] = server.guests::<4>().await;
    for round in 0..10 {
        let match_id = seat_all(std::slice::from_ref(&anna), public_match(vec![me(), open()])).await;
        let reach = |client: &fives_client::Client| {
            let (client, request) = (
                client.clone(),
                v1::JoinMatchRequest {
                    seat: Some(1),
                    ..join(&match_id, vec![round])
                },
            );
            async move { client.join_match(request).await }
        };
        let (b, c, d) = tokio::join!(reach(&bela), reach(&cleo), reach(&dora));
        let results = [b, c, d];
        assert_eq!(
            results.iter().filter(|result| result.is_ok()).count(),
            1,
            "one seat, one person"
        );
        for refused in results.into_iter().filter_map(Result::err) {
            let reason = refused.reason();
            let late = [
                Some(v1::ErrorReason::SeatTaken),
                Some(v1::ErrorReason::MatchAlreadyStarted),
            ]
            .contains(&reason);
            assert!(late, "{refused:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_is_played_once_however_many_play_it() {
    let server = Server::start().await;
    let clients = server.guests::<2>().await;
    let match_id = seat_all(&clients, public_match(vec![me(), open()])).await;
    for client in &clients {
        let witness = Witness::at_first(client.follow(&match_id, None)).await;
        let seated = Seated::new(client, &match_id);
        let Some(request) = seated.greedy_play(&witness) else {
            continue;
        };
        // The same turn from ten devices of one player: each with its own request id, all expecting the same state.
        let sent = (0..10).map(|device| {
            let (client, mut request) = (client.clone(), request.clone());
            request.request_id = format!("device-{device}");
            request.expected_cursor = witness.cursor();
            tokio::spawn(async move { client.play_tile(request).await })
        });
        let mut accepted = 0;
        for result in sent.collect::<Vec<_>>() {
            match in_time("a play", result).await.expect("no panic") {
                Ok(_) => accepted += 1,
                Err(error) => assert_eq!(error.reason(), Some(v1::ErrorReason::StaleCursor), "{error:?}"),
            }
        }
        assert_eq!(accepted, 1);
        return;
    }
    panic!("somebody is on turn");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_request_sent_many_times_at_once_is_one_action() {
    let server = Server::start().await;
    let [anna] = server.guests::<1>().await;
    let request = v1::CreateMatchRequest {
        request_id: "at-once".into(),
        ..public_match(vec![me(), open()])
    };
    let sent = (0..10).map(|_| {
        let (client, request) = (anna.clone(), request.clone());
        tokio::spawn(async move { client.create_match(request).await })
    });
    let mut answers = Vec::new();
    for answer in sent.collect::<Vec<_>>() {
        answers.push(
            in_time("an answer", answer)
                .await
                .expect("no panic")
                .expect("created, or found"),
        );
    }
    assert!(
        answers
            .iter()
            .all(|answer| answer.cursor == answers[0].cursor && answer.batch == answers[0].batch)
    );
    let mine = v1::ListMatchesRequest {
        scope: v1::MatchScope::Mine.into(),
        ..Default::default()
    };
    assert_eq!(anna.list_matches(mine).await.expect("a list").matches.len(), 1);
}
