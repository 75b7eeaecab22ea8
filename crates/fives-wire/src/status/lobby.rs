//! Why the lobby refuses.

use fives_lobby::error::{Error, Refusal};
use tonic::{Code, Status};

use super::detail::Details;
use super::{Fault, fault, status, store_failed, store_fault};
use crate::v1::ErrorReason as Reason;

/// The status of an error of the lobby.
#[must_use]
pub fn lobby_status(error: &Error) -> Status {
    match error {
        Error::Refused(refusal) => lobby_refused(refusal),
        Error::Table(error) => status(error),
        Error::Store(error) => store_failed(error),
    }
}

/// Whose fault an error of the lobby is.
#[must_use]
pub const fn lobby_fault(error: &Error) -> Fault {
    match error {
        Error::Refused(_) => Fault::Caller,
        Error::Table(error) => fault(error),
        Error::Store(error) => store_fault(error),
    }
}

fn lobby_refused(refusal: &Refusal) -> Status {
    let message = refusal.to_string();
    match refusal {
        Refusal::Archived => Details::new(Reason::MatchArchived)
            .resource("match")
            .status(Code::NotFound, &message),
        Refusal::DeadLetterNotFound => Details::new(Reason::DeadLetterNotFound).status(Code::NotFound, &message),
    }
}
