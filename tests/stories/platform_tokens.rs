//! Tokens of an outside issuer: who comes in with one, and everything that is wrong with those of others.

use std::sync::Arc;

use data_encoding::BASE64URL_NOPAD;
use fives_client::v1::player_service_client::PlayerServiceClient;
use fives_client::{Client, v1};
use fives_wire::status;
use jsonwebtoken::{Algorithm, EncodingKey, encode};
use serde_json::{Value, json};
use tokio::sync::Notify;
use tonic::{Code, Request, Status};

use crate::harness::{
    Authority, Fleet, IssuerKey, Page, RedisNode, Server, SetClock, TokenIssuer, me, open, play_out, public_match,
    seat_all, settings, until, verified_replay,
};
use crate::refusals::refused;

const ISSUER: &str = "https://id.stories.example/";

/// Who this is to the service; asked once.
async fn whoami(url: &str, token: &str) -> Result<v1::Player, Status> {
    let mut client = PlayerServiceClient::connect(url.to_owned()).await.expect("it listens");
    let mut request = Request::new(v1::GetPlayerRequest::default());
    let value = format!("Bearer {token}").parse().expect("printable");
    request.metadata_mut().insert("authorization", value);
    let answer = client.get_player(request).await?;
    Ok(answer.into_inner().player.expect("a player"))
}

async fn reason_of(url: &str, token: &str) -> (Code, v1::ErrorReason) {
    let status = whoami(url, token).await.expect_err("refused");
    let reason = status::reason(&status);
    (status.code(), reason.unwrap_or_else(|| panic!("{status:?}")))
}

const INVALID: (Code, v1::ErrorReason) = (Code::Unauthenticated, v1::ErrorReason::TokenInvalid);
const EXPIRED: (Code, v1::ErrorReason) = (Code::Unauthenticated, v1::ErrorReason::TokenExpired);
const EARLY: (Code, v1::ErrorReason) = (Code::Unauthenticated, v1::ErrorReason::TokenNotYetValid);
const UNAVAILABLE: (Code, v1::ErrorReason) = (Code::Unavailable, v1::ErrorReason::IssuerUnavailable);

#[tokio::test(flavor = "multi_thread")]
async fn a_subject_is_a_player_whichever_key_has_signed() {
    let keys = [
        IssuerKey::ed25519("ed"),
        IssuerKey::p256("ec"),
        IssuerKey::rsa("rsa", 2048).await,
    ];
    let issuer = TokenIssuer::start(ISSUER, &keys.iter().collect::<Vec<_>>()).await;
    let server = Server::start_with(|config| config.issuers = issuer.trusted_with(&["player"])).await;

    let anna = issuer.claims_with("anna", "name", json!("Anna"));
    let mut players = Vec::new();
    for key in &keys {
        players.push(whoami(server.url(), &key.sign(&anna)).await.expect("a player"));
    }
    assert!(players.iter().all(|player| *player == players[0]), "{players:?}");
    assert_eq!(players[0].display_name, "Anna");
    let bela = whoami(
        server.url(),
        &keys[0].sign(&issuer.claims_with("bela", "name", json!(" "))),
    )
    .await;
    let bela = bela.expect("a player");
    assert_ne!(bela.player_id, players[0].player_id);
    assert!(bela.display_name.starts_with("player "), "{bela:?}");

    // And plays like anybody else, against a guest, over a call that needs no token too.
    let client = server.stranger();
    client.set_token(&keys[1].sign(&anna)).expect("a token");
    let clients = [client, server.guest("guest").await];
    let match_id = seat_all(&clients, public_match(vec![me(), open()])).await;
    play_out(&clients, &match_id).await;
    verified_replay(&clients[0], &match_id).await;
    let mine = clients[0].list_matches(v1::ListMatchesRequest {
        scope: v1::MatchScope::Mine.into(),
        ..Default::default()
    });
    let mine = mine.await.expect("a list").matches;
    assert_eq!(mine.len(), 1);
    assert_eq!(mine[0].seats[0].player_id, players[0].player_id);

    let refreshed = PlayerServiceClient::connect(server.url().to_owned())
        .await
        .expect("it listens");
    let mut request = Request::new(v1::RefreshTokenRequest {});
    let value = format!("Bearer {}", keys[0].sign(&anna)).parse().expect("printable");
    request.metadata_mut().insert("authorization", value);
    let status = { refreshed }.refresh_token(request).await.expect_err("refused");
    assert_eq!(
        (status.code(), status::reason(&status)),
        (Code::FailedPrecondition, Some(v1::ErrorReason::TokenOfIssuer))
    );
}

