//! A connection to Redis that is made when it is needed, and made anew after it broke.
//!
//! Whoever comes while there is none waits for the one attempt that is under way; for a moment after a failed attempt
//! everybody is turned away at once, so that nothing piles up behind a Redis that is gone.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use fives_referee::trace::spanned;
use opentelemetry::KeyValue;
use opentelemetry::trace::SpanKind;
use redis::aio::{ConnectionLike, MultiplexedConnection, PubSub};
use redis::cluster::{ClusterClient, ClusterClientBuilder};
use redis::cluster_async::ClusterConnection;
use redis::cluster_routing::{Route, RoutingInfo, SingleNodeRoutingInfo, SlotAddr};
use redis::sentinel::{SentinelClient, SentinelClientBuilder, SentinelServerType};
use redis::{
    AsyncConnectionConfig, Client, Cmd, ConnectionAddr, ErrorKind, FromRedisValue, IntoConnectionInfo, Pipeline,
    RedisConnectionInfo, RedisError, RedisFuture, RedisResult, Script, ServerErrorKind, TlsMode, Value,
    from_redis_value,
};
use tokio::sync::Mutex as AsyncMutex;
use tokio::time::{Instant, timeout};

use super::address::{Address, Layout};
use super::config::Config;
use super::script::{self, Call};
use crate::unpoisoned;

/// How long everybody is turned away after an attempt to connect failed.
const PAUSE_AFTER_FAILURE: Duration = Duration::from_millis(100);

/// How often the library itself sends a command again that a cluster redirected or cut off. The commit is safe for that: its
/// compare refuses the second time.
const CLUSTER_RETRIES: u32 = 4;

/// After how long of time-outs, none of them long after the one before, a cluster is connected to anew: its connection mends itself
/// mostly, but was seen to go on asking a node that had died.
const CLUSTER_STUCK_AFTER: Duration = Duration::from_secs(6);
const TIMEOUTS_APART_MAX: Duration = Duration::from_secs(10);

/// How to get to the primary, or into the cluster.
pub(super) enum Dialer {
    Node(Client),
    Sentinel(AsyncMutex<SentinelClient>),
    Cluster {
        client: ClusterClient,
        /// Any of them can be subscribed to: a cluster tells all of its nodes what is published.
        nodes: Vec<Client>,
    },
}

impl Dialer {
    pub(super) fn new(address: &Address, config: &Config) -> RedisResult<Self> {
        if address.has_tls {
            // The library takes whatever the process has installed. Somebody else may have been first, which is as good.
            let _ = rustls::crypto::ring::default_provider().install_default();
        }
        let certificates = address.certificates();
        let mut settings = RedisConnectionInfo::default().set_db(address.db);
        if let Some(username) = &address.username {
            settings = settings.set_username(username);
        }
        if let Some(password) = &address.password {
            settings = settings.set_password(password);
        }
        let client = |addr: ConnectionAddr| {
            let info = addr.into_connection_info()?.set_redis_settings(settings.clone());
            match &certificates {
                Some(certificates) => Client::build_with_tls(info, certificates.clone()),
                None => Client::open(info),
            }
        };
        let addrs = address.addrs();
        match &address.layout {
            Layout::Node => {
                let addr = addrs
                    .into_iter()
                    .next()
                    .ok_or((ErrorKind::InvalidClientConfig, "no host"))?;
                Ok(Self::Node(client(addr)?))
            }
            Layout::Sentinel { master } => {
                let mut builder = SentinelClientBuilder::new(addrs, master, SentinelServerType::Master)?
                    .set_client_to_redis_db(address.db);
                if address.has_tls {
                    builder = builder
                        .set_client_to_redis_tls_mode(TlsMode::Secure)
                        .set_client_to_sentinel_tls_mode(TlsMode::Secure);
                }
                if let Some(certificates) = certificates {
                    builder = builder
                        .set_client_to_redis_certificates(certificates.clone())
                        .set_client_to_sentinel_certificates(certificates);
                }
                if let Some(username) = &address.username {
                    builder = builder.set_client_to_redis_username(username);
                }
                if let Some(password) = &address.password {
                    builder = builder.set_client_to_redis_password(password);
                }
                Ok(Self::Sentinel(AsyncMutex::new(builder.build()?)))
            }
            Layout::Cluster => {
                let mut builder = ClusterClientBuilder::new(addrs.clone())
                    .retries(CLUSTER_RETRIES)
                    .connection_timeout(config.connect_timeout)
                    .response_timeout(config.response_timeout)
                    .overall_response_timeout(Some(config.response_timeout * 2));
                if address.has_tls {
                    builder = builder.tls(TlsMode::Secure);
                }
                if let Some(certificates) = certificates.clone() {
                    builder = builder.certs(certificates);
                }
                if let Some(username) = &address.username {
                    builder = builder.username(username);
                }
                if let Some(password) = &address.password {
                    builder = builder.password(password);
                }
                Ok(Self::Cluster {
                    client: builder.build()?,
                    nodes: addrs.into_iter().map(client).collect::<RedisResult<_>>()?,
                })
            }
        }
    }

