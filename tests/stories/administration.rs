//! What administrators do, and what players and watchers see of it.

use fives_client::v1::event::Kind;
use fives_client::{AdminClient, Client, admin_v1, v1};
use sha2::{Digest, Sha256};
use tonic::Code;

use crate::harness::{
    Administered, RedisNode, Witness, join, me, open, play_out, public_match, seat_all, until, verified_replay, view_of,
};
use crate::refusals::{refused, replay, resign};

const NOBODY: &str = "m-aaaaaaaaaaaaaaaaaaaaaaaaaa";

async fn guests<const N: usize>(server: &Administered) -> [Client; N] {
    let clients: [Client; N] = std::array::from_fn(|_| server.process.client());
    for (number, client) in clients.iter().enumerate() {
        client
            .sign_in(&format!("guest {number}"), None)
            .await
            .expect("guests are welcome");
    }
    clients
}

async fn audit(admin: &AdminClient) -> Vec<admin_v1::AuditRow> {
    let answer = admin.list_audit(admin_v1::ListAuditRequest::default()).await;
    answer.expect("the audit can be read").rows
}

pub(crate) fn void(match_id: &str) -> admin_v1::VoidMatchRequest {
    admin_v1::VoidMatchRequest {
        match_id: match_id.to_owned(),
        operator: "anna".to_owned(),
        reason: "both asked for it".to_owned(),
    }
}

fn forfeit(match_id: &str, seat: u32) -> admin_v1::ForfeitSeatRequest {
    admin_v1::ForfeitSeatRequest {
        match_id: match_id.to_owned(),
        seat: Some(seat),
        operator: "anna".to_owned(),
        reason: "abuse".to_owned(),
    }
}

fn inspect(match_id: &str) -> admin_v1::InspectMatchRequest {
    admin_v1::InspectMatchRequest {
        match_id: match_id.to_owned(),
        ..Default::default()
    }
}

