//! People who are not there: what the clock does to them, and how they come back.

use fives_client::v1::event::Kind;
use fives_client::v1::match_update::Update;
use fives_client::{Client, Error, v1};

use crate::harness::{
    Server, ServerProcess, SetClock, Witness, in_time, join, me, open, public_match, seat_all, verified_replay, view_of,
};

/// A match of two people with a clock; so long that no story sees its end by points.
pub(crate) fn timed(turn_time_ms: u32, missed_turns_max: u32, policy: v1::MissedTurnsPolicy) -> v1::CreateMatchRequest {
    v1::CreateMatchRequest {
        options: Some(v1::MatchOptions {
            target_points: Some(1000),
            ..Default::default()
        }),
        turn_clock: Some(v1::TurnClock {
            turn_time_ms,
            missed_turns_max,
            missed_turns_policy: policy.into(),
        }),
        ..public_match(vec![me(), open()])
    }
}

/// Has both sit down; gives the match, and where it is with its first deal.
pub(crate) async fn start([anna, bela]: &[Client; 2], request: v1::CreateMatchRequest) -> (String, Option<v1::Cursor>) {
    let created = anna.create_match(request).await.expect("created");
    let match_id = created.view.expect("a view").match_id;
    let joined = bela.join_match(join(&match_id, Vec::new())).await.expect("joined");
    (match_id, joined.cursor)
}

/// The match as this client sees it, once it is as `wanted`.
pub(crate) async fn seen_when(
    client: &Client,
    match_id: &str,
    wanted: impl Fn(&v1::MatchView) -> bool,
) -> v1::MatchView {
    let poll = async {
        loop {
            let view = view_of(client, match_id).await;
            if wanted(&view) {
                return view;
            }
            tokio::task::yield_now().await;
        }
    };
    in_time("what the story waits for", poll).await
}

fn reclaim(match_id: &str, request_id: &str) -> v1::ReclaimSeatRequest {
    v1::ReclaimSeatRequest {
        match_id: match_id.to_owned(),
        request_id: request_id.to_owned(),
    }
}

fn reason<T>(refused: Result<T, Error>) -> v1::ErrorReason {
    match refused {
        Err(Error::Refused(refused)) => refused.reason,
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("accepted"),
    }
}

fn kinds(batch: Option<v1::Batch>) -> Vec<Kind> {
    let events = batch.expect("an answer has its batch").events;
    events.into_iter().filter_map(|event| event.kind).collect()
}

/// Whether the seat on turn is kept by a bot.
fn bot_is_on_turn(view: &v1::MatchView) -> bool {
    let on_turn = view.round.as_ref().and_then(|round| round.seat_on_turn);
    on_turn.is_some_and(|seat| view.seats[seat as usize].kept_by_bot)
}

