//! Streams of Fives and of the bare services, opened alike and never decoded: both cost this process the same.

use fives_client::v1;
use futures::future::join_all;
use prost::Message;
use prost::bytes::Bytes;
use tonic::client::Grpc;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::transport::Channel;
use tonic::{Request, Streaming};

use crate::players::Person;
use crate::raw::Raw;

/// A stream whose first message has come.
pub(crate) type Updates = Streaming<Bytes>;

/// Follows a match of Fives from the seat.
pub(crate) async fn follow(person: &Person, match_id: &str) -> Updates {
    let request = v1::FollowMatchRequest {
        match_id: match_id.to_owned(),
        after: None,
        no_emotes: false,
    };
    let path = "/fives.v1.MatchService/FollowMatch";
    open(person.channel.clone(), path, &request, Some(&person.token)).await
}

/// Watches a match of Fives without a seat.
pub(crate) async fn watch(channel: Channel, match_id: &str) -> Updates {
    let request = v1::WatchMatchRequest {
        match_id: match_id.to_owned(),
        ..Default::default()
    };
    open(channel, "/fives.v1.SpectateService/WatchMatch", &request, None).await
}

/// Watches a match of the bare room, which sends updates of this size.
pub(crate) async fn watch_bare(channel: Channel, match_id: &str, bytes: usize) -> Updates {
    let request = v1::WatchMatchRequest {
        match_id: match_id.to_owned(),
        after: Some(v1::Cursor {
            revision: bytes as u64,
            stamp: 0,
        }),
        ..Default::default()
    };
    open(channel, "/fives.v1.Watch/Watch", &request, None).await
}

async fn open(
    channel: Channel,
    path: &'static str,
    request: &impl Message,
    token: Option<&MetadataValue<Ascii>>,
) -> Updates {
    let mut grpc = Grpc::new(channel);
    grpc.ready().await.unwrap();
    let mut request = Request::new(Bytes::from(request.encode_to_vec()));
    if let Some(token) = token {
        request.metadata_mut().insert("authorization", token.clone());
    }
    let path = http_path(path);
    let mut updates = grpc.server_streaming(request, path, Raw).await.unwrap().into_inner();
    next(&mut updates).await;
    updates
}

fn http_path(path: &'static str) -> tonic::codegen::http::uri::PathAndQuery {
    tonic::codegen::http::uri::PathAndQuery::from_static(path)
}

/// The size of the next update; all that is wanted of it is that it comes.
pub(crate) async fn next(updates: &mut Updates) -> usize {
    updates.message().await.unwrap().expect("the match goes on").len()
}

/// Opens many streams, `at_once` at the same time.
pub(crate) async fn open_all<F: Future<Output = Updates>>(
    opening: impl Iterator<Item = F>,
    at_once: usize,
) -> Vec<Updates> {
    let mut opening = opening.peekable();
    let mut opened = Vec::new();
    while opening.peek().is_some() {
        opened.extend(join_all(opening.by_ref().take(at_once)).await);
    }
    opened
}
