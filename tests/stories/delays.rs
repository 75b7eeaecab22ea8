//! Spectators who are behind by some time: by a clock that the story sets, at every door.

use fives_client::v1::match_update::Update;
use fives_client::{Client, v1};

use crate::harness::{Server, SetClock, Witness, in_time, me, open, play_out, public_match, seat_all, view_of};

const DELAY_S: u32 = 30;
const DELAY_MS: u64 = 30_000;

/// The revision that this client sees, and the scores there.
async fn seen(client: &Client, match_id: &str) -> (u64, Vec<i32>) {
    let view = view_of(client, match_id).await;
    assert_eq!(view.spectator_delay_s, DELAY_S);
    (view.cursor.expect("a cursor").revision, view.scores)
}

/// The scores in the list of live matches.
async fn listed(client: &Client) -> Vec<i32> {
    let live = client.list_live_matches(v1::ListLiveMatchesRequest::default()).await;
    let only = live.expect("a list").matches.remove(0).r#match.expect("a match");
    assert_eq!(only.spectator_delay_s, DELAY_S);
    only.scores
}

/// Whoever is on turn plays; gives the revision.
async fn play(clients: &[Client], match_id: &str) -> u64 {
    for client in clients {
        let view = view_of(client, match_id).await;
        let round = view.round.expect("a round");
        let Some(scored) = round.legal_plays.first() else {
            continue;
        };
        let play = v1::PlayTileRequest {
            match_id: match_id.to_owned(),
            round: Some(round.round),
            play: scored.play,
            ..Default::default()
        };
        let played = client.play_tile(play).await.expect("a legal play");
        return played.cursor.expect("a cursor").revision;
    }
    panic!("nobody is on turn");
}

/// Sees updates until the stream is at this revision, and nothing beyond it.
async fn see_until(updates: &mut fives_client::Updates, witness: &mut Witness, revision: u64) {
    while witness.cursor().is_none_or(|cursor| cursor.revision < revision) {
        let update = in_time("the next update", updates.next())
            .await
            .expect("the stream goes on");
        witness.see(&update.expect("the match goes on"));
    }
    assert_eq!(witness.cursor().map(|cursor| cursor.revision), Some(revision));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_delay_in_seconds_holds_spectators_back_at_every_door_until_the_end() {
    const STARTED: u64 = 2;
    let clock = SetClock::new();
    let server = Server::start_over(clock.store(), |config| config.heartbeat_interval_ms = 20).await;
    let clients = server.guests::<2>().await;
    let mut request = public_match(vec![me(), open()]);
    request.spectator_delay_s = DELAY_S;
    let match_id = seat_all(&clients, request).await;
    let stranger = server.stranger();
    let (mut updates, mut witness) = (stranger.watch(&match_id, "", None), Witness::default());
    see_until(&mut updates, &mut witness, STARTED).await;

    // One play every ten seconds: three of them are always hidden.
    let mut scores = vec![seen(&clients[0], &match_id).await.1];
    for plays in 1..=5_u64 {
        assert_eq!(play(&clients, &match_id).await, STARTED + plays);
        scores.push(seen(&clients[0], &match_id).await.1);
        let visible = plays.saturating_sub(3);
        let expected = (STARTED + visible, scores[visible as usize].clone());
        assert_eq!(seen(&stranger, &match_id).await, expected);
        assert_eq!(listed(&stranger).await, expected.1);
        see_until(&mut updates, &mut witness, expected.0).await;
        clock.pass(DELAY_MS / 3);
    }
    // A heartbeat tells where the viewer is, not where the match is.
    let heartbeat = loop {
        match in_time("a heartbeat", updates.next())
            .await
            .expect("the stream goes on")
        {
            Some(Update::Heartbeat(heartbeat)) => break heartbeat,
            Some(update) => witness.see(&update),
            None => panic!("the match goes on"),
        }
    };
    assert_eq!(heartbeat.cursor, witness.cursor());
    assert!(heartbeat.cursor.is_some_and(|cursor| cursor.revision <= STARTED + 3));

    // Nobody plays any more, and time alone brings the rest: to who watches, and to who comes.
    clock.pass(DELAY_MS);
    see_until(&mut updates, &mut witness, STARTED + 5).await;
    let latecomer = Witness::at_first(stranger.watch(&match_id, "", None)).await;
    assert_eq!(latecomer.cursor(), witness.cursor());
    assert_eq!(seen(&stranger, &match_id).await, (STARTED + 5, scores[5].clone()));

    let played_out = play_out(&clients, &match_id).await;
    let all = in_time("the end", witness.see_all(updates)).await;
    assert_eq!(all.cursor(), played_out[0].cursor(), "the delay ends with the match");
    assert_eq!(all.snapshots(), 1, "nothing was left out");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn with_both_delays_a_revision_is_seen_when_both_allow_it() {
    const STARTED: u64 = 2;
    let clock = SetClock::new();
    let server = Server::start_over(clock.store(), |_| {}).await;
    let clients = server.guests::<2>().await;
    let mut request = public_match(vec![me(), open()]);
    (request.spectator_delay_s, request.spectator_delay_revisions) = (DELAY_S, 2);
    let match_id = seat_all(&clients, request).await;
    let stranger = server.stranger();
    for _ in 0..4 {
        play(&clients, &match_id).await;
    }
    assert_eq!(
        seen(&stranger, &match_id).await.0,
        STARTED,
        "it is too early for all of them"
    );
    clock.pass(DELAY_MS);
    assert_eq!(
        seen(&stranger, &match_id).await.0,
        STARTED + 2,
        "two are held back however late it is"
    );
    let witness = Witness::at_first(stranger.watch(&match_id, "", None)).await;
    assert_eq!(witness.cursor().map(|cursor| cursor.revision), Some(STARTED + 2));
    play(&clients, &match_id).await;
    assert_eq!(seen(&stranger, &match_id).await.0, STARTED + 3);
    server.stop().await;
}
