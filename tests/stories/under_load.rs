//! Replicas are killed and replaced while `fives load` plays through the load balancer; its audit says whether anything was lost.

use std::process::{Output, Stdio};

use serde_json::Value;
use tokio::process::{Child, Command};
use tokio::time::{Duration, interval};

use crate::harness::{DEADLINE, Fleet, RedisNode, in_time, program};

/// Eight matches of two people and two watchers each.
fn load(fleet: &Fleet, seconds: u64) -> Child {
    Command::new(program())
        .args(["load", "--server", fleet.url(), "--json", "--connections", "each"])
        .args([
            "--matches",
            "8",
            "--players",
            "2",
            "--watchers",
            "2",
            "--think-ms",
            "20",
        ])
        .args(["--seconds", &seconds.to_string(), "--finish-s", "40"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .expect("target/debug/fives starts")
}

/// What it says at its end, which must be that all is well.
async fn clean(load: Child) -> Value {
    let Output { status, stdout, stderr } = tokio::time::timeout(2 * DEADLINE, load.wait_with_output())
        .await
        .expect("the load ends in time")
        .expect("it ran");
    let (said, complained) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    assert!(status.success(), "{said}\n{complained}");
    let result: Value = serde_json::from_str(&said).expect("it says so in JSON");
    assert!(result["moves"].as_u64() > Some(100), "{result}");
    result
}

#[tokio::test(flavor = "multi_thread")]
async fn replicas_are_killed_every_two_seconds_and_nothing_is_lost() {
    const KILLS: usize = 10;
    let redis = RedisNode::start().await;
    let mut fleet = Fleet::start(&redis.url()).await;
    let mut load = load(&fleet, 20);
    let mut ticks = interval(Duration::from_secs(2));
    ticks.tick().await;
    for kill in 0..KILLS {
        ticks.tick().await;
        assert!(load.try_wait().expect("it runs").is_none(), "the load goes on");
        // Not in turn: neighbours in time must not always be neighbours in place.
        let victim = (kill * kill + kill / 3) % fleet.replicas.len();
        fleet.replicas[victim].kill_and_restart().await;
    }
    clean(load).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rolling_restart_fails_no_call() {
    let redis = RedisNode::start().await;
    let mut fleet = Fleet::start_with(&redis.url(), &["--drain-notice-s", "1", "--reconnect-spread-ms", "500"]).await;
    let load = load(&fleet, 15);
    for replica in 0..fleet.replicas.len() {
        in_time("a graceful restart", fleet.replicas[replica].terminate_and_restart()).await;
        fleet.replicas[replica].until_ready().await;
    }
    let result = clean(load).await;
    let p99_ms = result["play_tile_ms"]["p99"].as_f64().expect("a figure");
    println!("moves during the roll: p99 {p99_ms} ms");
}
