//! Matchmaking, from outside: people come into a queue and end up at a table.

mod killed;
pub(crate) mod parties;
mod refusals;

use fives_client::v1::join_queue_response::Update;
use fives_client::{Client, Queued, v1};
use fives_lobby::queue::{Claim, QueueName};
use fives_referee::command::SeatedMatch;
use fives_referee::id::MatchId;
use fives_referee::table::Occupant;
use fives_referee::time::UnixMillis;
use fives_rules::options::MatchOptions;
use fives_rules::seat::Players;
use fives_server::config::Config;

use crate::harness::{RedisNode, Seated, Server, ServerProcess, in_time, until, verified_replay, view_of};
use crate::refusals::resign;

/// The next update of somebody who still waits.
pub(crate) async fn waiting(queued: &mut Queued) -> v1::QueueWaiting {
    match in_time("news of the queue", queued.next()).await {
        Ok(Some(Update::Waiting(waiting))) => waiting,
        other => panic!("expected to wait, got {other:?}"),
    }
}

pub(crate) async fn matched(queued: &mut Queued) -> String {
    let matched = in_time("a match", queued.matched()).await;
    matched.expect("the stream goes on").expect("nobody has left")
}

async fn leave(client: &Client, queue: &str) -> String {
    let request = v1::LeaveQueueRequest {
        queue: queue.to_owned(),
    };
    client.leave_queue(request).await.expect("it can be left").match_id
}

/// How many wait in a queue.
async fn line(client: &Client, queue: &str) -> u32 {
    let queues = client
        .list_queues(v1::ListQueuesRequest {})
        .await
        .expect("a list")
        .queues;
    let found = queues.into_iter().find(|found| found.name == queue);
    found.expect("there is such a queue").waiting_players
}

