//! Everything that can be set, each limit said aloud: flags and variables in, one checked struct out.

mod args;
mod hooks;
mod issuers;
mod limits;
mod queues;
mod scope;
mod tls;

use std::net::SocketAddr;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use fives_lobby::queue::Queue;
use fives_store::redis::{Address, AddressError};
use fives_store::retention::Retention;
use fives_store::{embedded, redis};
use http::HeaderValue;
use thiserror::Error;
use tracing_subscriber::EnvFilter;

pub use args::{AdminListen, Durability, LogFormat, ServeArgs, StoreUrl};
pub use hooks::{HookEvent, HookSecret, HooksSettings};
pub use issuers::{IssuerSettings, JwksSource, SigningAlgorithm};
pub use limits::Limits;
pub use scope::{Scope, Scopes};
pub use tls::TlsSettings;

/// The settings, checked. What each means stands with the field of the same name in [`ServeArgs`].
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "each field is the flag of its name")]
pub struct Config {
    pub listen: SocketAddr,
    /// `None`: no admin port.
    pub admin_listen: Option<SocketAddr>,
    pub admin_token_file: Option<PathBuf>,
    /// `None`: no TLS.
    pub tls: Option<TlsSettings>,
    /// The folder of the embedded store.
    pub data: PathBuf,
    pub store: StoreSettings,
    /// Empty: a key that is gone when the process is.
    pub token_key: Vec<PathBuf>,
    pub token_lifetime_s: u64,
    /// Empty: no tokens but those of this service.
    pub issuers: Vec<IssuerSettings>,
    pub token_skew_s: u64,
    pub bot_delay_ms: u64,
    pub heartbeat_interval_ms: u64,
    pub rematch_offer_s: u64,
    pub page_size_max: usize,
    pub request_max_bytes: usize,
    pub response_max_bytes: usize,
    pub header_max_bytes: u32,
    pub max_connections: usize,
    pub max_calls: usize,
    pub max_calls_per_connection: usize,
    pub max_streams: usize,
    pub max_streams_per_connection: u32,
    pub limits: Limits,
    pub call_timeout_ms: u64,
    pub keepalive_interval_s: u64,
    pub keepalive_timeout_s: u64,
    /// `None`: never.
    pub max_connection_age_s: Option<u64>,
    pub drain_notice_s: u64,
    pub reconnect_spread_ms: u64,
    pub drain_grace_s: u64,
    pub workers: Option<usize>,
    /// Empty: any.
    pub cors_origins: Vec<HeaderValue>,
    /// Whether the web pages are served, and whether there is a table of bots to see on them.
    pub web: bool,
    pub house_table: bool,
    pub otlp_endpoint: Option<String>,
    pub trace_sample_ratio: f64,
    pub queues: Vec<Queue>,
    pub queue_ticket_s: u64,
    pub log: EnvFilter,
    pub log_format: LogFormat,
    /// `None`: the platform is told of nothing.
    pub hooks: Option<HooksSettings>,
}

/// Which store, and how it is used.
#[derive(Clone, Debug)]
pub enum StoreSettings {
    /// In the folder of the process.
    Embedded(embedded::Config),
    /// In Redis, for many processes.
    Redis(Address, redis::Config),
}

/// A setting that cannot be.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("--{flag} (FIVES_{}): {problem}", flag.to_uppercase().replace('-', "_"))]
pub struct ConfigError {
    /// Its flag.
    pub flag: &'static str,
    /// What is wrong with it.
    pub problem: String,
}

impl TryFrom<ServeArgs> for Config {
    type Error = ConfigError;