/// Bots here think for longer than the story lasts, so that a kept seat on turn stays so.
#[tokio::test(flavor = "multi_thread")]
async fn a_bot_plays_for_who_is_absent_and_the_seat_is_taken_back() {
    let server = Server::start_with(|config| config.bot_delay_ms = 60_000).await;
    let clients: [Client; 2] = server.guests().await;
    let both_kept = |view: &v1::MatchView| view.seats.iter().all(|seat| seat.kept_by_bot);
    let (match_id, started, view) = loop {
        let request = timed(400, 2, v1::MissedTurnsPolicy::BotKeepsSeat);
        let (match_id, started) = start(&clients, request).await;
        let refused = reason(clients[0].reclaim_seat(reclaim(&match_id, "")).await);
        assert_eq!(refused, v1::ErrorReason::SeatNotKept);
        let view = seen_when(&clients[0], &match_id, bot_is_on_turn).await;
        // Where a deal has somebody pass, the first bot is on turn before the other person has missed enough: another deal.
        if both_kept(&view) {
            break (match_id, started, view);
        }
    };
    assert_eq!(view.turn_timer, None, "no clock runs for a bot");
    assert!(
        view.seats
            .iter()
            .all(|seat| seat.bot_kind() == v1::BotKind::Greedy && seat.missed_turns == 2)
    );
    let mut updates = server.stranger().watch(&match_id, "", started);
    let mut log = Vec::new();
    while updates.cursor() != view.cursor {
        let update = in_time("the next update", updates.next())
            .await
            .expect("the stream goes on");
        if let Some(Update::Revisions(revisions)) = update {
            log.extend(revisions.batches.into_iter().flat_map(|batch| kinds(Some(batch))));
        }
    }
    let first = view
        .round
        .as_ref()
        .and_then(|round| round.seat_on_turn)
        .expect("somebody is on turn");
    for (seat, missed_turns) in [(first, 2), (1 - first, 2)] {
        let missed = Kind::TurnTimedOut(v1::TurnTimedOut { seat, missed_turns });
        let at = log
            .iter()
            .position(|kind| *kind == missed)
            .expect("the second miss was seen");
        assert!(matches!(&log[at + 1], Kind::SeatKeptByBot(kept) if kept.seat == seat));
        assert!(
            matches!(&log[at + 2], Kind::TilePlayed(played) if played.seat == seat),
            "the bot plays at once"
        );
    }

    // Who is on turn comes back by playing, the other one by asking.
    let on_turn = &clients[first as usize];
    let own = seen_when(on_turn, &match_id, |_| true).await.round.expect("a round");
    let play = v1::PlayTileRequest {
        match_id: match_id.clone(),
        round: Some(own.round),
        play: own.legal_plays.first().and_then(|scored| scored.play),
        ..Default::default()
    };
    let played = kinds(on_turn.play_tile(play).await.expect("the seat is theirs").batch);
    assert_eq!(played[0], Kind::SeatReclaimed(v1::SeatReclaimed { seat: first }));
    assert!(matches!(&played[1], Kind::TilePlayed(tile) if tile.seat == first));

    let other = &clients[1 - first as usize];
    let answer = other
        .reclaim_seat(reclaim(&match_id, "back"))
        .await
        .expect("a bot keeps it");
    let again = other
        .reclaim_seat(reclaim(&match_id, "back"))
        .await
        .expect("a retry is safe");
    assert_eq!(answer, again);
    assert_eq!(
        kinds(answer.batch),
        [Kind::SeatReclaimed(v1::SeatReclaimed { seat: 1 - first })]
    );
    assert_eq!(
        reason(other.reclaim_seat(reclaim(&match_id, "once-more")).await),
        v1::ErrorReason::SeatNotKept
    );
    let stranger = server.guest("somebody").await;
    assert_eq!(
        reason(stranger.reclaim_seat(reclaim(&match_id, "")).await),
        v1::ErrorReason::NotSeated
    );
    // Both are timed again, and nobody plays: it begins from the beginning.
    seen_when(&clients[0], &match_id, bot_is_on_turn).await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_forfeits_has_resigned() {
    let server = Server::start().await;
    let clients: [Client; 2] = server.guests().await;
    let match_id = seat_all(&clients, timed(100, 1, v1::MissedTurnsPolicy::Forfeit)).await;
    let watching = Witness::default().see_all(clients[0].follow(&match_id, None));
    let seen = in_time("the end", watching).await;
    let view = seen.view().expect("a view");
    let outcome = view.outcome.as_ref().expect("the match is over");
    assert_eq!(outcome.ended_by(), v1::EndedBy::Resignation);
    let resigned: Vec<u32> = view
        .seats
        .iter()
        .filter(|seat| seat.resigned)
        .map(|seat| seat.seat)
        .collect();
    assert_eq!(resigned.len(), 1);
    assert_eq!(outcome.winner_side, Some(1 - resigned[0]));
    verified_replay(&clients[0], &match_id).await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_message_with_a_clock_tells_the_time() {
    let server = Server::start_with(|config| config.heartbeat_interval_ms = 20).await;
    let clients: [Client; 2] = server.guests().await;
    let match_id = seat_all(&clients, timed(60_000, 3, v1::MissedTurnsPolicy::Unspecified)).await;
    let check = |view_or_heartbeat: Option<v1::TurnTimer>, on_turn: u32| {
        let timer = view_or_heartbeat.expect("a clock runs");
        assert_eq!(timer.seat, on_turn);
        assert!((1..=60_000).contains(&timer.remaining_ms), "{timer:?}");
        let (now, deadline) = (timer.server_time.expect("a time"), timer.deadline.expect("a time"));
        let ms = |seconds: i64, nanos: i32| seconds * 1000 + i64::from(nanos) / 1_000_000;
        let (now, deadline) = (ms(now.seconds, now.nanos), ms(deadline.seconds, deadline.nanos));
        assert_eq!(deadline - now, i64::from(timer.remaining_ms));
    };
    let seen = seen_when(&clients[0], &match_id, |_| true).await;
    let on_turn = seen
        .round
        .and_then(|round| round.seat_on_turn)
        .expect("somebody is on turn");
    check(seen.turn_timer, on_turn);
    for mut updates in [
        clients[1].follow(&match_id, None),
        server.stranger().watch(&match_id, "", None),
    ] {
        let mut heartbeats = 0;
        while heartbeats < 2 {
            match in_time("an update", updates.next())
                .await
                .expect("the stream goes on")
                .expect("it goes on")
            {
                Update::Snapshot(snapshot) => check(snapshot.view.expect("a view").turn_timer, on_turn),
                Update::Heartbeat(heartbeat) => {
                    check(heartbeat.turn_timer, on_turn);
                    heartbeats += 1;
                }
                Update::Revisions(_) | Update::Reconnect(_) | Update::Emote(_) => {
                    panic!("nobody plays, and nothing stops")
                }
            }
        }
    }
    let listed = server
        .stranger()
        .list_live_matches(v1::ListLiveMatchesRequest::default())
        .await;
    let listed = listed.expect("a list").matches.remove(0).r#match.expect("a match");
    assert_eq!(listed.turn_clock.expect("its clock").turn_time_ms, 60_000);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_runs_out_once_over_a_restart() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = ServerProcess::start(folder.path()).await;
    let anna = server.client();
    let bela = anna.another_player();
    for (client, name) in [(&anna, "anna"), (&bela, "bela")] {
        client.sign_in(name, None).await.expect("signed in");
    }
    let request = timed(800, 3, v1::MissedTurnsPolicy::BotKeepsSeat);
    let clients = [anna, bela];
    let (match_id, started) = start(&clients, request).await;
    let address = server.kill().await;
    let server = ServerProcess::start_at(folder.path(), address).await;
    let mut updates = clients[0].follow(&match_id, started);
    let mut missed = Vec::new();
    while missed.len() < 4 {
        let update = in_time("the next update", updates.next())
            .await
            .expect("the stream goes on");
        let Some(Update::Revisions(revisions)) = update else {
            continue;
        };
        for batch in revisions.batches {
            missed.extend(kinds(Some(batch)).into_iter().filter_map(|kind| match kind {
                Kind::TurnTimedOut(missed) => Some((missed.seat, missed.missed_turns)),
                _ => None,
            }));
        }
    }
    let first = missed[0].0;
    assert_eq!(missed[..4], [(first, 1), (1 - first, 1), (first, 2), (1 - first, 2)]);
    server.terminate().await;
}

/// The store's clock stands still unless the story moves it: an hour passes while nobody serves.
#[tokio::test(flavor = "multi_thread")]
async fn an_outage_costs_nobody_time() {
    let clock = SetClock::new();
    let store = clock.store();
    let before = Server::start_over(store.clone(), |_| {}).await;
    let clients: [Client; 2] = before.guests().await;
    let match_id = seat_all(&clients, timed(4_000, 3, v1::MissedTurnsPolicy::BotKeepsSeat)).await;
    // A second of the turn is used up before the service goes away.
    clock.pass(1_000);
    let view = seen_when(&clients[0], &match_id, |_| true).await;
    assert_eq!(view.turn_timer.expect("a clock runs").remaining_ms, 3_000);
    before.stop().await;

    clock.pass(3_600_000);
    let after = Server::start_over(store, |_| {}).await;
    let somebody = after.stranger();
    // Between the last sign of life and the end some of the second may have passed unseen, but nothing more is lost or won.
    let shown_again = |view: &v1::MatchView| view.turn_timer.is_some_and(|timer| timer.remaining_ms > 0);
    let view = seen_when(&somebody, &match_id, shown_again).await;
    assert_eq!(view.cursor.expect("a cursor").revision, 2, "nobody's time has run out");
    let remaining_ms = view.turn_timer.expect("a clock runs").remaining_ms;
    assert!((3_000..=4_000).contains(&remaining_ms), "{remaining_ms}");
    assert!(view.seats.iter().all(|seat| seat.missed_turns == 0));

    clock.pass(remaining_ms.into());
    let timed_out = |view: &v1::MatchView| view.seats.iter().any(|seat| seat.missed_turns == 1);
    let view = seen_when(&somebody, &match_id, timed_out).await;
    assert_eq!(view.cursor.expect("a cursor").revision, 3);
    after.stop().await;
}
