//! Starting and stopping. The listener and the wish to stop come as arguments, so that tests bring their own.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use fives_lobby::agenda::Agenda;
use fives_lobby::archive::Archive;
use fives_lobby::courier::{self, Errands, Settle};
use fives_lobby::emotes::Emotes;
use fives_lobby::erasure::{Eraser, Forget, Links, Patience};
use fives_lobby::history::Histories;
use fives_lobby::identity::Identities;
use fives_lobby::queue::Matchmaker;
use fives_lobby::rating::RatingBook;
use fives_lobby::rematch::Rematches;
use fives_lobby::store::SharedLobbyStore;
use fives_referee::feed::Feed;
use fives_referee::referee::{Policy, Referee};
use fives_referee::roster::Roster;
use fives_referee::store::SharedStore;
use fives_referee::timekeeper;
use fives_referee::watchers::ProcessId;
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use tonic::transport::Server;
use tracing::{info, warn};

use crate::admin::{self, AdminDoor, Reach};
use crate::config::{Config, HooksSettings};
use crate::hooks;
use crate::issuers::Issuers;
use crate::layers::rates::Rates;
use crate::probes::Readiness;
use crate::services::Parts;
use crate::services::stream::Streams;
use crate::telemetry::service;
use crate::tls::{Certificate, Handshakes};
use crate::token::{Bearers, Tokens};
use crate::{ServeError, incoming, routes};

/// How many calls that their client takes back before they were begun are put up with on a connection, and how many that broke
/// the protocol. Above that it is closed: it means no call (rapid reset, CVE-2023-44487). A load balancer may well take back
/// many at once, when one of its clients goes away.
const MAX_PENDING_RESETS: usize = 128;
const MAX_LOCAL_RESETS: usize = 1024;

/// How long the answers of the admin port may take when everything else has stopped.
const ADMIN_GRACE: Duration = Duration::from_secs(1);

/// How much longer than it may a call may take: its commit goes on without it.
const CALL_SLACK_MS: u64 = 1_000;

/// Serves on `listener` until `shutdown`, then stops: first it says that it will, then streams end and calls under way finish,
/// and after the grace time it goes all the same. Dropping it stops everything at once.
///
/// # Errors
/// [`ServeError`].
pub async fn serve(
    config: Config,
    listener: TcpListener,
    store: SharedLobbyStore,
    shutdown: impl Future<Output = ()> + Send,
) -> Result<(), ServeError> {
    serve_all(config, listener, None, store, shutdown).await
}