/// The last batch that somebody saw: it was an administrator's.
fn by_administrator(seen: &Witness) -> &v1::Batch {
    let (_, last) = seen.batches().last_key_value().expect("something happened");
    assert!(last.by_administrator, "{last:?}");
    assert_eq!((last.seat, last.request_id.as_str()), (None, ""));
    last
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_is_voided_before_the_eyes_of_everybody() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Administered::start(folder.path()).await;
    let clients = guests::<2>(&server).await;
    let delayed = v1::CreateMatchRequest {
        spectator_delay_revisions: 10,
        ..public_match(vec![me(), open()])
    };
    let match_id = seat_all(&clients, delayed).await;
    let watching = Witness::see_all_from_now(server.process.client().watch(&match_id, "", None)).await;
    let mut following = Vec::new();
    for client in &clients {
        following.push(Witness::see_all_from_now(client.follow(&match_id, None)).await);
    }

    let admin = server.administrator();
    let voided = admin
        .void_match(void(&match_id))
        .await
        .expect("a live match can be voided");
    following.push(watching);
    for seeing in following {
        let seen = seeing.await.expect("the stream ended");
        assert_eq!(seen.cursor(), voided.cursor);
        let [event] = by_administrator(&seen).events.as_slice() else {
            panic!("one thing happened")
        };
        let Some(Kind::MatchVoided(event)) = &event.kind else {
            panic!("{event:?}")
        };
        let view = seen.view().expect("a view");
        assert_eq!(view.state(), v1::MatchState::Closed);
        assert!(view.voided && view.outcome.is_none() && view.round.is_none());
        assert_eq!(view.master, event.master);
        assert_eq!(
            Sha256::digest(&view.master)[..],
            view.commitment,
            "the master is revealed"
        );
    }
    let late = view_of(&clients[0], &match_id).await;
    assert!(late.voided && !late.master.is_empty());

    for (refused_now, closed) in [
        (resign(&match_id), v1::ErrorReason::MatchClosed),
        (resign(NOBODY), v1::ErrorReason::MatchNotFound),
    ] {
        let answer = clients[1].resign(refused_now).await;
        assert_eq!(answer.expect_err("refused").reason(), Some(closed));
    }
    let record = clients[0].get_replay(replay(&match_id)).await;
    refused(record, Code::FailedPrecondition, v1::ErrorReason::MatchClosed);

    for (again, code, reason) in [
        (void(&match_id), Code::FailedPrecondition, v1::ErrorReason::MatchClosed),
        (void(NOBODY), Code::NotFound, v1::ErrorReason::MatchNotFound),
        (void("nonsense"), Code::InvalidArgument, v1::ErrorReason::InvalidField),
    ] {
        refused(admin.void_match(again).await, code, reason);
    }
    let nameless = admin_v1::VoidMatchRequest {
        operator: String::new(),
        ..void(&match_id)
    };
    refused(
        admin.void_match(nameless).await,
        Code::InvalidArgument,
        v1::ErrorReason::InvalidField,
    );
    let rows = audit(&admin).await;
    let [row] = rows.as_slice() else {
        panic!("what was refused leaves no row: {rows:?}")
    };
    assert_eq!(row.act(), admin_v1::AuditAct::Void);
    assert_eq!(
        [&row.operator, &row.match_id, &row.reason],
        ["anna", match_id.as_str(), "both asked for it"]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_open_match_is_voided_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Administered::start(folder.path()).await;
    let [creator, late] = guests::<2>(&server).await;
    let match_id = seat_all(std::slice::from_ref(&creator), public_match(vec![me(), open()])).await;
    server
        .administrator()
        .void_match(void(&match_id))
        .await
        .expect("voided");
    refused(
        late.join_match(join(&match_id, vec![])).await,
        Code::FailedPrecondition,
        v1::ErrorReason::MatchClosed,
    );
    assert!(view_of(&creator, &match_id).await.voided);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_seat_is_forfeited_as_if_its_player_had_resigned() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Administered::start(folder.path()).await;
    let clients = guests::<2>(&server).await;
    let match_id = seat_all(&clients, public_match(vec![me(), open()])).await;
    let watching = Witness::see_all_from_now(server.process.client().watch(&match_id, "", None)).await;
    let admin = server.administrator();
    for (wrong, reason) in [
        (forfeit(&match_id, 3), v1::ErrorReason::InvalidField),
        (forfeit(&match_id, 9), v1::ErrorReason::InvalidField),
        (
            admin_v1::ForfeitSeatRequest {
                seat: None,
                ..forfeit(&match_id, 0)
            },
            v1::ErrorReason::InvalidField,
        ),
    ] {
        refused(admin.forfeit_seat(wrong).await, Code::InvalidArgument, reason);
    }
    admin
        .forfeit_seat(forfeit(&match_id, 1))
        .await
        .expect("a live seat can be forfeited");
    let seen = watching.await.expect("the stream ended");
    let first = by_administrator(&seen)
        .events
        .first()
        .and_then(|event| event.kind.clone());
    assert!(
        matches!(first, Some(Kind::SeatResigned(v1::SeatResigned { seat: 1, .. }))),
        "{first:?}"
    );
    let outcome = seen
        .view()
        .and_then(|view| view.outcome.clone())
        .expect("the match is over");
    assert_eq!(outcome.winner_side, Some(0));
    assert_eq!(outcome.ended_by(), v1::EndedBy::Resignation);
    let record = verified_replay(&clients[0], &match_id).await;
    assert_eq!(record.policy, "person,person+resigned");

    let again = admin.forfeit_seat(forfeit(&match_id, 1)).await;
    refused(again, Code::FailedPrecondition, v1::ErrorReason::MatchOver);
    let rows = audit(&admin).await;
    assert_eq!(rows.len(), 1, "{rows:?}");
    assert_eq!((rows[0].act(), rows[0].seat), (admin_v1::AuditAct::Forfeit, Some(1)));
}

/// With three, the others play on, and the one who was made to give up cannot come back.
#[tokio::test(flavor = "multi_thread")]
async fn others_play_on_after_a_seat_is_forfeited() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Administered::start(folder.path()).await;
    let clients = guests::<3>(&server).await;
    let match_id = seat_all(&clients, public_match(vec![me(), open(), open()])).await;
    let admin = server.administrator();
    admin.forfeit_seat(forfeit(&match_id, 2)).await.expect("forfeited");
    refused(
        admin.forfeit_seat(forfeit(&match_id, 2)).await,
        Code::FailedPrecondition,
        v1::ErrorReason::SeatResigned,
    );
    let seen = play_out(&clients[..2], &match_id).await;
    let outcome = seen[0]
        .view()
        .and_then(|view| view.outcome.clone())
        .expect("the match is over");
    assert_eq!(outcome.ranks[2], 3, "who gave up ranks last");
    verified_replay(&clients[0], &match_id).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_hidden_is_shown_to_who_says_why_and_is_noted() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Administered::start(folder.path()).await;
    let clients = guests::<2>(&server).await;
    let private = v1::CreateMatchRequest {
        spectators_allowed: false,
        ..public_match(vec![me(), open()])
    };
    let match_id = seat_all(&clients, private).await;
    let admin = server.administrator();

    let shown = admin
        .inspect_match(inspect(&match_id))
        .await
        .expect("any match can be looked at");
    let view = shown.view.expect("a view");
    assert!(shown.revealed.is_none() && view.viewer_seat.is_none() && view.master.is_empty());
    assert!(view.round.expect("a round").hand.is_empty());
    let reveal = admin_v1::InspectMatchRequest {
        reveal: true,
        operator: "žofie".to_owned(),
        reason: "a complaint".to_owned(),
        ..inspect(&match_id)
    };
    for unexplained in [
        admin_v1::InspectMatchRequest {
            reason: String::new(),
            ..reveal.clone()
        },
        admin_v1::InspectMatchRequest {
            operator: String::new(),
            ..reveal.clone()
        },
    ] {
        let answer = admin.inspect_match(unexplained).await;
        refused(answer, Code::InvalidArgument, v1::ErrorReason::InvalidField);
    }
    assert_eq!(audit(&admin).await, [], "nothing was shown that is hidden");

    let shown = admin.inspect_match(reveal).await.expect("shown");
    assert_eq!(format!("{:?}", shown.revealed), "Some(Revealed)", "it prints nothing");
    let revealed = shown.revealed.expect("what is hidden");
    let mut count = revealed.boneyard.len();
    for (client, hand) in clients.iter().zip(&revealed.hands) {
        let own = view_of(client, &match_id).await.round.expect("a round").hand;
        assert_eq!(hand.tiles, own);
        count += own.len();
    }
    assert_eq!((revealed.hands.len(), count), (2, 28));
    let commitment = shown.view.expect("a view").commitment;
    assert_eq!(Sha256::digest(&revealed.master)[..], commitment);
    let rows = audit(&admin).await;
    assert_eq!(rows.len(), 1, "{rows:?}");
    assert_eq!(rows[0].act(), admin_v1::AuditAct::Reveal);
    assert_eq!([&rows[0].operator, &rows[0].reason], ["žofie", "a complaint"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_that_has_not_moved_is_found_if_that_is_asked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Administered::start(folder.path()).await;
    let clients = guests::<2>(&server).await;
    let match_id = seat_all(&clients, public_match(vec![me(), open()])).await;
    let admin = server.administrator();
    let stuck = async |idle_s| {
        let request = admin_v1::ListStuckMatchesRequest {
            idle_s,
            ..Default::default()
        };
        let page = admin.list_stuck_matches(request).await.expect("a page");
        assert_eq!((page.unreadable.len(), page.next_page_token.as_str()), (0, ""));
        let ids = page
            .matches
            .into_iter()
            .map(|stuck| stuck.r#match.expect("a match").match_id);
        ids.collect::<Vec<_>>()
    };
    until("a second without a move", async || {
        stuck(1).await == [match_id.as_str()]
    })
    .await;
    assert_eq!(stuck(0).await, [""; 0], "persons may think as long as they like");
    assert_eq!(stuck(3600).await, [""; 0]);
    admin.void_match(void(&match_id)).await.expect("voided");
    assert_eq!(stuck(1).await, [""; 0], "what is over is not stuck");
}

/// A store that cannot keep the row keeps the act from happening.
#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_done_that_cannot_be_noted() {
    let redis = RedisNode::start().await;
    let server = Administered::over_redis(&redis.url()).await;
    let clients = guests::<2>(&server).await;
    let match_id = seat_all(&clients, public_match(vec![me(), open()])).await;
    // Not what rows can be added to.
    redis.ask::<()>("SET", &["f1:{audit}", "in the way"]).await;
    let admin = server.administrator();
    let reveal = admin_v1::InspectMatchRequest {
        reveal: true,
        operator: "anna".to_owned(),
        reason: "a complaint".to_owned(),
        ..inspect(&match_id)
    };
    let filter = admin_v1::SetLogFilterRequest {
        filter: "trace".to_owned(),
        operator: "anna".to_owned(),
        ..Default::default()
    };
    let stop = admin_v1::DrainRequest {
        operator: "anna".to_owned(),
        ..Default::default()
    };
    for refused_now in [
        admin.void_match(void(&match_id)).await.map(drop),
        admin.forfeit_seat(forfeit(&match_id, 0)).await.map(drop),
        admin.inspect_match(reveal).await.map(drop),
        admin.set_log_filter(filter).await.map(drop),
        admin.drain(stop).await.map(drop),
    ] {
        refused(refused_now, Code::Unavailable, v1::ErrorReason::CommitUnconfirmed);
    }
    assert_eq!(view_of(&clients[0], &match_id).await.state(), v1::MatchState::Live);
    assert_eq!(server.ask("GET /log", &[], "").await.1, "error\n");
    assert_eq!(server.ask("GET /readyz", &[], "").await.0, 200, "it does not stop");

    redis.ask::<u64>("DEL", &["f1:{audit}"]).await;
    admin.void_match(void(&match_id)).await.expect("now it can be");
    assert_eq!(audit(&admin).await.len(), 1);
}
