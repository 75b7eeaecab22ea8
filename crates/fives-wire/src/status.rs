//! Why a call is refused, as gRPC says it: the one place where domain errors become statuses, and where a client reads them back.
//!
//! Every status carries a `google.rpc.Status` with details; the first is an `ErrorInfo` with a reason of the catalogue
//! `fives.v1.ErrorReason`. What the service does not want to tell (causes, bytes that were stored) stays out of the
//! message and goes to the log.

mod detail;
mod lobby;

use std::time::Duration;

use fives_referee::error::{Error, Refusal};
use fives_referee::store::StoreError;
use fives_rules::play::Illegal;
use prost::Message;
use tonic::{Code, Status};
use tonic_types::StatusExt;

use crate::decode::{Invalid, InvalidKind};
use crate::{encode, v1};
use detail::Details;
pub use lobby::{lobby_fault, lobby_status};

/// How long a client had better wait before it tries again.
const RETRY_AFTER: Duration = Duration::from_millis(250);

/// The type of our own detail.
const ILLEGAL_PLAY_TYPE: &str = "type.googleapis.com/fives.v1.IllegalPlay";

/// Whose fault a failed call is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The caller asked for something that cannot be.
    Caller,
    /// Something is out of order here, though it may pass.
    Passing,
    /// Something is broken here.
    Service,
}

/// What the layers of a server refuse before a service sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Denial {
    /// No token where one is needed.
    TokenMissing,
    /// A token that this service has not signed, or that is none.
    TokenInvalid,
    /// A token whose time is over.
    TokenExpired,
    /// A token whose time has not begun.
    TokenNotYetValid,
    /// A token of an outside issuer, where one of this service is needed.
    TokenOfIssuer,
    /// A token without a scope that the call needs.
    ScopeMissing {
        /// Which.
        scope: &'static str,
    },
    /// The keys of an issuer cannot be had now.
    IssuerUnavailable {
        /// When it makes sense to ask again.
        wait: Duration,
    },
    /// A token that was to prove an identity, and does not.
    IdentityTokenRefused {
        /// As which reason.
        reason: v1::ErrorReason,
    },
    /// No admin token where one is needed.
    AdminTokenMissing,
    /// Not the admin token.
    AdminTokenInvalid,
    /// There is no admin token.
    AdminTokenNotSet,
    /// Too many calls at once.
    TooManyCalls,
    /// Too many streams at once.
    TooManyStreams,
    /// More calls than one's share.
    RateLimited {
        /// When one is let through again.
        wait: Duration,
    },
    /// A request over the limit.
    MessageTooLarge {
        /// The limit.
        max_bytes: usize,
    },
    /// Bytes that are no message of the call.
    Undecodable,
    /// The process is stopping.
    Draining,
    /// The call took too long.
    Deadline {
        /// Whether it can be sent again without a request id.
        is_safe: bool,
    },
    /// A fault of the service.
    Internal,
}

/// The status of a domain error.
#[must_use]
pub fn status(error: &Error) -> Status {
    match error {
        Error::Refused(refusal) => refused(refusal),
        Error::Store(error) => store_failed(error),
    }
}

/// Whose fault a domain error is.
#[must_use]
pub const fn fault(error: &Error) -> Fault {
    match error {
        Error::Refused(_) => Fault::Caller,
        Error::Store(error) => store_fault(error),
    }
}

const fn store_fault(error: &StoreError) -> Fault {
    match error {
        StoreError::Unavailable(_) | StoreError::Unconfirmed(_) | StoreError::NewerSchema { .. } => Fault::Passing,
        StoreError::Damaged(_) => Fault::Service,
    }
}

/// The status of a request that says something impossible.
#[must_use]
pub fn invalid(invalid: &Invalid) -> Status {
    let reason = match invalid.kind() {
        InvalidKind::Field => v1::ErrorReason::InvalidField,
        InvalidKind::Options => v1::ErrorReason::InvalidOptions,
    };
    Details::new(reason)
        .bad_request(invalid.violations())
        .status(Code::InvalidArgument, &invalid.to_string())
}

