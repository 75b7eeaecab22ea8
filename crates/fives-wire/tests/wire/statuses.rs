//! Every refusal, failure and denial has its code and reason: one row a variant, and no variant without a row.

use std::time::Duration;

use std::collections::BTreeSet;

use fives_lobby::error::{Error as LobbyError, Refusal as LobbyRefusal};
use fives_referee::cursor::Cursor;
use fives_referee::error::{Error, Refusal};
use fives_referee::store::StoreError;
use fives_rules::play::{Illegal, Play};
use fives_rules::tile::{Pip, Tile};
use fives_rules::view::ScoredPlay;
use fives_wire::status::{self, Denial, Fault};
use fives_wire::v1::ErrorReason as Reason;
use fives_wire::v1::illegal_play::Reason as IllegalReason;
use fives_wire::{decode, v1};
use tonic::{Code, Status};

use crate::catalogue::assert_as_promised;
use crate::support::{create_request, seat};

/// A value of each variant with what is expected of it. The patterns are those of a `match` without a wildcard: a variant
/// without a row does not compile.
macro_rules! rows {
    ($type:ty: $($pattern:pat = $value:expr => $expected:expr;)+) => {{
        #[allow(dead_code, reason = "never called: the compiler's reading of it is the test")]
        const fn has_a_row_for_each(value: &$type) {
            match value {
                $($pattern => {})+
            }
        }
        [$(($value, $expected)),+]
    }};
}

fn six_four() -> Tile {
    "6-4".parse().unwrap()
}

fn refusals() -> impl IntoIterator<Item = (Refusal, (Code, Reason))> {
    let legal = vec![ScoredPlay {
        play: Play::lead(six_four()),
        total: 10,
        points: 10,
    }];
    let illegal = |reason| Refusal::IllegalPlay {
        reason,
        legal: legal.clone(),
    };
    let at = Cursor {
        revision: 7,
        stamp: u64::MAX,
    };
    rows! { Refusal:
        Refusal::MatchNotFound = Refusal::MatchNotFound => (Code::NotFound, Reason::MatchNotFound);
        Refusal::PlayerNotFound = Refusal::PlayerNotFound => (Code::NotFound, Reason::PlayerNotFound);
        Refusal::NameRequired = Refusal::NameRequired => (Code::InvalidArgument, Reason::InvalidField);
        Refusal::InviteNotFound = Refusal::InviteNotFound => (Code::NotFound, Reason::InviteNotFound);
        Refusal::InviteExpired = Refusal::InviteExpired => (Code::FailedPrecondition, Reason::InviteExpired);
        Refusal::InviteUsedUp = Refusal::InviteUsedUp => (Code::FailedPrecondition, Reason::InviteUsedUp);
        Refusal::TooManyInvites { .. } = Refusal::TooManyInvites { most: 32 }
            => (Code::ResourceExhausted, Reason::TooManyInvites);
        Refusal::InviteRequired = Refusal::InviteRequired => (Code::PermissionDenied, Reason::InviteRequired);
        Refusal::SpectatorsNotAllowed = Refusal::SpectatorsNotAllowed
            => (Code::PermissionDenied, Reason::SpectatorsNotAllowed);
        Refusal::NotSeated = Refusal::NotSeated => (Code::PermissionDenied, Reason::NotSeated);
        Refusal::AlreadySeated { .. } = Refusal::AlreadySeated { seat: seat(2) }
            => (Code::FailedPrecondition, Reason::AlreadySeated);
        Refusal::SeatTaken { .. } = Refusal::SeatTaken { seat: seat(0) }
            => (Code::FailedPrecondition, Reason::SeatTaken);
        Refusal::NoSuchSeat { .. } = Refusal::NoSuchSeat { seat: seat(3) }
            => (Code::InvalidArgument, Reason::InvalidField);
        Refusal::NotStarted = Refusal::NotStarted => (Code::FailedPrecondition, Reason::MatchNotStarted);
        Refusal::AlreadyStarted = Refusal::AlreadyStarted => (Code::FailedPrecondition, Reason::MatchAlreadyStarted);
        Refusal::Over = Refusal::Over => (Code::FailedPrecondition, Reason::MatchOver);
        Refusal::Closed = Refusal::Closed => (Code::FailedPrecondition, Reason::MatchClosed);
        Refusal::NotFinished = Refusal::NotFinished => (Code::FailedPrecondition, Reason::MatchNotFinished);
        Refusal::Resigned = Refusal::Resigned => (Code::FailedPrecondition, Reason::SeatResigned);
        Refusal::SeatNotKept = Refusal::SeatNotKept => (Code::FailedPrecondition, Reason::SeatNotKept);
        Refusal::OldRound { .. } = Refusal::OldRound { current: 4 } => (Code::FailedPrecondition, Reason::OldRound);
        Refusal::NotYourTurn { .. } = Refusal::NotYourTurn { turn: seat(1) }
            => (Code::FailedPrecondition, Reason::NotYourTurn);
        Refusal::IllegalPlay { .. } = illegal(Illegal::EndRequired)
            => (Code::FailedPrecondition, Reason::IllegalPlay);
        Refusal::StaleCursor { .. } = Refusal::StaleCursor { current: at } => (Code::Aborted, Reason::StaleCursor);
        Refusal::Conflict = Refusal::Conflict => (Code::Aborted, Reason::Conflict);
        Refusal::RequestIdReused = Refusal::RequestIdReused => (Code::InvalidArgument, Reason::RequestIdReused);
        Refusal::TwoSeatsForOne = Refusal::TwoSeatsForOne => (Code::InvalidArgument, Reason::InvalidField);
        Refusal::TooManyTables { .. } = Refusal::TooManyTables { most: 5 }
            => (Code::ResourceExhausted, Reason::TooManyTables);
        Refusal::WrongSeatCount = Refusal::WrongSeatCount => (Code::InvalidArgument, Reason::InvalidField);
    }
}

