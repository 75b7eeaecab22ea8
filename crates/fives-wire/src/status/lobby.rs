//! What callers are told of the lobby's refusals.

use fives_lobby::error::{Error, Refusal};
use tonic::{Code, Status};

use super::detail::Details;
use super::{status, store_failed};
use crate::v1::ErrorReason as Reason;

/// The status of an error of the lobby.
#[must_use]
pub fn lobby_status(error: &Error) -> Status {
    match error {
        Error::Refused(refusal) => refused(refusal),
        Error::Table(error) => status(error),
        Error::Store(error) => store_failed(error),
    }
}

fn refused(refusal: &Refusal) -> Status {
    let text = refusal.to_string();
    match refusal {
        Refusal::DeadLetterNotFound => Details::new(Reason::DeadLetterNotFound).status(Code::NotFound, &text),
    }
}
