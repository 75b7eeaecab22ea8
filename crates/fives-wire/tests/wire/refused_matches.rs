//! Matches that nobody can make, and options that cannot be.

use fives_wire::decode::{self, InvalidKind};
use fives_wire::v1;
use fives_wire::v1::seat_request::Occupant;

use crate::refused::{assert_fields, assert_refused};
use crate::support::create_request;

#[test]
fn matches_that_cannot_be_made() {
    let whole = create_request;
    let seats = |seats| v1::CreateMatchRequest { seats, ..whole() };
    let open = whole().seats[1];
    for count in [0, 1, 5, 10_000] {
        assert_fields(decode::create_match(&seats(vec![open; count])), &["seats"]);
    }
    let bot = |kind| v1::SeatRequest {
        occupant: Some(Occupant::Bot(kind)),
    };
    let nobody = v1::SeatRequest { occupant: None };
    assert_fields(
        decode::create_match(&seats(vec![open, nobody, bot(0), bot(77)])),
        &["seats[1].occupant", "seats[2].bot", "seats[3].bot"],
    );
    for visibility in [0, 3, -1] {
        let unlisted = v1::CreateMatchRequest { visibility, ..whole() };
        assert_fields(decode::create_match(&unlisted), &["visibility"]);
    }
    for (spectators_allowed, spectator_delay_revisions) in [(true, 1001), (true, 65_536), (false, u32::MAX), (false, 1)]
    {
        let far = v1::CreateMatchRequest {
            spectators_allowed,
            spectator_delay_revisions,
            spectator_delay_s: 0,
            ..whole()
        };
        assert_fields(decode::create_match(&far), &["spectator_delay_revisions"]);
    }
    for (spectators_allowed, spectator_delay_s) in [(true, 3601), (true, u32::MAX), (false, u32::MAX), (false, 1)] {
        let late = v1::CreateMatchRequest {
            spectators_allowed,
            spectator_delay_revisions: 0,
            spectator_delay_s,
            ..whole()
        };
        assert_fields(decode::create_match(&late), &["spectator_delay_s"]);
    }
    assert_fields(
        decode::create_match(&v1::CreateMatchRequest::default()),
        &["request_id", "visibility", "seats"],
    );
}

#[test]
fn clocks_that_cannot_run() {
    let clock = |turn_time_ms, missed_turns_max, missed_turns_policy| v1::CreateMatchRequest {
        turn_clock: Some(v1::TurnClock {
            turn_time_ms,
            missed_turns_max,
            missed_turns_policy,
        }),
        ..create_request()
    };
    for turn_time_ms in [0, 99, 86_400_001, u32::MAX] {
        let fields = &["turn_clock.turn_time_ms"];
        assert_fields(decode::create_match(&clock(turn_time_ms, 3, 1)), fields);
    }
    for missed_turns_max in [11, 255, 256, u32::MAX] {
        let fields = &["turn_clock.missed_turns_max"];
        assert_fields(decode::create_match(&clock(1000, missed_turns_max, 2)), fields);
    }
    for policy in [-1, 3, i32::MAX] {
        let fields = &["turn_clock.missed_turns_policy"];
        assert_fields(decode::create_match(&clock(1000, 1, policy)), fields);
    }
    let all = [
        "turn_clock.turn_time_ms",
        "turn_clock.missed_turns_max",
        "turn_clock.missed_turns_policy",
    ];
    assert_fields(decode::create_match(&clock(1, 11, 9)), &all);
}

#[test]
fn options_that_cannot_be() {
    let with = |options| v1::CreateMatchRequest {
        options: Some(options),
        ..create_request()
    };
    let none = v1::MatchOptions::default;
    let impossible = [
        (
            "options.preset",
            v1::MatchOptions {
                preset: "all-sixes".into(),
                ..none()
            },
        ),
        (
            "options.partners",
            v1::MatchOptions {
                partners: Some(true),
                ..none()
            },
        ),
        (
            "options.target_points",
            v1::MatchOptions {
                target_points: Some(0),
                ..none()
            },
        ),
        (
            "options.target_points",
            v1::MatchOptions {
                target_points: Some(101),
                ..none()
            },
        ),
        (
            "options.target_points",
            v1::MatchOptions {
                target_points: Some(u32::MAX),
                ..none()
            },
        ),
        (
            "options.boneyard_reserve",
            v1::MatchOptions {
                boneyard_reserve: Some(3),
                ..none()
            },
        ),
        (
            "options.max_rounds",
            v1::MatchOptions {
                max_rounds: Some(0),
                ..none()
            },
        ),
        (
            "options.max_rounds",
            v1::MatchOptions {
                max_rounds: Some(1001),
                ..none()
            },
        ),
    ];
    for (field, options) in impossible {
        assert_refused(decode::create_match(&with(options)), InvalidKind::Options, &[field]);
    }
    let unknown = v1::MatchOptions {
        hand_rule: 4,
        win_check: 3,
        rounding: -1,
        dead_layout: 99,
        ..none()
    };
    let fields = [
        "options.hand_rule",
        "options.dead_layout",
        "options.win_check",
        "options.rounding",
    ];
    assert_fields(decode::create_match(&with(unknown)), &fields);
    // What cannot be read comes before what cannot be.
    let both = v1::CreateMatchRequest {
        request_id: String::new(),
        ..with(v1::MatchOptions {
            target_points: Some(1),
            ..none()
        })
    };
    assert_fields(decode::create_match(&both), &["request_id", "options.target_points"]);
}
