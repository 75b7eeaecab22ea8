//! `fives.v1.CastService`.

use fives_lobby::cast::Caster;
use fives_wire::status::{Denial, denied};
use fives_wire::v1::cast_service_server::CastService;
use fives_wire::{decode, v1};
use tonic::{Request, Response, Status};

use super::stream::casts::{self, Casts};
use super::{Parts, invalid, principal};
use crate::config::Scope;
use crate::failure::lobby_failed;

pub(crate) struct Casters(pub(crate) Parts);

#[tonic::async_trait]
impl CastService for Casters {
    type CastMatchStream = Casts;

    async fn cast_match(
        &self,
        request: Request<v1::CastMatchRequest>,
    ) -> Result<Response<Self::CastMatchStream>, Status> {
        let principal = principal(&request)?;
        let (id, after) = decode::cast_match(request.get_ref()).map_err(invalid)?;
        if principal.cast != Some(id) {
            let scope = Scope::Caster.claim();
            return Err(denied(Denial::ScopeMissing { scope }));
        }
        let slot = self.0.slot(&request)?;
        let caster = Caster::open(&self.0.referee, &self.0.feed, id, after).await;
        Ok(Response::new(casts::casts(caster.map_err(lobby_failed)?, slot)))
    }
}