    fn try_from(args: ServeArgs) -> Result<Self, ConfigError> {
        let size = |size: usize| size as u64;
        let hour_s = 3600;
        within("token-lifetime-s", args.token_lifetime_s, 60..=10 * 366 * 24 * hour_s)?;
        within("bot-delay-ms", args.bot_delay_ms, 0..=60_000)?;
        // Clients take a stream for lost after two intervals of silence: less than a second would be lost by any hiccup.
        within("heartbeat-interval-ms", args.heartbeat_interval_ms, 1_000..=600_000)?;
        within("rematch-offer-s", args.rematch_offer_s, 1..=24 * hour_s)?;
        within("page-size-max", size(args.page_size_max), 1..=1_000)?;
        within(
            "request-max-bytes",
            size(args.request_max_bytes),
            4 * 1024..=16 * 1024 * 1024,
        )?;
        within(
            "response-max-bytes",
            size(args.response_max_bytes),
            64 * 1024..=1024 * 1024 * 1024,
        )?;
        within("header-max-bytes", args.header_max_bytes.into(), 4 * 1024..=1024 * 1024)?;
        within("max-connections", size(args.max_connections), 1..=1_000_000)?;
        within("max-calls", size(args.max_calls), 1..=1_000_000)?;
        within(
            "max-calls-per-connection",
            size(args.max_calls_per_connection),
            1..=1_000_000,
        )?;
        within("max-streams", size(args.max_streams), 1..=10_000_000)?;
        within(
            "max-streams-per-connection",
            args.max_streams_per_connection.into(),
            1..=1_000_000,
        )?;
        within("call-timeout-ms", args.call_timeout_ms, 100..=600_000)?;
        within("keepalive-interval-s", args.keepalive_interval_s, 1..=hour_s)?;
        within("keepalive-timeout-s", args.keepalive_timeout_s, 1..=hour_s)?;
        within("max-connection-age-s", args.max_connection_age_s, 0..=7 * 24 * hour_s)?;
        within("reconnect-spread-ms", args.reconnect_spread_ms, 0..=600_000)?;
        within("drain-notice-s", args.drain_notice_s, 0..=hour_s)?;
        within("drain-grace-s", args.drain_grace_s, 0..=hour_s)?;
        within("queue-ticket-s", args.queue_ticket_s, 2..=600)?;
        within("workers", size(args.workers.unwrap_or(1)), 1..=1_024)?;
        if !(0.0..=1.0).contains(&args.trace_sample_ratio) {
            return Err(ConfigError {
                flag: "trace-sample-ratio",
                problem: format!("{} is not within 0 and 1", args.trace_sample_ratio),
            });
        }
        let log = EnvFilter::try_new(&args.log).map_err(|error| ConfigError {
            flag: "log",
            problem: format!("`{}` is no filter: {error}", args.log),
        })?;
        let hooks = hooks::settings(&args)?;
        let store = store(&args)?;
        let tls = tls::settings(&args)?;
        let issuers = issuers::settings(&args)?;
        Ok(Self {
            listen: args.listen,
            admin_listen: args.admin_listen.0,
            admin_token_file: args.admin_token_file,
            tls,
            data: args.data,
            store,
            token_key: args.token_key,
            token_lifetime_s: args.token_lifetime_s,
            issuers,
            token_skew_s: args.token_skew_s,
            bot_delay_ms: args.bot_delay_ms,
            heartbeat_interval_ms: args.heartbeat_interval_ms,
            rematch_offer_s: args.rematch_offer_s,
            page_size_max: args.page_size_max,
            request_max_bytes: args.request_max_bytes,
            response_max_bytes: args.response_max_bytes,
            header_max_bytes: args.header_max_bytes,
            max_connections: args.max_connections,
            max_calls: args.max_calls,
            max_calls_per_connection: args.max_calls_per_connection,
            max_streams: args.max_streams,
            max_streams_per_connection: args.max_streams_per_connection,
            limits: args.limits.resolved(),
            call_timeout_ms: args.call_timeout_ms,
            keepalive_interval_s: args.keepalive_interval_s,
            keepalive_timeout_s: args.keepalive_timeout_s,
            max_connection_age_s: Some(args.max_connection_age_s).filter(|&age_s| age_s > 0),
            drain_notice_s: args.drain_notice_s,
            reconnect_spread_ms: args.reconnect_spread_ms,
            drain_grace_s: args.drain_grace_s,
            workers: args.workers,
            cors_origins: args
                .cors_origins
                .iter()
                .map(|text| origin(text))
                .collect::<Result<_, _>>()?,
            log,
            log_format: args.log_format,
            web: !args.no_web,
            house_table: !args.no_house_table,
            otlp_endpoint: args.otlp_endpoint,
            trace_sample_ratio: args.trace_sample_ratio,
            queues: queues::read(args.queues.as_deref())?,
            queue_ticket_s: args.queue_ticket_s,
            hooks,
        })
    }
}

