//! Structured logs, to standard error; metrics and traces, to whoever collects them.

pub(crate) mod export;
pub(crate) mod measured;
pub(crate) mod service;

use std::io::{self, IsTerminal};

use crate::config::{Config, LogFormat};
use crate::log_filter::LogFilter;

/// Starts logging; gives what changes the filter. Does nothing where somebody else has started it, as in tests.
pub(crate) fn init(config: &Config) -> LogFilter {
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter(config.log.clone())
        .with_writer(io::stderr);
    match config.log_format {
        LogFormat::Text => {
            let subscriber = subscriber.with_ansi(io::stderr().is_terminal()).with_filter_reloading();
            let handle = subscriber.reload_handle();
            let _ = subscriber.try_init();
            LogFilter::new(&config.log, move |filter| handle.reload(filter))
        }
        LogFormat::Json => {
            let subscriber = subscriber.json().flatten_event(true).with_filter_reloading();
            let handle = subscriber.reload_handle();
            let _ = subscriber.try_init();
            LogFilter::new(&config.log, move |filter| handle.reload(filter))
        }
    }
}
