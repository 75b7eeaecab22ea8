//! `fives.admin.v1.AdminService`.

use fives_wire::admin::v1;
use fives_wire::admin::v1::admin_service_server::AdminService;
use fives_wire::decode::admin as decode;
use fives_wire::encode::{self, admin as answer};
use tonic::{Request, Response, Status};
use tracing::info;

use super::Parts;
use super::door::Administrator;
use crate::failure::failed;
use crate::services::invalid;

pub(super) struct Administrators(pub(super) Parts);

/// A request that says who asks.
trait Order {
    fn operator_mut(&mut self) -> &mut String;
}

macro_rules! orders {
    ($($request:ident),+) => {
        $(
            impl Order for v1::$request {
                fn operator_mut(&mut self) -> &mut String {
                    &mut self.operator
                }
            }
        )+
    };
}

orders!(
    InspectMatchRequest,
    VoidMatchRequest,
    ForfeitSeatRequest,
    RepairIndexesRequest,
    SetLogFilterRequest,
    DrainRequest
);

/// The request, with the name that the token proves.
fn signed<T: Order>(request: Request<T>) -> T {
    let (_, extensions, mut message) = request.into_parts();
    if let Some(administrator) = extensions.get::<Administrator>() {
        administrator.sign(message.operator_mut());
    }
    message
}

impl Administrators {
    async fn intervene(&self, order: decode::MatchOrder) -> Result<fives_wire::v1::Cursor, Status> {
        let (id, operator) = (order.id, order.operator.clone());
        let done = self
            .0
            .referee
            .intervene(id, order.operator, order.why, order.intervention);
        let cursor = done.await.map_err(failed)?;
        info!(match_id = %id, %operator, intervention = ?order.intervention, "an administrator acted");
        Ok(encode::cursor(cursor))
    }
}

#[tonic::async_trait]
impl AdminService for Administrators {
    async fn inspect_match(
        &self,
        request: Request<v1::InspectMatchRequest>,
    ) -> Result<Response<v1::InspectMatchResponse>, Status> {
        let (id, reveal) = decode::inspect_match(&signed(request)).map_err(invalid)?;
        let inspected = self.0.referee.inspect(&id, reveal).await.map_err(failed)?;
        Ok(Response::new(answer::inspect_match(&inspected)))
    }

    async fn void_match(
        &self,
        request: Request<v1::VoidMatchRequest>,
    ) -> Result<Response<v1::VoidMatchResponse>, Status> {
        let order = decode::void_match(&signed(request)).map_err(invalid)?;
        let cursor = Some(self.intervene(order).await?);
        Ok(Response::new(v1::VoidMatchResponse { cursor }))
    }

    async fn forfeit_seat(
        &self,
        request: Request<v1::ForfeitSeatRequest>,
    ) -> Result<Response<v1::ForfeitSeatResponse>, Status> {
        let order = decode::forfeit_seat(&signed(request)).map_err(invalid)?;
        let cursor = Some(self.intervene(order).await?);
        Ok(Response::new(v1::ForfeitSeatResponse { cursor }))
    }

    async fn list_stuck_matches(
        &self,
        request: Request<v1::ListStuckMatchesRequest>,
    ) -> Result<Response<v1::ListStuckMatchesResponse>, Status> {
        let (stuckness, page) = decode::list_stuck_matches(request.get_ref()).map_err(invalid)?;
        let found = self.0.referee.stuck(stuckness, page.after, page.size).await;
        let found = found.map_err(|error| failed(error.into()))?;
        Ok(Response::new(answer::list_stuck_matches(&found)))
    }

    async fn repair_indexes(
        &self,
        request: Request<v1::RepairIndexesRequest>,
    ) -> Result<Response<v1::RepairIndexesResponse>, Status> {
        let (order, page) = decode::repair_indexes(&signed(request)).map_err(invalid)?;
        let referee = &self.0.referee;
        let repaired = referee
            .repair_indexes(order.operator, order.why, page.after, page.size)
            .await;
        let repaired = repaired.map_err(|error| failed(error.into()))?;
        Ok(Response::new(answer::repair_indexes(&repaired)))
    }

    async fn list_audit(
        &self,
        request: Request<v1::ListAuditRequest>,
    ) -> Result<Response<v1::ListAuditResponse>, Status> {
        let page = decode::list_audit(request.get_ref()).map_err(invalid)?;
        let rows = self.0.referee.store().audit(page.after, page.size).await;
        let rows = rows.map_err(|error| failed(error.into()))?;
        Ok(Response::new(answer::list_audit(&rows, page.size)))
    }

    async fn set_log_filter(
        &self,
        request: Request<v1::SetLogFilterRequest>,
    ) -> Result<Response<v1::SetLogFilterResponse>, Status> {
        let (order, text) = decode::set_log_filter(&signed(request)).map_err(invalid)?;
        let previous_filter = self.0.set_log_filter(order, text).await?;
        Ok(Response::new(v1::SetLogFilterResponse { previous_filter }))
    }

    async fn drain(&self, request: Request<v1::DrainRequest>) -> Result<Response<v1::DrainResponse>, Status> {
        let order = decode::drain(&signed(request)).map_err(invalid)?;
        self.0.drain(order).await?;
        Ok(Response::new(v1::DrainResponse {}))
    }

    async fn erase_player(
        &self,
        request: Request<v1::ErasePlayerRequest>,
    ) -> Result<Response<v1::ErasePlayerResponse>, Status> {
        let (player, operator, why) = decode::erase_player(request.get_ref()).map_err(invalid)?;
        let mark = self.0.erase(&player, operator, why).await?;
        let player_mark = mark.to_string();
        Ok(Response::new(v1::ErasePlayerResponse { player_mark }))
    }

    async fn get_build(&self, _: Request<v1::GetBuildRequest>) -> Result<Response<v1::GetBuildResponse>, Status> {
        Ok(Response::new(self.0.build.message()))
    }
    async fn list_dead_letters(
        &self,
        request: Request<v1::ListDeadLettersRequest>,
    ) -> Result<Response<v1::ListDeadLettersResponse>, Status> {
        self.0.list_dead_letters(request.get_ref()).await.map(Response::new)
    }

    async fn retry_dead_letter(
        &self,
        request: Request<v1::RetryDeadLetterRequest>,
    ) -> Result<Response<v1::RetryDeadLetterResponse>, Status> {
        self.0.retry_dead_letter(request.get_ref()).await.map(Response::new)
    }
}