    async fn dial(&self, config: &AsyncConnectionConfig) -> RedisResult<Connection> {
        Ok(match self {
            Self::Node(client) => Connection::Node(client.get_multiplexed_async_connection_with_config(config).await?),
            Self::Sentinel(client) => {
                let mut client = client.lock().await;
                Connection::Node(client.get_async_connection_with_config(config).await?)
            }
            Self::Cluster { client, .. } => Connection::Cluster(client.get_async_connection().await?),
        })
    }

    /// A connection that hears what is published.
    pub(super) async fn subscriber(&self) -> RedisResult<PubSub> {
        match self {
            Self::Node(client) => client.get_async_pubsub().await,
            Self::Sentinel(client) => {
                let client = client.lock().await.async_get_client().await?;
                client.get_async_pubsub().await
            }
            Self::Cluster { nodes, .. } => {
                let mut failed = RedisError::from((ErrorKind::InvalidClientConfig, "no host"));
                for node in nodes {
                    match node.get_async_pubsub().await {
                        Ok(subscriber) => return Ok(subscriber),
                        Err(error) => failed = error,
                    }
                }
                Err(failed)
            }
        }
    }
}

/// A connection, cheap to clone; clones share it, and what they send goes out together.
#[derive(Clone)]
pub(super) enum Connection {
    Node(MultiplexedConnection),
    Cluster(ClusterConnection),
}

impl ConnectionLike for Connection {
    fn req_packed_command<'a>(&'a mut self, cmd: &'a Cmd) -> RedisFuture<'a, Value> {
        match self {
            Self::Node(node) => node.req_packed_command(cmd),
            Self::Cluster(cluster) => cluster.req_packed_command(cmd),
        }
    }

    fn req_packed_commands<'a>(
        &'a mut self,
        pipeline: &'a Pipeline,
        offset: usize,
        count: usize,
    ) -> RedisFuture<'a, Vec<Value>> {
        match self {
            Self::Node(node) => node.req_packed_commands(pipeline, offset, count),
            Self::Cluster(cluster) => cluster.req_packed_commands(pipeline, offset, count),
        }
    }

    fn get_db(&self) -> i64 {
        match self {
            Self::Node(node) => node.get_db(),
            Self::Cluster(cluster) => cluster.get_db(),
        }
    }
}

/// What went wrong, and whether anything was sent.
#[derive(Clone)]
pub(super) enum Failure {
    /// There was no connection: nothing was sent.
    NotSent(RedisError),
    /// It was sent, and this came back, or nothing did.
    Sent(RedisError),
}

/// One connection, made when it is needed.
pub(super) struct Link {
    dialer: Arc<Dialer>,
    dialing: AsyncConnectionConfig,
    dial_timeout: Duration,
    state: Mutex<State>,
    attempt: AsyncMutex<()>,
}

#[derive(Default)]
struct State {
    connection: Option<Connection>,
    /// Which connection this is; a failure of an older one says nothing about it.
    generation: u64,
    failed: Option<(Instant, RedisError)>,
    /// Since when answers time out, and when the last one did.
    timing_out: Option<(Instant, Instant)>,
}

impl State {
    /// Notes a time-out; says whether they have gone on for too long.
    fn is_stuck(&mut self, now: Instant) -> bool {
        let since = match self.timing_out {
            Some((since, last)) if now.duration_since(last) < TIMEOUTS_APART_MAX => since,
            _ => now,
        };
        let is_stuck = now.duration_since(since) > CLUSTER_STUCK_AFTER;
        self.timing_out = (!is_stuck).then_some((since, now));
        is_stuck
    }
}