fn lobby_refusals() -> impl IntoIterator<Item = (LobbyRefusal, (Code, Reason))> {
    rows! { LobbyRefusal:
        LobbyRefusal::QueueNotFound = LobbyRefusal::QueueNotFound => (Code::NotFound, Reason::QueueNotFound);
        LobbyRefusal::QueueHasNoPartners = LobbyRefusal::QueueHasNoPartners
            => (Code::InvalidArgument, Reason::InvalidField);
        LobbyRefusal::PartnerIsSelf = LobbyRefusal::PartnerIsSelf => (Code::InvalidArgument, Reason::InvalidField);
        LobbyRefusal::AlreadyQueued = LobbyRefusal::AlreadyQueued => (Code::FailedPrecondition, Reason::AlreadyQueued);
        LobbyRefusal::MatchBeingMade = LobbyRefusal::MatchBeingMade
            => (Code::FailedPrecondition, Reason::MatchBeingMade);
        LobbyRefusal::NotRanked { .. } = LobbyRefusal::NotRanked { matches: 3, needed: 10 }
            => (Code::NotFound, Reason::NotRanked);
        LobbyRefusal::DeadLetterNotFound = LobbyRefusal::DeadLetterNotFound
            => (Code::NotFound, Reason::DeadLetterNotFound);
        LobbyRefusal::IdentityLinked = LobbyRefusal::IdentityLinked => (Code::FailedPrecondition, Reason::IdentityLinked);
        LobbyRefusal::PlayerLinked = LobbyRefusal::PlayerLinked => (Code::FailedPrecondition, Reason::PlayerLinked);
        LobbyRefusal::Archived = LobbyRefusal::Archived => (Code::NotFound, Reason::MatchArchived);
    }
}

const CAUSE: &str = "the cause: disk 7 is on fire";

fn failures() -> impl IntoIterator<Item = (StoreError, (Code, Reason, Fault))> {
    rows! { StoreError:
        StoreError::Unavailable(_) = StoreError::Unavailable(CAUSE.into())
            => (Code::Unavailable, Reason::StoreUnavailable, Fault::Passing);
        StoreError::Unconfirmed(_) = StoreError::Unconfirmed(CAUSE.into())
            => (Code::Unavailable, Reason::CommitUnconfirmed, Fault::Passing);
        StoreError::NewerSchema { .. } = StoreError::NewerSchema { found: 9, known: 1 }
            => (Code::Unavailable, Reason::StoreUnavailable, Fault::Passing);
        StoreError::Damaged(_) = StoreError::Damaged(CAUSE.into()) => (Code::Internal, Reason::Internal, Fault::Service);
    }
}

