//! Input that no honest client sends: each gets its documented code and reason, and nothing panics.

use fives_client::v1::match_service_client::MatchServiceClient;
use fives_client::{Client, v1};
use prost::Message;
use tonic::transport::Channel;
use tonic::{Code, Request, Status};

use crate::harness::{Server, join, me, open, public_match, seat_all};
use crate::refusals::refused;

async fn channel(server: &Server) -> Channel {
    Channel::from_shared(server.url().to_owned())
        .expect("an address")
        .connect()
        .await
        .expect("the server listens")
}

fn assert_status(status: &Status, code: Code, reason: v1::ErrorReason) {
    assert_eq!(
        (status.code(), fives_wire::status::reason(status)),
        (code, Some(reason)),
        "{status:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn malformed_ids_and_missing_fields() {
    let server = Server::start().await;
    let [anna] = server.guests::<1>().await;
    let (code, reason) = (Code::InvalidArgument, v1::ErrorReason::InvalidField);
    let long = "m".repeat(10_000);
    for id in [
        "",
        "m-",
        "m-short",
        "p-aaaaaaaaaaaaaaaaaaaaaaaaaa",
        "m-AAAAAAAAAAAAAAAAAAAAAAAAAA",
        "m-\u{202e}",
        long.as_str(),
    ] {
        let request = v1::GetMatchRequest {
            match_id: id.to_owned(),
            ..Default::default()
        };
        refused(anna.get_match(request).await, code, reason);
        refused(anna.follow(id, None).next().await, code, reason);
        refused(anna.watch(id, "", None).next().await, code, reason);
    }
    for request_id in ["a b", "\u{e4}", &"x".repeat(65)] {
        let request = v1::CreateMatchRequest {
            request_id: request_id.into(),
            ..public_match(vec![me(), open()])
        };
        refused(anna.create_match(request).await, code, reason);
    }
    let match_id = seat_all(std::slice::from_ref(&anna), public_match(vec![me(), open()])).await;
    let whole = v1::PlayTileRequest {
        match_id: match_id.clone(),
        round: Some(0),
        play: Some(v1::Play {
            tile: Some(v1::Tile { high: 6, low: 6 }),
            end: 0,
        }),
        ..Default::default()
    };
    let without_tile = v1::Play { tile: None, end: 0 };
    let tile = |high, low| {
        Some(v1::Play {
            tile: Some(v1::Tile { high, low }),
            end: 0,
        })
    };
    for request in [
        v1::PlayTileRequest {
            round: None,
            ..whole.clone()
        },
        v1::PlayTileRequest {
            play: None,
            ..whole.clone()
        },
        v1::PlayTileRequest {
            play: Some(without_tile),
            ..whole.clone()
        },
        v1::PlayTileRequest {
            play: tile(7, 0),
            ..whole.clone()
        },
        v1::PlayTileRequest {
            play: tile(0, u32::MAX),
            ..whole.clone()
        },
        v1::PlayTileRequest {
            play: Some(v1::Play {
                end: 9,
                ..whole.play.unwrap()
            }),
            ..whole.clone()
        },
    ] {
        refused(anna.play_tile(request).await, code, reason);
    }
    refused(anna.join_match(join(&match_id, vec![0; 33])).await, code, reason);
    refused(anna.join_match(v1::JoinMatchRequest::default()).await, code, reason);
    let unlisted = v1::CreateMatchRequest {
        visibility: 0,
        ..public_match(vec![me(), open()])
    };
    refused(anna.create_match(unlisted).await, code, reason);
    let far = v1::CreateMatchRequest {
        spectator_delay_revisions: 1001,
        ..public_match(vec![me(), open()])
    };
    refused(anna.create_match(far).await, code, reason);
    refused(anna.list_matches(v1::ListMatchesRequest::default()).await, code, reason);
    for page_token in ["x", "AAAAAAAAAAAAAAAA", &"A".repeat(5000)] {
        let scope = v1::MatchScope::Open.into();
        let request = v1::ListMatchesRequest {
            scope,
            page_token: page_token.into(),
            ..Default::default()
        };
        refused(anna.list_matches(request).await, code, reason);
    }
    let unnamed = server.stranger();
    for name in ["", " anna", "an\u{202e}na", "an\u{0}na", &"x".repeat(33)] {
        refused(unnamed.sign_in(name, None).await, code, reason);
        let request = v1::UpdatePlayerRequest {
            display_name: Some(name.to_owned()),
        };
        refused(anna.update_player(request).await, code, reason);
    }
    refused(unnamed.sign_in("anna", Some("short")).await, code, reason);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_token_belongs_to_its_list() {
    let server = Server::start().await;
    let [anna] = server.guests::<1>().await;
    for _ in 0..5 {
        seat_all(std::slice::from_ref(&anna), public_match(vec![me(), open()])).await;
    }
    let open_list = v1::ListMatchesRequest {
        scope: v1::MatchScope::Open.into(),
        page_size: 2,
        ..Default::default()
    };
    let mut seen = Vec::new();
    let mut request = open_list.clone();
    loop {
        let page = anna.list_matches(request.clone()).await.expect("a page");
        assert!(page.matches.len() <= 2);
        seen.extend(page.matches.into_iter().map(|listed| listed.match_id));
        if page.next_page_token.is_empty() {
            break;
        }
        let other = v1::ListMatchesRequest {
            scope: v1::MatchScope::Mine.into(),
            page_token: page.next_page_token.clone(),
            ..open_list.clone()
        };
        refused(
            anna.list_matches(other).await,
            Code::InvalidArgument,
            v1::ErrorReason::InvalidField,
        );
        request.page_token = page.next_page_token;
    }
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), 5, "every table once");
}