/// The status of what a layer refuses.
#[must_use]
pub fn denied(denial: Denial) -> Status {
    use v1::ErrorReason as Reason;
    let details = |reason| Details::new(reason);
    match denial {
        Denial::TokenMissing => {
            details(Reason::TokenMissing).status(Code::Unauthenticated, "this call needs a token: sign in first")
        }
        Denial::TokenInvalid => {
            details(Reason::TokenInvalid).status(Code::Unauthenticated, "the token is not valid here")
        }
        Denial::TokenExpired => details(Reason::TokenExpired).status(Code::Unauthenticated, "the token's time is over"),
        Denial::TokenNotYetValid => details(Reason::TokenNotYetValid)
            .status(Code::Unauthenticated, "the token's time has not begun: the clock of its issuer is ahead"),
        Denial::TokenOfIssuer => details(Reason::TokenOfIssuer).status(
            Code::FailedPrecondition,
            "the token is of an outside issuer: a fresh one is to be had there",
        ),
        Denial::ScopeMissing { scope } => details(Reason::ScopeMissing).metadata("scope", scope).status(
            Code::PermissionDenied,
            &format!("this needs a token with the scope `{scope}`, of an issuer that may grant it, and for this match if it is for one"),
        ),
        Denial::IssuerUnavailable { wait } => details(Reason::IssuerUnavailable)
            // Not at once, however soon: there must be something new to see.
            .retry_after(wait.max(RETRY_AFTER))
            .status(Code::Unavailable, "the keys of the token's issuer cannot be had now: try again"),
        Denial::IdentityTokenRefused { reason } => details(Reason::IdentityTokenRefused)
            .metadata("token_reason", reason_name(reason))
            .status(Code::InvalidArgument, "the token of the identity is not good; your own is"),
        Denial::AdminTokenMissing => details(Reason::AdminTokenMissing).status(
            Code::Unauthenticated,
            "this needs the admin token: send `authorization: Bearer` and what is in the file of --admin-token-file",
        ),
        Denial::AdminTokenInvalid => {
            details(Reason::AdminTokenInvalid).status(Code::Unauthenticated, "it is not the admin token of this process")
        }
        Denial::AdminTokenNotSet => details(Reason::AdminTokenNotSet).status(
            Code::PermissionDenied,
            "this process has no admin token: start it with --admin-token-file (FIVES_ADMIN_TOKEN_FILE), a file with a secret of \
             at least 32 characters",
        ),
        Denial::TooManyCalls => details(Reason::TooManyCalls)
            .retry_after(RETRY_AFTER)
            .status(Code::ResourceExhausted, "too many calls at once: try again in a moment"),
        Denial::TooManyStreams => details(Reason::TooManyStreams).retry_after(RETRY_AFTER).status(
            Code::ResourceExhausted,
            "too many streams at once: end one, or try again in a moment",
        ),
        Denial::RateLimited { wait } => details(Reason::RateLimited).retry_after(wait).status(
            Code::ResourceExhausted,
            &format!("more calls than one's share: try again in {} ms", wait.as_millis()),
        ),
        Denial::MessageTooLarge { max_bytes } => details(Reason::MessageTooLarge).status(
            Code::ResourceExhausted,
            &format!("a request has at most {max_bytes} bytes"),
        ),
        Denial::Undecodable => details(Reason::InvalidField)
            .bad_request(Invalid::field("", "not a message of this call").violations())
            .status(Code::InvalidArgument, "the request is not a message of this call"),
        Denial::Draining => details(Reason::Draining).retry_after(RETRY_AFTER).status(
            Code::Unavailable,
            "this process is stopping: another one takes the call",
        ),
        Denial::Deadline { is_safe } => details(Reason::Deadline).status(
            Code::DeadlineExceeded,
            match is_safe {
                true => "the call took too long: send it again",
                false => "the call took too long: send it again with the same request id",
            },
        ),
        Denial::Internal => {
            details(Reason::Internal).status(Code::Internal, "a fault of the service; it is in its log")
        }
    }
}

