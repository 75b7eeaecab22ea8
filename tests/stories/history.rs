//! What stays of matches that are over: everybody's history, and the records.

use std::sync::Arc;

use fives_client::{Client, v1};
use fives_lobby::store::SharedLobbyStore;
use fives_referee::audit::{Operator, Why};
use fives_referee::command::Intervention;
use fives_referee::id::MatchId;
use fives_referee::referee::{Policy, Referee};
use fives_store::redis::{Config, RedisStore};
use tokio::process::Command;
use tonic::Code;

use crate::harness::{
    RedisNode, Server, ServerProcess, bot, me, open, play_out, program, public_match, seat_all, until, verified_replay,
    view_of,
};
use crate::refusals::{refused, replay, resign};

/// Waits until a match that is over is archived.
pub(crate) async fn until_archived(store: &SharedLobbyStore, match_id: &str) {
    let id: MatchId = match_id.parse().expect("an id");
    until("it is archived", async || {
        store.archived(&id).await.expect("an answer").is_some()
    })
    .await;
}

/// The store in this Redis.
pub(crate) fn store_in(redis: &RedisNode) -> SharedLobbyStore {
    let address = redis.url().parse().expect("an address");
    Arc::new(RedisStore::new(&address, Config::default()).expect("a store"))
}

/// A match that its first player gives up at once; gives its id.
pub(crate) async fn resigned(clients: &[Client], request: v1::CreateMatchRequest) -> String {
    let match_id = seat_all(clients, request).await;
    clients[0].resign(resign(&match_id)).await.expect("one may give up");
    match_id
}

async fn page(client: &Client, request: v1::ListPlayedMatchesRequest) -> v1::ListPlayedMatchesResponse {
    client.list_played_matches(request).await.expect("a page")
}

/// All pages of a history, of which each is asked for elsewhere.
pub(crate) async fn history(clients: &[&Client], filters: v1::ListPlayedMatchesRequest) -> Vec<v1::PlayedMatch> {
    let (mut played, mut page_token) = (Vec::new(), String::new());
    for client in clients.iter().cycle() {
        let answer = page(
            client,
            v1::ListPlayedMatchesRequest {
                page_token,
                ..filters.clone()
            },
        )
        .await;
        played.extend(answer.matches);
        page_token = answer.next_page_token;
        if page_token.is_empty() {
            break;
        }
    }
    played
}

