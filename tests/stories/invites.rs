//! Invites: handed out among friends, used so often, and of no use to those who guess.

use std::slice::from_ref;
use std::time::Duration;

use fives_client::{Client, Error, v1};
use fives_referee::id::InviteCode;
use fives_wire::v1::ErrorReason as Reason;
use tonic::Code;

use crate::harness::{Pair, Server, SetClock, hasty, me, open, public_match, seat_all, view_of};
use crate::refusals::{leave, refused, resign};

fn private_match(seats: Vec<v1::SeatRequest>) -> v1::CreateMatchRequest {
    v1::CreateMatchRequest {
        visibility: v1::MatchVisibility::Private.into(),
        ..public_match(seats)
    }
}

pub(crate) fn invite_to(match_id: &str) -> v1::CreateInviteRequest {
    v1::CreateInviteRequest {
        match_id: match_id.to_owned(),
        ..Default::default()
    }
}

async fn invited(client: &Client, request: v1::CreateInviteRequest) -> v1::Invite {
    let answer = client.create_invite(request).await.expect("an invite is made");
    answer.invite.expect("an invite")
}

pub(crate) fn by_code(code: &str) -> v1::JoinMatchRequest {
    v1::JoinMatchRequest {
        target: Some(v1::join_match_request::Target::InviteCode(code.to_owned())),
        ..Default::default()
    }
}

async fn uses(client: &Client, match_id: &str) -> Vec<u32> {
    let request = v1::ListInvitesRequest {
        match_id: match_id.to_owned(),
    };
    let answer = client
        .list_invites(request)
        .await
        .expect("whoever sits there sees them");
    answer.invites.iter().map(|invite| invite.uses).collect()
}

