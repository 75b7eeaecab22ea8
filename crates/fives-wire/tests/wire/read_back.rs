//! What a client reads out of a status, of this service and of everybody else.

use std::time::Duration;

use fives_referee::cursor::Cursor;
use fives_referee::error::Refusal;
use fives_wire::status::{Denial, denied, illegal_play, reason, retry_after, status};
use fives_wire::v1::ErrorReason;
use proptest::prelude::*;
use prost::Message;
use tonic::{Code, Status};
use tonic_types::{StatusExt, pb};

use crate::garbage::config;
use crate::support::seat;

#[test]
fn retry_times_are_read_back() {
    let waiting = retry_after(&denied(Denial::Draining)).unwrap();
    assert!(waiting > Duration::ZERO && waiting < Duration::from_secs(5));
    assert_eq!(retry_after(&denied(Denial::TokenMissing)), None);
}

#[test]
fn metadata_says_where_the_match_is() {
    let metadata = |refusal: Refusal| status(&refusal.into()).get_details_error_info().unwrap().metadata;
    let current = Cursor {
        revision: 7,
        stamp: u64::MAX,
    };
    let stale = metadata(Refusal::StaleCursor { current });
    assert_eq!(stale["revision"], "7");
    assert_eq!(stale["stamp"], "18446744073709551615");
    assert_eq!(metadata(Refusal::OldRound { current: 4 })["round"], "4");
    assert_eq!(metadata(Refusal::NotYourTurn { turn: seat(1) })["seat_on_turn"], "1");
    assert_eq!(metadata(Refusal::AlreadySeated { seat: seat(2) })["seat"], "2");
}

#[test]
fn a_status_without_our_details_has_no_reason() {
    assert_eq!(reason(&Status::unavailable("connection refused")), None);
    assert_eq!(reason(&with_info("fives.example", "MATCH_OVER")), None);
    assert_eq!(illegal_play(&Status::unknown("")), None);
    assert_eq!(illegal_play(&denied(Denial::Internal)), None);
}

#[test]
fn a_reason_of_a_newer_release_is_unspecified() {
    assert_eq!(reason(&with_info("fives", "MATCH_OVER")), Some(ErrorReason::MatchOver));
    assert_eq!(
        reason(&with_info("fives", "INVENTED_LATER")),
        Some(ErrorReason::Unspecified)
    );
}

fn with_info(domain: &str, reason: &str) -> Status {
    let info = pb::ErrorInfo {
        reason: reason.to_owned(),
        domain: domain.to_owned(),
        ..Default::default()
    };
    let whole = pb::Status {
        details: vec![prost_types::Any {
            type_url: "type.googleapis.com/google.rpc.ErrorInfo".to_owned(),
            value: info.encode_to_vec(),
        }],
        ..Default::default()
    };
    Status::with_details(Code::Unknown, "", whole.encode_to_vec().into())
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn no_details_make_a_client_panic(details in any::<Vec<u8>>(), value in any::<Vec<u8>>(), own in 0..3_usize) {
        let type_url = ["google.rpc.ErrorInfo", "google.rpc.RetryInfo", "fives.v1.IllegalPlay"][own];
        let type_url = format!("type.googleapis.com/{type_url}");
        let wrapped = pb::Status { details: vec![prost_types::Any { type_url, value }], ..Default::default() };
        for details in [details, wrapped.encode_to_vec()] {
            let given = Status::with_details(Code::Unknown, "", details.into());
            let _ = (reason(&given), illegal_play(&given), retry_after(&given));
        }
    }
}
