//! Persons who want to be forgotten, and are.

use fives_client::{Client, admin_v1, v1};
use tokio::process::Command;
use tonic::Code;

use crate::harness::{
    Administered, RedisNode, SECRET, Server, ServerProcess, join, me, open, program, public_match, seat_all, until,
    verified_replay, view_of,
};
use crate::history::{history, resigned, store_in, until_archived};
use crate::refusals::{leave, refused, replay, resign};

/// A name that nothing else is called by.
const NAME: &str = "Zyxwvut Qponmlk";

/// A device that nobody else has.
const DEVICE: &str = "a-device-key-that-nobody-else-has";

/// Calls are short here: an erasure waits until those that had begun before it are over.
const SHORT_CALLS: [&str; 2] = ["--call-timeout-ms", "1000"];

async fn delete(client: &Client, player_id: &str) -> Result<v1::DeletePlayerResponse, fives_client::Error> {
    let confirm_player_id = player_id.to_owned();
    client
        .delete_player(v1::DeletePlayerRequest { confirm_player_id })
        .await
}

/// Whether anything in Redis leads to a person: the name, the id as text, or its bytes.
async fn is_known(redis: &RedisNode, player_id: &str) -> bool {
    let letters = player_id.trim_start_matches("p-").to_ascii_uppercase();
    let bytes = data_encoding::BASE32_NOPAD.decode(letters.as_bytes()).expect("an id");
    let traces = [NAME.as_bytes(), player_id.as_bytes(), &bytes];
    let held = redis.everything().await;
    held.iter().any(|held| {
        let has = |trace: &&[u8]| held.windows(trace.len()).any(|part| part == *trace);
        traces.iter().any(has)
    })
}

/// Every kind of match that somebody can have been at.
struct Matches {
    archived: String,
    finished: String,
    live: String,
    open: String,
    left: String,
}

/// Has `person` be at all of them, with others.
async fn matches_of(person: &Client, others: &[Client; 2], redis: &RedisNode) -> Matches {
    let pair = [person.clone(), others[0].clone()];
    let archived = resigned(&pair, public_match(vec![me(), open()])).await;
    until_archived(&store_in(redis), &archived).await;
    let finished = resigned(&pair, public_match(vec![me(), open()])).await;
    let three = [others[0].clone(), person.clone(), others[1].clone()];
    let live = seat_all(&three, public_match(vec![me(), open(), open()])).await;
    let alone = std::slice::from_ref(person);
    let waiting = seat_all(alone, public_match(vec![me(), open()])).await;
    let left = seat_all(&others[..1], public_match(vec![me(), open(), open()])).await;
    person
        .join_match(join(&left, Vec::new()))
        .await
        .expect("a seat is free");
    person.leave_match(leave(&left)).await.expect("one may leave");
    Matches {
        archived,
        finished,
        live,
        open: waiting,
        left,
    }
}

