//! `fives.v1.PlayerService`.

use fives_referee::id::PlayerId;
use fives_wire::status::{Denial, denied};
use fives_wire::v1::player_service_server::PlayerService;
use fives_wire::{decode, encode, v1};
use tonic::{Request, Response, Status};
use tracing::error;

use super::stream::{self, AgendaUpdates};
use super::{Parts, invalid, principal, signed_in};
use crate::config::Scope;
use crate::failure::{failed, lobby_failed};
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
        let player = signed_in(&request)?;
        // Otherwise whom an issuer lets in once would stay for ever.
        if principal(&request)?.identity.is_some() {
            return Err(denied(Denial::TokenOfIssuer));
        }
        let Issued {
            access_token,
            expires_at,
        } = self.issue(&self.0.player(&player).await?.id).await?;
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

    async fn link_identity(
        &self,
        request: Request<v1::LinkIdentityRequest>,
    ) -> Result<Response<v1::LinkIdentityResponse>, Status> {
        let caller = signed_in(&request)?;
        let token = decode::link_identity(request.get_ref()).map_err(invalid)?;
        let now = self.0.referee.store().now().await;
        let now = now.map_err(|error| failed(error.into()))?;
        let claimed = self.0.bearers.claimed(token, now).await.and_then(|claimed| {
            let scope = Scope::Player.claim();
            match claimed.scopes.has(Scope::Player) {
                true => Ok(claimed),
                false => Err(Denial::ScopeMissing { scope }),
            }
        });
        let claimed = claimed.map_err(|denial| denied(of_the_identity(denial)))?;
        let player = self.0.identities.link(&caller, &claimed.identity).await;
        Ok(self.0.kept(v1::LinkIdentityResponse {
            player: Some(encode::player(&player.map_err(lobby_failed)?)),
        }))
    }

    async fn get_presence(
        &self,
        request: Request<v1::GetPresenceRequest>,
    ) -> Result<Response<v1::GetPresenceResponse>, Status> {
        signed_in(&request)?;
        let players = decode::presence::get_presence(request.get_ref()).map_err(invalid)?;
        let whereabouts = self.0.referee.presence().whereabouts(&players).await;
        Ok(Response::new(encode::presence::get_presence(
            &whereabouts.map_err(failed)?,
        )))
    }

    async fn list_played_matches(
        &self,
        request: Request<v1::ListPlayedMatchesRequest>,
    ) -> Result<Response<v1::ListPlayedMatchesResponse>, Status> {
        let caller = signed_in(&request)?;
        let list = decode::list_played_matches(request.get_ref(), &caller).map_err(invalid)?;
        let limit = list.size.min(self.0.config.page_size_max);
        let page = self.0.histories.page(&caller, &list.wanted, list.after, limit).await;
        let page = page.map_err(lobby_failed)?;
        Ok(Response::new(encode::list_played_matches(&page, &list.fingerprint)))
    }

    async fn delete_player(
        &self,
        request: Request<v1::DeletePlayerRequest>,
    ) -> Result<Response<v1::DeletePlayerResponse>, Status> {
        let caller = signed_in(&request)?;
        decode::delete_player(request.get_ref(), &caller).map_err(invalid)?;
        self.0.eraser.erase(&caller).await.map_err(lobby_failed)?;
        Ok(self.0.kept(v1::DeletePlayerResponse {}))
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
                queue_ticket_ms: whole(config.queue_ticket_s * 1000),
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

/// What is said of a token that is not the caller's own, so that nobody takes the caller for signed out.
fn of_the_identity(denial: Denial) -> Denial {
    let reason = match denial {
        Denial::TokenExpired => v1::ErrorReason::TokenExpired,
        Denial::TokenNotYetValid => v1::ErrorReason::TokenNotYetValid,
        Denial::ScopeMissing { .. } => v1::ErrorReason::ScopeMissing,
        Denial::TokenInvalid => v1::ErrorReason::TokenInvalid,
        passing => return passing,
    };
    Denial::IdentityTokenRefused { reason }
}
