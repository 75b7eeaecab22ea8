//! The process that serves Fives: gRPC, gRPC-Web and health on one port; what operators need on another.
//!
//! A call passes the gates in the order in which `layers` shows them, then comes to one of the services, which decodes, asks the
//! referee, and encodes. Nothing here decides anything about the game.
//!
//! [`run`] is `fives serve`; [`serve()`] takes a listener, a store and the wish to stop from whoever calls.

mod admin;
pub mod build;
pub mod config;
mod failure;
mod hooks;
mod incoming;
mod issuers;
mod layers;
mod log_filter;
mod probes;
mod routes;
mod serve;
mod services;
mod telemetry;
mod tls;
mod token;
mod web;

use std::net::SocketAddr;
use std::sync::Arc;

use fives_lobby::store::SharedLobbyStore;
use fives_store::embedded::{EmbeddedStore, OpenError};
use fives_store::redis::RedisStore;
use thiserror::Error;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tracing::info;

pub use serve::serve;
pub use telemetry::export::TelemetryError;
pub use tls::TlsError;
pub use token::KeyError;

use admin::AdminDoor;
use admin::token::AdminToken;
use config::{Config, ConfigError, ServeArgs, StoreSettings};
use telemetry::export::Telemetry;
use telemetry::measured::Measured;

/// Why the service does not run, or did not stop as it should.
#[derive(Debug, Error)]
pub enum ServeError {
    /// A setting is impossible.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The folder cannot be opened.
    #[error(transparent)]
    Store(#[from] OpenError),
    /// The library cannot use this address of Redis.
    #[error("Redis cannot be used: {0}")]
    Redis(#[from] fives_store::redis::Error),
    /// The key that signs tokens cannot be read or made.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// TLS cannot be served with the files that were named.
    #[error("TLS: {0}")]
    Tls(#[from] TlsError),
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {error}")]
    Listen {
        /// Where.
        address: std::net::SocketAddr,
        /// Why.
        error: std::io::Error,
    },
    /// The operating system gave no threads or no signals.
    #[error(transparent)]
    System(#[from] std::io::Error),
    /// Reflection could not be built from the API's own descriptors.
    #[error("reflection: {0}")]
    Reflection(#[from] tonic_reflection::server::Error),
    /// There can be no client for webhooks.
    #[error("--hooks (FIVES_HOOKS): {0}")]
    Hooks(#[from] reqwest::Error),
    /// Nothing could be measured.
    #[error(transparent)]
    Telemetry(#[from] TelemetryError),
    /// The transport failed.
    #[error("the transport failed: {0}")]
    Transport(#[from] tonic::transport::Error),
}

/// Serves as `args` say until SIGTERM or Ctrl-C.
///
/// # Errors
/// [`ServeError`].
pub fn run(args: ServeArgs) -> Result<(), ServeError> {
    let mut config = Config::try_from(args)?;
    let log = telemetry::init(&config);
    let token = AdminToken::open(config.admin_token_file.as_deref())?;
    if matches!(config.store, StoreSettings::Embedded(_)) {
        if config.token_key.is_empty() {
            // Kept with the data: players stay signed in over a restart.
            config.token_key.push(config.data.join("token-key.pem"));
        }
        config.token_key.iter().try_for_each(|path| token::make_missing(path))?;
    }
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    if let Some(workers) = config.workers {
        runtime.worker_threads(workers);
    }
    runtime.enable_all().build()?.block_on(async {
        let telemetry = Telemetry::start(&config)?;
        let (store, kept_in): (SharedLobbyStore, String) = match &config.store {
            StoreSettings::Embedded(settings) => {
                let store = EmbeddedStore::open_with(&config.data, *settings)?;
                (Arc::new(store), config.data.display().to_string())
            }
            StoreSettings::Redis(address, settings) => (Arc::new(RedisStore::new(address, *settings)?), address.to_string()),
        };
        let address = config.listen;
        let listener = TcpListener::bind(address).await.map_err(|error| ServeError::Listen { address, error })?;
        let admin = match config.admin_listen {
            None => None,
            Some(address) => Some(AdminDoor { listener: listen_for_admins(address).await?, token, log, more: telemetry.routes() }),
        };
        info!(listen = %listener.local_addr()?, admin_listen = config.admin_listen.map(tracing::field::display), store = kept_in, durability = store.durability(), tls = config.tls.is_some(), version = build::VERSION, commit = build::COMMIT, schema = build::SCHEMA, "serving");
        let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
        let shutdown = async move {
            tokio::select! {
                _ = terminate.recv() => info!("SIGTERM"),
                _ = interrupt.recv() => info!("Ctrl-C"),
            }
        };
        let served = Box::pin(serve::serve_all(config, listener, admin, Arc::new(Measured::new(store)), shutdown)).await;
        telemetry.end().await;
        served
    })
}

/// The admin port. Several processes on one machine would have the same by default, so what is wrong is said with what to do.
async fn listen_for_admins(address: SocketAddr) -> Result<TcpListener, ConfigError> {
    let listener = TcpListener::bind(address).await;
    listener.map_err(|error| ConfigError {
        flag: "admin-listen",
        problem: format!("cannot listen on {address}: {error}; another port will do, or `off` for none"),
    })
}