async fn signed_in(server: &ServerProcess, name: &str, device: Option<&str>) -> (Client, String) {
    let client = server.client();
    let player = client.sign_in(name, device).await.expect("guests are welcome");
    (client, player.player_id)
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_leads_to_a_person_who_was_erased() {
    let redis = RedisNode::start().await;
    let (here, there) = (
        ServerProcess::replica(&redis.url(), &SHORT_CALLS),
        ServerProcess::replica(&redis.url(), &SHORT_CALLS),
    );
    let (person, id) = signed_in(&here, NAME, Some(DEVICE)).await;
    let (bela, bela_id) = signed_in(&here, "bela", None).await;
    let (cleo, _) = signed_in(&there, "cleo", None).await;
    let elsewhere = there.client();
    elsewhere.sign_in("", Some(DEVICE)).await.expect("the device is known");
    let matches = matches_of(&person, &[bela.clone(), cleo.clone()], &redis).await;
    let record = verified_replay(&bela, &matches.archived).await;
    assert!(is_known(&redis, &id).await);

    for wrong in ["", &bela_id] {
        refused(
            delete(&person, wrong).await,
            Code::InvalidArgument,
            v1::ErrorReason::InvalidField,
        );
    }
    delete(&person, &id).await.expect("one may be forgotten");
    let whoever = || v1::GetPlayerRequest::default();
    refused(
        person.get_player(whoever()).await,
        Code::Unauthenticated,
        v1::ErrorReason::TokenInvalid,
    );
    until("the other replica knows", async || {
        matches!(elsewhere.get_player(whoever()).await, Err(fives_client::Error::Refused(refused))
            if refused.reason == v1::ErrorReason::TokenInvalid)
    })
    .await;
    for again in [&person, &elsewhere] {
        delete(again, &id)
            .await
            .expect("an answer that was lost is asked for again");
    }
    until("nothing leads there", async || !is_known(&redis, &id).await).await;

    let named = v1::GetPlayerRequest { player_id: id.clone() };
    refused(
        bela.get_player(named).await,
        Code::NotFound,
        v1::ErrorReason::PlayerNotFound,
    );
    for (match_id, state, seat) in [
        (&matches.finished, v1::MatchState::Finished, 0),
        (&matches.live, v1::MatchState::Live, 1),
    ] {
        let shown = view_of(&bela, match_id).await;
        assert_eq!(shown.state(), state);
        let seat: &v1::SeatView = &shown.seats[seat];
        assert_eq!((seat.display_name.as_str(), seat.resigned), ("Deleted player", true));
        let nobody = v1::GetPlayerRequest {
            player_id: seat.player_id.clone(),
        };
        refused(
            bela.get_player(nobody).await,
            Code::NotFound,
            v1::ErrorReason::PlayerNotFound,
        );
    }
    assert_eq!(view_of(&bela, &matches.left).await.state(), v1::MatchState::Open);
    let get = v1::GetMatchRequest {
        match_id: matches.open.clone(),
        ..Default::default()
    };
    let closed = bela.get_match(get).await.expect("it is closed").view.expect("a view");
    assert_eq!(closed.state(), v1::MatchState::Closed);
    // The others play on, and their history stays.
    bela.resign(resign(&matches.live)).await.expect("one may give up");
    let played = history(&[&bela], v1::ListPlayedMatchesRequest::default()).await;
    let archived = played.iter().find(|played| played.match_id == matches.archived);
    let seat = &archived.expect("it is there").seats[0];
    assert_eq!(
        (seat.player_id.as_str(), seat.display_name.as_str()),
        ("", "Deleted player")
    );
    assert_eq!(verified_replay(&bela, &matches.archived).await, record);
    verified_replay(&bela, &matches.finished).await;

    let again = here.client();
    let new = again.sign_in("somebody new", Some(DEVICE)).await.expect("welcome");
    assert_ne!(new.player_id, id, "the device leads to nobody");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_erasure_goes_on_when_its_process_dies() {
    let redis = RedisNode::start().await;
    let longer = ["--call-timeout-ms", "4000"];
    let (mut here, there) = (
        ServerProcess::replica(&redis.url(), &longer),
        ServerProcess::replica(&redis.url(), &longer),
    );
    let (person, id) = signed_in(&here, NAME, Some(DEVICE)).await;
    let (bela, _) = signed_in(&there, "bela", None).await;
    let (cleo, _) = signed_in(&there, "cleo", None).await;
    let others = [bela.clone(), cleo];
    let mut all = Vec::new();
    for _ in 0..4 {
        all.push(matches_of(&person, &others, &redis).await);
    }
    delete(&person, &id).await.expect("one may be forgotten");
    // It is answered long before it ends: it waits for calls that had begun before.
    here.kill_for_now().await;
    until("the other replica has ended it", async || !is_known(&redis, &id).await).await;
    for matches in &all {
        assert_eq!(
            view_of(&bela, &matches.live).await.seats[1].display_name,
            "Deleted player"
        );
        bela.get_replay(replay(&matches.archived))
            .await
            .expect("the record stays");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_embedded_store_forgets_as_well() {
    let server = Server::start_with(|config| config.call_timeout_ms = 1_000).await;
    let (person, bela) = (server.stranger(), server.guest("bela").await);
    let id = person.sign_in(NAME, Some(DEVICE)).await.expect("welcome").player_id;
    let pair = [person.clone(), bela.clone()];
    let archived = resigned(&pair, public_match(vec![me(), open()])).await;
    until_archived(server.store(), &archived).await;
    let live = seat_all(
        &[bela.clone(), person.clone(), server.guest("cleo").await],
        public_match(vec![me(), open(), open()]),
    )
    .await;
    let mut following = bela.follow(&live, None);
    following.next().await.expect("the stream begins");
    delete(&person, &id).await.expect("one may be forgotten");
    until("the erasure ends", async || {
        let player: fives_referee::id::PlayerId = id.parse().expect("an id");
        let listed = server.store().played(&player, None, 1).await.expect("an answer");
        listed.is_empty()
    })
    .await;
    let played = history(&[&bela], v1::ListPlayedMatchesRequest::default()).await;
    assert!(!format!("{played:?}").contains(NAME) && !format!("{played:?}").contains(&id));
    assert_eq!(played[0].seats[0].display_name, "Deleted player");
    let shown = view_of(&bela, &live).await;
    assert!(!format!("{shown:?}").contains(NAME) && !format!("{shown:?}").contains(&id));
    // Who follows is shown the match anew, under no name.
    loop {
        let update = crate::harness::in_time("a reset", following.next()).await;
        let update = update.expect("the stream goes on").expect("an update");
        if let v1::match_update::Update::Snapshot(snapshot) = &update
            && snapshot.reset
        {
            assert!(!format!("{snapshot:?}").contains(NAME));
            break;
        }
    }
    verified_replay(&bela, &archived).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_administrator_erases_for_somebody() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Administered::start(folder.path()).await;
    let (person, id) = signed_in(&server.process, NAME, None).await;
    let admin = server.administrator();
    let order = |player_id: &str| admin_v1::ErasePlayerRequest {
        player_id: player_id.to_owned(),
        operator: "anna".to_owned(),
        reason: "request 4711".to_owned(),
    };
    refused(
        admin.erase_player(order("p-aaaaaaaaaaaaaaaaaaaaaaaaaa")).await,
        Code::NotFound,
        v1::ErrorReason::PlayerNotFound,
    );
    refused(
        admin.erase_player(order("anna")).await,
        Code::InvalidArgument,
        v1::ErrorReason::InvalidField,
    );
    refused(
        server.somebody(None).erase_player(order(&id)).await,
        Code::Unauthenticated,
        v1::ErrorReason::AdminTokenMissing,
    );
    let said = Command::new(program())
        .args([
            "admin",
            "erase-player",
            &id,
            "--reason",
            "request 4711",
            "--operator",
            "anna",
        ])
        .args(["--server", &server.admin_url(), "--token-file"])
        .arg(server.token_file())
        .output()
        .await
        .expect("it runs");
    assert!(said.status.success(), "{said:?}");
    refused(
        person.get_player(v1::GetPlayerRequest::default()).await,
        Code::Unauthenticated,
        v1::ErrorReason::TokenInvalid,
    );
    let again = admin.erase_player(order(&id)).await.expect("twice is as good as once");
    assert!(String::from_utf8_lossy(&said.stdout).contains(&again.player_mark));
    let audit = admin.list_audit(admin_v1::ListAuditRequest::default()).await;
    let rows = audit.expect("the audit can be read").rows;
    assert_eq!(rows.len(), 1, "one act, one row");
    assert_eq!(
        (rows[0].act(), &rows[0].player_mark),
        (admin_v1::AuditAct::ErasePlayer, &again.player_mark)
    );
    assert!(!format!("{rows:?}").contains(&id) && !server.log().contains(&id) && !server.log().contains(SECRET));
}
