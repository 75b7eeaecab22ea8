//! `fives.v1.MatchService`.

use fives_referee::listing::Listing;
use fives_referee::referee::Caller;
use fives_referee::view::MatchView;
use fives_wire::decode::Scope;
use fives_wire::status::{Denial, denied};
use fives_wire::v1::match_service_server::MatchService;
use fives_wire::{decode, encode, v1};
use tonic::{Request, Response, Status};
use tracing::error;

use super::stream::{self, Updates};
use super::{Parts, caller, invalid, signed_in};
use crate::failure::{failed, lobby_failed};

pub(crate) struct Matches(pub(crate) Parts);

#[tonic::async_trait]
impl MatchService for Matches {
    type FollowMatchStream = Updates;

    async fn create_match(
        &self,
        request: Request<v1::CreateMatchRequest>,
    ) -> Result<Response<v1::CreateMatchResponse>, Status> {
        let player = signed_in(&request)?;
        let (request, wish) = decode::create_match(request.get_ref()).map_err(invalid)?;
        let name = self.0.player(&player).await?.name;
        let answer = self
            .0
            .referee
            .create(&Caller { player, request }, &name, &wish)
            .await
            .map_err(failed)?;
        Ok(self.0.kept(encode::create_match(&answer)))
    }

    async fn get_match(&self, request: Request<v1::GetMatchRequest>) -> Result<Response<v1::GetMatchResponse>, Status> {
        let player = caller(&request);
        let (id, code) = decode::get_match(request.get_ref()).map_err(invalid)?;
        let (player, code) = (player.as_ref(), code.as_ref());
        let look = self.0.referee.look(&id, player, code);
        let look = self.0.or_archived(look, &id, player, code);
        let view = self.0.by_code(&request, code, look).await?;
        Ok(Response::new(v1::GetMatchResponse {
            view: Some(encode::match_view(&view)),
        }))
    }

    async fn list_matches(
        &self,
        request: Request<v1::ListMatchesRequest>,
    ) -> Result<Response<v1::ListMatchesResponse>, Status> {
        let player = caller(&request);
        let list = decode::list_matches(request.get_ref()).map_err(invalid)?;
        let listing = match (list.scope, player) {
            (Scope::Open, _) => Listing::Open,
            (Scope::Mine, Some(player)) => Listing::Of(player),
            (Scope::Mine, None) => return Err(denied(Denial::TokenMissing)),
        };
        let wanted = |view: &MatchView| {
            list.state.is_none_or(|state| view.state == state)
                && list
                    .page
                    .players
                    .is_none_or(|players| view.options.players() == players)
        };
        let limit = list.page.size.min(self.0.config.page_size_max);
        let page = self
            .0
            .referee
            .list(listing, player.as_ref(), list.page.after, limit)
            .await
            .map_err(failed)?;
        Ok(Response::new(v1::ListMatchesResponse {
            matches: page
                .matches
                .iter()
                .filter(|view| wanted(view))
                .map(encode::match_summary)
                .collect(),
            next_page_token: page
                .next
                .map(|next| encode::page_token(&list.page.fingerprint, next))
                .unwrap_or_default(),
        }))
    }

    async fn join_match(
        &self,
        request: Request<v1::JoinMatchRequest>,
    ) -> Result<Response<v1::JoinMatchResponse>, Status> {
        let player = signed_in(&request)?;
        let join = decode::join_match(request.get_ref()).map_err(invalid)?;
        let code = join.code();
        let find = self.0.referee.find(&join.target);
        let id = self.0.by_code(&request, code.as_ref(), find).await?;
        self.0.may_write(&id)?;
        let name = self.0.player(&player).await?.name;
        let now = self.0.referee.store().now().await;
        let command = join.command(name, now.map_err(|error| failed(error.into()))?);
        let caller = Caller {
            player,
            request: join.request,
        };
        let seat = self.0.referee.carry_out_and_show(id, &caller, &command);
        let answer = self.0.by_code(&request, code.as_ref(), seat).await?;
        Ok(self.0.kept(encode::join_match(&answer)))
    }

    async fn leave_match(
        &self,
        request: Request<v1::LeaveMatchRequest>,
    ) -> Result<Response<v1::LeaveMatchResponse>, Status> {
        let player = signed_in(&request)?;
        let (request, id, command) = decode::leave_match(request.get_ref()).map_err(invalid)?;
        self.0.may_write(&id)?;
        let answer = self
            .0
            .referee
            .carry_out(id, &Caller { player, request }, &command, None)
            .await
            .map_err(failed)?;
        Ok(self.0.kept(encode::leave_match(&answer)))
    }

