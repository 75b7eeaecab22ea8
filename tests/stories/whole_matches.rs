//! Whole matches of two to four people over real gRPC, with spectators from the start and late ones.

use fives_client::{Client, v1};

use crate::harness::{
    Server, Witness, bot, in_time, me, open, play_out, public_match, seat_all, verified_replay, view_of,
};

/// Has these people play a match that two spectators see: one from the start, one from the middle.
async fn play_watched(server: &Server, clients: &[Client], request: v1::CreateMatchRequest) {
    let match_id = seat_all(clients, request).await;
    let early = tokio::spawn(Witness::default().see_all(server.stranger().watch(&match_id, "", None)));
    let late = tokio::spawn(watch_late(server.stranger(), match_id.clone()));
    let seen = play_out(clients, &match_id).await;
    let early = in_time("the early spectator", early)
        .await
        .expect("the early spectator saw the end");
    let late = in_time("the late spectator", late)
        .await
        .expect("the late spectator saw the end");
    let record = verified_replay(&server.stranger(), &match_id).await;

    for (seat, witness) in seen.iter().enumerate() {
        let view = witness.view().expect("every player sees the match");
        assert_eq!(view.state(), v1::MatchState::Finished);
        assert_eq!(view.viewer_seat, Some(seat as u32));
        assert_eq!(view.scores, record.r#final.scores);
        assert_eq!(view.cursor, early.cursor(), "all come to the same end");
    }
    for spectator in [&early, &late] {
        let view = spectator.view().expect("a spectator sees the match");
        assert_eq!(view.cursor, early.cursor());
        assert_eq!(view.viewer_seat, None);
        assert!(
            view.round
                .as_ref()
                .is_some_and(|round| round.hand.is_empty() && round.legal_plays.is_empty())
        );
    }
    assert_same_story(&seen, &early);
    assert_hands_stay_hidden(&early);
}

/// Waits until something was played, by another stream, and begins to watch only then.
async fn watch_late(client: Client, match_id: String) -> Witness {
    let mut first = client.watch(&match_id, "", None);
    let mut witness = Witness::default();
    while let Some(update) = in_time("the next update", first.next())
        .await
        .expect("the stream goes on")
    {
        witness.see(&update);
        if witness
            .view()
            .and_then(|view| view.round.as_ref())
            .is_some_and(|round| round.layout.len() >= 3)
        {
            break;
        }
    }
    drop(first);
    let late = Witness::default().see_all(client.watch(&match_id, "", None)).await;
    assert!(late.snapshots() >= 1, "who comes late begins with a snapshot");
    late
}

/// Every viewer was told of the same plays, draws and passes with the same numbers.
fn assert_same_story(seen: &[Witness], spectator: &Witness) {
    let public = |witness: &Witness| -> Vec<(u64, String)> {
        let told = witness.batches().iter().flat_map(|(revision, batch)| {
            batch
                .events
                .iter()
                .filter_map(|event| event.kind.as_ref())
                .map(|kind| (*revision, public_part(kind)))
        });
        told.collect()
    };
    let of_spectator = public(spectator);
    let first = of_spectator.first().map_or(0, |(revision, _)| *revision);
    for witness in seen {
        let mut of_player = public(witness);
        let known = of_player.first().map_or(0, |(revision, _)| *revision).max(first);
        of_player.retain(|(revision, _)| *revision >= known);
        let of_spectator: Vec<_> = of_spectator
            .iter()
            .filter(|(revision, _)| *revision >= known)
            .cloned()
            .collect();
        assert_eq!(of_player, of_spectator);
    }
}

/// What everybody may know of an event.
fn public_part(kind: &v1::event::Kind) -> String {
    let mut kind = kind.clone();
    match &mut kind {
        v1::event::Kind::TilesDrawn(drawn) => drawn.tiles.clear(),
        v1::event::Kind::RoundStarted(round) => round.hand.clear(),
        _ => {}
    }
    format!("{kind:?}")
}

fn assert_hands_stay_hidden(spectator: &Witness) {
    for kind in spectator.events() {
        match kind {
            v1::event::Kind::TilesDrawn(drawn) => assert!(drawn.count > 0 && drawn.tiles.is_empty()),
            v1::event::Kind::RoundStarted(round) => assert!(round.hand.is_empty()),
            _ => {}
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_people() {
    let server = Server::start().await;
    let clients = server.guests::<2>().await;
    play_watched(&server, &clients, public_match(vec![me(), open()])).await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn three_people() {
    let server = Server::start().await;
    let clients = server.guests::<3>().await;
    play_watched(&server, &clients, public_match(vec![me(), open(), open()])).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn four_people() {
    let server = Server::start().await;
    let clients = server.guests::<4>().await;
    play_watched(&server, &clients, public_match(vec![me(), open(), open(), open()])).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn partners() {
    let server = Server::start().await;
    let clients = server.guests::<4>().await;
    let mut request = public_match(vec![me(), open(), open(), open()]);
    request.options = Some(v1::MatchOptions {
        partners: Some(true),
        target_points: Some(50),
        ..Default::default()
    });
    play_watched(&server, &clients, request).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_person_among_bots() {
    let server = Server::start().await;
    let clients = server.guests::<1>().await;
    let bots = [v1::BotKind::Greedy, v1::BotKind::Random, v1::BotKind::Greedy].map(bot);
    let seats = std::iter::once(me()).chain(bots).collect();
    play_watched(&server, &clients, public_match(seats)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn four_bots_play_by_themselves() {
    let server = Server::start().await;
    let client = server.guest("anna").await;
    let bots = [v1::BotKind::Greedy, v1::BotKind::Random].map(bot);
    let match_id = seat_all(std::slice::from_ref(&client), public_match(bots.to_vec())).await;
    let seen = Witness::default()
        .see_all(server.stranger().watch(&match_id, "", None))
        .await;
    assert_eq!(seen.view().map(|view| view.state()), Some(v1::MatchState::Finished));
    verified_replay(&server.stranger(), &match_id).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_plays_on_for_who_resigns_and_the_player_ranks_last() {
    let server = Server::start().await;
    let clients = server.guests::<3>().await;
    let match_id = seat_all(&clients, public_match(vec![me(), open(), open()])).await;
    let resign = v1::ResignRequest {
        match_id: match_id.clone(),
        ..Default::default()
    };
    clients[1].resign(resign).await.expect("anybody may give up");
    let seen = play_out(&[clients[0].clone(), clients[2].clone()], &match_id).await;
    let view = seen[0].view().expect("the end is seen");
    let outcome = view.outcome.as_ref().expect("a finished match has an outcome");
    assert_eq!(outcome.ranks.get(1), Some(&3), "who gave up ranks last: {outcome:?}");
    assert!(view.seats[1].resigned);
    let record = verified_replay(&clients[1], &match_id).await;
    assert_eq!(record.policy, "person,person+resigned,person");
}

#[tokio::test(flavor = "multi_thread")]
async fn with_two_sides_the_other_one_wins_when_somebody_resigns() {
    let server = Server::start().await;
    let clients = server.guests::<2>().await;
    let match_id = seat_all(&clients, public_match(vec![me(), open()])).await;
    let resign = v1::ResignRequest {
        match_id: match_id.clone(),
        ..Default::default()
    };
    let batch = clients[0]
        .resign(resign)
        .await
        .expect("anybody may give up")
        .batch
        .expect("a batch");
    let ended = batch.events.iter().find_map(|event| match &event.kind {
        Some(v1::event::Kind::MatchEnded(ended)) => ended.outcome.clone(),
        _ => None,
    });
    assert_eq!(ended.expect("the match is over").winner_side, Some(1));
    verified_replay(&clients[0], &match_id).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_delay_holds_spectators_back_at_every_door_until_the_end() {
    const DELAY: u64 = 3;
    let server = Server::start().await;
    let clients = server.guests::<2>().await;
    let mut request = public_match(vec![me(), open()]);
    request.spectator_delay_revisions = DELAY as u32;
    let match_id = seat_all(&clients, request).await;
    let watching = tokio::spawn(Witness::default().see_all(server.stranger().watch(&match_id, "", None)));
    let started = 2;
    let mut newest = started;
    // Whoever is on turn plays, and after every play each door is tried.
    for _ in 0..8 {
        for client in &clients {
            let view = view_of(client, &match_id).await;
            let Some(round) = view.round.filter(|_| view.state == i32::from(v1::MatchState::Live)) else {
                continue;
            };
            let Some(scored) = round.legal_plays.first() else {
                continue;
            };
            let play = v1::PlayTileRequest {
                match_id: match_id.clone(),
                round: Some(round.round),
                play: scored.play,
                ..Default::default()
            };
            let answer = client.play_tile(play).await.expect("a legal play");
            newest = answer.cursor.expect("a cursor").revision;
            let ended = view_of(client, &match_id).await.state();
            let visible = if ended == v1::MatchState::Live {
                (newest - DELAY.min(newest)).max(started)
            } else {
                newest
            };
            let shown = view_of(&server.stranger(), &match_id).await;
            assert_eq!(shown.cursor.map(|cursor| cursor.revision), Some(visible));
            let live = server
                .stranger()
                .list_live_matches(v1::ListLiveMatchesRequest::default())
                .await
                .expect("a list");
            for listed in live.matches.iter().filter_map(|live| live.r#match.as_ref()) {
                assert_eq!(listed.scores, shown.scores, "the list is behind as well");
            }
        }
    }
    assert!(newest > started + DELAY, "something was played");
    play_out(&clients, &match_id).await;
    let seen = in_time("the spectator", watching).await.expect("the end was seen");
    assert_eq!(
        seen.view().map(|view| view.state()),
        Some(v1::MatchState::Finished),
        "the delay ends with the match"
    );
}
