//! The backend of a platform makes matches for its people and ends them; its administrators act on the admin port.

use fives_client::v1::platform_service_client::PlatformServiceClient;
use fives_client::{AdminClient, Client, admin_v1, v1};
use fives_wire::status;
use serde_json::json;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::service::interceptor::InterceptedService;
use tonic::transport::{Channel, Endpoint};
use tonic::{Code, Request, Status};

use crate::harness::{
    Administered, Fleet, IssuerKey, RedisNode, SECRET, Server, TokenIssuer, bearer, me, open, play_out, public_match,
    seat_all, verified_replay, view_of,
};
use crate::refusals::refused;

const ISSUER: &str = "https://id.stories.example/";
const NOBODY: &str = "m-aaaaaaaaaaaaaaaaaaaaaaaaaa";

type Backend = PlatformServiceClient<InterceptedService<Channel, WithToken>>;

/// Sends a token along.
#[derive(Clone)]
struct WithToken(MetadataValue<Ascii>);

impl tonic::service::Interceptor for WithToken {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        request.metadata_mut().insert("authorization", self.0.clone());
        Ok(request)
    }
}

fn backend(url: &str, token: &str) -> Backend {
    let channel = Endpoint::from_shared(url.to_owned())
        .expect("an address")
        .connect_lazy();
    let token = format!("Bearer {token}").parse().expect("printable");
    PlatformServiceClient::with_interceptor(channel, WithToken(token))
}

fn somebody(subject: &str, name: &str) -> v1::PlatformSeat {
    let identity = v1::PlatformIdentity {
        subject: subject.to_owned(),
        display_name: name.to_owned(),
        ..Default::default()
    };
    seat(v1::platform_seat::Occupant::Identity(identity))
}

fn seat(occupant: v1::platform_seat::Occupant) -> v1::PlatformSeat {
    v1::PlatformSeat {
        occupant: Some(occupant),
    }
}

fn wanted(request_id: &str, seats: Vec<v1::PlatformSeat>) -> v1::PlatformServiceCreateMatchRequest {
    v1::PlatformServiceCreateMatchRequest {
        request_id: request_id.to_owned(),
        options: Some(v1::MatchOptions {
            target_points: Some(50),
            ..Default::default()
        }),
        seats,
        visibility: v1::MatchVisibility::Private.into(),
        ..Default::default()
    }
}

fn void(match_id: &str) -> v1::PlatformServiceVoidMatchRequest {
    v1::PlatformServiceVoidMatchRequest {
        match_id: match_id.to_owned(),
        reason: "both asked for it".to_owned(),
    }
}

fn forfeit(match_id: &str, seat: u32) -> v1::PlatformServiceForfeitSeatRequest {
    v1::PlatformServiceForfeitSeatRequest {
        match_id: match_id.to_owned(),
        seat: Some(seat),
        reason: "abuse".to_owned(),
    }
}

