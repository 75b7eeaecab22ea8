//! Streams that are dropped and resumed: nothing is missed, nothing comes twice, and what cannot be continued says so.

use fives_client::v1;
use fives_client::v1::match_update::Update;

use crate::harness::{Server, Witness, in_time, me, open, play_out, public_match, seat_all};

/// Receives one update with something in it.
async fn next_change(updates: &mut fives_client::Updates) -> Option<Update> {
    while let Some(update) = in_time("the next update", updates.next())
        .await
        .expect("the stream goes on")
    {
        if !matches!(update, Update::Heartbeat(_)) {
            return Some(update);
        }
    }
    None
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_can_be_resumed_at_every_revision() {
    let server = Server::start().await;
    let clients = server.guests::<2>().await;
    let match_id = seat_all(&clients, public_match(vec![me(), open()])).await;
    let whole = tokio::spawn(Witness::default().see_all(server.stranger().watch(&match_id, "", None)));
    play_out(&clients, &match_id).await;
    let whole = in_time("the spectator", whole).await.expect("the end was seen");
    let end = whole.cursor().expect("something was seen");

    for (revision, batch) in whole.batches() {
        if *revision == end.revision {
            continue;
        }
        for mut resumed in [
            server.stranger().watch(&match_id, "", batch.cursor),
            clients[0].follow(&match_id, batch.cursor),
        ] {
            match next_change(&mut resumed).await.expect("something is missing") {
                Update::Revisions(revisions) => {
                    let got: Vec<u64> = revisions
                        .batches
                        .iter()
                        .filter_map(|b| b.cursor)
                        .map(|c| c.revision)
                        .collect();
                    let missing: Vec<u64> = (*revision + 1..=end.revision).collect();
                    assert_eq!(got, missing, "exactly what is missing after {revision}");
                }
                Update::Snapshot(snapshot) => {
                    assert!(!snapshot.reset, "the cursor is of this history");
                    assert!(
                        end.revision - revision > 200,
                        "a snapshot only where very much is missing"
                    );
                }
                Update::Heartbeat(_) | Update::Reconnect(_) | Update::Emote(_) => {
                    unreachable!("only what changes something")
                }
            }
            assert_eq!(resumed.cursor(), Some(end));
            assert!(next_change(&mut resumed).await.is_none(), "the match is over");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_that_breaks_after_every_update_shows_the_whole_match() {
    let server = Server::start().await;
    let clients = server.guests::<2>().await;
    let match_id = seat_all(&clients, public_match(vec![me(), open()])).await;
    let (stranger, id) = (server.stranger(), match_id.clone());
    let watching = tokio::spawn(async move {
        let mut witness = Witness::default();
        loop {
            let mut updates = stranger.watch(&id, "", witness.cursor());
            let Some(update) = next_change(&mut updates).await else {
                return witness;
            };
            witness.see(&update);
            if witness
                .view()
                .is_some_and(|view| view.state() == v1::MatchState::Finished)
            {
                return witness;
            }
        }
    });
    let seen = play_out(&clients, &match_id).await;
    let broken = in_time("the spectator", watching).await.expect("the end was seen");
    assert_eq!(broken.cursor(), seen[0].cursor());
    assert_eq!(broken.snapshots(), 1, "only the first update is a snapshot");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cursor_of_another_history_is_answered_with_a_reset() {
    let server = Server::start().await;
    let clients = server.guests::<2>().await;
    let match_id = seat_all(&clients, public_match(vec![me(), open()])).await;
    let mut updates = clients[0].follow(&match_id, None);
    next_change(&mut updates).await.expect("a snapshot");
    let right = updates.cursor().expect("a cursor");
    let wrong_stamp = v1::Cursor {
        stamp: right.stamp ^ 1,
        ..right
    };
    let earlier = v1::Cursor {
        revision: right.revision - 1,
        stamp: 7,
    };
    let future = v1::Cursor {
        revision: right.revision + 5,
        ..right
    };
    for cursor in [wrong_stamp, earlier, future, v1::Cursor { revision: 0, stamp: 0 }] {
        match next_change(&mut clients[0].follow(&match_id, Some(cursor))).await {
            Some(Update::Snapshot(snapshot)) => assert!(snapshot.reset, "{cursor:?}"),
            other => panic!("{cursor:?} was answered with {other:?}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_misses_nothing_hears_a_heartbeat_at_once_and_then_what_comes() {
    let server = Server::start().await;
    let clients = server.guests::<2>().await;
    let match_id = seat_all(&clients, public_match(vec![me(), open()])).await;
    let mut updates = clients[0].follow(&match_id, None);
    next_change(&mut updates).await.expect("a snapshot");
    let cursor = updates.cursor();
    let mut resumed = clients[0].follow(&match_id, cursor);
    match in_time("a heartbeat", resumed.next())
        .await
        .expect("the stream goes on")
    {
        Some(Update::Heartbeat(heartbeat)) => {
            assert_eq!(heartbeat.cursor, cursor);
            assert!(heartbeat.server_time.is_some());
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_silent_stream_brings_heartbeats() {
    let server = Server::start_with(|config| config.heartbeat_interval_ms = 50).await;
    let clients = server.guests::<2>().await;
    let match_id = seat_all(&clients, public_match(vec![me(), open()])).await;
    let mut updates = server.stranger().watch(&match_id, "", None);
    let first = in_time("a snapshot", updates.next()).await.expect("the stream goes on");
    assert!(matches!(first, Some(Update::Snapshot(_))));
    for _ in 0..3 {
        let next = in_time("a heartbeat", updates.next())
            .await
            .expect("the stream goes on");
        assert!(matches!(next, Some(Update::Heartbeat(_))), "{next:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_leaves_a_seat_sees_nothing_of_the_next_one_in_it() {
    let server = Server::start().await;
    let clients = server.guests::<4>().await;
    let match_id = seat_all(&clients[..2], public_match(vec![me(), open(), open()])).await;
    let mut left = clients[1].follow(&match_id, None);
    next_change(&mut left).await.expect("a snapshot");
    let leave = v1::LeaveMatchRequest {
        match_id: match_id.clone(),
        ..Default::default()
    };
    clients[1]
        .leave_match(leave)
        .await
        .expect("one may leave before the start");
    for client in &clients[2..] {
        client
            .join_match(crate::harness::join(&match_id, Vec::new()))
            .await
            .expect("a seat is free");
    }
    let refused = loop {
        match in_time("the end of the stream", left.next()).await {
            Ok(Some(update)) => assert!(
                !matches!(update, Update::Revisions(r) if r.view.as_ref().is_some_and(|view| view
                .round
                .as_ref()
                .is_some_and(|round| !round.hand.is_empty())))
            ),
            Ok(None) => panic!("the match goes on without the one who left"),
            Err(error) => break error,
        }
    };
    assert_eq!(refused.reason(), Some(v1::ErrorReason::NotSeated));
}
