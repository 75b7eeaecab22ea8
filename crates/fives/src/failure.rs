//! Why a command failed, and with which exit code.

use std::io;
use std::process::ExitCode;

use fives_rules::options::OptionsError;
use thiserror::Error;

/// Why a command failed.
#[derive(Debug, Error)]
pub(crate) enum Failure {
    /// What was looked at is not right.
    #[error("{0}")]
    Fault(String),
    /// The command could not be carried out as it was asked for.
    #[error("{0}")]
    Usage(String),
    /// The service refused, or could not be reached.
    #[error(transparent)]
    Client(#[from] fives_client::Error),
    /// The service could not be started, or not be stopped cleanly.
    #[error("{0}")]
    Serve(Box<fives_server::ServeError>),
    /// A file could not be read or written.
    #[error("{name}: {error}")]
    File {
        /// Its name.
        name: String,
        /// Why.
        error: io::Error,
    },
    /// Standard output could not be written.
    #[error("standard output: {0}")]
    Output(#[from] io::Error),
}

impl Failure {
    /// The failure of the file with this name.
    pub(crate) fn file(name: impl ToString) -> impl FnOnce(io::Error) -> Self {
        let name = name.to_string();
        move |error| Self::File { name, error }
    }

    pub(crate) fn exit_code(&self) -> ExitCode {
        match self {
            Self::Fault(_) => ExitCode::from(1),
            Self::Client(error) if error.reason().is_some() => ExitCode::from(1),
            Self::Usage(_) | Self::Client(_) | Self::Serve(_) | Self::File { .. } | Self::Output(_) => {
                ExitCode::from(2)
            }
        }
    }

    /// What to tell, or `None` where the reader of standard output has gone, as `head` does on purpose.
    pub(crate) fn message(&self) -> Option<String> {
        match self {
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => None,
            other => Some(printable(&other.to_string())),
        }
    }
}

impl From<OptionsError> for Failure {
    fn from(error: OptionsError) -> Self {
        Self::Usage(error.to_string())
    }
}

/// The most characters of a message that are shown.
const MESSAGE_CHARS: usize = 1000;

/// Messages quote files that anybody may have written: control characters must not reach the terminal, nor megabytes.
fn printable(message: &str) -> String {
    let shown = message.chars().take(MESSAGE_CHARS);
    let mut text: String = shown
        .map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c })
        .collect();
    if message.chars().nth(MESSAGE_CHARS).is_some() {
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_cannot_steer_the_terminal_or_flood_it() {
        assert_eq!(printable("a\u{1b}[2Jb\nc"), "a\u{fffd}[2Jb\u{fffd}c");
        assert_eq!(printable(&"6".repeat(1000)), "6".repeat(1000));
        assert_eq!(printable(&"6".repeat(20_000)), format!("{}…", "6".repeat(1000)));
    }

    #[test]
    fn a_reader_that_went_away_is_told_nothing() {
        assert_eq!(
            Failure::from(io::Error::from(io::ErrorKind::BrokenPipe)).message(),
            None
        );
        let full = Failure::from(io::Error::from(io::ErrorKind::StorageFull)).message();
        assert!(full.expect("a message").starts_with("standard output: "));
    }
}
