//! The services of the API: each call decodes, asks the referee, and encodes. Nothing else.

pub(crate) mod cast_service;
pub(crate) mod match_service;
pub(crate) mod platform_service;
pub(crate) mod player_service;
pub(crate) mod queue_service;
pub(crate) mod rating_service;
pub(crate) mod spectate_service;
pub(crate) mod stream;

use std::sync::Arc;

use fives_lobby::archive::Archive;
use fives_lobby::erasure::Eraser;
use fives_lobby::history::Histories;
use fives_lobby::identity::Identities;
use fives_lobby::queue::Matchmaker;
use fives_lobby::rating::RatingBook;
use fives_referee::error::{Error, Refusal};
use fives_referee::feed::Feed;
use fives_referee::id::{InviteCode, MatchId, PlayerId};
use fives_referee::player::Player;
use fives_referee::referee::Referee;
use fives_referee::roster::Roster;
use fives_wire::decode::Invalid;
use fives_wire::status::{self, Denial};
use tonic::metadata::MetadataValue;
use tonic::{Request, Response, Status};
use tracing::debug;

use crate::config::Config;
use crate::failure::{failed, lobby_failed};
use crate::layers::addresses::Origin;
use crate::layers::rates::Rates;
use crate::token::{Bearers, Principal, Tokens};
use stream::{Owner, Slot, Streams};

/// The metadata of a write's answer that says in which sense it is kept.
pub(crate) const DURABILITY: &str = "fives-durability";

/// What all services share.
#[derive(Clone)]
pub(crate) struct Parts {
    pub(crate) config: Arc<Config>,
    pub(crate) referee: Referee,
    pub(crate) feed: Feed,
    pub(crate) roster: Roster,
    pub(crate) tokens: Arc<Tokens>,
    pub(crate) streams: Streams,
    pub(crate) rates: Arc<Rates>,
    pub(crate) matchmaker: Matchmaker,
    pub(crate) ratings: RatingBook,
    pub(crate) bearers: Arc<Bearers>,
    pub(crate) identities: Identities,
    pub(crate) archive: Archive,
    pub(crate) histories: Histories,
    pub(crate) eraser: Eraser,
}

impl Parts {
    /// What a write is answered with.
    fn kept<T>(&self, answer: T) -> Response<T> {
        let mut response = Response::new(answer);
        let durability = MetadataValue::from_static(self.referee.store().durability());
        response.metadata_mut().insert(DURABILITY, durability);
        response
    }

    /// Refuses to change a match that has been changed too often just now.
    fn may_write(&self, id: &MatchId) -> Result<(), Status> {
        self.rates.write(id).map_err(status::denied)
    }

    /// What is answered for a match that cannot be shown: one that has no table any more may be in the archive.
    async fn without_table(
        &self,
        failure: Error,
        id: &MatchId,
        player: Option<&PlayerId>,
        code: Option<&InviteCode>,
    ) -> Status {
        lobby_failed(self.archive.instead(failure, id, player, code).await)
    }

    /// Room for a stream of who calls.
    fn slot<T>(&self, request: &Request<T>) -> Result<Slot, Status> {
        let origin = || request.extensions().get().copied().unwrap_or(Origin::from(None));
        let known: Option<&Arc<Principal>> = request.extensions().get();
        let owner = known.map_or_else(|| Owner::Stranger(origin()), |principal| Owner::Player(principal.id));
        self.streams.slot(owner)
    }

    /// The player who calls, as the store knows it. A token may outlive its player.
    async fn player(&self, id: &PlayerId) -> Result<Player, Status> {
        self.roster.find(id).await.map_err(|error| match error {
            Error::Refused(Refusal::PlayerNotFound) => status::denied(Denial::TokenInvalid),
            error => failed(error),
        })
    }
}

/// Who calls, where a token said so.
fn caller<T>(request: &Request<T>) -> Option<PlayerId> {
    request.extensions().get().copied()
}

/// Who calls, for calls that need somebody.
fn signed_in<T>(request: &Request<T>) -> Result<PlayerId, Status> {
    caller(request).ok_or_else(|| status::denied(Denial::TokenMissing))
}

/// What the token of who calls is good for, for calls that need one.
fn principal<T>(request: &Request<T>) -> Result<Arc<Principal>, Status> {
    let found: Option<&Arc<Principal>> = request.extensions().get();
    found.cloned().ok_or_else(|| status::denied(Denial::TokenMissing))
}

pub(crate) fn invalid(invalid: Invalid) -> Status {
    debug!(%invalid, "a request says something impossible");
    status::invalid(&invalid)
}
