//! What a queue refuses, and why.

use fives_client::{Client, Error, v1};
use fives_lobby::queue::{Claim, Look, QueueName};
use fives_referee::command::SeatedMatch;
use fives_referee::id::MatchId;
use fives_referee::table::Occupant;
use fives_referee::time::UnixMillis;
use fives_rules::options::MatchOptions;
use fives_rules::seat::Players;
use tonic::Code;
use v1::ErrorReason as Reason;

use super::{bots, line, waiting};
use crate::harness::{Server, in_time};
use crate::refusals::refused;

async fn join(client: &Client, queue: &str, partner: &str) -> Result<(), Error> {
    in_time("an answer", client.join_queue(queue, partner).next())
        .await
        .map(drop)
}

async fn leave(client: &Client, queue: &str) -> Result<v1::LeaveQueueResponse, Error> {
    let queue = queue.to_owned();
    client.leave_queue(v1::LeaveQueueRequest { queue }).await
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_is_refused_with_its_reason() {
    let server = Server::start_with(|config| bots(config, None)).await;
    let [anna, bela] = server.guests().await;
    let id = async |client: &Client| {
        let player = client.get_player(v1::GetPlayerRequest::default()).await;
        player.expect("an answer").player.expect("a player").player_id
    };
    let (anna_id, bela_id) = (id(&anna).await, id(&bela).await);
    let nobody = "p-aaaaaaaaaaaaaaaaaaaaaaaaaa";

    refused(join(&anna, "chess", "").await, Code::NotFound, Reason::QueueNotFound);
    refused(leave(&anna, "chess").await, Code::NotFound, Reason::QueueNotFound);
    refused(
        join(&anna, "partners", nobody).await,
        Code::NotFound,
        Reason::PlayerNotFound,
    );
    for (queue, partner, field) in [
        ("", "", "queue"),
        ("Duel", "", "queue"),
        ("duel\u{0}", "", "queue"),
        (&"x".repeat(33), "", "queue"),
        ("partners", "anna", "partner_player_id"),
        ("partners", &anna_id, "partner_player_id"),
        ("duel", &bela_id, "partner_player_id"),
    ] {
        let told = refused(
            join(&anna, queue, partner).await,
            Code::InvalidArgument,
            Reason::InvalidField,
        );
        assert!(told.message.contains(field), "{told:?}");
    }
    refused(leave(&anna, "").await, Code::InvalidArgument, Reason::InvalidField);
    let stranger = server.stranger();
    refused(
        join(&stranger, "duel", "").await,
        Code::Unauthenticated,
        Reason::TokenMissing,
    );
    refused(
        leave(&stranger, "duel").await,
        Code::Unauthenticated,
        Reason::TokenMissing,
    );
    let queues = stranger
        .list_queues(v1::ListQueuesRequest {})
        .await
        .expect("a list")
        .queues;
    assert!(
        queues.iter().all(|queue| queue.waiting_players == 0),
        "nothing has changed: {queues:?}"
    );

    let mut queued = anna.join_queue("partners", &bela_id);
    waiting(&mut queued).await;
    for partner in ["", &id(&server.guest("cleo").await).await] {
        refused(
            join(&anna, "partners", partner).await,
            Code::FailedPrecondition,
            Reason::AlreadyQueued,
        );
    }
    waiting(&mut queued).await;
    assert_eq!(line(&anna, "partners").await, 1, "the first ticket is as it was");
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_leaves_while_their_match_is_made() {
    let server = Server::start_with(|config| bots(config, None)).await;
    let anna = server.guest("anna").await;
    waiting(&mut anna.join_queue("duel", "")).await;
    let (store, queue) = (server.store(), QueueName::new("duel").expect("a name"));
    let look = Look {
        fresh_since: UnixMillis(0),
        claimed_before: UnixMillis(0),
        limit: 9,
    };
    let tickets = store.look_at_line(&queue, look).await.expect("an answer").tickets;
    let occupant = Occupant::Person {
        player: tickets[0].player,
        name: tickets[0].name.clone(),
    };
    // As by a process that has all the time in the world to make the match.
    let claim = Claim {
        match_id: MatchId::from_bytes([9; 16]),
        claimed_at: UnixMillis(u64::MAX >> 12),
        seated: SeatedMatch {
            options: MatchOptions::all_fives(Players::Two),
            clock: None,
            ranked: false,
            occupants: vec![occupant, Occupant::Bot(fives_bots::BotKind::Greedy)],
        },
    };
    assert!(
        store
            .claim(&queue, &claim, &[&tickets[0]], UnixMillis(0))
            .await
            .expect("kept")
    );
    let told = refused(
        leave(&anna, "duel").await,
        Code::FailedPrecondition,
        Reason::MatchBeingMade,
    );
    assert!(told.retry_after.is_some());
}
