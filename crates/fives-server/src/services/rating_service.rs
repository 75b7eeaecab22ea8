//! `fives.v1.RatingService`.

use fives_lobby::rating::{BoardPage, Pool, Ranked};
use fives_referee::error::{Error, Refusal};
use fives_referee::id::PlayerId;
use fives_wire::decode::LeaderboardBegin;
use fives_wire::v1::rating_service_server::RatingService;
use fives_wire::{decode, encode, v1};
use futures::future::try_join_all;
use tonic::{Request, Response, Status};

use super::{Parts, invalid, signed_in};
use crate::failure::{failed, lobby_failed};

pub(crate) struct Ratings(pub(crate) Parts);

impl Ratings {
    /// A player who is there: the one who is named, or the caller.
    async fn player(&self, named: Option<PlayerId>, caller: PlayerId) -> Result<PlayerId, Status> {
        let id = named.unwrap_or(caller);
        Ok(self.0.roster.find(&id).await.map_err(failed)?.id)
    }

    /// Somebody on a leaderboard, by name; `None` for who is no player any more.
    async fn named(&self, pool: Pool, ranked: &Ranked) -> Result<Option<v1::RankedPlayer>, Status> {
        match self.0.roster.find(&ranked.place.player).await {
            Ok(player) => Ok(Some(encode::ranked_player(pool, ranked, &player))),
            Err(Error::Refused(Refusal::PlayerNotFound)) => Ok(None),
            Err(error) => Err(failed(error)),
        }
    }
}

#[tonic::async_trait]
impl RatingService for Ratings {
    async fn get_ratings(
        &self,
        request: Request<v1::GetRatingsRequest>,
    ) -> Result<Response<v1::GetRatingsResponse>, Status> {
        let caller = signed_in(&request)?;
        let named = decode::get_ratings(request.get_ref()).map_err(invalid)?;
        let player = self.player(named, caller).await?;
        let mut ratings = Vec::with_capacity(Pool::ALL.len());
        for pool in Pool::ALL {
            let standings = self.0.ratings.standings(pool, &[player]).await;
            let standings = standings.map_err(lobby_failed)?;
            ratings.extend(standings.iter().map(|standing| encode::rating(pool, standing)));
        }
        Ok(Response::new(v1::GetRatingsResponse { ratings }))
    }

    async fn list_rating_changes(
        &self,
        request: Request<v1::ListRatingChangesRequest>,
    ) -> Result<Response<v1::ListRatingChangesResponse>, Status> {
        let caller = signed_in(&request)?;
        let (pool, named) = decode::list_rating_changes(request.get_ref()).map_err(invalid)?;
        let player = self.player(named, caller).await?;
        let changes = self.0.ratings.changes(pool, &player).await.map_err(lobby_failed)?;
        Ok(Response::new(v1::ListRatingChangesResponse {
            changes: changes.iter().map(encode::rating_change).collect(),
        }))
    }

    async fn list_leaderboard(
        &self,
        request: Request<v1::ListLeaderboardRequest>,
    ) -> Result<Response<v1::ListLeaderboardResponse>, Status> {
        let list = decode::list_leaderboard(request.get_ref()).map_err(invalid)?;
        let limit = list.size.min(self.0.config.page_size_max);
        let page = match list.begin {
            LeaderboardBegin::Behind(count) => self.0.ratings.page(list.pool, count, limit).await,
            LeaderboardBegin::Around(player) => self.0.ratings.around(list.pool, &player, limit).await,
        };
        let BoardPage { ranked, listed, next } = page.map_err(lobby_failed)?;
        let players = ranked.iter().map(|ranked| self.named(list.pool, ranked));
        let players = try_join_all(players).await?.into_iter().flatten().collect();
        Ok(Response::new(v1::ListLeaderboardResponse {
            players,
            next_page_token: next
                .map(|next| encode::leaderboard_token(&list.fingerprint, next))
                .unwrap_or_default(),
            total: listed,
        }))
    }

    async fn get_rank(&self, request: Request<v1::GetRankRequest>) -> Result<Response<v1::GetRankResponse>, Status> {
        let caller = signed_in(&request)?;
        let (pool, named) = decode::get_rank(request.get_ref()).map_err(invalid)?;
        let player = self.0.roster.find(&named.unwrap_or(caller)).await.map_err(failed)?;
        let (ranked, total) = self.0.ratings.rank(pool, &player.id).await.map_err(lobby_failed)?;
        Ok(Response::new(v1::GetRankResponse {
            player: Some(encode::ranked_player(pool, &ranked, &player)),
            total,
        }))
    }
}
