//! What every story needs: a server, people at it, and a way to play that leaves nothing out.

mod administered;
mod authority;
mod clock;
mod collector;
mod fleet;
mod http;
mod issuer;
mod pair;
mod process;
mod proxy;
mod receiver;
mod redis;
mod seat;
mod server;
mod watcher;

use std::path::{Path, PathBuf};
use std::time::Duration;

pub(crate) use administered::{Administered, SECRET, bearer};
pub(crate) use authority::{Authority, Issued, contents};
pub(crate) use clock::SetClock;
pub(crate) use collector::{Collector, drawn};
pub(crate) use fleet::Fleet;
pub(crate) use http::{ask, http};
pub(crate) use issuer::{IssuerKey, Page, TokenIssuer, settings};
pub(crate) use pair::Pair;
pub(crate) use process::{ServerProcess, free_address, program};
pub(crate) use proxy::{Proxy, Way};
pub(crate) use receiver::{Delivery, HOOK_SECRET, Receiver, Reply, hooks};
pub(crate) use redis::{RedisCluster, RedisNode, Sentinel, free_port};
pub(crate) use seat::{Seated, next_play, play_out};
pub(crate) use server::Server;
pub(crate) use watcher::Witness;

use fives_client::{Client, RetryPolicy, v1};

/// How long anything at all may take before a story fails.
pub(crate) const DEADLINE: Duration = Duration::from_secs(60);

/// A call is sent once, and has the time that a slow machine needs: what comes back is the first answer.
pub(crate) const ONCE: RetryPolicy = RetryPolicy {
    give_up_after: DEADLINE,
    try_timeout: Duration::from_secs(20),
    first_wait: DEADLINE.saturating_mul(2),
    longest_wait: DEADLINE.saturating_mul(2),
};

/// The same client, which does not try again.
pub(crate) fn hasty(client: &Client) -> Client {
    client.clone().with_policy(ONCE)
}

/// The top of the workspace.
pub(crate) fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("tests/ is in the workspace")
        .to_owned()
}

/// Fails the story if `future` takes longer than anything may.
pub(crate) async fn in_time<T>(what: &str, future: impl Future<Output = T>) -> T {
    match tokio::time::timeout(DEADLINE, future).await {
        Ok(value) => value,
        Err(_) => panic!("{what} took longer than {DEADLINE:?}"),
    }
}

/// Waits until `condition` holds, which is looked at every now and then.
pub(crate) async fn until(what: &str, condition: impl AsyncFn() -> bool) {
    in_time(what, async {
        while !condition().await {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    })
    .await;
}

/// The match as this client sees it now.
pub(crate) async fn view_of(client: &Client, match_id: &str) -> v1::MatchView {
    let request = v1::GetMatchRequest {
        match_id: match_id.to_owned(),
        ..Default::default()
    };
    let answer = client.get_match(request).await.expect("the match is there");
    answer.view.expect("a view")
}

/// A seat that waits for a person.
pub(crate) fn open() -> v1::SeatRequest {
    v1::SeatRequest {
        occupant: Some(v1::seat_request::Occupant::Open(v1::seat_request::Open {})),
    }
}

/// The creator's seat.
pub(crate) fn me() -> v1::SeatRequest {
    v1::SeatRequest {
        occupant: Some(v1::seat_request::Occupant::Me(v1::seat_request::Me {})),
    }
}

/// A bot's seat.
pub(crate) fn bot(kind: v1::BotKind) -> v1::SeatRequest {
    v1::SeatRequest {
        occupant: Some(v1::seat_request::Occupant::Bot(kind.into())),
    }
}

/// A public match that anybody may watch, with these seats; a short one.
pub(crate) fn public_match(seats: Vec<v1::SeatRequest>) -> v1::CreateMatchRequest {
    v1::CreateMatchRequest {
        options: Some(v1::MatchOptions {
            target_points: Some(50),
            ..Default::default()
        }),
        seats,
        visibility: v1::MatchVisibility::Public.into(),
        spectators_allowed: true,
        ..Default::default()
    }
}

/// Makes a match and has everybody sit down; gives its id. The first client makes it and sits down first.
pub(crate) async fn seat_all(clients: &[Client], request: v1::CreateMatchRequest) -> String {
    let (creator, others) = clients.split_first().expect("somebody makes the match");
    let created = creator.create_match(request).await.expect("a match is made");
    let match_id = created.view.expect("a new match is shown").match_id;
    for (index, client) in others.iter().enumerate() {
        client
            .join_match(join(&match_id, vec![index as u8; index]))
            .await
            .expect("a seat is free");
    }
    match_id
}

/// Asks for a seat by the match's id.
pub(crate) fn join(match_id: &str, entropy: Vec<u8>) -> v1::JoinMatchRequest {
    v1::JoinMatchRequest {
        target: Some(v1::join_match_request::Target::MatchId(match_id.to_owned())),
        entropy: entropy.into(),
        ..Default::default()
    }
}

/// The record of a match, which must be true in every word.
pub(crate) async fn verified_replay(client: &Client, match_id: &str) -> fives_rules::record::Record {
    let request = v1::GetReplayRequest {
        match_id: match_id.to_owned(),
        ..Default::default()
    };
    let replay = client.get_replay(request).await.expect("a finished match has a record");
    let record = serde_json::from_str(&replay.record_json).expect("a record is JSON of its format");
    let proof = fives_rules::record::verify(&record).unwrap_or_else(|fault| panic!("{match_id}: {fault}"));
    assert_eq!(
        proof,
        fives_rules::record::Proof::Everything,
        "{match_id}: the deals are proved"
    );
    record
}
