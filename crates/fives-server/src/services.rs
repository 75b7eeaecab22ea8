//! The services of the API: each call decodes, asks the referee, and encodes. Nothing else.

pub(crate) mod match_service;
pub(crate) mod player_service;
pub(crate) mod spectate_service;
mod stream;

use std::error::Error as StdError;
use std::sync::Arc;

use fives_referee::error::Error;
use fives_referee::feed::Feed;
use fives_referee::id::PlayerId;
use fives_referee::referee::Referee;
use fives_referee::roster::Roster;
use fives_wire::decode::Invalid;
use fives_wire::status::{self, Denial, Fault};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tonic::{Request, Response, Status};
use tracing::{debug, error, warn};

use crate::config::Config;
use crate::token::Tokens;

/// What all services share.
#[derive(Clone)]
pub(crate) struct Parts {
    pub(crate) config: Arc<Config>,
    pub(crate) referee: Referee,
    pub(crate) feed: Feed,
    pub(crate) roster: Roster,
    pub(crate) tokens: Arc<Tokens>,
    /// Room for streams.
    pub(crate) streams: Arc<Semaphore>,
    pub(crate) draining: CancellationToken,
}

/// Who calls, where a token said so.
fn caller<T>(request: &Request<T>) -> Option<PlayerId> {
    request.extensions().get().copied()
}

/// Who calls, for calls that need somebody.
fn signed_in<T>(request: &Request<T>) -> Result<PlayerId, Status> {
    caller(request).ok_or_else(|| status::denied(Denial::TokenMissing))
}

/// What a write is answered with, and in which sense it is kept.
fn kept<T>(answer: T) -> Response<T> {
    let mut response = Response::new(answer);
    response.metadata_mut().insert(
        "fives-durability",
        tonic::metadata::MetadataValue::from_static("embedded"),
    );
    response
}

fn invalid(invalid: Invalid) -> Status {
    status::invalid(&invalid)
}

/// The status of what went wrong. Logged here and nowhere else, at a level that says whose fault it is.
fn failed(failure: Error) -> Status {
    let cause = failure.source().map(tracing::field::display);
    match status::fault(&failure) {
        Fault::Caller => debug!(reason = %failure, "a call was refused"),
        Fault::Passing => warn!(reason = %failure, cause, "a call failed"),
        Fault::Service => error!(reason = %failure, cause, "a call failed"),
    }
    status::status(&failure)
}
