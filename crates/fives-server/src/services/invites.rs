//! The calls of `fives.v1.MatchService` about invites and emotes.

use fives_referee::referee::Caller;
use fives_wire::{decode, encode, status, v1};
use tonic::{Request, Response, Status};

use super::{Parts, invalid, signed_in};
use crate::failure::failed;

impl Parts {
    pub(super) async fn create_invite(
        &self,
        request: Request<v1::CreateInviteRequest>,
    ) -> Result<Response<v1::CreateInviteResponse>, Status> {
        let player = signed_in(&request)?;
        let wanted = decode::create_invite(request.get_ref()).map_err(invalid)?;
        self.may_write(&wanted.id)?;
        let caller = Caller {
            player,
            request: wanted.request,
        };
        let invited = self.referee.invite(wanted.id, &caller, wanted.wish).await;
        let (batch, invite) = invited.map_err(failed)?;
        Ok(self.kept(encode::create_invite(&batch, &invite)))
    }

    pub(super) async fn revoke_invite(
        &self,
        request: Request<v1::RevokeInviteRequest>,
    ) -> Result<Response<v1::RevokeInviteResponse>, Status> {
        let player = signed_in(&request)?;
        let (request, id, command) = decode::revoke_invite(request.get_ref()).map_err(invalid)?;
        self.may_write(&id)?;
        let answer = self
            .referee
            .carry_out(id, &Caller { player, request }, &command, None)
            .await
            .map_err(failed)?;
        Ok(self.kept(encode::revoke_invite(&answer)))
    }

    pub(super) async fn list_invites(
        &self,
        request: Request<v1::ListInvitesRequest>,
    ) -> Result<Response<v1::ListInvitesResponse>, Status> {
        let player = signed_in(&request)?;
        let id = decode::list_invites(request.get_ref()).map_err(invalid)?;
        let invites = self.referee.invites(&id, &player).await.map_err(failed)?;
        Ok(Response::new(encode::list_invites(&invites)))
    }

    pub(super) async fn send_emote(
        &self,
        request: Request<v1::SendEmoteRequest>,
    ) -> Result<Response<v1::SendEmoteResponse>, Status> {
        let player = signed_in(&request)?;
        let (id, kind) = decode::send_emote(request.get_ref()).map_err(invalid)?;
        self.rates.emote(&player, &id).map_err(status::denied)?;
        self.emotes.send(&id, &player, kind).await.map_err(failed)?;
        Ok(Response::new(v1::SendEmoteResponse {}))
    }
}
