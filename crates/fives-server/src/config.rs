//! Everything that can be set, each limit said aloud.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Parser, ValueEnum};
use http::HeaderValue;
use thiserror::Error;

/// The settings as flags and variables.
#[derive(Clone, Debug, Args)]
pub struct ServeArgs {
    /// Address and port to serve on
    #[arg(long, env = "FIVES_LISTEN", value_name = "ADDRESS", default_value = "127.0.0.1:7400")]
    pub listen: SocketAddr,

    /// Folder that everything is kept in; made if it is not there
    #[arg(long, env = "FIVES_DATA", value_name = "FOLDER", default_value = "data")]
    pub data: PathBuf,

    /// How long a bot seems to think, in milliseconds
    #[arg(long, env = "FIVES_BOT_DELAY_MS", value_name = "MS", default_value_t = 700)]
    pub bot_delay_ms: u64,

    /// How long a token is valid, in seconds
    #[arg(long, env = "FIVES_TOKEN_LIFETIME_S", value_name = "S", default_value_t = 30 * 24 * 3600)]
    pub token_lifetime_s: u64,

    /// The private key that signs tokens (Ed25519, PKCS#8 PEM); made if it is not there [default: token-key.pem in --data]
    #[arg(long, env = "FIVES_TOKEN_KEY", value_name = "FILE")]
    pub token_key: Option<PathBuf>,

    /// A stream that brings nothing for this long brings a heartbeat, in milliseconds
    #[arg(
        long,
        env = "FIVES_HEARTBEAT_INTERVAL_MS",
        value_name = "MS",
        default_value_t = 15_000
    )]
    pub heartbeat_interval_ms: u64,

    /// The largest request, in bytes
    #[arg(long, env = "FIVES_REQUEST_MAX_BYTES", value_name = "BYTES", default_value_t = 64 * 1024)]
    pub request_max_bytes: usize,

    /// The most matches on a page of a list
    #[arg(long, env = "FIVES_PAGE_SIZE_MAX", value_name = "MATCHES", default_value_t = 200)]
    pub page_size_max: usize,

    /// Calls under way at once; more are refused with TOO_MANY_CALLS
    #[arg(long, env = "FIVES_MAX_CALLS", value_name = "CALLS", default_value_t = 4096)]
    pub max_calls: usize,

    /// Streams open at once; more are refused with TOO_MANY_STREAMS
    #[arg(long, env = "FIVES_MAX_STREAMS", value_name = "STREAMS", default_value_t = 20_000)]
    pub max_streams: usize,

    /// Calls and streams at once on one connection
    #[arg(
        long,
        env = "FIVES_MAX_STREAMS_PER_CONNECTION",
        value_name = "STREAMS",
        default_value_t = 1024
    )]
    pub max_streams_per_connection: u32,

    /// How long a call may take, streams excepted, in milliseconds; a shorter deadline of the client counts
    #[arg(long, env = "FIVES_CALL_TIMEOUT_MS", value_name = "MS", default_value_t = 10_000)]
    pub call_timeout_ms: u64,

    /// How often a silent connection is asked whether it lives, in seconds
    #[arg(long, env = "FIVES_KEEPALIVE_INTERVAL_S", value_name = "S", default_value_t = 30)]
    pub keepalive_interval_s: u64,

    /// How long a connection may take to answer that, in seconds
    #[arg(long, env = "FIVES_KEEPALIVE_TIMEOUT_S", value_name = "S", default_value_t = 10)]
    pub keepalive_timeout_s: u64,

    /// How long a stopping process waits for calls under way, in seconds; then it goes all the same
    #[arg(long, env = "FIVES_DRAIN_GRACE_S", value_name = "S", default_value_t = 10)]
    pub drain_grace_s: u64,

    /// Threads that serve [default: one a core]
    #[arg(long, env = "FIVES_WORKERS", value_name = "THREADS")]
    pub workers: Option<usize>,

    /// Web pages that may call, as in https://example.org; may be given several times [default: any]
    #[arg(
        long = "cors-origin",
        env = "FIVES_CORS_ORIGINS",
        value_name = "ORIGIN",
        value_delimiter = ','
    )]
    pub cors_origins: Vec<String>,

    /// What is logged: a level, or levels by module as in `info,fives_referee=debug`
    #[arg(long, env = "FIVES_LOG", value_name = "FILTER", default_value = "info")]
    pub log: String,

    /// How it is written
    #[arg(long, env = "FIVES_LOG_FORMAT", value_name = "FORMAT", default_value = "text")]
    pub log_format: LogFormat,
}

