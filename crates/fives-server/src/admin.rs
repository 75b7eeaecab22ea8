//! The admin port: what operators and their tools ask of a process, over plain HTTP and gRPC. Never the public port.
//!
//! | who | may |
//! |---|---|
//! | everybody who reaches it | `GET /livez`, `/readyz`, `/build`, `/log`, `/metrics`; reflection |
//! | who has the admin token, or one of an issuer that is good for it | `PUT /log`, `POST /drain`, everything of `fives.admin.v1.AdminService` |

mod build;
mod dead_letters;
mod door;
mod http_routes;
mod service;
pub(crate) mod token;

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::middleware::from_fn_with_state;
use fives_lobby::erasure::Eraser;
use fives_lobby::store::SharedLobbyStore;
use fives_referee::audit::{Act, FilterText, Operator, Why};
use fives_referee::erased::ErasedMark;
use fives_referee::error::Refusal;
use fives_referee::id::PlayerId;
use fives_referee::referee::Referee;
use fives_wire::admin::v1::admin_service_server::AdminServiceServer;
use fives_wire::decode::admin::{Order, not_a_filter};
use fives_wire::status::{self, Denial, denied};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tonic::Status;
use tonic::service::Routes;
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tracing::{error, info};
use tracing_subscriber::EnvFilter;

use crate::failure::{failed, lobby_failed};
use crate::log_filter::LogFilter;
use crate::probes::Readiness;
use crate::token::Bearers;
use build::Build;
use door::Doorkeeper;
use service::Administrators;
use token::AdminToken;

/// The largest request: page tokens and reasons are short.
const REQUEST_MAX_BYTES: usize = 16 * 1024;

/// How long an answer may take: a page of repairs reads a thousand matches.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(60);

/// Calls under way at once on one connection.
const MAX_CALLS_PER_CONNECTION: usize = 16;

/// Where the admin port is, and what only the whole process knows.
pub(crate) struct AdminDoor {
    /// The port.
    pub(crate) listener: TcpListener,
    /// Who may act.
    pub(crate) token: AdminToken,
    /// What is logged.
    pub(crate) log: LogFilter,
    /// What else is served there, such as metrics.
    pub(crate) more: Router,
}

/// What all that is served there shares.
#[derive(Clone)]
struct Parts {
    referee: Referee,
    doorkeeper: Doorkeeper,
    store: SharedLobbyStore,
    eraser: Eraser,
    log: LogFilter,
    drain: CancellationToken,
    build: Build,
}

impl Parts {
    /// Changes what is logged; gives the filter before.
    async fn set_log_filter(&self, order: Order, text: FilterText) -> Result<String, Status> {
        let filter = EnvFilter::try_new(text.as_str());
        let filter = filter.map_err(|error| status::invalid(&not_a_filter(&error.to_string())))?;
        let operator = order.operator.to_string();
        self.note(order, Act::SetLogFilter(text.clone())).await?;
        let before = self.log.set(filter).map_err(|error| {
            error!(
                error = &error as &dyn std::error::Error,
                "the log filter was not changed"
            );
            denied(Denial::Internal)
        })?;
        info!(operator, filter = %text, before, "what is logged was changed");
        Ok(before)
    }

    /// Stops the process, as a signal would.
    async fn drain(&self, order: Order) -> Result<(), Status> {
        let operator = order.operator.to_string();
        self.note(order, Act::Drain).await?;
        info!(operator, "asked to stop");
        self.drain.cancel();
        Ok(())
    }

    /// Has a person erased; gives what the audit names the person by.
    async fn erase(&self, player: &PlayerId, operator: Operator, why: Why) -> Result<ErasedMark, Status> {
        let mark = ErasedMark::of(player);
        if !self.eraser.gone().has(player) {
            let known = self.referee.store().load_player(player).await;
            let known = known.map_err(|error| failed(error.into()))?;
            known.ok_or_else(|| failed(Refusal::PlayerNotFound.into()))?;
            let why = Some(why);
            self.note(Order { operator, why }, Act::ErasePlayer(mark)).await?;
        }
        self.eraser.erase(player).await.map_err(lobby_failed)?;
        info!(%mark, "an administrator has a person erased");
        Ok(mark)
    }

    async fn note(&self, order: Order, act: Act) -> Result<(), Status> {
        let noted = self.referee.note(order.operator, act, order.why).await;
        noted.map_err(|error| failed(error.into()))
    }
}

/// What administrators reach into.
pub(crate) struct Reach {
    pub(crate) referee: Referee,
    pub(crate) bearers: Arc<Bearers>,
    pub(crate) store: SharedLobbyStore,
    pub(crate) eraser: Eraser,
}

/// Serves the admin port until `closing`; a wish to stop the process goes to `drain`.
pub(crate) fn serve(
    door: AdminDoor,
    reach: Reach,
    readiness: &Readiness,
    drain: CancellationToken,
    closing: CancellationToken,
) -> Result<impl Future<Output = ()> + Send + use<>, tonic_reflection::server::Error> {
    let Reach {
        referee,
        bearers,
        store,
        eraser,
    } = reach;
    let parts = Parts {
        build: Build::new(referee.store().durability()),
        doorkeeper: Doorkeeper {
            token: door.token,
            bearers,
            store: Arc::clone(referee.store()),
        },
        referee,
        store,
        eraser,
        log: door.log,
        drain,
    };
    let routes = router(parts, readiness, door.more)?;
    let transport = Server::builder()
        .accept_http1(true)
        .timeout(ANSWER_TIMEOUT)
        .concurrency_limit_per_connection(MAX_CALLS_PER_CONNECTION);
    let incoming = TcpIncoming::from(door.listener).with_nodelay(Some(true));
    Ok(async move {
        let closed = closing.cancelled();
        if let Err(error) = transport.serve_with_incoming_shutdown(routes, incoming, closed).await {
            error!(error = &error as &dyn std::error::Error, "the admin port failed");
        }
    })
}

/// Everything that is served there; `more` comes along as it is.
fn router(parts: Parts, readiness: &Readiness, more: Router) -> Result<Router, tonic_reflection::server::Error> {
    let reflection = || {
        tonic_reflection::server::Builder::configure()
            .register_encoded_file_descriptor_set(fives_wire::ADMIN_FILE_DESCRIPTOR_SET)
    };
    let service = AdminServiceServer::new(Administrators(parts.clone())).max_decoding_message_size(REQUEST_MAX_BYTES);
    // Before anything of a request is read.
    let guard = from_fn_with_state(parts.doorkeeper.clone(), door::guard);
    let grpc = Routes::new(service)
        .add_service(reflection().build_v1()?)
        .add_service(reflection().build_v1alpha()?);
    Ok(grpc
        .into_axum_router()
        .layer(guard)
        .merge(readiness.http())
        .merge(http_routes::routes(parts))
        .merge(more)
        .with_state(()))
}
