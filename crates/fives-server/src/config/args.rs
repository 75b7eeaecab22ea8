//! The settings as flags and variables.

use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;

use super::limits::Limits;
use clap::builder::BoolishValueParser;
use clap::{Args, CommandFactory, FromArgMatches, Parser, ValueEnum};

/// What `fives serve` can be told; a flag wins over its variable.
#[derive(Clone, Debug, Args)]
pub struct ServeArgs {
    /// Address and port to serve on; 0.0.0.0:7400 serves everybody who can reach this machine
    #[arg(long, env = "FIVES_LISTEN", value_name = "ADDRESS", default_value = "127.0.0.1:7400")]
    pub listen: SocketAddr,

    /// Address and port for operators: probes, metrics, AdminService; `off` for none. It speaks no TLS: keep it where only operators
    /// come
    #[arg(
        long,
        env = "FIVES_ADMIN_LISTEN",
        value_name = "ADDRESS",
        default_value = "127.0.0.1:7401"
    )]
    pub admin_listen: AdminListen,

    /// File with the secret that `fives admin` needs, at least 32 characters, as from `openssl rand -hex 32`; without it nobody can
    /// act on the admin port
    #[arg(long, env = "FIVES_ADMIN_TOKEN_FILE", value_name = "FILE")]
    pub admin_token_file: Option<PathBuf>,

    /// Certificate chain (PEM) to serve over TLS with; needs --tls-key. Without both, everything goes over the wire as it is
    #[arg(long, env = "FIVES_TLS_CERT", value_name = "FILE")]
    pub tls_cert: Option<PathBuf>,

    /// Private key (PEM) of --tls-cert
    #[arg(long, env = "FIVES_TLS_KEY", value_name = "FILE")]
    pub tls_key: Option<PathBuf>,

    /// Serve only clients with a certificate of one of these authorities (PEM), probes included
    #[arg(long, env = "FIVES_TLS_CLIENT_CA", value_name = "FILE")]
    pub tls_client_ca: Option<PathBuf>,

    /// How often those files are looked at, in seconds: what has changed is used for new connections, without a restart
    #[arg(long, env = "FIVES_TLS_RELOAD_INTERVAL_S", value_name = "S", default_value_t = 10)]
    pub tls_reload_interval_s: u64,

    /// How long a TLS handshake may take, in milliseconds
    #[arg(
        long,
        env = "FIVES_TLS_HANDSHAKE_TIMEOUT_MS",
        value_name = "MS",
        default_value_t = 5_000
    )]
    pub tls_handshake_timeout_ms: u64,

    /// TLS handshakes under way at once; for one more, the one that takes longest is given up
    #[arg(
        long,
        env = "FIVES_MAX_TLS_HANDSHAKES",
        value_name = "HANDSHAKES",
        default_value_t = 1024
    )]
    pub max_tls_handshakes: usize,

    /// Where matches are kept: `embedded` (in --data, for one process), or Redis for as many as you like:
    /// `redis://[user:password@]host[:port][/db]`, `redis+sentinel://host,host/master`, `redis+cluster://host,host`; `rediss` for TLS.
    /// Who can read the store sees all tiles
    #[arg(
        long,
        env = "FIVES_STORE",
        value_name = "STORE",
        default_value = "embedded",
        hide_env_values = true
    )]
    pub store: StoreUrl,

    /// Root certificates (PEM) for `rediss`, instead of those that the web trusts
    #[arg(long, env = "FIVES_STORE_CA", value_name = "FILE")]
    pub store_ca: Option<PathBuf>,

    /// With Redis: acknowledge when the primary has a move, or when a replica has it, too
    #[arg(long, env = "FIVES_DURABILITY", value_name = "SENSE", default_value = "primary")]
    pub durability: Durability,

    /// How long connecting to Redis may take, in milliseconds
    #[arg(
        long,
        env = "FIVES_STORE_CONNECT_TIMEOUT_MS",
        value_name = "MS",
        default_value_t = 1_000
    )]
    pub store_connect_timeout_ms: u64,

    /// How long an answer of Redis may take, in milliseconds; a move that takes longer is perhaps made
    #[arg(
        long,
        env = "FIVES_STORE_RESPONSE_TIMEOUT_MS",
        value_name = "MS",
        default_value_t = 2_000
    )]
    pub store_response_timeout_ms: u64,

    /// With --durability replicated: how long a replica may take to confirm, in milliseconds
    #[arg(long, env = "FIVES_REPLICA_TIMEOUT_MS", value_name = "MS", default_value_t = 1_000)]
    pub replica_timeout_ms: u64,

    /// How long a table that waits for players is kept after its last change, in seconds
    #[arg(long, env = "FIVES_KEEP_OPEN_S", value_name = "S", default_value_t = 30 * 60)]
    pub keep_open_s: u64,

    /// How long a match is kept after its last move, in seconds
    #[arg(long, env = "FIVES_KEEP_LIVE_S", value_name = "S", default_value_t = 7 * 24 * 3600)]
    pub keep_live_s: u64,

    /// How long a match is kept after its end, in seconds; after that only the archive has it
    #[arg(long, env = "FIVES_KEEP_FINISHED_S", value_name = "S", default_value_t = 6 * 3600)]
    pub keep_finished_s: u64,

    /// How long the archive keeps a match that is over, in days: its record (GetReplay) and its place in its players' histories.
    /// 0: for ever
    #[arg(long, env = "FIVES_ARCHIVE_DAYS", value_name = "DAYS", default_value_t = 30)]
    pub archive_days: u64,

    /// Collector that metrics and traces are sent to, over OTLP/gRPC, as `http://collector:4317`
    #[arg(long, env = "FIVES_OTLP_ENDPOINT", value_name = "URL")]
    pub otlp_endpoint: Option<String>,

    /// The share of calls that are traced, 0 to 1, where the caller has not decided; only with --otlp-endpoint
    #[arg(long, env = "FIVES_TRACE_SAMPLE_RATIO", value_name = "SHARE", default_value_t = 0.1)]
    pub trace_sample_ratio: f64,

    /// Matches played last that are kept in memory, each of about 3 kB: a move in another one reads it from the store first
    #[arg(long, env = "FIVES_RECENT_MATCHES", value_name = "MATCHES", default_value_t = 32_768)]
    pub recent_matches: usize,

    /// Folder that everything is kept in; made if it is not there. Who can read it sees all tiles
    #[arg(long, env = "FIVES_DATA", value_name = "FOLDER", default_value = "data")]
    pub data: PathBuf,

    /// Private keys of tokens (Ed25519, PKCS#8 PEM), divided by commas: the first signs, all are accepted. Needed with Redis,
    /// where all processes share them; with `embedded`, one that is not there is made [default: token-key.pem in --data]
    #[arg(long, env = "FIVES_TOKEN_KEY", value_name = "FILES", value_delimiter = ',')]
    pub token_key: Vec<PathBuf>,

    /// How long a token is valid, in seconds; clients refresh it before
    #[arg(long, env = "FIVES_TOKEN_LIFETIME_S", value_name = "S", default_value_t = 30 * 24 * 3600)]
    pub token_lifetime_s: u64,

    /// Whose tokens are accepted besides those of guests: a TOML file with a block for each outside issuer,
    /// `[[issuer]]`, `iss = "https://id.example.com"`, `audience = "fives"`, `jwks = "https://id.example.com/jwks"` (or a file),
    /// and if need be `algorithms`, `scopes`, `ca`. Read at the start; README, "Integrate", has all of it
    #[arg(long, env = "FIVES_ISSUERS", value_name = "FILE")]
    pub issuers: Option<PathBuf>,

    /// By how much the clock of such an issuer may differ, in seconds: its tokens begin so much earlier and end so much later
    #[arg(long, env = "FIVES_TOKEN_SKEW_S", value_name = "S", default_value_t = 60)]
    pub token_skew_s: u64,

    /// How long a bot seems to think, in milliseconds
    #[arg(long, env = "FIVES_BOT_DELAY_MS", value_name = "MS", default_value_t = 700)]
    pub bot_delay_ms: u64,

    /// A stream that brings nothing for this long brings a heartbeat, in milliseconds
    #[arg(
        long,
        env = "FIVES_HEARTBEAT_INTERVAL_MS",
        value_name = "MS",
        default_value_t = 15_000
    )]
    pub heartbeat_interval_ms: u64,

    /// The most matches on a page of a list
    #[arg(long, env = "FIVES_PAGE_SIZE_MAX", value_name = "MATCHES", default_value_t = 200)]
    pub page_size_max: usize,

    /// The largest request, in bytes; a larger one is refused with MESSAGE_TOO_LARGE
    #[arg(long, env = "FIVES_REQUEST_MAX_BYTES", value_name = "BYTES", default_value_t = 64 * 1024)]
    pub request_max_bytes: usize,

    /// The largest answer, in bytes; replays of very long matches are the largest
    #[arg(long, env = "FIVES_RESPONSE_MAX_BYTES", value_name = "BYTES", default_value_t = 32 * 1024 * 1024)]
    pub response_max_bytes: usize,

    /// The largest headers of a request, in bytes
    #[arg(long, env = "FIVES_HEADER_MAX_BYTES", value_name = "BYTES", default_value_t = 16 * 1024)]
    pub header_max_bytes: u32,

    /// Connections open at once; more are closed at once
    #[arg(
        long,
        env = "FIVES_MAX_CONNECTIONS",
        value_name = "CONNECTIONS",
        default_value_t = 20_000
    )]
    pub max_connections: usize,

    /// Calls under way at once; more are refused with TOO_MANY_CALLS
    #[arg(long, env = "FIVES_MAX_CALLS", value_name = "CALLS", default_value_t = 4096)]
    pub max_calls: usize,

    /// Calls under way at once on one connection; more wait for their turn
    #[arg(
        long,
        env = "FIVES_MAX_CALLS_PER_CONNECTION",
        value_name = "CALLS",
        default_value_t = 512
    )]
    pub max_calls_per_connection: usize,

    /// Streams open at once; more are refused with TOO_MANY_STREAMS
    #[arg(long, env = "FIVES_MAX_STREAMS", value_name = "STREAMS", default_value_t = 20_000)]
    pub max_streams: usize,

    /// Calls and streams at once on one connection; clients hold back what is more (HTTP/2)
    #[arg(
        long,
        env = "FIVES_MAX_STREAMS_PER_CONNECTION",
        value_name = "STREAMS",
        default_value_t = 1024
    )]
    pub max_streams_per_connection: u32,

    /// How long it may take until an answer or a stream begins, in milliseconds; a shorter deadline of the client counts
    #[arg(long, env = "FIVES_CALL_TIMEOUT_MS", value_name = "MS", default_value_t = 10_000)]
    pub call_timeout_ms: u64,

    /// How often a connection is asked whether it lives, in seconds
    #[arg(long, env = "FIVES_KEEPALIVE_INTERVAL_S", value_name = "S", default_value_t = 20)]
    pub keepalive_interval_s: u64,

    /// How long a connection may take to answer that, in seconds; then its streams end
    #[arg(long, env = "FIVES_KEEPALIVE_TIMEOUT_S", value_name = "S", default_value_t = 10)]
    pub keepalive_timeout_s: u64,

    /// After how long a connection is asked to come again, in seconds, so that a load balancer can spread them anew; each process
    /// takes up to a tenth more. 0: never
    #[arg(long, env = "FIVES_MAX_CONNECTION_AGE_S", value_name = "S", default_value_t = 0)]
    pub max_connection_age_s: u64,

    /// How long a stopping process still serves after it says NOT_SERVING, in seconds; behind a load balancer a little longer
    /// than the interval of its health checks
    #[arg(long, env = "FIVES_DRAIN_NOTICE_S", value_name = "S", default_value_t = 0)]
    pub drain_notice_s: u64,

    /// Over how long the streams of a stopping process come again elsewhere, in milliseconds
    #[arg(long, env = "FIVES_RECONNECT_SPREAD_MS", value_name = "MS", default_value_t = 1_000)]
    pub reconnect_spread_ms: u64,

    /// How long a stopping process then waits for calls under way, in seconds; after that it goes all the same
    #[arg(long, env = "FIVES_DRAIN_GRACE_S", value_name = "S", default_value_t = 15)]
    pub drain_grace_s: u64,

    /// Threads that serve [default: one a core]
    #[arg(long, env = "FIVES_WORKERS", value_name = "THREADS")]
    pub workers: Option<usize>,

    /// Web pages that may call, by origin as in `https://example.org`, divided by commas [default: any]
    #[arg(long, env = "FIVES_CORS_ORIGINS", value_name = "ORIGINS", value_delimiter = ',')]
    pub cors_origins: Vec<String>,

    /// File (JSON) with the queues for matchmaking, instead of those that are built in: `duel`, `table-of-four` and `partners`, each
    /// also `-ranked`. README "Integrate" shows one
    #[arg(long, env = "FIVES_QUEUES", value_name = "FILE")]
    pub queues: Option<PathBuf>,

    /// How long a place in a queue is kept for a player whose connection broke, in seconds
    #[arg(long, env = "FIVES_QUEUE_TICKET_S", value_name = "S", default_value_t = 15)]
    pub queue_ticket_s: u64,
    /// Serve no web pages, only the API
    #[arg(long, env = "FIVES_NO_WEB", value_parser = BoolishValueParser::new())]
    pub no_web: bool,

    /// Have no table of bots for people who open the web pages while nobody plays
    #[arg(long, env = "FIVES_NO_HOUSE_TABLE", value_parser = BoolishValueParser::new())]
    pub no_house_table: bool,

    /// What is logged: a level, or levels by module as in `info,fives_referee=debug`
    #[arg(long, env = "FIVES_LOG", value_name = "FILTER", default_value = "info")]
    pub log: String,

    /// How it is written, to standard error
    #[arg(long, env = "FIVES_LOG_FORMAT", value_name = "FORMAT", default_value = "text")]
    pub log_format: LogFormat,

    /// How long a rematch is offered, in seconds: within this all must have said yes
    #[arg(long, env = "FIVES_REMATCH_OFFER_S", value_name = "S", default_value_t = 60)]
    pub rematch_offer_s: u64,

    /// How much one player, one address and one match may have
    #[command(flatten)]
    pub limits: Limits,

    /// File (JSON) that says where the platform is told of matches by webhooks: `{"url": "https://…", "secret_file": "hook-secret"}`;
    /// docs/hooks.md has all of it
    #[arg(long, env = "FIVES_HOOKS", value_name = "FILE")]
    pub hooks: Option<PathBuf>,
}

/// Where operators come in; `None` for nowhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AdminListen(pub Option<SocketAddr>);

impl FromStr for AdminListen {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "off" => Ok(Self(None)),
            address => address
                .parse()
                .map(|address| Self(Some(address)))
                .map_err(|error| format!("{error}; it is an address and port, or `off`")),
        }
    }
}

/// Where matches are kept, as it was written. Prints nothing in `Debug`: it may hold a password.
#[derive(Clone)]
pub struct StoreUrl(pub String);

impl From<&str> for StoreUrl {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl fmt::Debug for StoreUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("StoreUrl")
    }
}

/// When a move counts as kept in Redis.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Durability {
    /// When the primary has it.
    Primary,
    /// When a replica has it, too.
    Replicated,
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
    /// As without any flag or variable, whatever the environment says.
    fn default() -> Self {
        #[derive(Parser)]
        struct NoFlags {
            #[command(flatten)]
            args: ServeArgs,
        }
        let command = NoFlags::command().mut_args(|arg| arg.env(None::<&'static str>));
        let parsed = NoFlags::from_arg_matches(&command.get_matches_from(["fives"]));
        parsed.unwrap_or_else(|error| error.exit()).args
    }
}
