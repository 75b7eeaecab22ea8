//! A guest who is linked to an identity of a platform keeps everything.

use fives_client::{Client, v1};
use serde_json::json;
use tonic::Code;

use crate::harness::{Fleet, IssuerKey, RedisNode, Server, TokenIssuer, bot, me, public_match};
use crate::refusals::refused;

const ISSUER: &str = "https://id.stories.example/";

fn link(token: String) -> v1::LinkIdentityRequest {
    v1::LinkIdentityRequest { identity_token: token }
}

async fn player_of(client: &Client) -> v1::Player {
    let answer = client.get_player(v1::GetPlayerRequest::default()).await;
    answer.expect("a player").player.expect("a player")
}

fn with_token(client: &Client, token: &str) -> Client {
    let other = client.another_player();
    other.set_token(token).expect("a token");
    other
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guest_keeps_everything_through_any_replica() {
    let key = IssuerKey::ed25519("ed");
    let issuer = TokenIssuer::start(ISSUER, &[&key]).await;
    let redis = RedisNode::start().await;
    let file = issuer.file(&["player"]);
    let mut fleet = Fleet::start_with(&redis.url(), &["--issuers", file.to_str().expect("a plain path")]).await;

    let guest = fleet.replicas[0].client();
    let before = guest.sign_in("anna", None).await.expect("guests are welcome");
    let made = guest
        .create_match(public_match(vec![me(), bot(v1::BotKind::Greedy)]))
        .await
        .expect("a match is made");
    let match_id = made.view.expect("a view").match_id;
    let token = || key.sign(&issuer.claims_with("anna@platform", "name", json!("Somebody else")));
    for _ in 0..2 {
        let linked = guest.link_identity(link(token())).await.expect("both are anna's");
        assert_eq!(linked.player.as_ref(), Some(&before), "name and all");
    }

    fleet.replicas[0].kill_for_now().await;
    for replica in &fleet.replicas[1..] {
        let platform = with_token(&replica.client(), &token());
        assert_eq!(player_of(&platform).await, before);
        let view = crate::harness::view_of(&platform, &match_id).await;
        assert_eq!(view.viewer_seat, Some(0), "the seat is hers");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_linked_is_refused_and_changes_nothing() {
    let (key, other_key) = (IssuerKey::ed25519("ed"), IssuerKey::p256("other"));
    let issuer = TokenIssuer::start(ISSUER, &[&key]).await;
    let other = TokenIssuer::start("https://other.stories.example", &[&other_key]).await;
    let server = Server::start_with(|config| {
        config.issuers = issuer.trusted_with(&["player", "service"]);
        config.issuers.extend(other.trusted_with(&["player"]));
    })
    .await;
    let [anna, bela] = server.guests::<2>().await;
    let token = |subject: &str| key.sign(&issuer.claims(subject));
    anna.link_identity(link(token("anna"))).await.expect("it is free");

    let taken = bela.link_identity(link(token("anna"))).await;
    refused(taken, Code::FailedPrecondition, v1::ErrorReason::IdentityLinked);
    let second = anna.link_identity(link(token("anna 2"))).await;
    refused(second, Code::FailedPrecondition, v1::ErrorReason::PlayerLinked);
    let elsewhere = other_key.sign(&other.claims("anna"));
    anna.link_identity(link(elsewhere)).await.expect("one of each issuer");

    // Whoever comes with the token first is a player of their own from then on.
    let cleo = player_of(&with_token(&anna, &token("cleo"))).await;
    let late = bela.link_identity(link(token("cleo"))).await;
    refused(late, Code::FailedPrecondition, v1::ErrorReason::IdentityLinked);
    assert_eq!(player_of(&with_token(&anna, &token("cleo"))).await, cleo);

    let now = issuer.claims("bela")["iat"].as_i64().expect("a time");
    for (bad, why) in [
        ("nonsense".to_owned(), v1::ErrorReason::TokenInvalid),
        (other_key.sign(&issuer.claims("bela")), v1::ErrorReason::TokenInvalid),
        (
            key.sign(&issuer.claims_with("bela", "exp", json!(now - 3600))),
            v1::ErrorReason::TokenExpired,
        ),
        (
            key.sign(&issuer.claims_with("bela", "nbf", json!(now + 3600))),
            v1::ErrorReason::TokenNotYetValid,
        ),
        (
            key.sign(&issuer.scoped("bela", "fives:service")),
            v1::ErrorReason::ScopeMissing,
        ),
    ] {
        // The unknown key has its issuer asked; that answer is for sure.
        let told = refused(
            bela.link_identity(link(bad)).await,
            Code::InvalidArgument,
            v1::ErrorReason::IdentityTokenRefused,
        );
        assert!(!told.message.is_empty(), "{why:?}");
    }
    refused(
        bela.link_identity(link(String::new())).await,
        Code::InvalidArgument,
        v1::ErrorReason::InvalidField,
    );
    refused(
        server.stranger().link_identity(link(token("bela"))).await,
        Code::Unauthenticated,
        v1::ErrorReason::TokenMissing,
    );
    let linked = bela
        .link_identity(link(token("bela")))
        .await
        .expect("nothing has changed");
    assert_eq!(linked.player, Some(player_of(&bela).await));
}
