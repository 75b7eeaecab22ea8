//! What a call that failed is told, and what the log is: everything that is refused by the referee or broken below passes here once.

use std::error::Error as StdError;
use std::fmt::Write;

use fives_lobby::error::Error as LobbyError;
use fives_referee::error::Error;
use fives_wire::status::{self, Fault};
use tonic::Status;
use tracing::{debug, error, warn};

use crate::layers::trace::{CAUSE, Cause};

/// The status of what went wrong. Causes go to the log alone: with the line of the call, or with one of its own where no call is
/// being answered, as in the middle of a stream, or on the admin port.
pub(crate) fn failed(failure: Error) -> Status {
    note(status::fault(&failure), chain(&failure));
    status::status(&failure)
}

/// The same of what went wrong in the lobby.
pub(crate) fn lobby_failed(failure: LobbyError) -> Status {
    note(status::lobby_fault(&failure), chain(&failure));
    status::lobby_status(&failure)
}

fn note(fault: Fault, text: String) {
    let noted = CAUSE.try_with(|cause| {
        let text = text.clone();
        cause.replace(Some(Cause { fault, text }));
    });
    if noted.is_err() {
        match fault {
            Fault::Caller => debug!(cause = text, "refused"),
            Fault::Passing => warn!(cause = text, "failed; it may pass"),
            Fault::Service => error!(cause = text, "failed"),
        }
    }
}

/// An error and what caused it.
fn chain(error: &dyn StdError) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        // Writing to a text does not fail.
        let _ = write!(text, ": {error}");
        cause = error.source();
    }
    text
}
