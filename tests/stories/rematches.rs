//! Once more: all say yes, and one next match begins, whoever races and whoever dies.

use fives_client::{Client, v1};
use fives_lobby::rematch::{Answer, Rematch, Stage};
use fives_referee::request::RequestDigest;
use fives_referee::time::UnixMillis;
use fives_rules::seat::Seat;
use fives_wire::v1::ErrorReason as Reason;
use fives_wire::v1::RematchState as State;
use tonic::Code;

use crate::harness::{Pair, Server, SetClock, bot, me, open, public_match, seat_all, view_of};
use crate::refusals::{leave, refused, resign};

fn yes(match_id: &str, request_id: &str) -> v1::AnswerRematchRequest {
    v1::AnswerRematchRequest {
        request_id: request_id.to_owned(),
        match_id: match_id.to_owned(),
        decline: false,
    }
}

fn no(match_id: &str, request_id: &str) -> v1::AnswerRematchRequest {
    v1::AnswerRematchRequest {
        decline: true,
        ..yes(match_id, request_id)
    }
}

async fn answered(client: &Client, request: v1::AnswerRematchRequest) -> v1::Rematch {
    let answer = client.answer_rematch(request).await.expect("an answer is taken");
    answer.rematch.expect("a rematch")
}

async fn rematch_of(client: &Client, match_id: &str) -> Option<v1::Rematch> {
    let request = v1::GetRematchRequest {
        match_id: match_id.to_owned(),
    };
    client
        .get_rematch(request)
        .await
        .expect("whoever sat there may ask")
        .rematch
}

/// A match of these that is over; the last one has given up.
async fn finished(clients: &[Client]) -> String {
    let mut seats = vec![me()];
    seats.resize_with(clients.len(), open);
    let match_id = seat_all(clients, public_match(seats)).await;
    let last = clients.last().expect("somebody plays");
    last.resign(resign(&match_id)).await.expect("the match ends");
    match_id
}