/// A token with this header, body and signature, whatever they are.
fn patched(header: &Value, body: &str, signature: &str) -> String {
    format!(
        "{}.{body}.{signature}",
        BASE64URL_NOPAD.encode(header.to_string().as_bytes())
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_is_not_right_is_refused_with_its_reason() {
    let (ed, ec, rsa) = (
        IssuerKey::ed25519("ed"),
        IssuerKey::p256("ec"),
        IssuerKey::rsa("rsa", 2048).await,
    );
    let (stranger, small) = (IssuerKey::ed25519("stranger"), IssuerKey::rsa("small", 1024).await);
    let issuer = TokenIssuer::start(ISSUER, &[&ed, &ec, &rsa, &small]).await;
    let server = Server::start_with(|config| config.issuers = issuer.trusted_with(&["player"])).await;
    let claims = issuer.claims("anna");
    let good = ed.sign(&claims);
    whoami(server.url(), &good).await.expect("a player");

    // Signed with one key, named after another; and what a public key could sign as a secret.
    let named = |key: &IssuerKey, by: &IssuerKey| {
        let mut header = by.header();
        header.kid = key.header().kid;
        encode(&header, &claims, &by.signing).expect("signed")
    };
    let public = [&ed, &ec, &rsa].map(|key| {
        let bytes = ["x", "n"]
            .iter()
            .find_map(|field| key.public[field].as_str())
            .expect("a public part");
        let as_secret = EncodingKey::from_secret(bytes.as_bytes()).expect("a secret");
        let mut header = key.header();
        header.alg = Algorithm::HS256;
        encode(&header, &claims, &as_secret).expect("signed")
    });
    let (head, signature) = good.rsplit_once('.').expect("three parts");
    let (_, body) = head.split_once('.').expect("three parts");
    let other_body = ed.sign(&issuer.claims("bela"));
    let other_body = other_body.split('.').nth(1).expect("three parts");
    let headers = [
        json!({"alg": "none", "kid": "ed"}),
        json!({"alg": "None", "kid": "ed", "typ": "JWT"}),
        json!({"alg": "HS256", "kid": "ed"}),
        json!({"alg": "EdDSA"}),
        json!({"alg": "EdDSA", "kid": ""}),
        json!({"alg": "EdDSA", "kid": "ed", "crit": ["exp"]}),
        json!({"alg": "EdDSA", "kid": "ed", "typ": "logout+jwt"}),
        json!({"alg": "EdDSA", "kid": "ed", "jwk": stranger.public}),
    ];
    let mut wrong: Vec<(String, (Code, v1::ErrorReason))> = Vec::new();
    for header in &headers {
        for signature in ["", signature] {
            wrong.push((patched(header, body, signature), INVALID));
        }
    }
    for (key, by) in [
        (&ed, &ec),
        (&ec, &ed),
        (&rsa, &ec),
        (&ec, &rsa),
        (&rsa, &ed),
        (&ed, &stranger),
    ] {
        wrong.push((named(key, by), INVALID));
    }
    wrong.extend(public.map(|token| (token, INVALID)));
    let seconds = |by: i64| json!(claims["iat"].as_i64().expect("a time") + by);
    for (claim, value, expected) in [
        ("aud", json!("somebody else"), INVALID),
        ("aud", json!(["somebody", "else"]), INVALID),
        ("aud", Value::Null, INVALID),
        ("iss", json!("https://id.stories.example"), INVALID),
        ("iss", json!("fives"), INVALID),
        ("iss", json!([ISSUER]), INVALID),
        ("iss", Value::Null, INVALID),
        ("sub", Value::Null, INVALID),
        ("sub", json!(""), INVALID),
        ("sub", json!("an\u{0}na"), INVALID),
        ("exp", Value::Null, INVALID),
        ("exp", json!("never"), INVALID),
        ("exp", seconds(-3600), EXPIRED),
        ("exp", json!(0), EXPIRED),
        ("nbf", seconds(3600), EARLY),
    ] {
        wrong.push((ed.sign(&issuer.claims_with("anna", claim, value)), expected));
    }
    let long = issuer.claims_with("anna", "padding", json!("x".repeat(9000)));
    wrong.extend([
        (
            format!(
                "{}.{other_body}.{signature}",
                head.split('.').next().expect("three parts")
            ),
            INVALID,
        ),
        (head.to_owned(), INVALID),
        (format!("{good}."), INVALID),
        ("..".to_owned(), INVALID),
        (ed.sign(&long), INVALID),
    ]);
    for (token, expected) in wrong {
        assert_eq!(reason_of(server.url(), &token).await, expected, "{token}");
    }
    // A key that is too small is as good as none, so its issuer is asked for it: there is no other.
    assert_eq!(reason_of(server.url(), &small.sign(&claims)).await, INVALID);
    whoami(server.url(), &good)
        .await
        .expect("the good one is good all the while");
    // Within the skew.
    let early = ed.sign(&issuer.claims_with("anna", "nbf", seconds(30)));
    whoami(server.url(), &early).await.expect("clocks differ a little");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_was_good_is_refused_when_its_time_is_over() {
    let (key, clock) = (IssuerKey::ed25519("ed"), SetClock::new());
    let issuer = TokenIssuer::start(ISSUER, &[&key]).await;
    let trust = issuer.trusted_with(&["player"]);
    let server = Server::start_over(clock.store(), |config| config.issuers = trust).await;
    // The service's clock counts, and stands at 1,800,000,000.
    let mut claims = issuer.claims_with("anna", "exp", json!(1_800_000_100));
    claims["nbf"] = json!(1_800_000_100);
    let token = key.sign(&claims);
    assert_eq!(reason_of(server.url(), &token).await, EARLY);
    clock.pass(40_000);
    let anna = whoami(server.url(), &token).await.expect("within the skew");
    clock.pass(119_000);
    assert_eq!(whoami(server.url(), &token).await.expect("within the skew"), anna);
    clock.pass(1_000);
    assert_eq!(reason_of(server.url(), &token).await, EXPIRED);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_issuer_that_misbehaves_costs_nobody_who_is_known() {
    let (known, new) = (IssuerKey::ed25519("known"), IssuerKey::p256("new"));
    for page in [
        Page::Endless,
        Page::Text("<html>Please sign in</html>".to_owned()),
        Page::Text("{\"keys\": [".to_owned()),
        Page::Keys(Vec::new()),
        Page::Keys(vec![json!({"kty": "oct", "kid": "new", "k": "c2VjcmV0"})]),
        Page::Status("302 Found", "Location: http://127.0.0.1:9/keys"),
        Page::Status("503 Service Unavailable", "Retry-After: 1"),
        Page::Gone,
    ] {
        // An issuer each: what fails is not asked again so soon.
        let issuer = TokenIssuer::start(ISSUER, &[&known]).await;
        let server = Server::start_with(|config| config.issuers = issuer.trusted_with(&["player"])).await;
        let old_token = known.sign(&issuer.claims("anna"));
        let anna = whoami(server.url(), &old_token).await.expect("a player");
        issuer.turn_to(page);
        let new_token = new.sign(&issuer.claims("anna"));
        for _ in 0..3 {
            assert_eq!(reason_of(server.url(), &new_token).await, UNAVAILABLE);
        }
        assert_eq!(issuer.asked(), 2, "once at the start, once for the new key");
        assert_eq!(whoami(server.url(), &old_token).await.expect("its key is known"), anna);
        let bela = whoami(server.url(), &known.sign(&issuer.claims("bela"))).await;
        assert_ne!(bela.expect("others come, too"), anna);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_slow_issuer_holds_up_only_who_needs_it() {
    let (known, new) = (IssuerKey::ed25519("known"), IssuerKey::p256("new"));
    let issuer = TokenIssuer::start(ISSUER, &[&known]).await;
    let server = Server::start_with(|config| config.issuers = issuer.trusted_with(&["player"])).await;
    let old_token = known.sign(&issuer.claims("anna"));
    let anna = whoami(server.url(), &old_token).await.expect("a player");

    let (released, before) = (Arc::new(Notify::new()), issuer.asked());
    let both = Page::Keys(vec![known.public.clone(), new.public.clone()]);
    issuer.turn_to(Page::Held(Arc::clone(&released), Box::new(both)));
    let client = server.stranger();
    client.set_token(&new.sign(&issuer.claims("anna"))).expect("a token");
    let waiting = tokio::spawn(async move { client.get_player(v1::GetPlayerRequest::default()).await });
    until("the issuer is asked", async || issuer.asked() > before).await;
    assert_eq!(
        whoami(server.url(), &old_token).await.expect("it waits for nobody"),
        anna
    );
    assert!(!waiting.is_finished());
    released.notify_one();
    let answer = waiting.await.expect("no panic").expect("a player");
    assert_eq!(answer.player, Some(anna));
}

#[tokio::test(flavor = "multi_thread")]
async fn made_up_key_ids_do_not_hammer_the_issuer() {
    let known = IssuerKey::ed25519("known");
    let issuer = TokenIssuer::start(ISSUER, &[&known]).await;
    let server = Server::start_with(|config| config.issuers = issuer.trusted_with(&["player"])).await;
    whoami(server.url(), &known.sign(&issuer.claims("anna")))
        .await
        .expect("a player");
    let before = issuer.asked();
    let mut told = Vec::new();
    for number in 0..50 {
        let forged = IssuerKey::ed25519(&format!("forged {number}")).sign(&issuer.claims("anna"));
        told.push(reason_of(server.url(), &forged).await);
    }
    // The first is told at once that there is no such key; the others, that nobody asks again so soon.
    assert_eq!(told[0], INVALID);
    assert!(
        told.iter().all(|told| [INVALID, UNAVAILABLE].contains(told)),
        "{told:?}"
    );
    let asked = issuer.asked() - before;
    assert!(asked < 25, "it was asked {asked} times");
    let definite = told.iter().filter(|told| **told == INVALID).count();
    assert!(
        definite <= asked,
        "what is said for sure was asked for: {definite} answers, asked {asked} times"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_in_a_file_are_read_again_when_a_new_one_is_named() {
    let (old, new) = (IssuerKey::ed25519("old"), IssuerKey::p256("new"));
    let folder = tempfile::tempdir().expect("a folder");
    let keys = |keys: &[&IssuerKey]| {
        let keys: Vec<_> = keys.iter().map(|key| &key.public).collect();
        std::fs::write(folder.path().join("keys.json"), json!({ "keys": keys }).to_string()).expect("written");
    };
    keys(&[&old]);
    let file = folder.path().join("issuers.toml");
    let text = format!("[[issuer]]\niss = {ISSUER:?}\naudience = \"a\"\njwks = \"keys.json\"\n");
    std::fs::write(&file, text).expect("written");
    let server = Server::start_with(|config| config.issuers = settings(file)).await;
    let somebody = TokenIssuer::start(ISSUER, &[]).await;
    let claims = somebody.claims_with("anna", "aud", json!(["a", "b"]));
    let anna = whoami(server.url(), &old.sign(&claims)).await.expect("a player");
    keys(&[&new]);
    let client = server.stranger();
    client.set_token(&new.sign(&claims)).expect("a token");
    let again = client
        .get_player(v1::GetPlayerRequest::default())
        .await
        .expect("a player");
    assert_eq!(again.player.as_ref(), Some(&anna));
    refused(
        with_token(&server, &old.sign(&claims))
            .get_player(v1::GetPlayerRequest::default())
            .await,
        INVALID.0,
        INVALID.1,
    );
}

fn with_token(server: &Server, token: &str) -> Client {
    let client = server.stranger();
    client.set_token(token).expect("a token");
    client
}

#[tokio::test(flavor = "multi_thread")]
async fn three_replicas_go_along_with_an_issuer_that_changes_its_key_and_vanishes() {
    let (first, second) = (IssuerKey::ed25519("first"), IssuerKey::p256("second"));
    let issuer = TokenIssuer::start(ISSUER, &[&first]).await;
    let redis = RedisNode::start().await;
    let file = issuer.file(&["player"]);
    let file = file.to_str().expect("a plain path");
    let fleet = Fleet::start_with(&redis.url(), &["--issuers", file]).await;
    let at = |number: usize, token: &str| {
        let client = fleet.replicas[number].client();
        client.set_token(token).expect("a token");
        client
    };
    let me = v1::GetPlayerRequest::default;
    let anna = at(0, &first.sign(&issuer.claims("anna")))
        .get_player(me())
        .await
        .expect("a player");
    for number in [1, 2] {
        let same = at(number, &first.sign(&issuer.claims("anna"))).get_player(me()).await;
        assert_eq!(same.expect("a player"), anna);
    }

    // Both at first, as issuers do; then the first is taken away.
    issuer.show(&[&first, &second]);
    for number in 0..3 {
        let same = at(number, &second.sign(&issuer.claims("anna"))).get_player(me()).await;
        assert_eq!(
            same.expect("a player"),
            anna,
            "replica {number} has asked for the new key"
        );
    }
    issuer.show(&[&second]);
    let third = IssuerKey::ed25519("third");
    for number in 0..3 {
        // A key that there is not has it asked again.
        refused(
            at(number, &third.sign(&issuer.claims("anna"))).get_player(me()).await,
            INVALID.0,
            INVALID.1,
        );
        refused(
            at(number, &first.sign(&issuer.claims("anna"))).get_player(me()).await,
            INVALID.0,
            INVALID.1,
        );
    }
    issuer.vanish();
    for number in 0..3 {
        let same = at(number, &second.sign(&issuer.claims("anna"))).get_player(me()).await;
        assert_eq!(same.expect("its keys are kept"), anna);
        let new = at(number, &second.sign(&issuer.claims(&format!("new {number}"))))
            .get_player(me())
            .await;
        assert_ne!(new.expect("others come, too"), anna);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_over_https_come_from_whom_the_authority_vouches_for() {
    let (key, authority) = (IssuerKey::ed25519("ed"), Authority::new());
    let issuer = TokenIssuer::start_over_tls(ISSUER, &[&key], &authority.issue("issuer")).await;
    let ca = format!("ca = {:?}", authority.ca());
    let trust = settings(issuer.file_with(&["player"], &ca));
    let server = Server::start_with(|config| config.issuers = trust).await;
    let token = key.sign(&issuer.claims("anna"));
    whoami(server.url(), &token).await.expect("a player");

    // This machine does not know the authority.
    let trust = settings(issuer.file(&["player"]));
    let (careful, asked) = (
        Server::start_with(|config| config.issuers = trust).await,
        issuer.asked(),
    );
    assert_eq!(reason_of(careful.url(), &token).await, UNAVAILABLE);
    assert_eq!(issuer.asked(), asked, "nothing was said to it");
}