/// The same, with an admin port if there is one; an administrator can stop it, too.
pub(crate) async fn serve_all(
    config: Config,
    listener: TcpListener,
    admin: Option<AdminDoor>,
    store: SharedLobbyStore,
    shutdown: impl Future<Output = ()> + Send,
) -> Result<(), ServeError> {
    let tokens = Arc::new(Tokens::open(&config.token_key, config.token_lifetime_s)?);
    let tables: SharedStore = store.clone();
    let ratings = RatingBook::new(Arc::clone(&store));
    let issuers = Issuers::open(&config)?;
    let identities = Identities::new(Arc::clone(&store));
    let bearers = Bearers::new(
        Arc::clone(&tokens),
        issuers.clone(),
        config.token_skew_s,
        identities.clone(),
    );
    let bearers = Arc::new(bearers);
    let (referee, due) = Referee::new(
        Arc::clone(&tables),
        Policy {
            bot_delay_ms: config.bot_delay_ms,
            max_open_tables: Some(config.limits.max_open_tables_per_player).filter(|&most| most > 0),
            away_after_ms: config.hooks.as_ref().and_then(HooksSettings::away_after_ms),
        },
    );
    // Ends with this function, however that ends.
    let mut background = JoinSet::new();
    background.spawn(timekeeper::run(referee.clone(), due));
    // Whoever makes something of results; each in its turn, and all again if one fails.
    let archive = Archive::new(Arc::clone(&store), referee.clone());
    let settlers: [Arc<dyn Settle>; 2] = [Arc::new(ratings.clone()), Arc::new(archive.clone())];
    background.spawn(courier::run(Arc::clone(&store), Errands::Results(Arc::from(settlers))));
    if let Some(settings) = &config.hooks {
        let errands = hooks::errands(settings, Arc::clone(&store))?;
        background.spawn(courier::run(Arc::clone(&store), errands));
        background.spawn(hooks::observe(Arc::clone(&store)));
    }

    background.spawn(referee.presence().clone().share());

    let heartbeat_interval = Duration::from_millis(config.heartbeat_interval_ms);
    let feed = Feed::new(referee.clone(), heartbeat_interval, ProcessId(random_u64()));
    background.spawn(feed.clone().share_watcher_counts());

    let (queues, ticket_ms) = (config.queues.clone(), config.queue_ticket_s * 1000);
    let matchmaker = Matchmaker::new(Arc::clone(&store), referee.clone(), ratings.clone(), queues, ticket_ms);
    background.spawn(matchmaker.clone().run());
    let links = Links::new(identities.clone(), issuers.keys());
    background.spawn(issuers.keep_fresh());
    let patience = Patience {
        call_ms: config.call_timeout_ms + CALL_SLACK_MS,
        token_ms: config.token_lifetime_s.saturating_mul(1000),
    };
    let around: Vec<Box<dyn Forget>> = vec![Box::new(matchmaker.clone()), Box::new(ratings.clone()), Box::new(links)];
    let eraser = Eraser::new(Arc::clone(&store), referee.clone(), patience, around);
    // Later failures are made good by the eraser, which reads it again and again.
    if let Err(error) = eraser.gone().refresh(&store).await {
        let error: &dyn std::error::Error = &error;
        warn!(error, "whose tokens are not good any more is not known yet");
    }
    background.spawn(eraser.clone().run());

    let rates = Arc::new(Rates::new(&config.limits));
    let forgetting = Arc::clone(&rates);
    background.spawn(async move { forgetting.keep_small().await });

    let draining = CancellationToken::new();
    let _dropped = draining.clone().drop_guard();
    let readiness = Readiness::new(&tables).await;
    let (stop, closing) = (CancellationToken::new(), CancellationToken::new());
    let mut administration = JoinSet::new();
    if let Some(door) = admin {
        let reach = Reach {
            referee: referee.clone(),
            bearers: Arc::clone(&bearers),
            store: Arc::clone(&store),
            eraser: eraser.clone(),
        };
        let serving = admin::serve(door, reach, &readiness, stop.clone(), closing.clone())?;
        administration.spawn(serving);
    }
    let offer_ms = config.rematch_offer_s.saturating_mul(1000);
    let rematches = Rematches::new(referee.clone(), Arc::clone(&store), offer_ms);
    let parts = Parts {
        emotes: Emotes::new(Arc::clone(&store)),
        agenda: Agenda::new(
            referee.clone(),
            Arc::clone(&store),
            rematches.clone(),
            heartbeat_interval,
        ),
        rematches,
        feed: feed.clone(),
        roster: Roster::new(Arc::clone(&tables)),
        streams: Streams::new(&config, draining.clone()),
        rates: Arc::clone(&rates),
        config: Arc::new(config.clone()),
        tokens,
        archive,
        histories: Histories::new(store),
        eraser,
        referee,
        matchmaker,
        ratings,
        bearers,
        identities,
    };
    background.spawn(service::observe(
        Arc::clone(&tables),
        feed.clone(),
        parts.streams.clone(),
        readiness.clone(),
    ));
    let routes: Router = routes::routes(&parts, &readiness)?;
    let mut transport = Server::builder()
        .accept_http1(true)
        .concurrency_limit_per_connection(config.max_calls_per_connection)
        .max_concurrent_streams(config.max_streams_per_connection)
        .http2_max_header_list_size(config.header_max_bytes)
        .http2_max_pending_accept_reset_streams(Some(MAX_PENDING_RESETS))
        // Said aloud, since tonic's own silence means that there is no limit.
        .http2_max_local_error_reset_streams(Some(MAX_LOCAL_RESETS))
        .http2_keepalive_interval(Some(Duration::from_secs(config.keepalive_interval_s)))
        .http2_keepalive_timeout(Some(Duration::from_secs(config.keepalive_timeout_s)));
    if let Some(age_s) = config.max_connection_age_s {
        // Not the same for all processes, which may have been started together.
        transport = transport
            .max_connection_age(jittered(Duration::from_secs(age_s)))
            .max_connection_age_grace(Duration::from_secs(config.drain_grace_s));
    }
    let handshakes = match &config.tls {
        None => None,
        Some(settings) => {
            let certificate = Certificate::open(settings)?;
            let handshakes = Handshakes::new(&certificate, settings);
            background.spawn(certificate.keep_fresh());
            Some(handshakes)
        }
    };
    let incoming = incoming::incoming(
        listener,
        Duration::from_secs(config.keepalive_interval_s),
        config.max_connections,
        handshakes,
    );

    let drain = async {
        tokio::select! {
            () = shutdown => {}
            () = stop.cancelled() => {}
            () = readiness.keep_checking(&tables) => {}
        }
        info!("stopping");
        readiness.announce_stop().await;
        sleep(Duration::from_secs(config.drain_notice_s)).await;
        draining.cancel();
        readiness.clone().end_watches().await;
    };
    // Connections that nobody answers on any more would keep the transport waiting for ever (hyper #4170).
    let run_out = async {
        draining.cancelled().await;
        sleep(Duration::from_secs(config.drain_grace_s)).await;
    };
    tokio::select! {
        served = transport.serve_with_incoming_shutdown(routes, incoming, drain) => served?,
        () = run_out => warn!(grace_s = config.drain_grace_s, "stopped with connections still open"),
    }
    // Last, so that whoever watches a process that stops, or has stopped it, is answered to the end.
    closing.cancel();
    let _ = timeout(ADMIN_GRACE, administration.join_next()).await;
    info!("stopped");
    Ok(())
}

/// Up to a tenth longer.
fn jittered(time: Duration) -> Duration {
    time + time.mul_f64((random_u64() % 100) as f64 / 1000.0)
}

/// For what needs no secret: without random bytes, what else tells two processes apart.
pub(crate) fn random_u64() -> u64 {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_or_else(|_| std::process::id().into(), |()| u64::from_ne_bytes(bytes))
}