fn players(view: &v1::MatchView) -> Vec<String> {
    view.seats.iter().map(|seat| seat.player_id.clone()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn all_say_yes_and_everybody_sits_one_seat_further() {
    let server = Server::start().await;
    let clients = server.guests::<2>().await;
    let [anna, bela] = &clients;
    let match_id = finished(&clients).await;
    assert_eq!(rematch_of(anna, &match_id).await, None);
    let offered = answered(bela, yes(&match_id, "bela")).await;
    assert_eq!(
        (offered.state(), offered.accepted_seats.as_slice()),
        (State::Offered, &[1][..])
    );
    assert_eq!(offered.next_match_id, "");
    assert_eq!(
        answered(bela, yes(&match_id, "bela")).await,
        offered,
        "a retry changes nothing"
    );
    assert_eq!(rematch_of(anna, &match_id).await.as_ref(), Some(&offered));
    refused(
        bela.answer_rematch(no(&match_id, "bela")).await,
        Code::InvalidArgument,
        Reason::RequestIdReused,
    );

    let agreed = answered(anna, yes(&match_id, "anna")).await;
    assert_eq!(
        (agreed.state(), agreed.accepted_seats.as_slice()),
        (State::Agreed, &[1, 0][..])
    );
    let (before, next) = (
        view_of(anna, &match_id).await,
        view_of(anna, &agreed.next_match_id).await,
    );
    assert_eq!(next.state(), v1::MatchState::Live);
    assert_eq!(
        (&next.options, next.visibility, next.spectators_allowed),
        (&before.options, before.visibility, before.spectators_allowed)
    );
    let mut moved_on = players(&before);
    moved_on.rotate_right(1);
    assert_eq!(players(&next), moved_on);
    assert_ne!(next.commitment, before.commitment, "the deals are others");

    // What was decided stays so.
    for (client, request) in [
        (bela, yes(&match_id, "bela")),
        (anna, yes(&match_id, "anna")),
        (bela, no(&match_id, "late")),
    ] {
        assert_eq!(answered(client, request).await, agreed);
    }
    // The next one can be played again as well, and is another one.
    bela.resign(resign(&agreed.next_match_id)).await.expect("it ends");
    for (client, name) in [(anna, "a2"), (bela, "b2")] {
        answered(client, yes(&agreed.next_match_id, name)).await;
    }
    let third = rematch_of(anna, &agreed.next_match_id).await.expect("agreed on");
    assert_eq!(third.state(), State::Agreed);
    assert_eq!(players(&view_of(anna, &third.next_match_id).await), players(&before));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_always_agrees() {
    let server = Server::start().await;
    let [anna] = server.guests::<1>().await;
    let match_id = seat_all(
        std::slice::from_ref(&anna),
        public_match(vec![me(), bot(v1::BotKind::Greedy)]),
    )
    .await;
    anna.resign(resign(&match_id)).await.expect("it ends");
    let agreed = answered(&anna, yes(&match_id, "anna")).await;
    assert_eq!(agreed.state(), State::Agreed);
    assert_eq!(view_of(&anna, &agreed.next_match_id).await.viewer_seat, Some(1));
}

#[tokio::test(flavor = "multi_thread")]
async fn one_no_is_enough_and_an_offer_does_not_wait_for_ever() {
    let clock = SetClock::new();
    let server = Server::start_over(clock.store(), |config| config.rematch_offer_s = 60).await;
    let clients = server.guests::<3>().await;
    let [anna, bela, cleo] = &clients;
    let pair = [anna.clone(), bela.clone()];

    let declined = finished(&pair).await;
    answered(anna, yes(&declined, "anna")).await;
    let told = answered(bela, no(&declined, "bela")).await;
    assert_eq!((told.state(), told.declined_seat), (State::Declined, Some(1)));
    assert_eq!(answered(anna, yes(&declined, "again")).await, told, "it stays so");

    let match_id = finished(&pair).await;
    answered(anna, yes(&match_id, "anna")).await;
    clock.pass(60_000);
    let expired = rematch_of(bela, &match_id).await.expect("it was offered");
    assert_eq!(expired.state(), State::Expired);
    // A late retry offers nothing; a new request does, and what was said to the old offer does not count.
    assert_eq!(answered(anna, yes(&match_id, "anna")).await.state(), State::Expired);
    let anew = answered(bela, yes(&match_id, "bela")).await;
    assert_eq!(
        (anew.state(), anew.accepted_seats.as_slice()),
        (State::Offered, &[1][..])
    );
    clock.pass(59_999);
    assert_eq!(answered(anna, yes(&match_id, "anna-2")).await.state(), State::Agreed);

    let (seated, get) = (Reason::NotSeated, |match_id: &str| v1::GetRematchRequest {
        match_id: match_id.to_owned(),
    });
    refused(
        cleo.answer_rematch(yes(&match_id, "cleo")).await,
        Code::PermissionDenied,
        seated,
    );
    refused(cleo.get_rematch(get(&match_id)).await, Code::PermissionDenied, seated);
    let live = seat_all(&pair, public_match(vec![me(), open()])).await;
    refused(
        anna.answer_rematch(yes(&live, "x")).await,
        Code::FailedPrecondition,
        Reason::MatchNotFinished,
    );
    refused(
        anna.get_rematch(get(&live)).await,
        Code::FailedPrecondition,
        Reason::MatchNotFinished,
    );
    let closed = seat_all(std::slice::from_ref(anna), public_match(vec![me(), open()])).await;
    anna.leave_match(leave(&closed)).await.expect("the creator closes it");
    refused(
        anna.answer_rematch(yes(&closed, "x")).await,
        Code::PermissionDenied,
        seated,
    );
    let nowhere = "m-aaaaaaaaaaaaaaaaaaaaaaaaaa";
    refused(
        anna.answer_rematch(yes(nowhere, "x")).await,
        Code::NotFound,
        Reason::MatchNotFound,
    );
    refused(
        anna.answer_rematch(yes("m-", "x")).await,
        Code::InvalidArgument,
        Reason::InvalidField,
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_agreed_on_by_a_process_that_died_is_found_and_made() {
    let server = Server::start().await;
    let clients = server.guests::<2>().await;
    let match_id = finished(&clients).await;
    // As a process leaves it that dies between the decision and the next match.
    let answer = |seat| Answer {
        seat,
        request: RequestDigest([1; 8]),
        is_yes: true,
        is_current: true,
    };
    let agreed = Rematch {
        of: match_id.parse().expect("an id"),
        version: 1,
        offered_at: UnixMillis(1),
        expires_at: UnixMillis(2),
        stage: Stage::Agreed,
        answers: vec![answer(Seat::ALL[0]), answer(Seat::ALL[1])],
    };
    assert!(server.store().keep_rematch(&agreed).await.expect("kept"));
    let found = rematch_of(&clients[1], &match_id).await.expect("it was agreed on");
    let next = view_of(&clients[0], &found.next_match_id).await;
    assert_eq!((found.state(), next.state()), (State::Agreed, v1::MatchState::Live));
}

#[tokio::test(flavor = "multi_thread")]
async fn however_many_say_yes_through_two_replicas_one_match_begins_and_survives_a_kill() {
    let mut pair = Pair::start().await;
    let (anna, bela, cleo) = (
        pair.guest("anna").await,
        pair.guest("bela").await,
        pair.guest("cleo").await,
    );
    let seats = vec![me(), open(), open()];
    let match_id = seat_all(
        &[anna[0].clone(), bela[1].clone(), cleo[0].clone()],
        public_match(seats),
    )
    .await;
    for client in [&bela[1], &cleo[0], &anna[0]] {
        // With three sides the match goes on until one is left.
        if view_of(client, &match_id).await.state() == v1::MatchState::Live {
            client.resign(resign(&match_id)).await.expect("given up");
        }
    }
    crate::harness::until("it is over", async || {
        view_of(&anna[1], &match_id).await.state() == v1::MatchState::Finished
    })
    .await;
    let mut tries = Vec::new();
    for (name, clients) in [("anna", &anna), ("bela", &bela), ("cleo", &cleo)] {
        for client in clients {
            let (client, request) = (client.clone(), yes(&match_id, name));
            tries.push(tokio::spawn(async move { answered(&client, request).await }));
        }
    }
    for tried in tries {
        tried.await.expect("no panic");
    }
    pair.replicas[0].kill_for_now().await;
    let agreed = rematch_of(&anna[1], &match_id).await.expect("agreed on");
    assert_eq!((agreed.state(), agreed.accepted_seats.len()), (State::Agreed, 3));
    let mine = v1::ListMatchesRequest {
        scope: v1::MatchScope::Mine.into(),
        ..Default::default()
    };
    let listed = bela[1].list_matches(mine).await.expect("a list").matches;
    let ids: Vec<&str> = listed.iter().map(|listed| listed.match_id.as_str()).collect();
    assert_eq!(ids, [agreed.next_match_id.as_str(), match_id.as_str()]);
}