    async fn play_tile(&self, request: Request<v1::PlayTileRequest>) -> Result<Response<v1::PlayTileResponse>, Status> {
        let player = signed_in(&request)?;
        let play = decode::play_tile(request.get_ref()).map_err(invalid)?;
        self.0.may_write(&play.id)?;
        let caller = Caller {
            player,
            request: play.request,
        };
        if play.validate_only {
            let checked = self
                .0
                .referee
                .check_play(play.id, &caller, &play.command, play.expected)
                .await;
            let cursor = Some(encode::cursor(checked.map_err(failed)?));
            return Ok(Response::new(v1::PlayTileResponse { cursor, batch: None }));
        }
        let answer = self
            .0
            .referee
            .carry_out(play.id, &caller, &play.command, play.expected)
            .await
            .map_err(failed)?;
        Ok(self.0.kept(encode::play_tile(&answer)))
    }

    async fn resign(&self, request: Request<v1::ResignRequest>) -> Result<Response<v1::ResignResponse>, Status> {
        let player = signed_in(&request)?;
        let (request, id, command) = decode::resign(request.get_ref()).map_err(invalid)?;
        self.0.may_write(&id)?;
        let answer = self
            .0
            .referee
            .carry_out(id, &Caller { player, request }, &command, None)
            .await
            .map_err(failed)?;
        Ok(self.0.kept(encode::resign(&answer)))
    }

    async fn reclaim_seat(
        &self,
        request: Request<v1::ReclaimSeatRequest>,
    ) -> Result<Response<v1::ReclaimSeatResponse>, Status> {
        let player = signed_in(&request)?;
        let (request, id, command) = decode::reclaim_seat(request.get_ref()).map_err(invalid)?;
        self.0.may_write(&id)?;
        let answer = self
            .0
            .referee
            .carry_out(id, &Caller { player, request }, &command, None)
            .await
            .map_err(failed)?;
        Ok(self.0.kept(encode::reclaim_seat(&answer)))
    }

    async fn follow_match(
        &self,
        request: Request<v1::FollowMatchRequest>,
    ) -> Result<Response<Self::FollowMatchStream>, Status> {
        let player = signed_in(&request)?;
        let wanted = decode::follow_match(request.get_ref()).map_err(invalid)?;
        let slot = self.0.slot(&request)?;
        let follow = self.0.feed.follow(wanted.id, player, wanted.after);
        let follower = self.0.or_archived(follow, &wanted.id, Some(&player), None).await;
        let follower = self.0.hearing(&wanted, follower.map_err(lobby_failed)?);
        Ok(Response::new(stream::updates(follower, slot)))
    }

    async fn get_replay(
        &self,
        request: Request<v1::GetReplayRequest>,
    ) -> Result<Response<v1::GetReplayResponse>, Status> {
        let player = caller(&request);
        let (id, code) = decode::get_replay(request.get_ref()).map_err(invalid)?;
        let replay = self.0.archive.replay(&id, player.as_ref(), code.as_ref());
        let record = self.0.by_code(&request, code.as_ref(), replay).await?;
        let replay = encode::replay(&record).map_err(|error| {
            error!(
                error = &error as &dyn std::error::Error,
                "a record could not be written"
            );
            denied(Denial::Internal)
        })?;
        Ok(Response::new(replay))
    }

    async fn create_invite(
        &self,
        request: Request<v1::CreateInviteRequest>,
    ) -> Result<Response<v1::CreateInviteResponse>, Status> {
        self.0.create_invite(request).await
    }

    async fn revoke_invite(
        &self,
        request: Request<v1::RevokeInviteRequest>,
    ) -> Result<Response<v1::RevokeInviteResponse>, Status> {
        self.0.revoke_invite(request).await
    }

    async fn list_invites(
        &self,
        request: Request<v1::ListInvitesRequest>,
    ) -> Result<Response<v1::ListInvitesResponse>, Status> {
        self.0.list_invites(request).await
    }

    async fn send_emote(
        &self,
        request: Request<v1::SendEmoteRequest>,
    ) -> Result<Response<v1::SendEmoteResponse>, Status> {
        self.0.send_emote(request).await
    }

    async fn answer_rematch(
        &self,
        request: Request<v1::AnswerRematchRequest>,
    ) -> Result<Response<v1::AnswerRematchResponse>, Status> {
        self.0.answer_rematch(request).await
    }

    async fn get_rematch(
        &self,
        request: Request<v1::GetRematchRequest>,
    ) -> Result<Response<v1::GetRematchResponse>, Status> {
        self.0.get_rematch(request).await
    }
}
