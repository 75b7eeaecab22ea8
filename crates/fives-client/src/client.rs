//! Calls: each is sent until it is answered.

use std::sync::atomic::AtomicU64;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use fives_wire::v1;
use fives_wire::v1::match_service_client::MatchServiceClient;
use fives_wire::v1::player_service_client::PlayerServiceClient;
use fives_wire::v1::queue_service_client::QueueServiceClient;
use fives_wire::v1::rating_service_client::RatingServiceClient;
use fives_wire::v1::spectate_service_client::SpectateServiceClient;
use http::uri::Scheme;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::transport::{Channel, Endpoint};
use tonic::{Request, Response, Status};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;

use crate::error::Error;
use crate::follow::Updates;
use crate::follow_player::PlayerUpdates;
use crate::queue::Queued;
use crate::retry::{RetryPolicy, Tries};
use crate::tls::Tls;

/// The largest answer that is accepted: the replay of a match of a thousand rounds is some megabytes.
const MAX_ANSWER_BYTES: usize = 64 * 1024 * 1024;

/// How long a connection with something under way may be silent before it is asked whether it lives, and how long it may take to
/// answer. Without this a stream would wait for ever at a peer that vanished without a word.
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(20);
const KEEPALIVE_TIMEOUT: Duration = Duration::from_secs(10);

/// A client of one service. Cheap to clone; clones share the connection and the player.
#[derive(Clone)]
pub struct Client {
    channel: Channel,
    token: Arc<RwLock<Option<MetadataValue<Ascii>>>>,
    traceparent: Option<MetadataValue<Ascii>>,
    pub(crate) policy: RetryPolicy,
    retries: Arc<AtomicU64>,
}