/// Bots come at once, or never.
fn bots(config: &mut Config, after_ms: Option<u64>) {
    for queue in &mut config.queues {
        queue.bots_after_ms = after_ms;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_who_wait_play_a_whole_match() {
    let server = Server::start().await;
    let [anna, bela] = server.guests().await;
    let mut first = anna.join_queue("duel", "");
    let ticket = waiting(&mut first).await;
    assert!(ticket.ticket_id.starts_with("t-") && ticket.join_time.is_some());
    assert_eq!((ticket.waiting_players, ticket.partner_is_here), (1, false));
    until("anna is seen", async || line(&bela, "duel").await == 1).await;
    let mut second = bela.join_queue("duel", "");
    let (match_id, of_bela) = tokio::join!(matched(&mut first), matched(&mut second));
    assert_eq!(match_id, of_bela);
    assert!(first.next().await.expect("it is over").is_none());

    let view = view_of(&anna, &match_id).await;
    assert_eq!(view.state(), v1::MatchState::Live);
    assert_eq!(view.visibility(), v1::MatchVisibility::Public);
    assert!(view.spectators_allowed && !view.ranked && view.turn_clock.is_some());
    let names: Vec<&str> = view.seats.iter().map(|seat| seat.display_name.as_str()).collect();
    assert_eq!(names, ["anna", "bela"], "who waited longer sits first");
    let playing = [&anna, &bela].map(|client| tokio::spawn(Seated::new(client, &match_id).play_to_the_end()));
    for one in playing {
        one.await.expect("it was played to the end");
    }
    verified_replay(&anna, &match_id).await;
    assert_eq!(line(&anna, "duel").await, 0);
    let queues = anna.list_queues(v1::ListQueuesRequest {}).await.expect("a list").queues;
    assert!(queues[0].typical_wait_ms.is_some(), "it is known how long it took");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ranked_queue_makes_ranked_matches_and_the_list_says_what_each_queue_is() {
    let server = Server::start().await;
    let [anna, bela] = server.guests().await;
    let queues = server.stranger().list_queues(v1::ListQueuesRequest {}).await;
    let queues = queues.expect("needs no token").queues;
    let found = |name: &str| queues.iter().find(|queue| queue.name == name).expect("it is built in");
    let (casual, ranked, partners) = (found("duel"), found("duel-ranked"), found("partners"));
    assert_eq!(
        (casual.players, casual.ranked, casual.bots_after_ms),
        (2, false, Some(30_000))
    );
    assert!(ranked.ranked && ranked.bots_after_ms.is_none() && ranked.rating_window.is_some());
    assert_eq!(
        partners.options.as_ref().and_then(|options| options.partners),
        Some(true)
    );

    let mut waits = [anna.join_queue("duel-ranked", ""), bela.join_queue("duel-ranked", "")];
    waiting(&mut waits[0]).await;
    let (first, second) = waits.split_at_mut(1);
    let (first, second) = tokio::join!(matched(&mut first[0]), matched(&mut second[0]));
    assert_eq!(first, second);
    assert!(view_of(&anna, &first).await.ranked);
}

#[tokio::test(flavor = "multi_thread")]
async fn bots_fill_the_seats_of_who_has_waited_long_enough() {
    let server = Server::start_with(|config| bots(config, Some(0))).await;
    let anna = server.guest("anna").await;
    let match_id = matched(&mut anna.join_queue("table-of-four", "")).await;
    let view = view_of(&anna, &match_id).await;
    let bots = view
        .seats
        .iter()
        .filter(|seat| seat.bot_kind() != v1::BotKind::Unspecified);
    assert_eq!((view.viewer_seat, bots.count()), (Some(0), 3));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_with_two_phones_has_one_ticket() {
    let server = Server::start_with(|config| bots(config, None)).await;
    let [anna, bela] = server.guests().await;
    let (mut phone, mut tablet) = (anna.join_queue("duel", ""), anna.join_queue("duel", ""));
    let ticket = waiting(&mut phone).await;
    assert_eq!(waiting(&mut tablet).await.ticket_id, ticket.ticket_id);
    assert_eq!(line(&anna, "duel").await, 1);
    // One leaves, both have left.
    assert_eq!(leave(&anna, "duel").await, "");
    for device in [&mut phone, &mut tablet] {
        assert_eq!(in_time("the end", device.matched()).await.expect("an end"), None);
    }
    assert_eq!(leave(&anna, "duel").await, "", "twice is as good as once");

    let (mut phone, mut tablet) = (anna.join_queue("duel", ""), anna.join_queue("duel", ""));
    assert_ne!(
        waiting(&mut phone).await.ticket_id,
        ticket.ticket_id,
        "another place in line"
    );
    waiting(&mut tablet).await;
    let match_id = matched(&mut bela.join_queue("duel", "")).await;
    for device in [&mut phone, &mut tablet] {
        assert_eq!(matched(device).await, match_id, "both hear of the one match");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_comes_back_in_time_keeps_the_place_and_who_does_not_is_gone() {
    let server = Server::start_with(|config| {
        bots(config, None);
        config.queue_ticket_s = 2;
    })
    .await;
    let anna = server.guest("anna").await;
    let mut queued = anna.join_queue("duel", "");
    let ticket = waiting(&mut queued).await.ticket_id;
    drop(queued);
    let mut again = anna.join_queue("duel", "");
    assert_eq!(waiting(&mut again).await.ticket_id, ticket, "the place is kept");
    drop(again);
    until("the ticket is gone", async || line(&anna, "duel").await == 0).await;
    let mut late = anna.join_queue("duel", "");
    assert_ne!(waiting(&mut late).await.ticket_id, ticket);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_comes_back_is_told_the_match_as_long_as_they_play_it() {
    let server = Server::start_with(|config| bots(config, None)).await;
    let [anna, bela] = server.guests().await;
    let mut first = anna.join_queue("duel", "");
    let ticket = waiting(&mut first).await.ticket_id;
    let match_id = matched(&mut bela.join_queue("duel", "")).await;
    // Nobody reads anna's stream any more: the phone was off.
    drop(first);
    let mut back = anna.join_queue("duel", "");
    match in_time("the match", back.next()).await {
        Ok(Some(Update::Matched(told))) => assert_eq!(told.match_id, match_id),
        other => panic!("expected the match, got {other:?}"),
    }
    // Another one meanwhile, after leaving.
    assert_eq!(leave(&anna, "duel").await, match_id);
    let mut another = anna.join_queue("duel", "");
    assert_ne!(waiting(&mut another).await.ticket_id, ticket);
    leave(&anna, "duel").await;
    // Who gives up need not even leave.
    bela.resign(resign(&match_id)).await.expect("bela gives up");
    waiting(&mut bela.join_queue("duel", "")).await;
}

/// As after an outage, when nobody could give a sign of life for anybody.
#[tokio::test(flavor = "multi_thread")]
async fn a_ticket_that_went_under_a_player_who_is_there_comes_back() {
    let server = Server::start_with(|config| bots(config, None)).await;
    let anna = server.guest("anna").await;
    let mut queued = anna.join_queue("duel", "");
    let before = waiting(&mut queued).await;
    let nobody_is_fresh = fives_lobby::queue::Look {
        fresh_since: UnixMillis(u64::MAX >> 12),
        claimed_before: UnixMillis(0),
        limit: 0,
    };
    let queue = QueueName::new("duel").expect("a name");
    let seen = server.store().look_at_line(&queue, nobody_is_fresh).await;
    assert_eq!(seen.expect("an answer").waiting, 0);
    until("anna is back", async || line(&anna, "duel").await == 1).await;
    let after = waiting(&mut queued).await;
    assert_eq!((after.ticket_id, after.join_time), (before.ticket_id, before.join_time));
}

/// A process that died between claim and match leaves a claim that any other one finishes.
#[tokio::test(flavor = "multi_thread")]
async fn a_claim_that_nobody_finished_becomes_its_match() {
    let server = Server::start_with(|config| bots(config, None)).await;
    let anna = server.guest("anna").await;
    let mut queued = anna.join_queue("duel", "");
    waiting(&mut queued).await;
    let queue = QueueName::new("duel").expect("a name");
    let store = server.store();
    let look = fives_lobby::queue::Look {
        fresh_since: UnixMillis(0),
        claimed_before: UnixMillis(0),
        limit: 9,
    };
    let seen = store.look_at_line(&queue, look).await.expect("an answer").tickets;
    let [ticket] = seen.as_slice() else {
        panic!("anna waits alone: {seen:?}")
    };
    let person = Occupant::Person {
        player: ticket.player,
        name: ticket.name.clone(),
    };
    let claim = Claim {
        match_id: MatchId::from_bytes([7; 16]),
        claimed_at: ticket.joined_at,
        seated: SeatedMatch {
            options: MatchOptions::all_fives(Players::Two),
            clock: None,
            ranked: false,
            occupants: vec![person, Occupant::Bot(fives_bots::BotKind::Greedy)],
        },
    };
    assert!(
        store
            .claim(&queue, &claim, &[ticket], UnixMillis(0))
            .await
            .expect("kept")
    );
    assert_eq!(matched(&mut queued).await, claim.match_id.to_string());
    assert_eq!(
        view_of(&anna, &claim.match_id.to_string()).await.state(),
        v1::MatchState::Live
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn two_meet_through_different_replicas() {
    let redis = RedisNode::start().await;
    let replicas = [(); 2].map(|()| ServerProcess::replica(&redis.url(), &[]));
    let mut clients = Vec::new();
    for (replica, name) in replicas.iter().zip(["anna", "bela"]) {
        replica.until_ready().await;
        let client = replica.client();
        client.sign_in(name, None).await.expect("guests are welcome");
        clients.push(client);
    }
    let mut first = clients[0].join_queue("duel-ranked", "");
    waiting(&mut first).await;
    let mut second = clients[1].join_queue("duel-ranked", "");
    let (match_id, of_the_other) = tokio::join!(matched(&mut first), matched(&mut second));
    assert_eq!(match_id, of_the_other);
    assert_eq!(view_of(&clients[1], &match_id).await.viewer_seat, Some(1));
    assert_eq!(line(&clients[0], "duel-ranked").await, 0);
}

/// What waits in line is kept when the one process of a folder dies.
#[tokio::test(flavor = "multi_thread")]
async fn a_place_in_line_survives_the_process() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut server = ServerProcess::start(folder.path()).await;
    let client = server.client();
    client.sign_in("anna", None).await.expect("guests are welcome");
    let mut queued = client.join_queue("partners-ranked", "");
    let ticket = waiting(&mut queued).await.ticket_id;
    server.kill_and_restart().await;
    in_time("the stream again", async {
        // It may have been told before the end, too.
        loop {
            let told = waiting(&mut queued).await;
            assert_eq!(told.ticket_id, ticket);
            if line(&client, "partners-ranked").await == 1 {
                break;
            }
        }
    })
    .await;
}