/// A code that could be one, and is none.
pub(crate) fn unknown(number: u8) -> String {
    InviteCode::from_random([number; 8]).to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invite_lets_so_many_in_and_a_retry_is_not_one_more() {
    let server = Server::start().await;
    let [anna, bela, cleo, dora] = server.guests::<4>().await;
    let match_id = seat_all(from_ref(&anna), private_match(vec![me(), open(), open(), open()])).await;
    let once = v1::CreateInviteRequest {
        request_id: "once".into(),
        uses_max: Some(1),
        ..invite_to(&match_id)
    };
    let first = anna.create_invite(once.clone()).await.expect("made");
    let again = anna.create_invite(once.clone()).await.expect("made before");
    assert_eq!(first, again, "the first answer again");
    let other = v1::CreateInviteRequest {
        uses_max: Some(2),
        ..once
    };
    refused(
        anna.create_invite(other).await,
        Code::InvalidArgument,
        Reason::RequestIdReused,
    );
    let code = first.invite.expect("an invite").invite_code;

    let join = v1::JoinMatchRequest {
        request_id: "join".into(),
        // As people type it.
        ..by_code(&format!(" {}-{}", code[..4].to_lowercase(), &code[4..]))
    };
    let joined = bela.join_match(join.clone()).await.expect("a seat");
    let again = bela.join_match(join.clone()).await.expect("joined before");
    assert_eq!((joined.cursor, joined.batch), (again.cursor, again.batch));
    assert_eq!(uses(&anna, &match_id).await, [1]);
    refused(
        bela.join_match(by_code(&code)).await,
        Code::FailedPrecondition,
        Reason::AlreadySeated,
    );
    refused(
        cleo.join_match(by_code(&code)).await,
        Code::FailedPrecondition,
        Reason::InviteUsedUp,
    );

    // An invite for a seat that is taken is not used by asking.
    let for_seat_1 = v1::CreateInviteRequest {
        seat: Some(1),
        ..invite_to(&match_id)
    };
    let code = invited(&bela, for_seat_1).await.invite_code;
    refused(
        cleo.join_match(by_code(&code)).await,
        Code::FailedPrecondition,
        Reason::SeatTaken,
    );
    let for_seat_3 = v1::CreateInviteRequest {
        seat: Some(3),
        ..invite_to(&match_id)
    };
    let code = invited(&bela, for_seat_3).await.invite_code;
    let joined = cleo.join_match(by_code(&code)).await.expect("a seat");
    assert_eq!(joined.view.and_then(|view| view.viewer_seat), Some(3));
    assert_eq!(uses(&cleo, &match_id).await, [1, 0, 1]);

    // The match's own code has neither an end nor a limit.
    let own = view_of(&anna, &match_id).await.invite_code;
    let joined = dora.join_match(by_code(&own)).await.expect("the last seat");
    assert_eq!(joined.view.expect("a view").state(), v1::MatchState::Live);
    refused(
        anna.create_invite(invite_to(&match_id)).await,
        Code::FailedPrecondition,
        Reason::MatchAlreadyStarted,
    );
    let again = bela
        .join_match(join)
        .await
        .expect("joined before, even after the start");
    assert_eq!(again.cursor.map(|cursor| cursor.revision), Some(3));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invite_ends() {
    let clock = SetClock::new();
    let server = Server::start_over(clock.store(), |_| {}).await;
    let [anna, bela, cleo] = server.guests::<3>().await;
    let match_id = seat_all(from_ref(&anna), public_match(vec![me(), open(), open()])).await;
    let a_minute = v1::CreateInviteRequest {
        expire_after_s: Some(60),
        ..invite_to(&match_id)
    };
    let code = invited(&anna, a_minute).await.invite_code;
    clock.pass(59_999);
    let join = v1::JoinMatchRequest {
        request_id: "join".into(),
        ..by_code(&code)
    };
    let joined = bela.join_match(join.clone()).await.expect("just in time");
    clock.pass(1);
    refused(
        cleo.join_match(by_code(&code)).await,
        Code::FailedPrecondition,
        Reason::InviteExpired,
    );
    let again = bela.join_match(join).await.expect("joined before");
    assert_eq!(again.cursor, joined.cursor);
    assert_eq!(uses(&anna, &match_id).await, [1]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invite_is_taken_back() {
    let server = Server::start().await;
    let [anna, bela, cleo] = server.guests::<3>().await;
    let match_id = seat_all(from_ref(&anna), private_match(vec![me(), open(), open()])).await;
    let code = invited(&anna, invite_to(&match_id)).await.invite_code;
    let join = v1::JoinMatchRequest {
        request_id: "join".into(),
        ..by_code(&code)
    };
    let joined = bela.join_match(join.clone()).await.expect("a seat");
    let revoke = v1::RevokeInviteRequest {
        request_id: "revoke".into(),
        match_id: match_id.clone(),
        invite_code: code.clone(),
    };
    refused(
        cleo.revoke_invite(revoke.clone()).await,
        Code::PermissionDenied,
        Reason::NotSeated,
    );
    let revoked = bela
        .revoke_invite(revoke.clone())
        .await
        .expect("whoever sits there may");
    assert_eq!(
        bela.revoke_invite(revoke.clone()).await.expect("revoked before"),
        revoked
    );
    let twice = v1::RevokeInviteRequest {
        request_id: String::new(),
        ..revoke
    };
    refused(anna.revoke_invite(twice).await, Code::NotFound, Reason::InviteNotFound);
    refused(
        cleo.join_match(by_code(&code)).await,
        Code::NotFound,
        Reason::InviteNotFound,
    );
    let again = bela.join_match(join).await.expect("joined before");
    assert_eq!(again.cursor, joined.cursor, "who sits, stays");
    assert!(uses(&anna, &match_id).await.is_empty());
    let own = view_of(&anna, &match_id).await.invite_code;
    let own = v1::RevokeInviteRequest {
        match_id: match_id.clone(),
        invite_code: own,
        ..Default::default()
    };
    refused(anna.revoke_invite(own).await, Code::NotFound, Reason::InviteNotFound);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_typing_error_is_no_unknown_code_and_bounds_are_kept() {
    let server = Server::start().await;
    let [anna, bela] = server.guests::<2>().await;
    let match_id = seat_all(from_ref(&anna), private_match(vec![me(), open(), open()])).await;
    let code = invited(&anna, invite_to(&match_id)).await.invite_code;
    let mistyped = |place: usize| {
        let mut letters: Vec<char> = code.chars().collect();
        letters[place] = if letters[place] == 'A' { 'B' } else { 'A' };
        String::from_iter(letters)
    };
    for place in 0..code.len() {
        refused(
            bela.join_match(by_code(&mistyped(place))).await,
            Code::InvalidArgument,
            Reason::InvalidField,
        );
    }
    refused(
        bela.join_match(by_code(&unknown(0))).await,
        Code::NotFound,
        Reason::InviteNotFound,
    );

    let wrong: [fn(&mut v1::CreateInviteRequest); 6] = [
        |request| request.uses_max = Some(0),
        |request| request.uses_max = Some(101),
        |request| request.expire_after_s = Some(0),
        |request| request.expire_after_s = Some(604_801),
        |request| request.seat = Some(3),
        |request| request.seat = Some(9),
    ];
    for change in wrong {
        let mut request = invite_to(&match_id);
        change(&mut request);
        refused(
            anna.create_invite(request).await,
            Code::InvalidArgument,
            Reason::InvalidField,
        );
    }
    refused(
        bela.create_invite(invite_to(&match_id)).await,
        Code::PermissionDenied,
        Reason::NotSeated,
    );
    let list = v1::ListInvitesRequest {
        match_id: match_id.clone(),
    };
    refused(bela.list_invites(list).await, Code::PermissionDenied, Reason::NotSeated);
    for _ in 1..32 {
        invited(&anna, invite_to(&match_id)).await;
    }
    refused(
        anna.create_invite(invite_to(&match_id)).await,
        Code::ResourceExhausted,
        Reason::TooManyInvites,
    );
    anna.leave_match(leave(&match_id)).await.expect("the creator closes it");
    refused(
        anna.create_invite(invite_to(&match_id)).await,
        Code::FailedPrecondition,
        Reason::MatchClosed,
    );
    refused(
        bela.join_match(by_code(&code)).await,
        Code::FailedPrecondition,
        Reason::MatchClosed,
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn who_guesses_is_soon_not_heard_any_more() {
    let server = Server::start_with(|config| {
        config.limits.player_wrong_codes_per_min = 2;
        config.limits.address_wrong_codes_per_min = 4;
    })
    .await;
    let [anna, bela, cleo, dora] = server.guests::<4>().await;
    let match_id = seat_all(from_ref(&anna), private_match(vec![me(), open(), open(), open()])).await;
    let code = invited(&anna, invite_to(&match_id)).await.invite_code;
    refused(
        bela.join_match(by_code(&unknown(1))).await,
        Code::NotFound,
        Reason::InviteNotFound,
    );
    // A known match and a wrong code are a guess, too.
    let look = |code: String| v1::GetMatchRequest {
        match_id: match_id.clone(),
        invite_code: code,
    };
    refused(
        bela.get_match(look(unknown(2))).await,
        Code::PermissionDenied,
        Reason::InviteRequired,
    );
    for guess in [unknown(3), code.clone()] {
        let refusal = refused(
            hasty(&bela).join_match(by_code(&guess)).await,
            Code::ResourceExhausted,
            Reason::RateLimited,
        );
        assert!(refusal.retry_after.is_some_and(|wait| wait > Duration::ZERO));
    }
    cleo.join_match(by_code(&code)).await.expect("nobody else notices");
    for number in [4, 5] {
        refused(
            dora.join_match(by_code(&unknown(number))).await,
            Code::NotFound,
            Reason::InviteNotFound,
        );
    }
    let stranger = hasty(&server.stranger());
    refused(
        stranger.get_match(look(unknown(6))).await,
        Code::ResourceExhausted,
        Reason::RateLimited,
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_else_sees_a_code() {
    let server = Server::start().await;
    let [anna, bela] = server.guests::<2>().await;
    let match_id = seat_all(from_ref(&anna), public_match(vec![me(), open()])).await;
    let mut watching = server.stranger().watch(&match_id, "", None);
    let mut seen = format!("{:?}", watching.next().await.expect("a snapshot"));
    let code = invited(&anna, invite_to(&match_id)).await.invite_code;
    bela.join_match(by_code(&code)).await.expect("a seat");
    bela.resign(resign(&match_id)).await.expect("it ends");
    while let Some(update) = watching.next().await.expect("the stream goes on") {
        seen += &format!("{update:?}");
    }
    assert!(seen.contains("InviteChanged"), "that there was one is known");
    assert!(!seen.contains(&code) && !seen.contains(&code[..8]));
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_who_come_through_two_replicas_so_many_get_a_seat() {
    let pair = Pair::start().await;
    let anna = pair.guest("anna").await;
    let match_id = seat_all(from_ref(&anna[0]), private_match(vec![me(), open(), open(), open()])).await;
    let twice = v1::CreateInviteRequest {
        uses_max: Some(2),
        ..invite_to(&match_id)
    };
    let code = invited(&anna[0], twice).await.invite_code;
    let mut comers = Vec::new();
    for name in ["bela", "cleo", "dora", "emil"] {
        let [here, there] = pair.guest(name).await;
        // Each comes through both at once, with one request.
        let join = v1::JoinMatchRequest {
            request_id: format!("join-of-{name}"),
            ..by_code(&code)
        };
        comers.push(tokio::spawn(async move {
            tokio::join!(here.join_match(join.clone()), there.join_match(join))
        }));
    }
    let mut seated = 0;
    for comer in comers {
        let (here, there) = comer.await.expect("no panic");
        match (here, there) {
            (Ok(here), Ok(there)) => {
                assert_eq!((here.cursor, here.batch), (there.cursor, there.batch));
                seated += 1;
            }
            (Err(here), Err(there)) => {
                let reasons = [&here, &there].map(Error::reason);
                assert_eq!(reasons, [Some(Reason::InviteUsedUp); 2], "{here:?} {there:?}");
            }
            other => panic!("one request, two fates: {other:?}"),
        }
    }
    assert_eq!(seated, 2);
    assert_eq!(uses(&anna[1], &match_id).await, [2]);
}