fn denials() -> impl IntoIterator<Item = (Denial, (Code, Reason))> {
    rows! { Denial:
        Denial::TokenMissing = Denial::TokenMissing => (Code::Unauthenticated, Reason::TokenMissing);
        Denial::TokenInvalid = Denial::TokenInvalid => (Code::Unauthenticated, Reason::TokenInvalid);
        Denial::TokenExpired = Denial::TokenExpired => (Code::Unauthenticated, Reason::TokenExpired);
        Denial::TokenNotYetValid = Denial::TokenNotYetValid => (Code::Unauthenticated, Reason::TokenNotYetValid);
        Denial::TokenOfIssuer = Denial::TokenOfIssuer => (Code::FailedPrecondition, Reason::TokenOfIssuer);
        Denial::ScopeMissing { .. } = Denial::ScopeMissing { scope: "fives:service" }
            => (Code::PermissionDenied, Reason::ScopeMissing);
        Denial::IssuerUnavailable { .. } = Denial::IssuerUnavailable { wait: Duration::from_secs(5) }
            => (Code::Unavailable, Reason::IssuerUnavailable);
        Denial::IdentityTokenRefused { .. } = Denial::IdentityTokenRefused { reason: Reason::TokenExpired }
            => (Code::InvalidArgument, Reason::IdentityTokenRefused);
        Denial::AdminTokenMissing = Denial::AdminTokenMissing => (Code::Unauthenticated, Reason::AdminTokenMissing);
        Denial::AdminTokenInvalid = Denial::AdminTokenInvalid => (Code::Unauthenticated, Reason::AdminTokenInvalid);
        Denial::AdminTokenNotSet = Denial::AdminTokenNotSet => (Code::PermissionDenied, Reason::AdminTokenNotSet);
        Denial::TooManyCalls = Denial::TooManyCalls => (Code::ResourceExhausted, Reason::TooManyCalls);
        Denial::TooManyStreams = Denial::TooManyStreams => (Code::ResourceExhausted, Reason::TooManyStreams);
        Denial::RateLimited { .. } = Denial::RateLimited { wait: Duration::from_millis(20) }
            => (Code::ResourceExhausted, Reason::RateLimited);
        Denial::MessageTooLarge { .. } = Denial::MessageTooLarge { max_bytes: 4096 }
            => (Code::ResourceExhausted, Reason::MessageTooLarge);
        Denial::Undecodable = Denial::Undecodable => (Code::InvalidArgument, Reason::InvalidField);
        Denial::Draining = Denial::Draining => (Code::Unavailable, Reason::Draining);
        Denial::Deadline { .. } = Denial::Deadline { is_safe: false } => (Code::DeadlineExceeded, Reason::Deadline);
        Denial::Internal = Denial::Internal => (Code::Internal, Reason::Internal);
    }
}

fn assert_status(status: &Status, (code, reason): (Code, Reason)) {
    assert_eq!(
        (status.code(), status::reason(status)),
        (code, Some(reason)),
        "{status:?}"
    );
    assert!(!status.message().is_empty(), "{reason:?} says nothing");
    assert_as_promised(status, reason);
}

/// A request for a match of three with partners, whose options the door itself refuses.
fn impossible_options() -> (Status, (Code, Reason)) {
    let request = v1::CreateMatchRequest {
        options: Some(v1::MatchOptions {
            partners: Some(true),
            ..Default::default()
        }),
        ..create_request()
    };
    let invalid = decode::create_match(&request).expect_err("partners need four");
    (
        status::invalid(&invalid),
        (Code::InvalidArgument, Reason::InvalidOptions),
    )
}

/// Every status that the tables above and the door give.
fn all_statuses() -> Vec<(Status, (Code, Reason))> {
    let refused = refusals()
        .into_iter()
        .map(|(refusal, expected)| (status::status(&refusal.into()), expected));
    let failed = failures()
        .into_iter()
        .map(|(failure, (code, reason, _))| (status::status(&failure.into()), (code, reason)));
    let denied = denials()
        .into_iter()
        .map(|(denial, expected)| (status::denied(denial), expected));
    let lobby = lobby_refusals()
        .into_iter()
        .map(|(refusal, expected)| (status::lobby_status(&refusal.into()), expected));
    refused
        .chain(lobby)
        .chain(failed)
        .chain(denied)
        .chain([impossible_options()])
        .collect()
}

#[test]
fn each_refusal_failure_and_denial_has_its_code_reason_and_details() {
    for (status, expected) in all_statuses() {
        assert_status(&status, expected);
    }
}