fn refused(refusal: &Refusal) -> Status {
    use v1::ErrorReason as Reason;
    let message = refusal.to_string();
    let invalid_field = |field: &str| invalid(&Invalid::field(field, &message));
    let plain = |code, reason| Details::new(reason).status(code, &message);
    match refusal {
        Refusal::MatchNotFound => Details::new(Reason::MatchNotFound)
            .resource("match")
            .status(Code::NotFound, &message),
        Refusal::PlayerNotFound => Details::new(Reason::PlayerNotFound)
            .resource("player")
            .status(Code::NotFound, &message),
        Refusal::InviteNotFound => plain(Code::NotFound, Reason::InviteNotFound),
        Refusal::InviteExpired => plain(Code::FailedPrecondition, Reason::InviteExpired),
        Refusal::InviteUsedUp => plain(Code::FailedPrecondition, Reason::InviteUsedUp),
        Refusal::TooManyInvites { most } => Details::new(Reason::TooManyInvites)
            .metadata("max_invites", most)
            .status(Code::ResourceExhausted, &message),
        Refusal::InviteRequired => plain(Code::PermissionDenied, Reason::InviteRequired),
        Refusal::SpectatorsNotAllowed => plain(Code::PermissionDenied, Reason::SpectatorsNotAllowed),
        Refusal::NotSeated => plain(Code::PermissionDenied, Reason::NotSeated),
        Refusal::AlreadySeated { seat } => Details::new(Reason::AlreadySeated)
            .metadata("seat", seat)
            .status(Code::FailedPrecondition, &message),
        Refusal::SeatTaken { .. } => plain(Code::FailedPrecondition, Reason::SeatTaken),
        Refusal::NoSuchSeat { .. } => invalid_field("seat"),
        Refusal::NotStarted => plain(Code::FailedPrecondition, Reason::MatchNotStarted),
        Refusal::AlreadyStarted => plain(Code::FailedPrecondition, Reason::MatchAlreadyStarted),
        Refusal::Over => plain(Code::FailedPrecondition, Reason::MatchOver),
        Refusal::Closed => plain(Code::FailedPrecondition, Reason::MatchClosed),
        Refusal::NotFinished => plain(Code::FailedPrecondition, Reason::MatchNotFinished),
        Refusal::Resigned => plain(Code::FailedPrecondition, Reason::SeatResigned),
        Refusal::SeatNotKept => plain(Code::FailedPrecondition, Reason::SeatNotKept),
        Refusal::OldRound { current } => Details::new(Reason::OldRound)
            .metadata("round", current)
            .status(Code::FailedPrecondition, &message),
        Refusal::NotYourTurn { turn } => Details::new(Reason::NotYourTurn)
            .metadata("seat_on_turn", turn)
            .status(Code::FailedPrecondition, &message),
        Refusal::IllegalPlay { reason, legal } => {
            let detail = v1::IllegalPlay {
                reason: illegal_reason(*reason).into(),
                legal_plays: legal.iter().map(encode::scored_play).collect(),
            };
            Details::new(Reason::IllegalPlay)
                .own(ILLEGAL_PLAY_TYPE, detail.encode_to_vec())
                .status(Code::FailedPrecondition, &message)
        }
        Refusal::StaleCursor { current } => Details::new(Reason::StaleCursor)
            .metadata("revision", current.revision)
            .metadata("stamp", current.stamp)
            .status(Code::Aborted, &message),
        Refusal::Conflict => Details::new(Reason::Conflict)
            .retry_after(RETRY_AFTER)
            .status(Code::Aborted, &message),
        Refusal::RequestIdReused => plain(Code::InvalidArgument, Reason::RequestIdReused),
        Refusal::TooManyTables { most } => Details::new(Reason::TooManyTables)
            .metadata("max_tables", most)
            .status(Code::ResourceExhausted, &message),
        Refusal::NameRequired => invalid_field("display_name"),
        Refusal::TwoSeatsForOne | Refusal::WrongSeatCount => invalid_field("seats"),
    }
}