/// How logs are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum LogFormat {
    /// Lines for people.
    Text,
    /// A JSON object a line.
    Json,
}

impl Default for ServeArgs {
    /// Without any flag; variables count.
    fn default() -> Self {
        #[derive(Parser)]
        struct NoFlags {
            #[command(flatten)]
            args: ServeArgs,
        }
        NoFlags::parse_from(["fives"]).args
    }
}

/// The settings, checked.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "each field is the flag of its name")]
pub struct Config {
    pub listen: SocketAddr,
    pub data: PathBuf,
    pub bot_delay_ms: u64,
    pub token_lifetime_s: u64,
    pub token_key: PathBuf,
    pub heartbeat_interval_ms: u64,
    pub request_max_bytes: usize,
    pub page_size_max: usize,
    pub max_calls: usize,
    pub max_streams: usize,
    pub max_streams_per_connection: u32,
    pub call_timeout_ms: u64,
    pub keepalive_interval_s: u64,
    pub keepalive_timeout_s: u64,
    pub drain_grace_s: u64,
    pub workers: Option<usize>,
    /// Empty: any.
    pub cors_origins: Vec<HeaderValue>,
    pub log: String,
    pub log_format: LogFormat,
}

/// A setting that cannot be.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("--{flag}: {problem}")]
pub struct ConfigError {
    /// Its flag.
    pub flag: &'static str,
    /// What is wrong with it.
    pub problem: String,
}

impl TryFrom<ServeArgs> for Config {
    type Error = ConfigError;

    fn try_from(args: ServeArgs) -> Result<Self, ConfigError> {
        let error = |flag, problem: &str| {
            Err(ConfigError {
                flag,
                problem: problem.to_owned(),
            })
        };
        if args.heartbeat_interval_ms == 0 {
            return error(
                "heartbeat-interval-ms",
                "a heartbeat without an interval would never stop",
            );
        }
        if args.request_max_bytes < 1024 {
            return error("request-max-bytes", "the largest requests need 1024 bytes");
        }
        for (flag, value) in [
            ("page-size-max", args.page_size_max),
            ("max-calls", args.max_calls),
            ("max-streams", args.max_streams),
            ("workers", args.workers.unwrap_or(1)),
        ] {
            if value == 0 {
                return error(flag, "at least 1");
            }
        }
        let origin = |origin: &String| {
            let value = HeaderValue::from_str(origin).ok().filter(|_| origin.contains("://"));
            let problem = format!("`{origin}` is no origin: write https://example.org");
            value.ok_or(ConfigError {
                flag: "cors-origin",
                problem,
            })
        };
        Ok(Self {
            token_key: args.token_key.unwrap_or_else(|| args.data.join("token-key.pem")),
            cors_origins: args.cors_origins.iter().map(origin).collect::<Result<_, _>>()?,
            listen: args.listen,
            data: args.data,
            bot_delay_ms: args.bot_delay_ms,
            token_lifetime_s: args.token_lifetime_s,
            heartbeat_interval_ms: args.heartbeat_interval_ms,
            request_max_bytes: args.request_max_bytes,
            page_size_max: args.page_size_max,
            max_calls: args.max_calls,
            max_streams: args.max_streams,
            max_streams_per_connection: args.max_streams_per_connection,
            call_timeout_ms: args.call_timeout_ms,
            keepalive_interval_s: args.keepalive_interval_s,
            keepalive_timeout_s: args.keepalive_timeout_s,
            drain_grace_s: args.drain_grace_s,
            workers: args.workers,
            log: args.log,
            log_format: args.log_format,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_names_its_flag() {
        let impossible = |change: fn(&mut ServeArgs)| {
            let mut args = ServeArgs::default();
            change(&mut args);
            Config::try_from(args).expect_err("impossible").flag
        };
        assert_eq!(
            impossible(|args| args.heartbeat_interval_ms = 0),
            "heartbeat-interval-ms"
        );
        assert_eq!(impossible(|args| args.request_max_bytes = 1), "request-max-bytes");
        assert_eq!(impossible(|args| args.max_streams = 0), "max-streams");
        assert_eq!(
            impossible(|args| args.cors_origins = vec!["example.org".to_owned()]),
            "cors-origin"
        );
    }

    #[test]
    fn the_key_lies_with_the_data() {
        let config = Config::try_from(ServeArgs {
            data: "there".into(),
            ..ServeArgs::default()
        })
        .expect("possible");
        assert_eq!(config.token_key, PathBuf::from("there/token-key.pem"));
    }
}
