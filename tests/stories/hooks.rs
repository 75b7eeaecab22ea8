//! The platform is told of matches: at least once, in order within a match, signed, whatever fails in between.

use std::path::Path;
use std::process::Command;

use fives_client::{Client, admin_v1, v1};
use serde_json::json;

use crate::harness::{
    Administered, Delivery, HOOK_SECRET, Receiver, RedisNode, Reply, ServerProcess, bot, hooks, me, open, public_match,
    seat_all, until, workspace,
};
use crate::refusals::resign;

/// What is told of a match against a bot that its only player gives up.
const TOLD: [&str; 3] = ["match_started", "player_abandoned", "match_finished"];

/// Begins a match against a bot and gives it up: the same events whatever is dealt.
async fn a_match_given_up(client: &Client) -> String {
    client.sign_in("anna", None).await.expect("guests are welcome");
    let created = client.create_match(public_match(vec![me(), bot(v1::BotKind::Greedy)]));
    let match_id = created.await.expect("created").view.expect("a view").match_id;
    client.resign(resign(&match_id)).await.expect("resigned");
    match_id
}

/// Runs the check of docs/hooks.md on a delivery, with this secret: whether it takes it for ours.
fn checked_in_python(folder: &Path, delivery: &Delivery, secret: &str) -> bool {
    let manual = std::fs::read_to_string(workspace().join("docs/hooks.md")).expect("a manual");
    let (_, code) = manual.split_once("```python\n").expect("it has a check");
    let (code, _) = code.split_once("```").expect("it ends");
    std::fs::write(folder.join("check.py"), code).expect("written");
    std::fs::write(folder.join("body"), &delivery.text).expect("written");
    let run = "import sys; from check import is_from_fives as check
sys.exit(not check(sys.argv[1], sys.argv[2], sys.argv[3], open('body', 'rb').read(), int(sys.argv[2]) + 5))";
    let ran = Command::new("python3")
        .current_dir(folder)
        .args(["-c", run, secret, &delivery.timestamp, &delivery.signature])
        .status();
    ran.expect("python3 is there").success()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_receiver_that_fails_and_hangs_is_told_everything_in_order() {
    let folder = tempfile::tempdir().expect("a folder");
    let receiver = Receiver::start(|number, _| match number {
        0..3 => Reply::Status(500),
        3 => Reply::Hang,
        _ => Reply::Status(204),
    })
    .await;
    let hooks = receiver.hooks(folder.path(), json!({}));
    let server = Administered::start_hooked(&folder.path().join("data"), &hooks).await;
    let match_id = a_match_given_up(&server.process.client()).await;
    until("everything is told", async || receiver.events() == TOLD).await;
    let came = receiver.came();
    let of_first = came.iter().take_while(|delivery| delivery.id == came[0].id).count();
    assert_eq!(of_first, 5, "what failed came again, as the same delivery: {came:?}");
    assert_eq!(came.len(), 7, "and nothing else came before it, or twice");
    for delivery in &came {
        assert_eq!(delivery.body["match"], match_id.as_str());
        assert_eq!(delivery.body["delivery"], delivery.id.as_str());
        assert_eq!(delivery.body["seats"][1]["bot"], "greedy");
    }
    let result = &came[6].body["result"];
    assert_eq!(
        (&result["ended_by"], &result["winner"]),
        (&json!("resignation"), &json!(1))
    );
    assert_eq!(came[5].body["how"], "resigned");
    assert_eq!(came[5].body["player"], came[5].body["seats"][0]["player"]);
    assert!(checked_in_python(folder.path(), &came[6], HOOK_SECRET));
    assert!(!checked_in_python(
        folder.path(),
        &came[6],
        "another secret, also a long one"
    ));
    let forged = Delivery {
        text: came[6].text.replace("\"winner\":1", "\"winner\":0"),
        ..came[6].clone()
    };
    assert!(!checked_in_python(folder.path(), &forged, HOOK_SECRET));
    assert!(!server.log().contains(HOOK_SECRET));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_killed_replica_did_not_deliver_another_one_does() {
    let (redis, folder) = (RedisNode::start().await, tempfile::tempdir().expect("a folder"));
    // The first process waits for an answer when it is killed.
    let receiver = Receiver::start(|number, _| if number == 0 { Reply::Hang } else { Reply::Status(200) }).await;
    let hooks = receiver.hooks(folder.path(), json!({"timeout_ms": 15_000}));
    let hooks = hooks.to_str().expect("a path");
    let first = ServerProcess::replica(&redis.url(), &["--hooks", hooks]);
    first.until_ready().await;
    let match_id = a_match_given_up(&first.client()).await;
    until("something has come", async || !receiver.came().is_empty()).await;
    first.kill().await;
    let second = ServerProcess::replica(&redis.url(), &["--hooks", hooks]);
    second.until_ready().await;
    until("everything is told", async || receiver.events() == TOLD).await;
    let came = receiver.came();
    assert_eq!(came[0].id, came[1].id, "the same delivery again");
    assert!(came.iter().all(|delivery| delivery.body["match"] == match_id.as_str()));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_given_up_is_a_dead_letter_until_an_administrator_has_it_tried_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let is_open = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let asked = is_open.clone();
    let receiver = Receiver::start(move |_, delivery| {
        let is_wanted = asked.load(std::sync::atomic::Ordering::SeqCst) || delivery.body["event"] != TOLD[1];
        Reply::Status(if is_wanted { 200 } else { 410 })
    })
    .await;
    let hooks = receiver.hooks(folder.path(), json!({"tries_max": 2}));
    let server = Administered::start_hooked(&folder.path().join("data"), &hooks).await;
    let match_id = a_match_given_up(&server.process.client()).await;
    // Everything else goes on without it.
    until("everything is told or given up", async || receiver.events() == TOLD).await;
    let admin = server.administrator();
    let list = async || {
        let answer = admin.list_dead_letters(admin_v1::ListDeadLettersRequest { limit: 10 });
        answer.await.expect("a list")
    };
    let letters = list().await;
    let [letter] = &letters.dead_letters[..] else {
        panic!("one was given up: {letters:?}");
    };
    assert_eq!((letter.match_id.as_str(), letters.total_count), (match_id.as_str(), 1));
    assert_eq!(letter.event(), admin_v1::HookEvent::PlayerAbandoned);
    assert_eq!(letter.tries, 2);
    assert!(letter.problem.contains("410"), "{}", letter.problem);

    let retry = |delivery: &str| admin_v1::RetryDeadLetterRequest {
        delivery: delivery.to_owned(),
        operator: "anna".to_owned(),
        reason: "the receiver is back".to_owned(),
    };
    is_open.store(true, std::sync::atomic::Ordering::SeqCst);
    admin
        .retry_dead_letter(retry(&letter.delivery))
        .await
        .expect("it is there");
    until("it has come", async || {
        receiver.came().last().is_some_and(|last| last.id == letter.delivery)
    })
    .await;
    assert_eq!(list().await.total_count, 0);
    let refused = admin
        .retry_dead_letter(retry(&letter.delivery))
        .await
        .expect_err("it is gone");
    assert_eq!(
        refused.reason(),
        Some(v1::ErrorReason::DeadLetterNotFound),
        "{refused:?}"
    );
    let nonsense = admin.retry_dead_letter(retry("m-1")).await.expect_err("it is none");
    assert_eq!(nonsense.reason(), Some(v1::ErrorReason::InvalidField), "{nonsense:?}");
    let rows = admin
        .list_audit(admin_v1::ListAuditRequest::default())
        .await
        .expect("rows")
        .rows;
    assert_eq!(rows[0].act(), admin_v1::AuditAct::RetryDeadLetter);
    assert_eq!(
        (rows[0].delivery.as_str(), rows[0].match_id.as_str()),
        (letter.delivery.as_str(), match_id.as_str())
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_that_leads_to_a_private_address_is_not_gone_to() {
    let folder = tempfile::tempdir().expect("a folder");
    let settings = json!({"allow_private": false, "tries_max": 1, "events": ["match_started"]});
    let hooks = hooks(folder.path(), "https://localhost/fives", settings);
    let server = Administered::start_hooked(&folder.path().join("data"), &hooks).await;
    a_match_given_up(&server.process.client()).await;
    let admin = server.administrator();
    let letters = async || {
        let answer = admin.list_dead_letters(admin_v1::ListDeadLettersRequest { limit: 10 });
        answer.await.expect("a list").dead_letters
    };
    until("it is given up", async || !letters().await.is_empty()).await;
    let letters = letters().await;
    assert_eq!(letters.len(), 1, "nothing else is wanted: {letters:?}");
    assert!(letters[0].problem.contains("private address"), "{}", letters[0].problem);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_that_waits_for_somebody_who_is_away_is_told_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let receiver = Receiver::start(|_, _| Reply::Status(200)).await;
    let hooks = receiver.hooks(folder.path(), json!({"away_after_ms": 1_000}));
    let server = Administered::start_hooked(&folder.path().join("data"), &hooks).await;
    let clients = [server.process.client(), server.process.client()];
    for (client, name) in clients.iter().zip(["anna", "bela"]) {
        client.sign_in(name, None).await.expect("guests are welcome");
    }
    let match_id = seat_all(&clients, public_match(vec![me(), open()])).await;
    until("it is told", async || receiver.events().len() == 2).await;
    clients[0].resign(resign(&match_id)).await.expect("resigned");
    until("the end is told", async || receiver.events().len() == 4).await;
    assert_eq!(
        receiver.events(),
        ["match_started", "turn_waiting", "player_abandoned", "match_finished"]
    );
    let waiting = &receiver.came()[1].body;
    let seat = waiting["seat"].as_u64().expect("a seat") as usize;
    assert_eq!(waiting["player"], waiting["seats"][seat]["player"]);
    assert!(waiting.get("deadline_ms").is_none(), "no clock runs: {waiting}");
}

#[tokio::test(flavor = "multi_thread")]
async fn dead_letters_about_a_person_go_with_the_person() {
    let folder = tempfile::tempdir().expect("a folder");
    let receiver = Receiver::start(|_, _| Reply::Status(410)).await;
    let hooks = receiver.hooks(folder.path(), json!({"tries_max": 1}));
    let server = Administered::start_hooked(&folder.path().join("data"), &hooks).await;
    let client = server.process.client();
    a_match_given_up(&client).await;
    let admin = server.administrator();
    let letters = async || {
        let answer = admin.list_dead_letters(admin_v1::ListDeadLettersRequest { limit: 10 });
        answer.await.expect("a list").total_count
    };
    until("everything is given up", async || letters().await == TOLD.len() as u64).await;
    let player = client.get_player(v1::GetPlayerRequest::default()).await;
    let confirm_player_id = player.expect("an answer").player.expect("a player").player_id;
    let erased = client.delete_player(v1::DeletePlayerRequest { confirm_player_id });
    erased.await.expect("it will be done");
    until("nothing is left", async || letters().await == 0).await;
}
