//! `fives.v1.PlatformService`.

use fives_lobby::identity::Identity;
use fives_lobby::platform::{Platform, Seated};
use fives_referee::audit::Why;
use fives_referee::command::Intervention;
use fives_referee::id::MatchId;
use fives_referee::referee::Caller;
use fives_referee::table::Occupant;
use fives_wire::decode::platform::{self as decode, Seat};
use fives_wire::status::{Denial, denied};
use fives_wire::v1::platform_service_server::PlatformService;
use fives_wire::{encode, v1};
use tonic::{Request, Response, Status};
use tracing::info;

use super::{Parts, invalid, principal};
use crate::failure::lobby_failed;
use crate::token::Principal;

pub(crate) struct Platforms {
    parts: Parts,
    platform: Platform,
}

impl Platforms {
    pub(crate) fn new(parts: Parts) -> Self {
        let platform = Platform::new(parts.referee.clone(), parts.identities.clone());
        Self { parts, platform }
    }

    /// Who shall have a seat, as the lobby knows people.
    fn seated(&self, principal: &Principal, index: usize, seat: Seat) -> Result<Seated, Status> {
        let (subject, issuer, name) = match seat {
            Seat::Player(id) => return Ok(Seated::Player(id)),
            Seat::Bot(kind) => return Ok(Seated::Other(Occupant::Bot(kind))),
            Seat::Identity { subject, issuer, name } => (subject, issuer, name),
        };
        let issuer = issuer.as_deref().unwrap_or_else(|| own_issuer(principal));
        let identity = self.parts.bearers.issuers().identity(issuer, &subject);
        let identity =
            identity.ok_or_else(|| decode::no_identity(index, "issuer", "no tokens of it are accepted here"));
        let identity = identity.and_then(|identity| {
            identity.map_err(|error| decode::no_identity(index, "subject", &format!("it has {error}")))
        });
        Ok(Seated::Identity(identity.map_err(invalid)?, name))
    }

    async fn intervene(
        &self,
        principal: &Principal,
        (id, intervention, why): (MatchId, Intervention, Why),
    ) -> Result<v1::Cursor, Status> {
        self.parts.may_write(&id)?;
        let operator = principal
            .identity
            .as_ref()
            .and_then(|identity| identity.operator().ok());
        let operator = operator.ok_or_else(|| denied(Denial::Internal))?;
        let done = self.platform.intervene(id, operator, why, intervention).await;
        let cursor = done.map_err(lobby_failed)?;
        info!(match_id = %id, issuer = own_issuer(principal), ?intervention, "a platform acted");
        Ok(encode::cursor(cursor))
    }
}

/// Scopes other than a player's are only ever granted by an issuer.
fn own_issuer(principal: &Principal) -> &str {
    principal.identity.as_ref().map_or("", Identity::issuer_name)
}

#[tonic::async_trait]
impl PlatformService for Platforms {
    async fn create_match(
        &self,
        request: Request<v1::PlatformServiceCreateMatchRequest>,
    ) -> Result<Response<v1::PlatformServiceCreateMatchResponse>, Status> {
        let principal = principal(&request)?;
        let (request, seats, terms) = decode::create_match(request.get_ref()).map_err(invalid)?;
        let seats = seats.into_iter().enumerate();
        let seats = seats.map(|(index, seat)| self.seated(&principal, index, seat));
        let seats = seats.collect::<Result<Vec<_>, _>>()?;
        let caller = Caller {
            player: principal.id,
            request,
        };
        let created = self.platform.create(&caller, &seats, &terms).await;
        let (cursor, view) = created.map_err(lobby_failed)?;
        Ok(self.parts.kept(v1::PlatformServiceCreateMatchResponse {
            cursor: Some(encode::cursor(cursor)),
            view: Some(encode::match_view(&view)),
        }))
    }

    async fn get_match(
        &self,
        request: Request<v1::PlatformServiceGetMatchRequest>,
    ) -> Result<Response<v1::PlatformServiceGetMatchResponse>, Status> {
        let id = decode::get_match(request.get_ref()).map_err(invalid)?;
        let view = self.platform.look(&id).await.map_err(lobby_failed)?;
        Ok(Response::new(v1::PlatformServiceGetMatchResponse {
            view: Some(encode::match_view(&view)),
        }))
    }

    async fn void_match(
        &self,
        request: Request<v1::PlatformServiceVoidMatchRequest>,
    ) -> Result<Response<v1::PlatformServiceVoidMatchResponse>, Status> {
        let order = decode::void_match(request.get_ref()).map_err(invalid)?;
        let principal = principal(&request)?;
        let cursor = Some(self.intervene(&principal, order).await?);
        Ok(self.parts.kept(v1::PlatformServiceVoidMatchResponse { cursor }))
    }

    async fn forfeit_seat(
        &self,
        request: Request<v1::PlatformServiceForfeitSeatRequest>,
    ) -> Result<Response<v1::PlatformServiceForfeitSeatResponse>, Status> {
        let order = decode::forfeit_seat(request.get_ref()).map_err(invalid)?;
        let principal = principal(&request)?;
        let cursor = Some(self.intervene(&principal, order).await?);
        Ok(self.parts.kept(v1::PlatformServiceForfeitSeatResponse { cursor }))
    }
}
