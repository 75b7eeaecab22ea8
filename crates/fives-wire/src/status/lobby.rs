//! What surrounds a table, refused.

use fives_lobby::error::{Error, Refusal};
use tonic::{Code, Status};

use super::detail::Details;
use super::{Fault, RETRY_AFTER, fault, invalid, status, store_failed, store_fault};
use crate::decode::Invalid;
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

/// Whose fault an error of the lobby is.
#[must_use]
pub const fn lobby_fault(error: &Error) -> Fault {
    match error {
        Error::Refused(_) => Fault::Caller,
        Error::Table(error) => fault(error),
        Error::Store(error) => store_fault(error),
    }
}

fn refused(refusal: &Refusal) -> Status {
    let message = refusal.to_string();
    match refusal {
        Refusal::QueueNotFound => Details::new(Reason::QueueNotFound)
            .resource("queue")
            .status(Code::NotFound, &message),
        Refusal::QueueHasNoPartners | Refusal::PartnerIsSelf => invalid(&Invalid::field("partner_player_id", &message)),
        Refusal::AlreadyQueued => Details::new(Reason::AlreadyQueued).status(Code::FailedPrecondition, &message),
        Refusal::MatchBeingMade => Details::new(Reason::MatchBeingMade)
            .retry_after(RETRY_AFTER)
            .status(Code::FailedPrecondition, &message),
        Refusal::NotRanked { matches, needed } => Details::new(Reason::NotRanked)
            .metadata("matches", matches)
            .metadata("matches_needed", needed)
            .status(Code::NotFound, &message),
        Refusal::DeadLetterNotFound => Details::new(Reason::DeadLetterNotFound).status(Code::NotFound, &message),
        Refusal::IdentityLinked => Details::new(Reason::IdentityLinked).status(Code::FailedPrecondition, &message),
        Refusal::PlayerLinked => Details::new(Reason::PlayerLinked).status(Code::FailedPrecondition, &message),
        Refusal::Archived => Details::new(Reason::MatchArchived)
            .resource("match")
            .status(Code::NotFound, &message),
    }
}