#[tokio::test(flavor = "multi_thread")]
async fn tokens_that_are_missing_forged_or_of_another_service() {
    let server = Server::start().await;
    let other_server = Server::start().await;
    let stranger = server.stranger();
    let request = || v1::GetPlayerRequest::default();
    refused(
        stranger.get_player(request()).await,
        Code::Unauthenticated,
        v1::ErrorReason::TokenMissing,
    );

    let elsewhere = other_server.stranger();
    let mut players = v1::player_service_client::PlayerServiceClient::new(channel(&other_server).await);
    let signed_in = players
        .sign_in_guest(v1::SignInGuestRequest {
            display_name: "mallory".into(),
            ..Default::default()
        })
        .await
        .expect("signed in")
        .into_inner();
    elsewhere.set_token(&signed_in.access_token).expect("a token");
    elsewhere
        .get_player(request())
        .await
        .expect("it is good where it was made");

    let mut tampered = signed_in.access_token.clone();
    let last = tampered.pop().expect("a token is long");
    tampered.push(if last == 'A' { 'B' } else { 'A' });
    for token in [signed_in.access_token.as_str(), tampered.as_str(), "x", "a.b.c", ""] {
        stranger.set_token(token).expect("printable");
        refused(
            stranger.get_player(request()).await,
            Code::Unauthenticated,
            v1::ErrorReason::TokenInvalid,
        );
        // A token that is sent is checked, even where none is needed.
        let info = stranger.get_match(v1::GetMatchRequest {
            match_id: format!("m-{}", "a".repeat(26)),
            ..Default::default()
        });
        refused(info.await, Code::Unauthenticated, v1::ErrorReason::TokenInvalid);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_ends() {
    let server = Server::start_with(|config| config.token_lifetime_s = 0).await;
    let client: Client = server.guest("anna").await;
    refused(
        client.get_player(v1::GetPlayerRequest::default()).await,
        Code::Unauthenticated,
        v1::ErrorReason::TokenExpired,
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn messages_too_large_or_no_messages_at_all() {
    let server = Server::start().await;
    let mut matches = MatchServiceClient::new(channel(&server).await);
    let huge = v1::GetMatchRequest {
        match_id: "m".repeat(4 << 20),
        ..Default::default()
    };
    let status = matches.get_match(huge).await.expect_err("too large");
    assert_status(&status, Code::ResourceExhausted, v1::ErrorReason::MessageTooLarge);

    let mut raw = tonic::client::Grpc::new(channel(&server).await);
    raw.ready().await.expect("connected");
    let path = "/fives.v1.MatchService/GetMatch".parse().expect("a path");
    let status = raw
        .unary(Request::new(Garbage), path, tonic_codec())
        .await
        .map(|answer| answer.into_inner())
        .expect_err("no protobuf");
    assert_status(&status, Code::InvalidArgument, v1::ErrorReason::InvalidField);
    let path = "/fives.v1.MatchService/NoSuchCall".parse().expect("a path");
    raw.ready().await.expect("connected");
    let status = raw
        .unary(Request::new(Garbage), path, tonic_codec())
        .await
        .expect_err("no such call");
    assert_eq!(status.code(), Code::Unimplemented);
}

/// A message that encodes to bytes which are no protobuf: a field that ends before its length.
#[derive(Clone, PartialEq, Default, Debug)]
struct Garbage;

impl Message for Garbage {
    fn encode_raw(&self, buf: &mut impl prost::bytes::BufMut) {
        buf.put_slice(&[0x0a, 0xff, 0x7f, 0x01]);
    }

    fn merge_field(
        &mut self,
        _: u32,
        _: prost::encoding::WireType,
        _: &mut impl prost::bytes::Buf,
        _: prost::encoding::DecodeContext,
    ) -> Result<(), prost::DecodeError> {
        Ok(())
    }

    fn encoded_len(&self) -> usize {
        4
    }

    fn clear(&mut self) {}
}

fn tonic_codec() -> tonic_prost::ProstCodec<Garbage, v1::GetMatchResponse> {
    tonic_prost::ProstCodec::default()
}