fn ids(played: &[v1::PlayedMatch]) -> Vec<&str> {
    played.iter().map(|played| played.match_id.as_str()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_history_is_turned_page_by_page_on_any_replica() {
    let redis = RedisNode::start().await;
    let (here, there) = (
        ServerProcess::replica(&redis.url(), &[]),
        ServerProcess::replica(&redis.url(), &[]),
    );
    let (anna, elsewhere, bela) = (here.client(), there.client(), there.client());
    let key = Some("a-device-key-of-anna");
    let anna_id = anna.sign_in("anna", key).await.expect("welcome").player_id;
    assert_eq!(elsewhere.sign_in("", key).await.expect("welcome").player_id, anna_id);
    let bela_id = bela.sign_in("bela", None).await.expect("welcome").player_id;

    let (mut expected, store) = (Vec::new(), store_in(&redis));
    for number in 0..5 {
        let match_id = if number % 2 == 0 {
            resigned(&[anna.clone(), bela.clone()], public_match(vec![me(), open()])).await
        } else {
            let against = bot(v1::BotKind::Greedy);
            resigned(std::slice::from_ref(&anna), public_match(vec![me(), against])).await
        };
        until_archived(&store, &match_id).await;
        expected.insert(0, match_id);
    }
    let both = [&anna, &elsewhere];
    let all = history(
        &both,
        v1::ListPlayedMatchesRequest {
            page_size: 2,
            ..Default::default()
        },
    )
    .await;
    let mut found = ids(&all);
    // Those of one millisecond are in no order of their own.
    assert!(all.is_sorted_by_key(|played| {
        let made = played.create_time.as_ref().expect("a time");
        std::cmp::Reverse((made.seconds, made.nanos))
    }));
    found.sort_unstable();
    let mut sorted: Vec<&str> = expected.iter().map(String::as_str).collect();
    sorted.sort_unstable();
    assert_eq!(found, sorted);
    for played in &all {
        assert_eq!((played.seat, played.state()), (0, v1::MatchState::Finished));
        assert_eq!(played.result(), v1::PlayedResult::Resigned);
        assert!(played.seats[0].resigned && !played.seats[1].resigned && !played.ranked);
        assert_eq!(
            (
                played.seats[0].player_id.as_str(),
                played.seats[0].display_name.as_str()
            ),
            (anna_id.as_str(), "anna")
        );
        assert_eq!(played.outcome.as_ref().and_then(|outcome| outcome.winner_side), Some(1));
        assert_eq!(played.scores.len(), 2);
    }
    let with_bela = v1::ListPlayedMatchesRequest {
        with_player_id: bela_id,
        page_size: 2,
        ..Default::default()
    };
    assert_eq!(history(&both, with_bela.clone()).await.len(), 3);
    let since = all[1].create_time;
    let since = v1::ListPlayedMatchesRequest {
        since,
        ..Default::default()
    };
    assert!((2..5).contains(&history(&both, since).await.len()));
    for (filters, count) in [
        (
            v1::ListPlayedMatchesRequest {
                ranked: Some(true),
                ..Default::default()
            },
            0,
        ),
        (
            v1::ListPlayedMatchesRequest {
                ranked: Some(false),
                ..Default::default()
            },
            5,
        ),
        (
            v1::ListPlayedMatchesRequest {
                state: v1::MatchState::Closed.into(),
                ..Default::default()
            },
            0,
        ),
        (
            v1::ListPlayedMatchesRequest {
                state: v1::MatchState::Finished.into(),
                ..Default::default()
            },
            5,
        ),
    ] {
        assert_eq!(history(&both, filters).await.len(), count);
    }
    for played in history(&[&bela], v1::ListPlayedMatchesRequest::default()).await {
        assert_eq!((played.seat, played.result()), (1, v1::PlayedResult::Won));
    }

    let page_token = page(&anna, with_bela.clone()).await.next_page_token;
    assert!(!page_token.is_empty());
    let others = v1::ListPlayedMatchesRequest {
        page_token: page_token.clone(),
        ..Default::default()
    };
    refused(
        anna.list_played_matches(others).await,
        Code::InvalidArgument,
        v1::ErrorReason::InvalidField,
    );
    refused(
        bela.list_played_matches(v1::ListPlayedMatchesRequest {
            page_token,
            ..with_bela
        })
        .await,
        Code::InvalidArgument,
        v1::ErrorReason::InvalidField,
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_record_outlives_its_match() {
    let redis = RedisNode::start().await;
    let server = ServerProcess::replica(&redis.url(), &["--keep-finished-s", "8"]);
    let (anna, bela, stranger) = (server.client(), server.client(), server.client());
    for (client, name) in [(&anna, "anna"), (&bela, "bela"), (&stranger, "cleo")] {
        client.sign_in(name, None).await.expect("guests are welcome");
    }
    let store = store_in(&redis);
    let private = v1::CreateMatchRequest {
        visibility: v1::MatchVisibility::Private.into(),
        ..public_match(vec![me(), bot(v1::BotKind::Greedy)])
    };
    let private = resigned(std::slice::from_ref(&anna), private).await;
    let code = view_of(&anna, &private).await.invite_code;
    until_archived(&store, &private).await;
    let clients = [anna.clone(), bela.clone()];
    let public = seat_all(&clients, public_match(vec![me(), open()])).await;
    play_out(&clients, &public).await;
    until_archived(&store, &public).await;
    let live = verified_replay(&anna, &public).await;
    for match_id in [&public, &private] {
        until("the table goes", async || {
            let key = format!("f1:*:m:{match_id}");
            redis.ask::<Vec<String>>("KEYS", &[&key]).await.is_empty()
        })
        .await;
    }

    let get = |match_id: &str| v1::GetMatchRequest {
        match_id: match_id.to_owned(),
        ..Default::default()
    };
    for client in [&anna, &bela, &stranger] {
        refused(
            client.get_match(get(&public)).await,
            Code::NotFound,
            v1::ErrorReason::MatchArchived,
        );
        assert_eq!(verified_replay(client, &public).await, live);
    }
    for mut updates in [anna.follow(&public, None), stranger.watch(&public, "", None)] {
        refused(updates.next().await, Code::NotFound, v1::ErrorReason::MatchArchived);
    }
    verified_replay(&anna, &private).await;
    refused(
        stranger.get_replay(replay(&private)).await,
        Code::PermissionDenied,
        v1::ErrorReason::InviteRequired,
    );
    refused(
        stranger.get_match(get(&private)).await,
        Code::PermissionDenied,
        v1::ErrorReason::InviteRequired,
    );
    let opened = v1::GetReplayRequest {
        invite_code: code,
        ..replay(&private)
    };
    stranger
        .get_replay(opened)
        .await
        .expect("who has the code may have the record");
    assert_eq!(
        history(&[&bela], v1::ListPlayedMatchesRequest::default()).await.len(),
        1,
        "it is in the history as before"
    );

    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("record.jsonl");
    let record = bela.get_replay(replay(&public)).await.expect("the record").record_json;
    std::fs::write(&file, record + "\n").expect("written");
    let verified = Command::new(program()).arg("verify").arg(&file).status().await;
    assert!(verified.expect("it runs").success());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_voided_match_is_in_the_history_without_a_result() {
    let server = Server::start().await;
    let clients = server.guests::<2>().await;
    let match_id = seat_all(&clients, public_match(vec![me(), open()])).await;
    let (referee, _) = Referee::new(SharedLobbyStore::clone(server.store()), Policy::default());
    let (operator, why) = (Operator::new("anna"), Why::new("both asked for it"));
    referee
        .intervene(
            match_id.parse().expect("an id"),
            operator.expect("a name"),
            why.expect("a reason"),
            Intervention::Void,
        )
        .await
        .expect("it can be voided");
    let closed = resigned_before_the_start(&clients[0]).await;
    until_archived(server.store(), &match_id).await;
    view_of(&clients[0], &closed).await;
    let filters = v1::ListPlayedMatchesRequest {
        state: v1::MatchState::Closed.into(),
        ..Default::default()
    };
    let played = history(&[&clients[1]], filters).await;
    assert_eq!(ids(&played), [match_id.as_str()]);
    assert_eq!(played[0].result(), v1::PlayedResult::Voided);
    assert_eq!((played[0].outcome.as_ref(), played[0].scores.len()), (None, 0));
    let all = history(&[&clients[0]], v1::ListPlayedMatchesRequest::default()).await;
    assert_eq!(
        ids(&all),
        [match_id.as_str()],
        "what nobody could play is in no history"
    );
    refused(
        clients[0].get_replay(replay(&match_id)).await,
        Code::FailedPrecondition,
        v1::ErrorReason::MatchClosed,
    );
}

/// A table that its maker gives up before anybody came.
async fn resigned_before_the_start(client: &Client) -> String {
    let match_id = seat_all(std::slice::from_ref(client), public_match(vec![me(), open()])).await;
    client
        .leave_match(crate::refusals::leave(&match_id))
        .await
        .expect("one may leave");
    match_id
}