fn assert_refused<T: std::fmt::Debug>(answer: Result<T, Status>, code: Code, reason: v1::ErrorReason) {
    let status = answer.expect_err("refused");
    assert_eq!(
        (status.code(), status::reason(&status)),
        (code, Some(reason)),
        "{status:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_platform_makes_a_match_for_its_people_and_they_play_it() {
    let key = IssuerKey::ed25519("ed");
    let issuer = TokenIssuer::start(ISSUER, &[&key]).await;
    let redis = RedisNode::start().await;
    let file = issuer.file(&["player", "service"]);
    let fleet = Fleet::start_with(&redis.url(), &["--issuers", file.to_str().expect("a plain path")]).await;
    let token = key.sign(&issuer.scoped("backend", "fives:service"));
    let ask = |number: usize| backend(&fleet.replicas[number].url(), &token);

    let request = wanted("order-1", vec![somebody("anna", "Anna"), somebody("bela", "")]);
    let first = ask(0).create_match(request.clone()).await.expect("made").into_inner();
    let view = first.view.expect("a view");
    assert_eq!(view.state(), v1::MatchState::Live, "it starts at once");
    assert_eq!(view.seats[0].display_name, "Anna");
    assert!(view.round.expect("a round").hand.is_empty());
    // Through another replica, and under another name: the same match.
    let again = wanted("order-1", vec![somebody("anna", "Annamaria"), somebody("bela", "")]);
    let second = ask(1).create_match(again).await.expect("found").into_inner();
    assert_eq!(
        (second.cursor, second.view.expect("a view").match_id),
        (first.cursor, view.match_id.clone())
    );
    assert_refused(
        ask(2)
            .create_match(wanted("order-1", vec![somebody("anna", ""), somebody("cleo", "")]))
            .await,
        Code::InvalidArgument,
        v1::ErrorReason::RequestIdReused,
    );

    let players = ["anna", "bela"].map(|subject| {
        let client = fleet.stranger();
        client.set_token(&key.sign(&issuer.claims(subject))).expect("a token");
        client
    });
    play_out(&players, &view.match_id).await;
    verified_replay(&players[0], &view.match_id).await;
    let shown = v1::PlatformServiceGetMatchRequest {
        match_id: view.match_id,
    };
    let shown = ask(2)
        .get_match(shown)
        .await
        .expect("found")
        .into_inner()
        .view
        .expect("a view");
    assert_eq!(shown.state(), v1::MatchState::Finished);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_platform_cannot_have_is_refused() {
    let key = IssuerKey::ed25519("ed");
    let issuer = TokenIssuer::start(ISSUER, &[&key]).await;
    let server = Server::start_with(|config| config.issuers = issuer.trusted_with(&["player", "service"])).await;
    let token = key.sign(&issuer.scoped("backend", "fives:service"));
    let mut backend_here = backend(server.url(), &token);
    let player = |id: &str| seat(v1::platform_seat::Occupant::PlayerId(id.to_owned()));
    let stranger = v1::PlatformIdentity {
        subject: "anna".to_owned(),
        issuer: "https://elsewhere.example".to_owned(),
        ..Default::default()
    };
    let guest = server.guest("guest").await;
    let guest_id = guest
        .get_player(v1::GetPlayerRequest::default())
        .await
        .expect("a player");
    let guest_id = guest_id.player.expect("a player").player_id;
    let (invalid, field) = (Code::InvalidArgument, v1::ErrorReason::InvalidField);
    for (seats, code, reason) in [
        (vec![somebody("anna", ""), somebody("anna", "")], invalid, field),
        (vec![player(&guest_id), player(&guest_id)], invalid, field),
        (vec![somebody("anna", "")], invalid, field),
        (vec![somebody("anna", ""); 6], invalid, field),
        (vec![somebody("anna", ""), v1::PlatformSeat::default()], invalid, field),
        (vec![somebody("", ""), somebody("bela", "")], invalid, field),
        (vec![somebody("an\nna", ""), somebody("bela", "")], invalid, field),
        (vec![somebody("anna", " anna"), somebody("bela", "")], invalid, field),
        (
            vec![
                somebody("anna", ""),
                seat(v1::platform_seat::Occupant::Identity(stranger)),
            ],
            invalid,
            field,
        ),
        (
            vec![somebody("anna", ""), seat(v1::platform_seat::Occupant::Bot(0))],
            invalid,
            field,
        ),
        (vec![somebody("anna", ""), player("p-1")], invalid, field),
        (
            vec![somebody("anna", ""), player("p-aaaaaaaaaaaaaaaaaaaaaaaaaa")],
            Code::NotFound,
            v1::ErrorReason::PlayerNotFound,
        ),
    ] {
        assert_refused(backend_here.create_match(wanted("order", seats)).await, code, reason);
    }
    // With a guest, whom the platform does not know, and under the same request id: none of those made anything.
    let made = backend_here
        .create_match(wanted("order", vec![somebody("anna", ""), player(&guest_id)]))
        .await;
    let match_id = made.expect("made").into_inner().view.expect("a view").match_id;
    assert_eq!(view_of(&guest, &match_id).await.viewer_seat, Some(1));

    let none = (Code::PermissionDenied, v1::ErrorReason::ScopeMissing);
    for scope in ["", "fives:player", "fives:caster", "fives:admin", "openid"] {
        let mut other = backend(server.url(), &key.sign(&issuer.scoped("backend", scope)));
        assert_refused(other.void_match(void(&match_id)).await, none.0, none.1);
        assert_refused(other.create_match(wanted("x", vec![])).await, none.0, none.1);
    }
    let backend_as_player = server.stranger();
    backend_as_player.set_token(&token).expect("a token");
    refused(
        backend_as_player.create_match(public_match(vec![me(), open()])).await,
        none.0,
        none.1,
    );
    refused(
        backend_as_player.get_player(v1::GetPlayerRequest::default()).await,
        none.0,
        none.1,
    );
    // Where a stranger may look, it may, too.
    let lists = backend_as_player
        .list_live_matches(v1::ListLiveMatchesRequest::default())
        .await;
    assert_eq!(lists.expect("a list").matches, []);

    for (order, code, reason) in [
        (void(NOBODY), Code::NotFound, v1::ErrorReason::MatchNotFound),
        (void("m-1"), invalid, field),
        (
            v1::PlatformServiceVoidMatchRequest {
                reason: String::new(),
                ..void(&match_id)
            },
            invalid,
            field,
        ),
    ] {
        assert_refused(backend_here.void_match(order).await, code, reason);
    }
    for (order, code, reason) in [
        (forfeit(&match_id, 2), invalid, field),
        (forfeit(NOBODY, 0), Code::NotFound, v1::ErrorReason::MatchNotFound),
        (
            v1::PlatformServiceForfeitSeatRequest {
                seat: None,
                ..forfeit(&match_id, 0)
            },
            invalid,
            field,
        ),
    ] {
        assert_refused(backend_here.forfeit_seat(order).await, code, reason);
    }
    let given_up = backend_here
        .forfeit_seat(forfeit(&match_id, 0))
        .await
        .expect("given up")
        .into_inner();
    let again = backend_here
        .forfeit_seat(forfeit(&match_id, 0))
        .await
        .expect("twice is as once")
        .into_inner();
    assert_eq!(again.cursor, given_up.cursor);
    assert_eq!(
        view_of(&guest, &match_id).await.outcome.expect("a result").winner_side,
        Some(1)
    );
    let over = (Code::FailedPrecondition, v1::ErrorReason::MatchOver);
    assert_refused(backend_here.void_match(void(&match_id)).await, over.0, over.1);
    assert_refused(backend_here.forfeit_seat(forfeit(&match_id, 1)).await, over.0, over.1);
}

async fn audit(admin: &AdminClient) -> Vec<admin_v1::AuditRow> {
    let answer = admin.list_audit(admin_v1::ListAuditRequest::default()).await;
    answer.expect("the audit can be read").rows
}

#[tokio::test(flavor = "multi_thread")]
async fn the_audit_names_whom_the_token_names() {
    let key = IssuerKey::ed25519("ed");
    let issuer = TokenIssuer::start(ISSUER, &[&key]).await;
    let folder = tempfile::tempdir().expect("a folder");
    let server = Administered::start_trusting(folder.path(), &issuer.file(&["player", "service", "admin"])).await;
    let clients: [Client; 2] = std::array::from_fn(|_| server.process.client());
    for (client, name) in clients.iter().zip(["anna", "bela"]) {
        client.sign_in(name, None).await.expect("guests are welcome");
    }
    let first = seat_all(&clients, public_match(vec![me(), open()])).await;
    let second = seat_all(&clients, public_match(vec![me(), open()])).await;

    let mut platform = backend(
        &server.process.url(),
        &key.sign(&issuer.scoped("backend", "fives:service")),
    );
    let voided = platform.void_match(void(&first)).await.expect("voided").into_inner();
    let again = platform
        .void_match(void(&first))
        .await
        .expect("twice is as once")
        .into_inner();
    assert_eq!(again.cursor, voided.cursor);

    let token = key.sign(&issuer.scoped("root", "fives:admin"));
    let root = server.somebody(Some(&token));
    let order = admin_v1::VoidMatchRequest {
        match_id: second.clone(),
        operator: "somebody who is not root".to_owned(),
        reason: "a test".to_owned(),
    };
    root.void_match(order.clone()).await.expect("voided");
    let (status, _) = server
        .ask(
            "PUT /log",
            &[bearer(&token), "fives-operator: nobody".to_owned()],
            "error",
        )
        .await;
    assert_eq!(status, 200);
    let rows = audit(&root).await;
    let told: Vec<_> = rows
        .iter()
        .map(|row| (row.operator.as_str(), row.act(), row.match_id.as_str()))
        .collect();
    let (root_name, backend_name) = (format!("root of {ISSUER}"), format!("backend of {ISSUER}"));
    assert_eq!(
        told,
        [
            (root_name.as_str(), admin_v1::AuditAct::SetLogFilter, ""),
            (root_name.as_str(), admin_v1::AuditAct::Void, second.as_str()),
            (backend_name.as_str(), admin_v1::AuditAct::Void, first.as_str()),
        ]
    );
    // The secret opens as before, and believes the name.
    assert_eq!(audit(&server.somebody(Some(SECRET))).await, rows);

    let expired = issuer.scoped("root", "fives:admin")["iat"].as_i64().expect("a time") - 3600;
    let mut late = issuer.scoped("root", "fives:admin");
    late["exp"] = json!(expired);
    let other = TokenIssuer::start("https://other.stories.example", &[&key]).await;
    for (token, code, reason) in [
        (
            key.sign(&issuer.scoped("anna", "fives:service")),
            Code::PermissionDenied,
            v1::ErrorReason::ScopeMissing,
        ),
        (
            key.sign(&issuer.claims("anna")),
            Code::PermissionDenied,
            v1::ErrorReason::ScopeMissing,
        ),
        (key.sign(&late), Code::Unauthenticated, v1::ErrorReason::TokenExpired),
        (
            key.sign(&other.scoped("root", "fives:admin")),
            Code::Unauthenticated,
            v1::ErrorReason::TokenInvalid,
        ),
        ("a.b.c".to_owned(), Code::Unauthenticated, v1::ErrorReason::TokenInvalid),
        (
            "nonsense".to_owned(),
            Code::Unauthenticated,
            v1::ErrorReason::AdminTokenInvalid,
        ),
    ] {
        refused(
            server.somebody(Some(&token)).void_match(order.clone()).await,
            code,
            reason,
        );
    }
    refused(
        server.somebody(None).void_match(order).await,
        Code::Unauthenticated,
        v1::ErrorReason::AdminTokenMissing,
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_issuer_of_players_makes_no_administrators_and_no_backends() {
    let key = IssuerKey::ed25519("ed");
    let issuer = TokenIssuer::start(ISSUER, &[&key]).await;
    let folder = tempfile::tempdir().expect("a folder");
    let server = Administered::start_trusting(folder.path(), &issuer.file(&["player"])).await;
    let everything = key.sign(&issuer.scoped("anna", "fives:player fives:service fives:admin fives:caster"));
    refused(
        server
            .somebody(Some(&everything))
            .list_audit(admin_v1::ListAuditRequest::default())
            .await,
        Code::PermissionDenied,
        v1::ErrorReason::ScopeMissing,
    );
    assert_refused(
        backend(&server.process.url(), &everything)
            .void_match(void(NOBODY))
            .await,
        Code::PermissionDenied,
        v1::ErrorReason::ScopeMissing,
    );
    let anna = server.process.client();
    anna.set_token(&everything).expect("a token");
    anna.get_player(v1::GetPlayerRequest::default())
        .await
        .expect("she plays");
}
