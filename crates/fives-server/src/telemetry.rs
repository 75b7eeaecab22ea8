//! Structured logs, to standard error; metrics and traces, to whoever collects them.

pub(crate) mod export;
pub(crate) mod measured;
pub(crate) mod service;

use std::io::{self, IsTerminal};

use crate::config::{Config, LogFormat};

/// Starts logging. Does nothing where somebody else has started it, as in tests.
pub(crate) fn init(config: &Config) {
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter(config.log.clone())
        .with_writer(io::stderr);
    let _ = match config.log_format {
        LogFormat::Text => subscriber.with_ansi(io::stderr().is_terminal()).try_init(),
        LogFormat::Json => subscriber.json().flatten_event(true).try_init(),
    };
}
