//! Whether the process is alive, and whether it is ready: `GET /livez`, `GET /readyz` and `grpc.health.v1` say the same.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::routing::get;
use fives_referee::referee::SILENCE_MAX_MS;
use fives_referee::store::SharedStore;
use fives_wire::v1;
use http::StatusCode;
use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval, timeout};
use tonic::server::NamedService;
use tonic_health::ServingStatus;
use tonic_health::pb::health_server::{Health, HealthServer};
use tonic_health::server::{HealthReporter, HealthService};
use tracing::{info, warn};

/// How often the store must keep a sign of life, and how long it may take.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// What can be asked for in `grpc.health.v1`: the whole, and each service.
const SERVICES: [&str; 6] = [
    "",
    v1::match_service_server::MatchServiceServer::<()>::NAME,
    v1::player_service_server::PlayerServiceServer::<()>::NAME,
    v1::spectate_service_server::SpectateServiceServer::<()>::NAME,
    v1::platform_service_server::PlatformServiceServer::<()>::NAME,
    v1::cast_service_server::CastServiceServer::<()>::NAME,
];

/// Whether calls had better come here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// The store has not been tried yet, or does not work.
    NoStore,
    Ready,
    Stopping,
}

/// What everybody who asks is told. Nobody's question goes to the store: many probes cost no more than one.
#[derive(Clone)]
pub(crate) struct Readiness {
    state: Arc<watch::Sender<State>>,
    health: HealthReporter,
}

impl Readiness {
    pub(crate) async fn new(store: &SharedStore) -> Self {
        let readiness = Self {
            state: Arc::new(watch::Sender::new(State::NoStore)),
            health: HealthReporter::new(),
        };
        readiness.set(State::NoStore).await;
        readiness.check(store).await;
        readiness
    }

    /// Keeps looking at the store until it is dropped.
    pub(crate) async fn keep_checking(&self, store: &SharedStore) {
        let mut ticks = interval(CHECK_INTERVAL);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            self.check(store).await;
        }
    }

    /// Says that calls had better go elsewhere; they are still served.
    pub(crate) async fn announce_stop(&self) {
        self.set(State::Stopping).await;
    }

    /// Whether calls are welcome.
    pub(crate) fn is_ready(&self) -> bool {
        *self.state.borrow() == State::Ready
    }

    /// Ends the streams of those who watch the health, which would otherwise keep their connections open.
    pub(crate) async fn end_watches(mut self) {
        for service in SERVICES {
            self.health.clear_service_status(service).await;
        }
    }

    async fn check(&self, store: &SharedStore) {
        // A store that only reads (full, without its replicas) keeps no move: such a process is not ready.
        let kept = timeout(CHECK_INTERVAL, store.renew_alive(SILENCE_MAX_MS)).await;
        let state = match kept {
            Ok(Ok(())) => State::Ready,
            Ok(Err(_)) | Err(_) => State::NoStore,
        };
        let was = *self.state.borrow();
        if state != was {
            match state {
                State::NoStore => warn!("not ready: the store keeps nothing"),
                State::Ready | State::Stopping => info!("ready"),
            }
            self.set(state).await;
        }
    }

    async fn set(&self, state: State) {
        self.state.send_replace(state);
        let status = match state {
            State::Ready => ServingStatus::Serving,
            State::NoStore | State::Stopping => ServingStatus::NotServing,
        };
        for service in SERVICES {
            self.health.set_service_status(service, status).await;
        }
    }

    /// `grpc.health.v1`.
    pub(crate) fn grpc(&self) -> HealthServer<impl Health + use<>> {
        HealthServer::new(HealthService::from_health_reporter(self.health.clone()))
    }

    /// `GET /livez`: the process answers. `GET /readyz`: it is not stopping, and its store works.
    pub(crate) fn http(&self) -> Router {
        let state = self.state.subscribe();
        let ready = move || {
            let state = *state.borrow();
            std::future::ready(match state {
                State::Ready => (StatusCode::OK, "ready\n"),
                State::NoStore => (StatusCode::SERVICE_UNAVAILABLE, "the store keeps nothing\n"),
                State::Stopping => (StatusCode::SERVICE_UNAVAILABLE, "stopping\n"),
            })
        };
        Router::new()
            .route("/livez", get(async || "alive\n"))
            .route("/readyz", get(ready))
    }
}
