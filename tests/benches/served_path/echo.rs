//! The bare echo: tonic with nothing behind it. Receives what PlayTile receives and answers with as many bytes.

use std::convert::Infallible;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use data_encoding::BASE64URL_NOPAD;
use fives_client::v1;
use futures::future::BoxFuture;
use sha2::{Digest, Sha256};
use tokio::net::TcpListener;
use tonic::body::Body;
use tonic::codegen::{Service, http};
use tonic::metadata::{Ascii, MetadataValue};
use tonic::server::{Grpc, NamedService, UnaryService};
use tonic::transport::{Channel, Server};
use tonic::{Request, Response, Status};
use tonic_prost::ProstCodec;

use crate::Calling;

const PATH: &str = "/fives.v1.Echo/PlayTile";

/// Starts the echo; gives its port.
pub(crate) async fn start() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let incoming = tonic::transport::server::TcpIncoming::from(listener).with_nodelay(Some(true));
    tokio::spawn(Server::builder().add_service(Echo).serve_with_incoming(incoming));
    port
}

#[derive(Clone)]
struct Echo;

impl NamedService for Echo {
    const NAME: &'static str = "fives.v1.Echo";
}

impl Service<http::Request<Body>> for Echo {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        Box::pin(async move { Ok(Grpc::new(ProstCodec::default()).unary(Answer, request).await) })
    }
}

struct Answer;

impl UnaryService<v1::PlayTileRequest> for Answer {
    type Response = v1::PlayTileResponse;
    type Future = std::future::Ready<Result<Response<v1::PlayTileResponse>, Status>>;

    fn call(&mut self, _: Request<v1::PlayTileRequest>) -> Self::Future {
        std::future::ready(Ok(Response::new(answer())))
    }
}

/// An answer as a play in the middle of a round gets it.
fn answer() -> v1::PlayTileResponse {
    let cursor = Some(v1::Cursor {
        revision: 20,
        stamp: u64::MAX,
    });
    let play = Some(v1::Play {
        tile: Some(v1::Tile { high: 6, low: 4 }),
        end: v1::End::Left.into(),
    });
    let counted = |end: v1::End, counted| v1::CountedEnd {
        end: end.into(),
        counted,
    };
    let played = v1::TilePlayed {
        seat: 1,
        play,
        counted_ends: vec![
            counted(v1::End::Left, 6),
            counted(v1::End::Right, 4),
            counted(v1::End::North, 5),
        ],
        total: 15,
        points: 15,
        scores: vec![120, 95],
    };
    let batch = v1::Batch {
        cursor,
        request_id: "0123456789abcdef0123456789abcdef".into(),
        events: vec![v1::Event {
            kind: Some(v1::event::Kind::TilePlayed(played)),
        }],
        seat: Some(1),
        ..Default::default()
    };
    v1::PlayTileResponse {
        cursor,
        batch: Some(batch),
    }
}

/// As long as a token of a player, and as mixed.
fn token(player: usize) -> MetadataValue<Ascii> {
    let signed = Sha256::digest(player.to_be_bytes());
    format!("Bearer {}", BASE64URL_NOPAD.encode(&signed.repeat(7)))
        .parse()
        .unwrap()
}

/// Calls the echo, for two people in turn: tokens that differ do not fit into the compression of headers, and cost both ends.
pub(crate) struct Caller {
    grpc: tonic::client::Grpc<Channel>,
    request: v1::PlayTileRequest,
    tokens: [MetadataValue<Ascii>; 2],
}

impl Caller {
    pub(crate) fn new(channel: Channel, number: usize) -> Self {
        let request = v1::PlayTileRequest {
            request_id: "0123456789abcdef0123456789abcdef".into(),
            match_id: format!("m-{}", "a".repeat(26)),
            round: Some(0),
            play: Some(v1::Play {
                tile: Some(v1::Tile { high: 6, low: 4 }),
                end: v1::End::Left.into(),
            }),
            ..Default::default()
        };
        Self {
            grpc: tonic::client::Grpc::new(channel),
            request,
            tokens: [2 * number, 2 * number + 1].map(token),
        }
    }
}

impl Calling for Caller {
    async fn call(&mut self) -> Duration {
        let codec: ProstCodec<v1::PlayTileRequest, v1::PlayTileResponse> = ProstCodec::default();
        let sent = Instant::now();
        self.grpc.ready().await.unwrap();
        let mut request = Request::new(self.request.clone());
        self.tokens.swap(0, 1);
        request.metadata_mut().insert("authorization", self.tokens[0].clone());
        self.grpc.unary(request, PATH.parse().unwrap(), codec).await.unwrap();
        sent.elapsed()
    }
}