fn store(args: &ServeArgs) -> Result<StoreSettings, ConfigError> {
    let minute_ms = 60_000;
    let year_s = 366 * 24 * 3600;
    within(
        "store-connect-timeout-ms",
        args.store_connect_timeout_ms,
        50..=minute_ms,
    )?;
    within(
        "store-response-timeout-ms",
        args.store_response_timeout_ms,
        50..=minute_ms,
    )?;
    within("replica-timeout-ms", args.replica_timeout_ms, 10..=minute_ms)?;
    within("keep-open-s", args.keep_open_s, 1..=year_s)?;
    within("keep-live-s", args.keep_live_s, 1..=year_s)?;
    within("keep-finished-s", args.keep_finished_s, 1..=year_s)?;
    within("archive-days", args.archive_days, 0..=36_500)?;
    within("recent-matches", args.recent_matches as u64, 1..=10_000_000)?;
    let retention = Retention {
        open: Duration::from_secs(args.keep_open_s),
        live: Duration::from_secs(args.keep_live_s),
        settled: Duration::from_secs(args.keep_finished_s),
        archived: Some(Duration::from_secs(args.archive_days * 24 * 3600)).filter(|kept| !kept.is_zero()),
    };
    if args.store.0 == "embedded" {
        return Ok(StoreSettings::Embedded(embedded::Config {
            retention,
            tells_platform: args.hooks.is_some(),
            recent_tables: args.recent_matches,
            ..embedded::Config::default()
        }));
    }
    let problem = |flag, problem: String| ConfigError { flag, problem };
    let address: Address = args.store.0.parse().map_err(|error: AddressError| {
        problem("store", format!("neither `embedded` nor an address of Redis: {error}"))
    })?;
    let address = match &args.store_ca {
        Some(path) => tls::trusting(address, path)?,
        None => address,
    };
    if args.token_key.is_empty() {
        let needed = "needed with Redis: every process must accept the tokens of every other";
        return Err(problem("token-key", needed.to_owned()));
    }
    let durability = match args.durability {
        Durability::Primary => redis::Durability::Primary,
        Durability::Replicated => redis::Durability::Replicated,
    };
    let config = redis::Config {
        durability,
        connect_timeout: Duration::from_millis(args.store_connect_timeout_ms),
        response_timeout: Duration::from_millis(args.store_response_timeout_ms),
        replica_timeout: Duration::from_millis(args.replica_timeout_ms),
        retention,
        tells_platform: args.hooks.is_some(),
        recent_tables: args.recent_matches,
    };
    Ok(StoreSettings::Redis(address, config))
}

fn within(flag: &'static str, value: u64, bounds: RangeInclusive<u64>) -> Result<(), ConfigError> {
    if bounds.contains(&value) {
        return Ok(());
    }
    let (least, most) = (bounds.start(), bounds.end());
    Err(ConfigError {
        flag,
        problem: format!("{value} is not within {least} and {most}"),
    })
}