/// Declares a call with the words of the service.
macro_rules! calls {
    ($($(#[$doc:meta])* $name:ident: $service:ident($request:ident) -> $response:ident;)+) => {
        $(
            $(#[$doc])*
            ///
            /// # Errors
            /// Why the service refused, or that the connection was lost for too long.
            pub async fn $name(&self, request: v1::$request) -> Result<v1::$response, Error> {
                self.call(request, async |channel, request| {
                    $service::new(channel).max_decoding_message_size(MAX_ANSWER_BYTES).$name(request).await
                })
                .await
            }
        )+
    };
}

/// Declares a write: as a call, with a fresh request id unless the caller chose one.
macro_rules! writes {
    ($($(#[$doc:meta])* $name:ident: $request:ident -> $response:ident;)+) => {
        $(
            $(#[$doc])*
            ///
            /// An empty `request_id` is filled in; every try is sent with the same one.
            ///
            /// # Errors
            /// Why the service refused, or that the connection was lost for too long.
            pub async fn $name(&self, mut request: v1::$request) -> Result<v1::$response, Error> {
                if request.request_id.is_empty() {
                    request.request_id = request_id()?;
                }
                self.call(request, async |channel, request| MatchServiceClient::new(channel).$name(request).await).await
            }
        )+
    };
}

impl Client {
    /// A client of the service at `url` (`http://host:port`, or `https` with a certificate that the web trusts), which is connected
    /// to with the first call.
    ///
    /// # Errors
    /// [`Error::Address`].
    pub fn connect_lazy(url: &str) -> Result<Self, Error> {
        Self::connect_lazy_over(url, &Tls::default())
    }

    /// The same with `tls` for an `https` address.
    ///
    /// # Errors
    /// [`Error::Address`], also for certificates that cannot be read.
    pub fn connect_lazy_over(url: &str, tls: &Tls) -> Result<Self, Error> {
        let mut endpoint = Endpoint::from_shared(url.to_owned()).map_err(Error::Address)?;
        if endpoint.uri().scheme() == Some(&Scheme::HTTPS) {
            endpoint = endpoint.tls_config(tls.config()).map_err(Error::Address)?;
        }
        let endpoint = endpoint
            .tcp_nodelay(true)
            .http2_keep_alive_interval(KEEPALIVE_INTERVAL)
            .keep_alive_timeout(KEEPALIVE_TIMEOUT);
        Ok(Self::over(endpoint.connect_lazy()))
    }

    /// A client over a channel that was made elsewhere, perhaps one with several services behind it.
    #[must_use]
    pub fn over(channel: Channel) -> Self {
        Self {
            channel,
            token: Arc::default(),
            traceparent: None,
            policy: RetryPolicy::default(),
            retries: Arc::default(),
        }
    }

    /// The same client with other patience.
    #[must_use]
    pub fn with_policy(self, policy: RetryPolicy) -> Self {
        Self { policy, ..self }
    }

    /// The same client, which from now on counts in `retries` whatever it has to try again, calls and streams alike. Several
    /// clients may share one count.
    #[must_use]
    pub fn with_retry_count(self, retries: Arc<AtomicU64>) -> Self {
        Self { retries, ..self }
    }

    /// The same client, whose calls from now on belong to a trace of the caller: `traceparent` is a header of W3C Trace Context.
    ///
    /// # Errors
    /// [`Error::Refused`] if no header could look like this.
    pub fn with_traceparent(self, traceparent: &str) -> Result<Self, Error> {
        let value = traceparent.parse();
        let value = value.map_err(|_| Status::invalid_argument("a traceparent is printable ASCII"))?;
        let traceparent = Some(value);
        Ok(Self { traceparent, ..self })
    }

    /// Another player over the same connection, not signed in yet.
    #[must_use]
    pub fn another_player(&self) -> Self {
        Self {
            token: Arc::default(),
            ..self.clone()
        }
    }

    /// Signs a guest in and keeps the token for all further calls. With `device_key`, the same key finds the same player.
    ///
    /// # Errors
    /// Why the service refused, or that the connection was lost for too long.
    pub async fn sign_in(&self, display_name: &str, device_key: Option<&str>) -> Result<v1::Player, Error> {
        let request = v1::SignInGuestRequest {
            display_name: display_name.to_owned(),
            device_key: device_key.unwrap_or_default().to_owned(),
        };
        let answer = self
            .call(request, async |channel, request| {
                PlayerServiceClient::new(channel).sign_in_guest(request).await
            })
            .await?;
        self.set_token(&answer.access_token)?;
        Ok(answer.player.unwrap_or_default())
    }

    /// Uses a token that was got elsewhere.
    ///
    /// # Errors
    /// [`Error::Refused`] if no token could look like this.
    pub fn set_token(&self, access_token: &str) -> Result<(), Error> {
        let value = format!("Bearer {access_token}").parse();
        let value = value.map_err(|_| Status::unauthenticated("a token is printable ASCII"))?;
        *self.token.write().unwrap_or_else(PoisonError::into_inner) = Some(value);
        Ok(())
    }

    writes! {
        /// Makes a match.
        create_match: CreateMatchRequest -> CreateMatchResponse;
        /// Takes a seat.
        join_match: JoinMatchRequest -> JoinMatchResponse;
        /// Stands up before the start.
        leave_match: LeaveMatchRequest -> LeaveMatchResponse;
        /// Places a tile.
        play_tile: PlayTileRequest -> PlayTileResponse;
        /// Gives up.
        resign: ResignRequest -> ResignResponse;
        /// Takes the seat back from the bot that keeps it.
        reclaim_seat: ReclaimSeatRequest -> ReclaimSeatResponse;
        /// Makes an invite.
        create_invite: CreateInviteRequest -> CreateInviteResponse;
        /// Takes an invite back.
        revoke_invite: RevokeInviteRequest -> RevokeInviteResponse;
        /// Says yes or no to another match.
        answer_rematch: AnswerRematchRequest -> AnswerRematchResponse;
    }

    calls! {
        /// A match as the player may see it.
        get_match: MatchServiceClient(GetMatchRequest) -> GetMatchResponse;
        /// A page of matches.
        list_matches: MatchServiceClient(ListMatchesRequest) -> ListMatchesResponse;
        /// The record of a finished match.
        get_replay: MatchServiceClient(GetReplayRequest) -> GetReplayResponse;
        /// A page of live matches.
        list_live_matches: SpectateServiceClient(ListLiveMatchesRequest) -> ListLiveMatchesResponse;
        /// A player.
        get_player: PlayerServiceClient(GetPlayerRequest) -> GetPlayerResponse;
        /// Changes the player.
        update_player: PlayerServiceClient(UpdatePlayerRequest) -> UpdatePlayerResponse;
        /// Links the player to an identity of an outside issuer, which the token in the request proves.
        link_identity: PlayerServiceClient(LinkIdentityRequest) -> LinkIdentityResponse;
        /// Where players are.
        get_presence: PlayerServiceClient(GetPresenceRequest) -> GetPresenceResponse;
        /// Version, presets and limits.
        get_service_info: PlayerServiceClient(GetServiceInfoRequest) -> GetServiceInfoResponse;
        /// The queues for matchmaking.
        list_queues: QueueServiceClient(ListQueuesRequest) -> ListQueuesResponse;
        /// Leaves a queue.
        leave_queue: QueueServiceClient(LeaveQueueRequest) -> LeaveQueueResponse;
        /// A player's ratings.
        get_ratings: RatingServiceClient(GetRatingsRequest) -> GetRatingsResponse;
        /// How a rating came about.
        list_rating_changes: RatingServiceClient(ListRatingChangesRequest) -> ListRatingChangesResponse;
        /// A part of a leaderboard.
        list_leaderboard: RatingServiceClient(ListLeaderboardRequest) -> ListLeaderboardResponse;
        /// A player's rank.
        get_rank: RatingServiceClient(GetRankRequest) -> GetRankResponse;
        /// A page of the matches that the player has played.
        list_played_matches: PlayerServiceClient(ListPlayedMatchesRequest) -> ListPlayedMatchesResponse;
        /// Has the player erased.
        delete_player: PlayerServiceClient(DeletePlayerRequest) -> DeletePlayerResponse;
        /// The invites of a match.
        list_invites: MatchServiceClient(ListInvitesRequest) -> ListInvitesResponse;
        /// Says something at a table; perhaps twice, if the first answer was lost.
        send_emote: MatchServiceClient(SendEmoteRequest) -> SendEmoteResponse;
        /// What has become of a rematch.
        get_rematch: MatchServiceClient(GetRematchRequest) -> GetRematchResponse;
    }

    /// Whether calls had better come here (`grpc.health.v1`): the service is not stopping, and its store works.
    ///
    /// # Errors
    /// Why the service refused, or that the connection was lost for too long.
    pub async fn is_ready(&self) -> Result<bool, Error> {
        let answer = self
            .call(HealthCheckRequest::default(), async |channel, request| {
                HealthClient::new(channel).check(request).await
            })
            .await?;
        Ok(answer.status() == ServingStatus::Serving)
    }

    /// Follows a match from the player's seat, after the cursor `after` or from a snapshot on.
    #[must_use]
    pub fn follow(&self, match_id: &str, after: Option<v1::Cursor>) -> Updates {
        Updates::follow(self.clone(), match_id.to_owned(), after)
    }

    /// Watches a match without a seat; `invite_code` opens a private one and is otherwise empty.
    #[must_use]
    pub fn watch(&self, match_id: &str, invite_code: &str, after: Option<v1::Cursor>) -> Updates {
        Updates::watch(self.clone(), match_id.to_owned(), invite_code.to_owned(), after)
    }

    /// Waits in a queue until there is a match, with a partner where one is named.
    #[must_use]
    pub fn join_queue(&self, queue: &str, partner_player_id: &str) -> Queued {
        Queued::new(self.clone(), queue.to_owned(), partner_player_id.to_owned())
    }

    /// Follows all matches of the player.
    #[must_use]
    pub fn follow_player(&self) -> PlayerUpdates {
        PlayerUpdates::new(self.clone())
    }

    pub(crate) fn channel(&self) -> Channel {
        self.channel.clone()
    }

    pub(crate) fn tries(&self) -> Tries {
        Tries::new(self.policy, Arc::clone(&self.retries))
    }

    /// The message with the player's token.
    pub(crate) fn request<T>(&self, message: T) -> Request<T> {
        let mut request = Request::new(message);
        if let Some(token) = &*self.token.read().unwrap_or_else(PoisonError::into_inner) {
            request.metadata_mut().insert("authorization", token.clone());
        }
        if let Some(traceparent) = &self.traceparent {
            request.metadata_mut().insert("traceparent", traceparent.clone());
        }
        request
    }

    async fn call<Q: Clone, A>(
        &self,
        message: Q,
        send: impl AsyncFn(Channel, Request<Q>) -> Result<Response<A>, Status>,
    ) -> Result<A, Error> {
        let mut tries = self.tries();
        loop {
            let mut request = self.request(message.clone());
            let timeout = tries.try_timeout();
            request.set_timeout(timeout);
            // The local timer holds even where the connection is stuck.
            let answer = tokio::time::timeout(timeout, send(self.channel(), request)).await;
            match answer.unwrap_or_else(|_| Err(Status::deadline_exceeded("no answer in time"))) {
                Ok(answer) => return Ok(answer.into_inner()),
                Err(status) => tries.wait_after(status.into()).await?,
            }
        }
    }
}

/// A fresh request id: 128 random bits.
fn request_id() -> Result<String, Error> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(Error::Random)?;
    Ok(data_encoding::HEXLOWER.encode(&bytes))
}
