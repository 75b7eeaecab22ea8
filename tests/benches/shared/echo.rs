//! Bare tonic: receives what PlayTile receives and answers with as many bytes. Between the two is nothing, or as little as can
//! be.

use std::convert::Infallible;
use std::sync::atomic::{AtomicU64, Ordering};
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
use tonic::transport::Channel;
use tonic::transport::server::Router;
use tonic::{Request, Response, Status};
use tonic_prost::ProstCodec;

use crate::measuring::Calling;

/// What a bare service does between a request and its answer.
pub(crate) trait Behind: Clone + Send + Sync + 'static {
    /// The name of the service.
    const NAME: &'static str;

    /// How many turns a match has here; then its caller goes on with another one.
    const TURNS: u32;

    fn keep(&self, request: &v1::PlayTileRequest) -> impl Future<Output = Result<(), Status>> + Send;
}

/// The echo.
#[derive(Clone)]
pub(crate) struct Nothing;

impl Behind for Nothing {
    const NAME: &'static str = "fives.v1.Echo";
    const TURNS: u32 = 64;

    async fn keep(&self, _: &v1::PlayTileRequest) -> Result<(), Status> {
        Ok(())
    }
}

/// Serves without a limit or a layer.
pub(crate) async fn serve(listener: TcpListener, services: Router) {
    let incoming = tonic::transport::server::TcpIncoming::from(listener).with_nodelay(Some(true));
    services.serve_with_incoming(incoming).await.unwrap();
}

/// A service with one call.
#[derive(Clone)]
pub(crate) struct Bare<B>(pub(crate) B);

impl<B: Behind> NamedService for Bare<B> {
    const NAME: &'static str = B::NAME;
}

impl<B: Behind> Service<http::Request<Body>> for Bare<B> {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let call = Answer(self.0.clone());
        Box::pin(async move { Ok(Grpc::new(ProstCodec::default()).unary(call, request).await) })
    }
}

struct Answer<B>(B);

impl<B: Behind> UnaryService<v1::PlayTileRequest> for Answer<B> {
    type Response = v1::PlayTileResponse;
    type Future = BoxFuture<'static, Result<Response<v1::PlayTileResponse>, Status>>;

    fn call(&mut self, request: Request<v1::PlayTileRequest>) -> Self::Future {
        let behind = self.0.clone();
        Box::pin(async move {
            behind.keep(request.get_ref()).await?;
            Ok(Response::new(answer()))
        })
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

/// Calls a bare service, for two people in turn: tokens that differ do not fit into the compression of headers, and cost both
/// ends.
pub(crate) struct Caller {
    grpc: tonic::client::Grpc<Channel>,
    path: http::uri::PathAndQuery,
    turns: u32,
    /// The match, and in the place of the round how many turns it has had: what is behind may need to know.
    pub(crate) request: v1::PlayTileRequest,
    tokens: [MetadataValue<Ascii>; 2],
}

impl Caller {
    pub(crate) fn new<B: Behind>(channel: Channel, number: usize) -> Self {
        let request = v1::PlayTileRequest {
            request_id: "0123456789abcdef0123456789abcdef".into(),
            match_id: another_match(),
            round: Some(0),
            play: Some(v1::Play {
                tile: Some(v1::Tile { high: 6, low: 4 }),
                end: v1::End::Left.into(),
            }),
            ..Default::default()
        };
        Self {
            grpc: tonic::client::Grpc::new(channel),
            path: format!("/{}/PlayTile", B::NAME).parse().unwrap(),
            turns: B::TURNS,
            request,
            tokens: [2 * number, 2 * number + 1].map(token),
        }
    }
}

/// The id of a match that nobody else has.
fn another_match() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    format!("m-{:026}", NEXT.fetch_add(1, Ordering::Relaxed))
}

impl Calling for Caller {
    async fn call(&mut self) -> Duration {
        let codec: ProstCodec<v1::PlayTileRequest, v1::PlayTileResponse> = ProstCodec::default();
        if self.request.round() == self.turns {
            self.request.match_id = another_match();
            self.request.round = Some(0);
        }
        let sent = Instant::now();
        self.grpc.ready().await.unwrap();
        let mut request = Request::new(self.request.clone());
        self.tokens.swap(0, 1);
        request.metadata_mut().insert("authorization", self.tokens[0].clone());
        self.grpc.unary(request, self.path.clone(), codec).await.unwrap();
        let latency = sent.elapsed();
        self.request.round = Some(self.request.round() + 1);
        latency
    }
}
