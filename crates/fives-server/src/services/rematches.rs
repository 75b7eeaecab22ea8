//! The calls of `fives.v1.MatchService` about rematches.

use fives_lobby::rematch::Rematch;
use fives_referee::referee::Caller;
use fives_wire::{decode, encode, v1};
use tonic::{Request, Response, Status};

use super::{Parts, invalid, signed_in};
use crate::failure::failed;

impl Parts {
    pub(super) async fn answer_rematch(
        &self,
        request: Request<v1::AnswerRematchRequest>,
    ) -> Result<Response<v1::AnswerRematchResponse>, Status> {
        let player = signed_in(&request)?;
        let (request, of, is_yes) = decode::answer_rematch(request.get_ref()).map_err(invalid)?;
        self.may_write(&of)?;
        let caller = Caller { player, request };
        let answered = self.rematches.answer(&of, &caller, is_yes).await.map_err(failed)?;
        let rematch = Some(self.shown(&answered).await?);
        Ok(self.kept(v1::AnswerRematchResponse { rematch }))
    }

    pub(super) async fn get_rematch(
        &self,
        request: Request<v1::GetRematchRequest>,
    ) -> Result<Response<v1::GetRematchResponse>, Status> {
        let player = signed_in(&request)?;
        let of = decode::get_rematch(request.get_ref()).map_err(invalid)?;
        let rematch = match self.rematches.look(&of, &player).await.map_err(failed)? {
            Some(found) => Some(self.shown(&found).await?),
            None => None,
        };
        Ok(Response::new(v1::GetRematchResponse { rematch }))
    }

    async fn shown(&self, rematch: &Rematch) -> Result<v1::Rematch, Status> {
        let now = self.referee.store().now().await;
        Ok(encode::rematch(rematch, now.map_err(|error| failed(error.into()))?))
    }
}
