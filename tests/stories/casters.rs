//! A caster sees what spectators see, at the same moment, and hands beside it.

use fives_client::v1::cast_service_client::CastServiceClient;
use fives_client::v1::match_update::Update;
use fives_client::{Client, v1};
use fives_wire::status;
use serde_json::{Value, json};
use tonic::{Code, Request, Status, Streaming};

use crate::harness::{
    IssuerKey, Server, TokenIssuer, Witness, in_time, me, open, play_out, public_match, seat_all, verified_replay,
    view_of,
};

const ISSUER: &str = "https://id.stories.example/";
const NOBODY: &str = "m-aaaaaaaaaaaaaaaaaaaaaaaaaa";

async fn cast(url: &str, token: &str, match_id: &str) -> Result<Streaming<v1::CastMatchResponse>, Status> {
    let mut client = CastServiceClient::connect(url.to_owned()).await.expect("it listens");
    let mut request = Request::new(v1::CastMatchRequest {
        match_id: match_id.to_owned(),
        after: None,
    });
    let value = format!("Bearer {token}").parse().expect("printable");
    request.metadata_mut().insert("authorization", value);
    client.cast_match(request).await.map(tonic::Response::into_inner)
}

fn casting(issuer: &TokenIssuer, match_id: &str) -> Value {
    let mut claims = issuer.scoped("caster", "fives:caster");
    claims["fives_match"] = json!(match_id);
    claims
}

/// The next thing that a caster is shown, and what was open beside it.
async fn next(casts: &mut Streaming<v1::CastMatchResponse>) -> Option<(v1::MatchView, v1::OpenHands)> {
    loop {
        let cast = in_time("the next update", casts.message())
            .await
            .expect("the stream goes on")?;
        let view = match cast.update.expect("an update").update.expect("an update") {
            Update::Snapshot(snapshot) => snapshot.view,
            Update::Revisions(revisions) => revisions.view,
            Update::Heartbeat(_) => {
                assert_eq!(cast.open, None, "nothing has changed");
                continue;
            }
            Update::Emote(_) => panic!("casters hear none"),
            Update::Reconnect(_) => panic!("the server is not stopping"),
        };
        return Some((view.expect("a view"), cast.open.expect("what is open")));
    }
}

async fn started(server: &Server, change: impl FnOnce(&mut v1::CreateMatchRequest)) -> ([Client; 2], String) {
    let clients = server.guests::<2>().await;
    let mut request = public_match(vec![me(), open()]);
    change(&mut request);
    let match_id = seat_all(&clients, request).await;
    (clients, match_id)
}

async fn somebody_plays(clients: &[Client; 2], match_id: &str) {
    let (seat, play) = crate::harness::next_play(clients, match_id).await;
    clients[seat].play_tile(play).await.expect("a legal play");
}

