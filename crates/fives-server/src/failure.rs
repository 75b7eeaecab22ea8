//! What a call that failed is told, and what the log is: everything that is refused by the referee or broken below passes here once.

use fives_referee::error::Error;
use fives_referee::store::StoreError;
use fives_wire::status::{self, Fault};
use tonic::Status;
use tracing::{debug, error, warn};

/// The status of what went wrong. Logged here and nowhere else, at a level that says whose fault it is; causes stay in the log.
pub(crate) fn failed(failure: Error) -> Status {
    let error = &failure as &dyn std::error::Error;
    match status::fault(&failure) {
        // Readiness has said that the store is gone; under load this would be said again thousands of times.
        _ if matches!(failure, Error::Store(StoreError::Unavailable(_))) => debug!(error, "the store is gone"),
        Fault::Caller => debug!(error, "a call was refused"),
        Fault::Passing => warn!(error, "a call failed; it may pass"),
        Fault::Service => error!(error, "a call failed"),
    }
    status::status(&failure)
}
