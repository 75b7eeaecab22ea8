//! What comes instead of an answer.

use std::time::Duration;

use fives_wire::{status, v1};
use thiserror::Error;
use tonic::{Code, Status};

/// What comes instead of an answer.
#[derive(Debug, Error)]
pub enum Error {
    /// The service refused, and says why.
    #[error(transparent)]
    Refused(#[from] Box<Refused>),
    /// The connection was lost or never came about, and the time for trying again is over. A write is perhaps made: send it
    /// again with the same request id.
    #[error("the connection to the service was lost: {0}")]
    Lost(#[source] Box<Status>),
    /// The address of the service is none.
    #[error("not an address of a service: {0}")]
    Address(#[source] tonic::transport::Error),
    /// The operating system gave no random bytes for a request id.
    #[error("no random bytes for a request id: {0}")]
    Random(#[source] getrandom::Error),
}

/// A refusal. Act on the reason; the message is for people.
#[derive(Clone, Debug, Error)]
#[error("{message}")]
pub struct Refused {
    /// The gRPC code.
    pub code: Code,
    /// Why, out of the catalogue; unspecified if a newer service has a reason that this client does not know.
    pub reason: v1::ErrorReason,
    /// For people.
    pub message: String,
    /// With `ILLEGAL_PLAY`: what is wrong with the play, and what is legal.
    pub illegal_play: Option<v1::IllegalPlay>,
    /// When it makes sense to try again, where the service says so.
    pub retry_after: Option<Duration>,
    /// The trace of the call, which the service's log names, too: what to say when asking for help.
    pub trace_id: Option<String>,
}

impl Error {
    fn refused(&self) -> Option<&Refused> {
        match self {
            Self::Refused(refused) => Some(refused),
            Self::Lost(_) | Self::Address(_) | Self::Random(_) => None,
        }
    }

    /// The reason, if the service refused.
    #[must_use]
    pub fn reason(&self) -> Option<v1::ErrorReason> {
        self.refused().map(|refused| refused.reason)
    }

    /// The trace of the call, if the service refused and says it.
    #[must_use]
    pub fn trace_id(&self) -> Option<&str> {
        self.refused()?.trace_id.as_deref()
    }

    /// Whether the service itself says that a write is perhaps made; `errors.proto` has which reasons do.
    pub(crate) fn is_unsure(&self) -> bool {
        use v1::ErrorReason::{CommitUnconfirmed, Deadline, Internal};
        matches!(self.reason(), Some(CommitUnconfirmed | Deadline | Internal))
    }

    /// Whether the same request, with the same id, may be answered otherwise a moment later.
    #[must_use]
    pub fn is_passing(&self) -> bool {
        use v1::ErrorReason::{
            CommitUnconfirmed, Conflict, Deadline, Draining, IssuerUnavailable, RateLimited, StoreUnavailable,
            TooManyCalls, TooManyStreams,
        };
        match self {
            Self::Lost(_) => true,
            Self::Refused(refused) => matches!(
                refused.reason,
                CommitUnconfirmed
                    | Conflict
                    | Deadline
                    | Draining
                    | IssuerUnavailable
                    | RateLimited
                    | StoreUnavailable
                    | TooManyCalls
                    | TooManyStreams
            ),
            Self::Address(_) | Self::Random(_) => false,
        }
    }
}

impl From<Status> for Error {
    /// A broken connection shows as several codes; what it never has is a reason of the service's own.
    fn from(given: Status) -> Self {
        let reason = status::reason(&given);
        match (reason, given.code()) {
            (
                None,
                Code::Unavailable
                | Code::Unknown
                | Code::Cancelled
                | Code::Internal
                | Code::DeadlineExceeded
                // HTTP/2's ENHANCE_YOUR_CALM, by which a server or what stands before it ends a busy connection.
                | Code::ResourceExhausted,
            ) => Self::Lost(Box::new(given)),
            (reason, code) => Self::Refused(Box::new(Refused {
                code,
                reason: reason.unwrap_or_default(),
                message: given.message().to_owned(),
                illegal_play: status::illegal_play(&given),
                retry_after: status::retry_after(&given),
                trace_id: status::trace_id(&given),
            })),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_reason_of_the_service_is_a_lost_connection_whatever_code_it_shows_as() {
        let codes = [
            Code::Unavailable,
            Code::Unknown,
            Code::Cancelled,
            Code::Internal,
            Code::DeadlineExceeded,
            Code::ResourceExhausted,
        ];
        for code in codes {
            let error = Error::from(Status::new(code, "the stream was reset"));
            assert!(matches!(error, Error::Lost(_)), "{code:?}: {error:?}");
            assert!(error.is_passing());
        }
    }

    #[test]
    fn what_has_a_reason_is_a_refusal_and_passes_only_where_the_reason_says_so() {
        for (denial, passing) in [
            (status::Denial::TooManyCalls, true),
            (
                status::Denial::RateLimited {
                    wait: Duration::from_millis(20),
                },
                true,
            ),
            (status::Denial::Draining, true),
            (status::Denial::TokenMissing, false),
            (status::Denial::Internal, false),
        ] {
            let error = Error::from(status::denied(denial));
            assert!(matches!(error, Error::Refused(_)), "{denial:?}: {error:?}");
            assert_eq!(error.is_passing(), passing, "{denial:?}");
        }
    }
}
