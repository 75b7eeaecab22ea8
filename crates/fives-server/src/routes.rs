//! What is served on the port, and what a call passes on its way there.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::routing::get;
use fives_referee::house::House;
use fives_wire::v1::cast_service_server::CastServiceServer;
use fives_wire::v1::match_service_server::MatchServiceServer;
use fives_wire::v1::platform_service_server::PlatformServiceServer;
use fives_wire::v1::player_service_server::PlayerServiceServer;
use fives_wire::v1::queue_service_server::QueueServiceServer;
use fives_wire::v1::rating_service_server::RatingServiceServer;
use fives_wire::v1::spectate_service_server::SpectateServiceServer;
use http::header::CONTENT_TYPE;
use http::{HeaderName, Method};
use tonic::service::Routes;
use tower::ServiceBuilder;
use tower_http::cors::{AllowHeaders, AllowOrigin, CorsLayer};

use crate::config::Config;
use crate::layers::addresses::Addresses;
use crate::layers::auth::Auth;
use crate::layers::browsers::BrowsersLayer;
use crate::layers::deadline::Deadline;
use crate::layers::limits::Limits;
use crate::layers::malformed::Malformed;
use crate::layers::trace::Trace;
use crate::layers::{Gates, GatesLayer};
use crate::probes::Readiness;
use crate::services::cast_service::Casters;
use crate::services::match_service::Matches;
use crate::services::platform_service::Platforms;
use crate::services::player_service::Players;
use crate::services::queue_service::Queues;
use crate::services::rating_service::Ratings;
use crate::services::spectate_service::Spectators;
use crate::services::{DURABILITY, Parts};
use crate::token::Tokens;
use crate::web;

/// What a page may read of an answer.
const EXPOSED: [&str; 4] = ["grpc-status", "grpc-message", "grpc-status-details-bin", DURABILITY];

/// How long a browser may remember that it may call.
const CORS_MAX_AGE: Duration = Duration::from_secs(3600);

/// Everything that is served.
pub(crate) fn routes(parts: &Parts, readiness: &Readiness) -> Result<Router, tonic_reflection::server::Error> {
    let config = &parts.config;
    let (bearers, store) = (Arc::clone(&parts.bearers), Arc::clone(parts.referee.store()));
    let (longest, max_bytes) = (Duration::from_millis(config.call_timeout_ms), config.request_max_bytes);
    let gates = Gates {
        trace: Trace::new(),
        addresses: Addresses::new(&config.limits.trusted_proxies),
        rates: Arc::clone(&parts.rates),
        limits: Limits::new(config.max_calls),
        deadline: Deadline { longest },
        auth: Auth {
            bearers,
            store,
            gone: Arc::clone(parts.eraser.gone()),
        },
        malformed: Malformed { max_bytes },
    };
    let layers = ServiceBuilder::new()
        .layer(BrowsersLayer(Arc::new(cors(config))))
        .layer(GatesLayer(Arc::new(gates)));
    let grpc = grpc(parts, readiness)?.into_axum_router().layer(layers.clone());
    // What speaks plain HTTP, which the layers would refuse.
    let routes = grpc.merge(readiness.http()).merge(public_keys(&parts.tokens));
    if !config.web {
        return Ok(routes);
    }
    let house = config.house_table.then(|| House::new(parts.referee.clone()));
    let unknown_calls = Routes::default().into_axum_router().layer(layers);
    Ok(routes.merge(web::routes(house, unknown_calls)))
}

fn grpc(parts: &Parts, readiness: &Readiness) -> Result<Routes, tonic_reflection::server::Error> {
    let (request_max, response_max) = (parts.config.request_max_bytes, parts.config.response_max_bytes);
    let reflection = || {
        tonic_reflection::server::Builder::configure()
            .register_encoded_file_descriptor_set(fives_wire::FILE_DESCRIPTOR_SET)
            .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
    };
    // Each generated server is a type of its own, so no function can take them all.
    macro_rules! bounded {
        ($server:ident, $service:expr) => {
            $server::new($service)
                .max_decoding_message_size(request_max)
                .max_encoding_message_size(response_max)
        };
    }
    Ok(Routes::new(bounded!(MatchServiceServer, Matches(parts.clone())))
        .add_service(bounded!(PlayerServiceServer, Players(parts.clone())))
        .add_service(bounded!(SpectateServiceServer, Spectators(parts.clone())))
        .add_service(bounded!(QueueServiceServer, Queues(parts.clone())))
        .add_service(bounded!(RatingServiceServer, Ratings(parts.clone())))
        .add_service(bounded!(PlatformServiceServer, Platforms::new(parts.clone())))
        .add_service(bounded!(CastServiceServer, Casters(parts.clone())))
        .add_service(readiness.grpc())
        .add_service(reflection().build_v1()?)
        // grpcio and older tools ask for v1alpha.
        .add_service(reflection().build_v1alpha()?))
}

/// `GET /.well-known/jwks.json`: what others need to check the tokens of this service.
fn public_keys(tokens: &Tokens) -> Router {
    let jwks = tokens.jwks().to_owned();
    let answer = move || std::future::ready(([(CONTENT_TYPE, "application/jwk-set+json")], jwks.clone()));
    Router::new().route("/.well-known/jwks.json", get(answer))
}

fn cors(config: &Config) -> CorsLayer {
    // A token is sent by the page itself and never by the browser on its own, so any page may be allowed.
    let origins = match config.cors_origins.as_slice() {
        [] => AllowOrigin::any(),
        origins => AllowOrigin::list(origins.iter().cloned()),
    };
    CorsLayer::new()
        .allow_origin(origins)
        .allow_methods([Method::POST])
        .allow_headers(AllowHeaders::mirror_request())
        .expose_headers(EXPOSED.map(HeaderName::from_static))
        .max_age(CORS_MAX_AGE)
}