fn origin(text: &str) -> Result<HeaderValue, ConfigError> {
    // Browsers send an origin without a path, so one with a slash at its end would never be met.
    let (_, host) = text.split_once("://").unwrap_or_default();
    let value = HeaderValue::from_str(text).ok();
    value
        .filter(|_| !host.is_empty() && !host.contains('/'))
        .ok_or_else(|| ConfigError {
            flag: "cors-origins",
            problem: format!("`{text}` is no origin; one looks like https://example.org"),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_names_its_flag_and_its_variable() {
        let impossible = |change: fn(&mut ServeArgs)| {
            let mut args = ServeArgs::default();
            change(&mut args);
            Config::try_from(args).expect_err("impossible")
        };
        for (change, flag) in [
            (
                (|args| args.token_lifetime_s = 0) as fn(&mut ServeArgs),
                "token-lifetime-s",
            ),
            (|args| args.bot_delay_ms = 60_001, "bot-delay-ms"),
            (|args| args.heartbeat_interval_ms = 999, "heartbeat-interval-ms"),
            (|args| args.rematch_offer_s = 0, "rematch-offer-s"),
            (|args| args.page_size_max = 0, "page-size-max"),
            (|args| args.request_max_bytes = 1, "request-max-bytes"),
            (|args| args.response_max_bytes = usize::MAX, "response-max-bytes"),
            (|args| args.header_max_bytes = 0, "header-max-bytes"),
            (|args| args.tls_cert = Some("cert.pem".into()), "tls-cert"),
            (|args| args.tls_key = Some("key.pem".into()), "tls-key"),
            (|args| args.tls_client_ca = Some("ca.pem".into()), "tls-client-ca"),
            (|args| args.tls_reload_interval_s = 0, "tls-reload-interval-s"),
            (|args| args.tls_handshake_timeout_ms = 0, "tls-handshake-timeout-ms"),
            (|args| args.max_tls_handshakes = 0, "max-tls-handshakes"),
            (|args| args.max_calls = 0, "max-calls"),
            (|args| args.max_calls_per_connection = 0, "max-calls-per-connection"),
            (|args| args.max_streams = 0, "max-streams"),
            (|args| args.max_streams_per_connection = 0, "max-streams-per-connection"),
            (|args| args.call_timeout_ms = 0, "call-timeout-ms"),
            (|args| args.keepalive_interval_s = 0, "keepalive-interval-s"),
            (|args| args.keepalive_timeout_s = 0, "keepalive-timeout-s"),
            (|args| args.drain_notice_s = u64::MAX, "drain-notice-s"),
            (|args| args.drain_grace_s = u64::MAX, "drain-grace-s"),
            (|args| args.workers = Some(0), "workers"),
            (|args| args.reconnect_spread_ms = u64::MAX, "reconnect-spread-ms"),
            (|args| args.max_connection_age_s = u64::MAX, "max-connection-age-s"),
            (|args| args.store_connect_timeout_ms = 0, "store-connect-timeout-ms"),
            (|args| args.store_response_timeout_ms = 0, "store-response-timeout-ms"),
            (|args| args.replica_timeout_ms = 0, "replica-timeout-ms"),
            (|args| args.keep_open_s = 0, "keep-open-s"),
            (|args| args.keep_live_s = 0, "keep-live-s"),
            (|args| args.keep_finished_s = u64::MAX, "keep-finished-s"),
            (|args| args.archive_days = u64::MAX, "archive-days"),
            (|args| args.store = StoreUrl::from("redis://"), "store"),
            (|args| args.store = StoreUrl::from("redis://here"), "token-key"),
            (|args| args.queues = Some("nowhere/queues.json".into()), "queues"),
            (|args| args.queue_ticket_s = 1, "queue-ticket-s"),
            (|args| args.log = "info,=".to_owned(), "log"),
            (
                |args| args.cors_origins = vec!["example.org".to_owned()],
                "cors-origins",
            ),
            (
                |args| args.cors_origins = vec!["https://example.org/".to_owned()],
                "cors-origins",
            ),
        ] {
            assert_eq!(impossible(change).flag, flag);
        }
        let secret = impossible(|args| args.store = StoreUrl::from("redis://anna:secret@here:port"));
        assert!(!secret.to_string().contains("secret"), "{secret}");
        let message = impossible(|args| args.max_calls = 0).to_string();
        assert_eq!(message, "--max-calls (FIVES_MAX_CALLS): 0 is not within 1 and 1000000");
    }

    #[test]
    fn the_defaults_are_possible() {
        let config = Config::try_from(ServeArgs::default()).expect("possible");
        assert_eq!(
            config.listen.to_string(),
            "127.0.0.1:7400",
            "nobody else is served unless it is asked for"
        );
        assert!(config.token_key.is_empty() && matches!(config.store, StoreSettings::Embedded(_)));
    }
}
