//! `fives.v1.QueueService`.

use fives_wire::v1::queue_service_server::QueueService;
use fives_wire::{decode, encode, v1};
use tonic::{Request, Response, Status};

use super::stream::{self, QueueUpdates};
use super::{Parts, invalid, signed_in};
use crate::failure::lobby_failed;

pub(crate) struct Queues(pub(crate) Parts);

#[tonic::async_trait]
impl QueueService for Queues {
    type JoinQueueStream = QueueUpdates;

    async fn list_queues(&self, _: Request<v1::ListQueuesRequest>) -> Result<Response<v1::ListQueuesResponse>, Status> {
        let overviews = self.0.matchmaker.overview().await.map_err(lobby_failed)?;
        Ok(Response::new(encode::list_queues(&overviews)))
    }

    async fn join_queue(
        &self,
        request: Request<v1::JoinQueueRequest>,
    ) -> Result<Response<Self::JoinQueueStream>, Status> {
        let caller = signed_in(&request)?;
        let wish = decode::join_queue(request.get_ref()).map_err(invalid)?;
        let slot = self.0.slot(&request)?;
        let player = self.0.player(&caller).await?;
        let waiter = self.0.matchmaker.join(&player, &wish.queue, wish.partner).await;
        Ok(Response::new(stream::progress(waiter.map_err(lobby_failed)?, slot)))
    }

    async fn leave_queue(
        &self,
        request: Request<v1::LeaveQueueRequest>,
    ) -> Result<Response<v1::LeaveQueueResponse>, Status> {
        let caller = signed_in(&request)?;
        let queue = decode::leave_queue(request.get_ref()).map_err(invalid)?;
        let matched = self.0.matchmaker.leave(&caller, &queue).await.map_err(lobby_failed)?;
        Ok(self.0.kept(encode::leave_queue(matched)))
    }
}