fn store_failed(error: &StoreError) -> Status {
    match error {
        StoreError::Unavailable(_) | StoreError::NewerSchema { .. } => Details::new(v1::ErrorReason::StoreUnavailable)
            .retry_after(RETRY_AFTER)
            .status(Code::Unavailable, "the store cannot be used now; nothing was written"),
        StoreError::Unconfirmed(_) => Details::new(v1::ErrorReason::CommitUnconfirmed)
            .retry_after(RETRY_AFTER)
            .status(
                Code::Unavailable,
                "perhaps written: send it again with the same request id",
            ),
        StoreError::Damaged(_) => denied(Denial::Internal),
    }
}

const fn illegal_reason(illegal: Illegal) -> v1::illegal_play::Reason {
    use v1::illegal_play::Reason;
    match illegal {
        Illegal::TileNotInHand { .. } => Reason::TileNotInHand,
        Illegal::AlreadyPlayed { .. } => Reason::AlreadyPlayed,
        Illegal::EndRequired => Reason::EndRequired,
        Illegal::LeadNamesNoEnd => Reason::LeadNamesNoEnd,
        Illegal::NoMatch { .. } => Reason::NoMatch,
        Illegal::ArmClosed => Reason::ArmClosed,
        Illegal::NoSpinner => Reason::NoSpinner,
        // Refusals of their own, which never come with this detail.
        Illegal::MatchOver | Illegal::NotYourTurn { .. } | Illegal::AlreadyResigned => Reason::Unspecified,
    }
}

/// The reason in a status of this service; `None` where there is none, as in those of a broken connection. A reason that this
/// release does not know is unspecified.
#[must_use]
pub fn reason(status: &Status) -> Option<v1::ErrorReason> {
    let info = status
        .get_details_error_info()
        .filter(|info| info.domain == detail::DOMAIN)?;
    let name = format!("ERROR_REASON_{}", info.reason);
    Some(v1::ErrorReason::from_str_name(&name).unwrap_or_default())
}

/// The name of a reason, as `ErrorInfo` has it.
#[must_use]
pub fn reason_name(reason: v1::ErrorReason) -> &'static str {
    reason.as_str_name().trim_start_matches("ERROR_REASON_")
}

/// Whose fault a status is that was not made from a domain error.
#[must_use]
pub const fn fault_of(code: Code) -> Fault {
    match code {
        Code::Unknown | Code::Internal | Code::DataLoss => Fault::Service,
        Code::Unavailable | Code::DeadlineExceeded => Fault::Passing,
        _ => Fault::Caller,
    }
}

/// The same status with the id of the call's trace in its details (`google.rpc.RequestInfo`), for whoever asks for help.
#[must_use]
pub fn traced(status: Status, trace_id: &str) -> Status {
    let Ok(mut whole) = tonic_types::pb::Status::decode(status.details()) else {
        return status;
    };
    // Those of tonic itself have no details.
    whole.code = status.code().into();
    whole.message = status.message().to_owned();
    let info = tonic_types::pb::RequestInfo {
        request_id: trace_id.to_owned(),
        ..Default::default()
    };
    whole.details.push(detail::any("RequestInfo", &info));
    let (code, metadata) = (status.code(), status.metadata().clone());
    Status::with_details_and_metadata(code, status.message(), whole.encode_to_vec().into(), metadata)
}

/// The id of the trace of the call that was refused.
#[must_use]
pub fn trace_id(status: &Status) -> Option<String> {
    Some(status.get_details_request_info()?.request_id)
}

/// What is wrong with an illegal play, and what is legal.
#[must_use]
pub fn illegal_play(status: &Status) -> Option<v1::IllegalPlay> {
    let whole = tonic_types::pb::Status::decode(status.details()).ok()?;
    let own = whole
        .details
        .iter()
        .find(|detail| detail.type_url == ILLEGAL_PLAY_TYPE)?;
    v1::IllegalPlay::decode(own.value.as_slice()).ok()
}

/// When it makes sense to try again.
#[must_use]
pub fn retry_after(status: &Status) -> Option<Duration> {
    status.get_details_retry_info()?.retry_delay
}