#[test]
fn each_reason_of_the_catalogue_is_given_for_something() {
    let given: BTreeSet<i32> = all_statuses()
        .iter()
        .map(|(_, (_, reason))| i32::from(*reason))
        .collect();
    let catalogue: BTreeSet<i32> = (1..1000).filter(|&number| Reason::try_from(number).is_ok()).collect();
    assert_eq!(given, catalogue);
}

#[test]
fn a_refusal_is_the_callers_fault_and_a_failure_is_not() {
    for (refusal, _) in refusals() {
        assert_eq!(status::fault(&refusal.into()), Fault::Caller);
    }
    for (refusal, _) in lobby_refusals() {
        assert_eq!(status::lobby_fault(&refusal.into()), Fault::Caller);
    }
    for (failure, (.., fault)) in failures() {
        assert_eq!(status::fault(&failure.into()), fault);
    }
    for (refusal, _) in lobby_refusals() {
        assert_eq!(status::lobby_fault(&refusal.into()), Fault::Caller);
    }
    for (refusal, expected) in refusals() {
        let error = LobbyError::Table(refusal.into());
        assert_eq!(status::lobby_fault(&error), Fault::Caller);
        assert_status(&status::lobby_status(&error), expected);
    }
    for (failure, (code, reason, fault)) in failures() {
        let error = LobbyError::Store(failure);
        assert_eq!(status::lobby_fault(&error), fault);
        assert_status(&status::lobby_status(&error), (code, reason));
    }
}

#[test]
fn a_client_is_not_told_the_cause_of_a_failure() {
    for (failure, _) in failures() {
        let told = status::status(&Error::Store(failure));
        let bytes = String::from_utf8_lossy(told.details()).into_owned();
        assert!(
            !bytes.contains("disk 7") && !told.message().contains("disk 7"),
            "{told:?}"
        );
    }
}

#[test]
fn each_illegal_play_has_its_reason_and_says_what_is_legal() {
    let tile = six_four();
    let told = rows! { Illegal:
        Illegal::TileNotInHand { .. } = Illegal::TileNotInHand { tile } => IllegalReason::TileNotInHand;
        Illegal::AlreadyPlayed { .. } = Illegal::AlreadyPlayed { tile } => IllegalReason::AlreadyPlayed;
        Illegal::EndRequired = Illegal::EndRequired => IllegalReason::EndRequired;
        Illegal::LeadNamesNoEnd = Illegal::LeadNamesNoEnd => IllegalReason::LeadNamesNoEnd;
        Illegal::NoMatch { .. } = Illegal::NoMatch { tile, shown: Pip::ALL[3] } => IllegalReason::NoMatch;
        Illegal::ArmClosed = Illegal::ArmClosed => IllegalReason::ArmClosed;
        Illegal::NoSpinner = Illegal::NoSpinner => IllegalReason::NoSpinner;
        // The referee has refusals of their own for these.
        Illegal::MatchOver | Illegal::NotYourTurn { .. } | Illegal::AlreadyResigned = Illegal::MatchOver
            => IllegalReason::Unspecified;
    };
    for (reason, expected) in told {
        let legal = vec![ScoredPlay {
            play: Play::lead(tile),
            total: 10,
            points: 10,
        }];
        let status = status::status(&Refusal::IllegalPlay { reason, legal }.into());
        let detail = status::illegal_play(&status).unwrap();
        assert_eq!(detail.reason(), expected);
        let lead = v1::Play {
            tile: Some(v1::Tile { high: 6, low: 4 }),
            end: v1::End::Unspecified.into(),
        };
        let (total, points) = (10, 10);
        let play = Some(lead);
        assert_eq!(detail.legal_plays, [v1::ScoredPlay { play, total, points }]);
    }
}

#[test]
fn an_invalid_request_is_told_of_every_field_at_fault() {
    let request = v1::CreateMatchRequest {
        request_id: String::new(),
        visibility: 9,
        spectator_delay_revisions: 1001,
        ..create_request()
    };
    let status = status::invalid(&decode::create_match(&request).unwrap_err());
    assert_status(&status, (Code::InvalidArgument, Reason::InvalidField));
    for field in ["request_id", "visibility", "spectator_delay_revisions"] {
        assert!(status.message().contains(field), "{}", status.message());
    }
}