#[tokio::test(flavor = "multi_thread")]
async fn with_a_delay_a_caster_sees_the_hands_of_the_state_that_spectators_see() {
    let key = IssuerKey::ed25519("ed");
    let issuer = TokenIssuer::start(ISSUER, &[&key]).await;
    let server = Server::start_with(|config| config.issuers = issuer.trusted_with(&["caster"])).await;
    let (clients, match_id) = started(&server, |request| request.spectator_delay_revisions = 2).await;
    let mut hands = Vec::new();
    for client in &clients {
        hands.push(view_of(client, &match_id).await.round.expect("a round").hand);
    }
    somebody_plays(&clients, &match_id).await;

    let mut casts = cast(server.url(), &key.sign(&casting(&issuer, &match_id)), &match_id)
        .await
        .expect("a stream");
    let (view, open) = next(&mut casts).await.expect("a snapshot");
    let spectators = Witness::at_first(server.stranger().watch(&match_id, "", None)).await;
    assert_eq!(
        Some(&view),
        spectators.view(),
        "the same as spectators, to the last field"
    );
    let shown: Vec<_> = open.hands.into_iter().map(|hand| hand.tiles).collect();
    assert_eq!(shown, hands, "as they were dealt: the play is not seen yet");
    assert_eq!(open.last_round, None);

    let watching = Witness::see_all_from_now(server.stranger().watch(&match_id, "", None)).await;
    play_out(&clients, &match_id).await;
    let mut last = (view, v1::OpenHands::default());
    while let Some((view, open)) = next(&mut casts).await {
        let counts: Vec<_> = view.seats.iter().map(|seat| seat.tile_count as usize).collect();
        let held: Vec<_> = open.hands.iter().map(|hand| hand.tiles.len()).collect();
        assert_eq!(held, counts, "the hands are of the state that is shown");
        let laid = &view.round.as_ref().expect("a round").layout;
        let on_table = |tile: &v1::Tile| laid.iter().any(|placed| placed.tile.as_ref() == Some(tile));
        assert!(!open.hands.iter().flat_map(|hand| &hand.tiles).any(on_table));
        last = (view, open);
    }
    let watched = watching.await.expect("the stream ended");
    assert_eq!(Some(&last.0), watched.view());
    let record = verified_replay(&clients[0], &match_id).await;
    let rounds = record.hands.len();
    let dealt = last.1.last_round.expect("a round is over");
    assert_eq!(dealt.round as usize + 1, rounds);
    assert_eq!(dealt.hands.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_delay_hands_stay_closed_until_their_round_is_over() {
    let key = IssuerKey::ed25519("ed");
    let issuer = TokenIssuer::start(ISSUER, &[&key]).await;
    let server = Server::start_with(|config| config.issuers = issuer.trusted_with(&["caster"])).await;
    // Private: the token is enough.
    let clients = server.guests::<2>().await;
    let request = v1::CreateMatchRequest {
        visibility: v1::MatchVisibility::Private.into(),
        ..public_match(vec![me(), open()])
    };
    let made = clients[0]
        .create_match(request)
        .await
        .expect("made")
        .view
        .expect("a view");
    let join = v1::JoinMatchRequest {
        target: Some(v1::join_match_request::Target::InviteCode(made.invite_code)),
        ..Default::default()
    };
    clients[1].join_match(join).await.expect("a seat is free");
    let match_id = made.match_id;
    let mut dealt = [Vec::new()];
    for client in &clients {
        dealt[0].push(view_of(client, &match_id).await.round.expect("a round").hand);
    }

    let mut casts = cast(server.url(), &key.sign(&casting(&issuer, &match_id)), &match_id)
        .await
        .expect("a stream");
    let (_, open) = next(&mut casts).await.expect("a snapshot");
    assert_eq!((open.hands.len(), open.last_round), (0, None));
    play_out(&clients, &match_id).await;
    let mut first_round = None;
    while let Some((view, open)) = next(&mut casts).await {
        let is_live = view.state() == v1::MatchState::Live;
        assert_eq!(open.hands.is_empty(), is_live, "open at the end, and not before");
        if let Some(over) = open.last_round {
            let now = view.round.expect("a round").round;
            assert!(over.round < now || !is_live, "round {} is not over", over.round);
            first_round = first_round.or((over.round == 0).then_some(over));
        }
    }
    // A caster who fell behind may have missed it.
    if let Some(over) = first_round {
        let hands: Vec<_> = over.hands.into_iter().map(|hand| hand.tiles).collect();
        assert_eq!(hands, dealt[0]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_caster_sees_the_match_of_the_token_and_no_other() {
    let key = IssuerKey::ed25519("ed");
    let issuer = TokenIssuer::start(ISSUER, &[&key]).await;
    let server = Server::start_with(|config| config.issuers = issuer.trusted_with(&["caster", "player"])).await;
    let (clients, match_id) = started(&server, |request| request.spectators_allowed = false).await;
    let url = server.url();
    let caster = |claims: &Value| key.sign(claims);
    let missing = (Code::PermissionDenied, v1::ErrorReason::ScopeMissing);
    let scopeless = issuer.claims_with("anna", "fives_match", json!(match_id));
    for (token, wanted, (code, reason)) in [
        (caster(&casting(&issuer, NOBODY)), match_id.as_str(), missing),
        (caster(&issuer.scoped("caster", "fives:caster")), &match_id, missing),
        (caster(&scopeless), &match_id, missing),
        (
            caster(&casting(&issuer, "m-1")),
            &match_id,
            (Code::Unauthenticated, v1::ErrorReason::TokenInvalid),
        ),
        (
            caster(&casting(&issuer, NOBODY)),
            NOBODY,
            (Code::NotFound, v1::ErrorReason::MatchNotFound),
        ),
        (
            caster(&casting(&issuer, &match_id)),
            "nonsense",
            (Code::InvalidArgument, v1::ErrorReason::InvalidField),
        ),
        (
            caster(&casting(&issuer, &match_id)),
            &match_id,
            (Code::PermissionDenied, v1::ErrorReason::SpectatorsNotAllowed),
        ),
    ] {
        let status = cast(url, &token, wanted).await.expect_err("refused");
        assert_eq!(
            (status.code(), status::reason(&status)),
            (code, Some(reason)),
            "{status:?}"
        );
    }
    // Nor does anybody at the table get more than their own hand by such a token.
    let watcher = clients[0].another_player();
    watcher
        .set_token(&caster(&casting(&issuer, &match_id)))
        .expect("a token");
    let looked = watcher.get_match(v1::GetMatchRequest {
        match_id,
        ..Default::default()
    });
    let refused = looked.await.expect_err("strangers may not look").reason();
    assert_eq!(refused, Some(v1::ErrorReason::SpectatorsNotAllowed));
}
