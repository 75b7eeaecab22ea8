//! As little as a service over Redis can be: one call with one script, and streams of bytes that are ready.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;

use fives_client::v1;
use futures::StreamExt;
use futures::future::BoxFuture;
use futures::stream::{self, BoxStream};
use prost::Message;
use prost::bytes::Bytes;
use redis::aio::MultiplexedConnection;
use redis::{AsyncConnectionConfig, Script};
use tokio::net::TcpListener;
use tokio::sync::broadcast;
use tonic::body::Body;
use tonic::codegen::{Service, http};
use tonic::server::{Grpc, NamedService, ServerStreamingService};
use tonic::transport::Server;
use tonic::{Request, Response, Status};

use crate::echo::{self, Bare, Behind, Nothing};
use crate::raw::Raw;

/// The script that Fives commits with.
const COMMIT: &str = include_str!("../../../crates/fives-store/src/redis/commit.lua");

/// As many shards, and as long a life, as matches of Fives have.
const SHARDS: u64 = 32;
const KEPT_FOR_MS: u64 = 7 * 24 * 3600 * 1000;

/// As many updates as a room of Fives keeps for those who lag.
const BACKLOG: usize = 32;

/// How large what Fives writes and sends is, on the average.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sizes {
    pub(crate) table: usize,
    pub(crate) batch: usize,
    /// An update, for a spectator.
    pub(crate) watched: usize,
    /// An update, for a seat.
    pub(crate) followed: usize,
}

/// Serves on a port until the process is killed. The arguments are those that `Process::bare` gives.
pub(crate) async fn serve(arguments: &[&str]) {
    let [port, redis_url, table, batch] = arguments else {
        panic!("the arguments are port, address of Redis, size of a table and of a batch");
    };
    let size = |text: &str| vec![b'x'; text.parse().unwrap()];
    let redis = redis::Client::open(*redis_url).unwrap();
    // As long as Fives waits.
    let patient = AsyncConnectionConfig::new().set_response_timeout(Some(Duration::from_secs(2)));
    let commit = Commit {
        redis: redis
            .get_multiplexed_async_connection_with_config(&patient)
            .await
            .unwrap(),
        script: Arc::new(Script::new(COMMIT)),
        table: size(table).into(),
        batch: size(batch).into(),
    };
    let room = Room {
        commit: commit.clone(),
        rooms: Rooms::default(),
    };
    let watch = Watch(Arc::clone(&room.rooms));
    let services = Server::builder()
        .add_service(Bare(Nothing))
        .add_service(Bare(commit))
        .add_service(Bare(room))
        .add_service(watch);
    let port: u16 = port.parse().unwrap();
    let listener = TcpListener::bind(("127.0.0.1", port)).await.unwrap();
    echo::serve(listener, services).await;
}

/// One script, as large as one of Fives.
#[derive(Clone)]
pub(crate) struct Commit {
    redis: MultiplexedConnection,
    script: Arc<Script>,
    table: Bytes,
    batch: Bytes,
}

impl Behind for Commit {
    const NAME: &'static str = "fives.v1.Commit";
    const TURNS: u32 = 64;

    async fn keep(&self, request: &v1::PlayTileRequest) -> Result<(), Status> {
        let (id, turn) = (&request.match_id, u64::from(request.round()));
        let number: u64 = id.trim_start_matches("m-").parse().map_err(|_| unknown())?;
        let shard = number % SHARDS;
        let cursor = |turn: u64| format!("{turn}:{:016x}", number ^ (turn << 32));
        let before = if turn == 0 { String::new() } else { cursor(turn) };
        let mut script = self.script.prepare_invoke();
        script
            .key(format!("f1:{{{shard}}}:m:{id}"))
            .key(format!("f1:{{{shard}}}:x:{id}"))
            .key(format!("f1:{{{shard}}}:due"))
            .key(format!("f1:{{{shard}}}:open"))
            .key(format!("f1:{{{shard}}}:live"))
            .arg(before)
            .arg(cursor(turn + 1))
            .arg(turn + 1)
            .arg(&self.table[..])
            .arg(&self.batch[..])
            .arg(KEPT_FOR_MS)
            .arg("")
            .arg("live")
            .arg(&id.as_bytes()[..16])
            .arg(&id.as_bytes()[4..])
            .arg(format!("f1:{id}"));
        let instead: Result<Option<String>, _> = script.invoke_async(&mut self.redis.clone()).await;
        match instead {
            Ok(None) => Ok(()),
            Ok(Some(other)) => Err(Status::aborted(other)),
            Err(error) => Err(Status::unavailable(error.to_string())),
        }
    }
}

fn unknown() -> Status {
    Status::invalid_argument("no match of a caller")
}

/// Who hears of the commits to a match.
type Rooms = Arc<Mutex<HashMap<String, broadcast::Sender<()>>>>;

/// A commit, and then a word to everybody who watches the match.
#[derive(Clone)]
pub(crate) struct Room {
    commit: Commit,
    rooms: Rooms,
}

impl Behind for Room {
    const NAME: &'static str = "fives.v1.Room";
    /// Nobody has to open their streams again.
    const TURNS: u32 = u32::MAX;

    async fn keep(&self, request: &v1::PlayTileRequest) -> Result<(), Status> {
        self.commit.keep(request).await?;
        if let Some(room) = self.rooms.lock().unwrap().get(&request.match_id) {
            // Whoever watched may have gone.
            let _ = room.send(());
        }
        Ok(())
    }
}

/// Streams of updates of a size that the watcher asks for, in the place of the revision.
#[derive(Clone)]
pub(crate) struct Watch(Rooms);

impl NamedService for Watch {
    const NAME: &'static str = "fives.v1.Watch";
}

impl Service<http::Request<Body>> for Watch {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let call = self.clone();
        Box::pin(async move { Ok(Grpc::new(Raw).server_streaming(call, request).await) })
    }
}

impl ServerStreamingService<Bytes> for Watch {
    type Response = Bytes;
    type ResponseStream = BoxStream<'static, Result<Bytes, Status>>;
    type Future = std::future::Ready<Result<Response<Self::ResponseStream>, Status>>;

    fn call(&mut self, request: Request<Bytes>) -> Self::Future {
        let watched = v1::WatchMatchRequest::decode(request.into_inner()).unwrap();
        let update = Bytes::from(vec![b'x'; watched.after.unwrap_or_default().revision as usize]);
        let heard = {
            let mut rooms = self.0.lock().unwrap();
            let room = rooms.entry(watched.match_id);
            room.or_insert_with(|| broadcast::channel(BACKLOG).0).subscribe()
        };
        // The first one tells that the stream is open.
        let first = stream::iter([Ok(update.clone())]);
        let updates = stream::unfold((heard, update), |(mut heard, update)| async {
            heard.recv().await.ok()?;
            Some((Ok(update.clone()), (heard, update)))
        });
        std::future::ready(Ok(Response::new(first.chain(updates).boxed())))
    }
}
