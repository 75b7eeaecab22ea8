//! Turn clocks over several replicas: nobody owns them, so they run out while any replica is left, once, and cost nobody time while
//! none is.

use fives_client::v1;
use fives_client::v1::event::Kind;
use fives_client::v1::match_update::Update;

use crate::clocks::{seen_when, start, timed};
use crate::harness::{Fleet, RedisNode, in_time, until};

/// Redis's clock, in milliseconds.
async fn clock_ms(redis: &RedisNode) -> u64 {
    let (seconds, micros): (u64, u64) = redis.ask("TIME", &[]).await;
    seconds * 1000 + micros / 1000
}

#[tokio::test(flavor = "multi_thread")]
async fn clocks_run_out_once_with_one_replica_of_three() {
    let redis = RedisNode::start().await;
    let mut fleet = Fleet::start(&redis.url()).await;
    let clients = [fleet.guest("anna").await, fleet.guest("bela").await];
    let (match_id, started) = start(&clients, timed(1_000, 3, v1::MissedTurnsPolicy::Forfeit)).await;
    // Nobody plays, and two of the three who might have looked at the clock are gone.
    fleet.replicas[0].kill_for_now().await;
    fleet.replicas[2].kill_for_now().await;
    let mut updates = fleet.replicas[1].client().watch(&match_id, "", started);
    let mut timed_out = Vec::new();
    while let Some(update) = in_time("the next update", updates.next()).await.expect("a stream") {
        let Update::Revisions(revisions) = update else { continue };
        for event in revisions.batches.into_iter().flat_map(|batch| batch.events) {
            if let Some(Kind::TurnTimedOut(missed)) = event.kind {
                timed_out.push((missed.seat, missed.missed_turns));
            }
        }
    }
    let first = timed_out[0].0;
    let second = 1 - first;
    assert_eq!(
        timed_out,
        [(first, 1), (second, 1), (first, 2), (second, 2), (first, 3)],
        "each clock runs out once, and the third time ends the match"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn while_nobody_serves_no_clock_runs() {
    const TURN_TIME_MS: u32 = 7_500;
    let redis = RedisNode::start().await;
    let mut fleet = Fleet::start(&redis.url()).await;
    let clients = [fleet.guest("anna").await, fleet.guest("bela").await];
    let (match_id, started) = start(&clients, timed(TURN_TIME_MS, 3, v1::MissedTurnsPolicy::BotKeepsSeat)).await;
    for replica in &mut fleet.replicas {
        replica.kill_for_now().await;
    }
    let stopped_ms = clock_ms(&redis).await;
    let later_ms = stopped_ms + u64::from(TURN_TIME_MS) + 1_000;
    until("a time longer than the turn", async || {
        clock_ms(&redis).await >= later_ms
    })
    .await;
    for replica in &mut fleet.replicas {
        replica.start_again();
    }
    let somebody = fleet.replicas[0].client();
    let shown = |view: &v1::MatchView| view.turn_timer.as_ref().is_some_and(|timer| timer.remaining_ms > 0);
    let view = seen_when(&somebody, &match_id, shown).await;
    assert_eq!(view.cursor, started, "nobody's time has run out");
    assert!(view.seats.iter().all(|seat| seat.missed_turns == 0));

    let missed = |view: &v1::MatchView| view.seats.iter().any(|seat| seat.missed_turns > 0);
    let view = seen_when(&somebody, &match_id, missed).await;
    let revision = started.expect("a cursor").revision + 1;
    assert_eq!(view.cursor.expect("a cursor").revision, revision, "once");
}
