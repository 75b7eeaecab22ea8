//! The settings of TLS, towards clients and towards the store.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use fives_store::redis::Address;

use super::{ConfigError, ServeArgs, within};

/// How clients are served over TLS. The files are read when the service starts, and again when they have changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TlsSettings {
    /// The certificate and what leads from it to a root, PEM.
    pub cert: PathBuf,
    /// Its private key, PEM.
    pub key: PathBuf,
    /// Whose certificates clients must have, PEM; `None`: they need none.
    pub client_ca: Option<PathBuf>,
    /// How often the files are looked at.
    pub reload_interval: Duration,
    /// How long a handshake may take.
    pub handshake_timeout: Duration,
    /// How many handshakes may be under way.
    pub max_handshakes: usize,
}

/// TLS, if a certificate was given.
pub(super) fn settings(args: &ServeArgs) -> Result<Option<TlsSettings>, ConfigError> {
    within("tls-reload-interval-s", args.tls_reload_interval_s, 1..=24 * 3600)?;
    within("tls-handshake-timeout-ms", args.tls_handshake_timeout_ms, 100..=60_000)?;
    within("max-tls-handshakes", args.max_tls_handshakes as u64, 1..=1_000_000)?;
    let needs = |flag, other: &str| ConfigError {
        flag,
        problem: format!("needs --{other}, too"),
    };
    match (&args.tls_cert, &args.tls_key) {
        (Some(cert), Some(key)) => Ok(Some(TlsSettings {
            cert: cert.clone(),
            key: key.clone(),
            client_ca: args.tls_client_ca.clone(),
            reload_interval: Duration::from_secs(args.tls_reload_interval_s),
            handshake_timeout: Duration::from_millis(args.tls_handshake_timeout_ms),
            max_handshakes: args.max_tls_handshakes,
        })),
        (Some(_), None) => Err(needs("tls-cert", "tls-key")),
        (None, Some(_)) => Err(needs("tls-key", "tls-cert")),
        (None, None) if args.tls_client_ca.is_some() => Err(needs("tls-client-ca", "tls-cert")),
        (None, None) => Ok(None),
    }
}

/// The address of a Redis that shows a certificate of one of the authorities in this file.
pub(super) fn trusting(address: Address, path: &Path) -> Result<Address, ConfigError> {
    let problem = |problem: String| ConfigError {
        flag: "store-ca",
        problem: format!("{}: {problem}", path.display()),
    };
    let pem = fs::read(path).map_err(|error| problem(error.to_string()))?;
    address.trusting(pem).map_err(|error| problem(error.to_string()))
}
