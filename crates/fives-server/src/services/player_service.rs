//! `fives.v1.PlayerService`.

use fives_referee::id::PlayerId;
use fives_wire::status::{Denial, denied};
use fives_wire::v1::player_service_server::PlayerService;
use fives_wire::{decode, encode, v1};
use tonic::{Request, Response, Status};
use tracing::error;

use super::stream::{self, AgendaUpdates};
use super::{Parts, invalid, signed_in};
use crate::failure::failed;
use crate::token::Issued;

pub(crate) struct Players(pub(crate) Parts);

impl Players {
    async fn issue(&self, player: &PlayerId) -> Result<Issued, Status> {
        let now = self
            .0
            .referee
            .store()
            .now()
            .await
            .map_err(|error| failed(error.into()))?;
        self.0.tokens.issue(player, now).map_err(|error| {
            error!(error = &error as &dyn std::error::Error, "a token could not be signed");
            denied(Denial::Internal)
        })
    }
}

#[tonic::async_trait]
impl PlayerService for Players {
    type FollowPlayerStream = AgendaUpdates;

    async fn sign_in_guest(
        &self,
        request: Request<v1::SignInGuestRequest>,
    ) -> Result<Response<v1::SignInGuestResponse>, Status> {
        let (name, device) = decode::sign_in_guest(request.get_ref()).map_err(invalid)?;
        let player = self.0.roster.sign_in(name, device).await.map_err(failed)?;
        let Issued {
            access_token,
            expires_at,
        } = self.issue(&player.id).await?;
        Ok(self.0.kept(v1::SignInGuestResponse {
            player: Some(encode::player(&player)),
            access_token,
            expire_time: Some(encode::timestamp(expires_at)),
        }))
    }

    async fn refresh_token(
        &self,
        request: Request<v1::RefreshTokenRequest>,
    ) -> Result<Response<v1::RefreshTokenResponse>, Status> {
        let Issued {
            access_token,
            expires_at,
        } = self.issue(&self.0.player(&signed_in(&request)?).await?.id).await?;
        let expire_time = Some(encode::timestamp(expires_at));
        Ok(Response::new(v1::RefreshTokenResponse {
            access_token,
            expire_time,
        }))
    }

    async fn get_player(
        &self,
        request: Request<v1::GetPlayerRequest>,
    ) -> Result<Response<v1::GetPlayerResponse>, Status> {
        let caller = signed_in(&request)?;
        let id = decode::get_player(request.get_ref())
            .map_err(invalid)?
            .unwrap_or(caller);
        let player = self.0.roster.find(&id).await.map_err(failed)?;
        Ok(Response::new(v1::GetPlayerResponse {
            player: Some(encode::player(&player)),
        }))
    }

    async fn update_player(
        &self,
        request: Request<v1::UpdatePlayerRequest>,
    ) -> Result<Response<v1::UpdatePlayerResponse>, Status> {
        let caller = signed_in(&request)?;
        let player = match decode::update_player(request.get_ref()).map_err(invalid)? {
            Some(name) => self.0.roster.rename(&caller, name).await,
            None => self.0.roster.find(&caller).await,
        };
        Ok(self.0.kept(v1::UpdatePlayerResponse {
            player: Some(encode::player(&player.map_err(failed)?)),
        }))
    }

    async fn get_service_info(
        &self,
        _: Request<v1::GetServiceInfoRequest>,
    ) -> Result<Response<v1::GetServiceInfoResponse>, Status> {
        let config = &self.0.config;
        let whole = |value: u64| u32::try_from(value).unwrap_or(u32::MAX);
        Ok(Response::new(v1::GetServiceInfoResponse {
            version: crate::build::VERSION.to_owned(),
            presets: encode::presets(),
            limits: Some(v1::Limits {
                request_max_bytes: whole(config.request_max_bytes as u64),
                page_size_max: whole(config.page_size_max as u64),
                heartbeat_interval_ms: whole(config.heartbeat_interval_ms),
                bot_delay_ms: whole(config.bot_delay_ms),
                token_lifetime_s: whole(config.token_lifetime_s),
            }),
        }))
    }

    async fn follow_player(
        &self,
        request: Request<v1::FollowPlayerRequest>,
    ) -> Result<Response<Self::FollowPlayerStream>, Status> {
        let player = signed_in(&request)?;
        let slot = self.0.slot(&request)?;
        let follower = self.0.agenda.follow(player).await.map_err(failed)?;
        Ok(Response::new(stream::agenda(follower, slot, self.0.referee.clone())))
    }
}
