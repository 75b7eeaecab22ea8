//! `fives.v1.SpectateService`.

use fives_referee::id::MatchId;
use fives_referee::listing::Listing;
use fives_referee::view::MatchView;
use fives_wire::v1::spectate_service_server::SpectateService;
use fives_wire::{decode, encode, v1};
use tonic::{Request, Response, Status};

use super::stream::{self, Updates};
use super::{Parts, caller, invalid};
use crate::failure::failed;

pub(crate) struct Spectators(pub(crate) Parts);

#[tonic::async_trait]
impl SpectateService for Spectators {
    type WatchMatchStream = Updates;

    async fn list_live_matches(
        &self,
        request: Request<v1::ListLiveMatchesRequest>,
    ) -> Result<Response<v1::ListLiveMatchesResponse>, Status> {
        let list = decode::list_live_matches(request.get_ref()).map_err(invalid)?;
        let limit = list.size.min(self.0.config.page_size_max);
        let page = self
            .0
            .referee
            .list(Listing::Live, None, list.after, limit)
            .await
            .map_err(failed)?;
        let wanted = |view: &&MatchView| list.players.is_none_or(|players| view.options.players() == players);
        let wanted: Vec<&MatchView> = page.matches.iter().filter(wanted).collect();
        let ids: Vec<MatchId> = wanted.iter().map(|view| view.id).collect();
        let watchers = self.0.feed.watcher_counts(&ids).await.map_err(failed)?;
        let live = |(view, watchers): (&MatchView, u64)| v1::LiveMatch {
            r#match: Some(encode::match_summary(view)),
            watchers: u32::try_from(watchers).unwrap_or(u32::MAX),
        };
        Ok(Response::new(v1::ListLiveMatchesResponse {
            matches: wanted.into_iter().zip(watchers).map(live).collect(),
            next_page_token: page
                .next
                .map(|next| encode::page_token(&list.fingerprint, next))
                .unwrap_or_default(),
        }))
    }

    async fn watch_match(
        &self,
        request: Request<v1::WatchMatchRequest>,
    ) -> Result<Response<Self::WatchMatchStream>, Status> {
        let player = caller(&request);
        let wanted = decode::watch_match(request.get_ref()).map_err(invalid)?;
        let slot = self.0.slot(&request)?;
        let watch = self.0.feed.watch(wanted.id, player, wanted.code, wanted.after);
        let watch = self
            .0
            .or_archived(watch, &wanted.id, player.as_ref(), wanted.code.as_ref());
        let follower = self.0.by_code(&request, wanted.code.as_ref(), watch).await?;
        let follower = self.0.hearing(&wanted, follower);
        Ok(Response::new(stream::updates(follower, slot)))
    }
}
