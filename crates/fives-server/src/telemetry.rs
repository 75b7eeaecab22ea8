//! Structured logs, to standard error.

use std::io;

use tracing_subscriber::EnvFilter;

use crate::config::{Config, LogFormat};

/// Starts logging. Does nothing where somebody else has started it, as in tests.
pub(crate) fn init(config: &Config) {
    let filter = EnvFilter::try_new(&config.log).unwrap_or_else(|_| EnvFilter::new("info"));
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr);
    let _ = match config.log_format {
        LogFormat::Text => subscriber.try_init(),
        LogFormat::Json => subscriber.json().flatten_event(true).try_init(),
    };
}