impl Link {
    /// A link whose answers may take `response_timeout`.
    pub(super) fn new(dialer: Arc<Dialer>, config: &Config, response_timeout: Duration) -> Self {
        let dialing = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(config.connect_timeout))
            .set_response_timeout(Some(response_timeout));
        Self {
            dialer,
            dialing,
            // Sentinel is asked first, and a cluster for its slots.
            dial_timeout: config.connect_timeout * 2,
            state: Mutex::default(),
            attempt: AsyncMutex::default(),
        }
    }

    /// Sends a command.
    pub(super) async fn run<T: FromRedisValue>(&self, command: &Cmd) -> Result<T, Failure> {
        self.send(async |connection| command.query_async(connection).await)
            .await
    }

    /// Sends a command that names no key to the node of this one.
    pub(super) async fn run_at<T: FromRedisValue>(&self, key: &str, command: &Cmd) -> Result<T, Failure> {
        self.send(async |connection| match connection {
            Connection::Node(node) => command.query_async(node).await,
            Connection::Cluster(cluster) => {
                let route = SingleNodeRoutingInfo::SpecificNode(Route::with_key(key, SlotAddr::Master));
                let answer = cluster.route_command(command.clone(), RoutingInfo::SingleNode(route));
                Ok(from_redis_value(answer.await?)?)
            }
        })
        .await
    }

    /// Runs a script; one that Redis does not know yet is brought along.
    pub(super) async fn invoke<T: FromRedisValue>(&self, call: &Call) -> Result<T, Failure> {
        match self.run(&call.command).await {
            Err(Failure::Sent(error)) if script::is_unknown(&error) => {
                self.load(call.script).await?;
                self.run(&call.command).await
            }
            answered => answered,
        }
    }

    /// A script, for a later use in a pipeline, which cannot bring it along.
    pub(super) async fn load(&self, script: &Script) -> Result<(), Failure> {
        self.send(async |connection| script.load_async(connection).await.map(drop))
            .await
    }

    async fn send<T>(&self, send: impl AsyncFnOnce(&mut Connection) -> RedisResult<T>) -> Result<T, Failure> {
        let (mut connection, generation) = self.connection().await.map_err(Failure::NotSent)?;
        let database = [KeyValue::new("db.system.name", "redis")];
        let answer = spanned("redis", SpanKind::Client, database, send(&mut connection)).await;
        answer.map_err(|error| self.failed(error, generation))
    }

    /// Whether each shard may be at another node.
    pub(super) fn is_cluster(&self) -> bool {
        matches!(*self.dialer, Dialer::Cluster { .. })
    }

    /// The connection, and which one it is.
    pub(super) async fn connection(&self) -> RedisResult<(Connection, u64)> {
        if let Some(known) = self.known()? {
            return Ok(known);
        }
        let _attempt = self.attempt.lock().await;
        if let Some(known) = self.known()? {
            return Ok(known);
        }
        let dialed = timeout(self.dial_timeout, self.dialer.dial(&self.dialing)).await;
        let dialed = dialed.unwrap_or_else(|_| Err(std::io::Error::from(std::io::ErrorKind::TimedOut).into()));
        let mut state = unpoisoned(self.state.lock());
        match dialed {
            Ok(connection) => {
                state.generation += 1;
                state.connection = Some(connection.clone());
                Ok((connection, state.generation))
            }
            Err(error) => {
                state.failed = Some((Instant::now(), error.clone()));
                Err(error)
            }
        }
    }

    fn known(&self) -> RedisResult<Option<(Connection, u64)>> {
        let state = unpoisoned(self.state.lock());
        match (&state.connection, &state.failed) {
            (Some(connection), _) => Ok(Some((connection.clone(), state.generation))),
            (None, Some((at, error))) if at.elapsed() < PAUSE_AFTER_FAILURE => Err(error.clone()),
            (None, _) => Ok(None),
        }
    }

    /// Takes note of what came back: a connection that broke, or that leads to what is no primary any more, is given up.
    pub(super) fn failed(&self, error: RedisError, generation: u64) -> Failure {
        let is_primary_gone = matches!(
            error.kind(),
            ErrorKind::Server(ServerErrorKind::ReadOnly | ServerErrorKind::MasterDown)
        );
        let mut state = unpoisoned(self.state.lock());
        if state.generation == generation {
            let is_broken = match state.connection {
                Some(Connection::Node(_)) => error.is_io_error() || error.is_unrecoverable_error() || is_primary_gone,
                Some(Connection::Cluster(_)) => error.is_timeout() && state.is_stuck(Instant::now()),
                None => false,
            };
            if is_broken {
                state.connection = None;
            }
        }
        Failure::Sent(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cluster_is_connected_to_anew_when_answers_time_out_for_long() {
        let (mut state, begin) = (State::default(), Instant::now());
        let stuck: Vec<bool> = [0, 3, 5, 7, 8, 30, 35, 37]
            .map(|second| state.is_stuck(begin + Duration::from_secs(second)))
            .into();
        // Once; then they are counted anew, and after a pause, too.
        assert_eq!(stuck, [false, false, false, true, false, false, false, true]);
    }
}
