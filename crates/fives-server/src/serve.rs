//! Starting and stopping. The listener and the wish to stop come as arguments, so that tests bring their own.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use fives_referee::feed::Feed;
use fives_referee::referee::{Policy, Referee};
use fives_referee::roster::Roster;
use fives_referee::store::SharedStore;
use fives_referee::timekeeper;
use fives_wire::v1::match_service_server::MatchServiceServer;
use fives_wire::v1::player_service_server::PlayerServiceServer;
use fives_wire::v1::spectate_service_server::SpectateServiceServer;
use http::{HeaderName, Method};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic_health::ServingStatus;
use tonic_web::GrpcWebLayer;
use tower_http::cors::{AllowHeaders, AllowOrigin, CorsLayer};
use tracing::{info, warn};

use crate::config::Config;
use crate::layers::auth::AuthLayer;
use crate::layers::deadline::DeadlineLayer;
use crate::layers::limits::LimitsLayer;
use crate::layers::malformed::MalformedLayer;
use crate::services::Parts;
use crate::services::match_service::Matches;
use crate::services::player_service::Players;
use crate::services::spectate_service::Spectators;
use crate::token::Tokens;
use crate::{ServeError, probes};

/// What a browser may read of an answer.
const EXPOSED: [&str; 4] = [
    "grpc-status",
    "grpc-message",
    "grpc-status-details-bin",
    "fives-durability",
];

/// The largest header list of a request: names, values and 32 bytes each.
const MAX_HEADER_LIST_BYTES: u32 = 16 * 1024;

/// Serves on `listener` until `shutdown`, then stops: first it says that it will, then streams end and calls under way finish, and
/// after the grace time it goes all the same.
///
/// # Errors
/// [`ServeError`].
pub async fn serve(
    config: Config,
    listener: TcpListener,
    store: SharedStore,
    shutdown: impl Future<Output = ()> + Send,
) -> Result<(), ServeError> {
    let tokens = Arc::new(Tokens::open(&config.token_key, config.token_lifetime_s)?);
    let (referee, due) = Referee::new(
        Arc::clone(&store),
        Policy {
            bot_delay_ms: config.bot_delay_ms,
        },
    );
    let timekeeper = tokio::spawn(timekeeper::run(referee.clone(), due));
    let draining = CancellationToken::new();
    let parts = Parts {
        feed: Feed::new(referee.clone(), Duration::from_millis(config.heartbeat_interval_ms)),
        roster: Roster::new(Arc::clone(&store)),
        streams: Arc::new(Semaphore::new(config.max_streams.min(Semaphore::MAX_PERMITS))),
        config: Arc::new(config.clone()),
        tokens: Arc::clone(&tokens),
        draining: draining.clone(),
        referee,
    };
    let (health, health_service) = tonic_health::server::health_reporter();
    health.set_service_status("", ServingStatus::Serving).await;
    let routes = routes(&parts, health_service, &store)?;

    let mut server = Server::builder()
        .accept_http1(true)
        .http2_keepalive_interval(Some(Duration::from_secs(config.keepalive_interval_s)))
        .http2_keepalive_timeout(Some(Duration::from_secs(config.keepalive_timeout_s)))
        .http2_max_header_list_size(Some(MAX_HEADER_LIST_BYTES))
        .max_concurrent_streams(Some(config.max_streams_per_connection))
        // The outermost comes first. A browser's question whether it may ask is answered before anything is looked at,
        .layer(cors(&config))
        // and what it asks is plain gRPC from here on.
        .layer(GrpcWebLayer::new())
        // What is too much is refused before it costs anything,
        .layer(LimitsLayer::new(config.max_calls))
        // the clock runs from then on,
        .layer(DeadlineLayer::new(Duration::from_millis(config.call_timeout_ms)))
        // nobody unknown gets further,
        .layer(AuthLayer::new(tokens, store))
        // and what tonic refuses by itself gets our words last, next to the service that it never reached.
        .layer(MalformedLayer::new(config.request_max_bytes));

    let stopping = CancellationToken::new();
    let incoming = TcpIncoming::from(listener).with_nodelay(Some(true));
    let serving = server
        .add_routes(routes)
        .serve_with_incoming_shutdown(incoming, stopping.clone().cancelled_owned());
    tokio::pin!(serving);
    tokio::select! {
        served = &mut serving => return Ok(served?),
        () = shutdown => {}
    }
    health.set_service_status("", ServingStatus::NotServing).await;
    draining.cancel();
    stopping.cancel();
    // Connections that nobody answers on any more would keep the transport waiting for ever.
    let grace = Duration::from_secs(config.drain_grace_s);
    match tokio::time::timeout(grace, serving).await {
        Ok(served) => served?,
        Err(_) => warn!(grace_s = config.drain_grace_s, "not all connections ended in time"),
    }
    timekeeper.abort();
    info!("stopped");
    Ok(())
}

fn routes(
    parts: &Parts,
    health: tonic_health::pb::health_server::HealthServer<impl tonic_health::pb::health_server::Health>,
    store: &SharedStore,
) -> Result<Routes, ServeError> {
    let max_bytes = parts.config.request_max_bytes;
    let reflection = || {
        tonic_reflection::server::Builder::configure()
            .register_encoded_file_descriptor_set(fives_wire::FILE_DESCRIPTOR_SET)
            .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
            // The details of refusals: with them, clients that know nothing of google.rpc can print a reason.
            .register_encoded_file_descriptor_set(tonic_types::pb::FILE_DESCRIPTOR_SET)
    };
    let probes = probes::routes(Arc::clone(store), parts.draining.clone());
    let mut routes = Routes::from(probes).add_service(health);
    // grpcio and older tools ask for v1alpha.
    routes = routes
        .add_service(reflection().build_v1()?)
        .add_service(reflection().build_v1alpha()?);
    Ok(routes
        .add_service(MatchServiceServer::new(Matches(parts.clone())).max_decoding_message_size(max_bytes))
        .add_service(PlayerServiceServer::new(Players(parts.clone())).max_decoding_message_size(max_bytes))
        .add_service(SpectateServiceServer::new(Spectators(parts.clone())).max_decoding_message_size(max_bytes)))
}

fn cors(config: &Config) -> CorsLayer {
    let origins = match config.cors_origins.as_slice() {
        [] => AllowOrigin::any(),
        origins => AllowOrigin::list(origins.iter().cloned()),
    };
    CorsLayer::new()
        .allow_origin(origins)
        .allow_methods([Method::GET, Method::POST])
        .allow_headers(AllowHeaders::mirror_request())
        .expose_headers(EXPOSED.map(HeaderName::from_static))
}
