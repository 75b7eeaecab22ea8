//! Requests that no honest client sends: each is refused with the path of every field at fault.

use fives_wire::decode::{self, Invalid, InvalidKind};
use fives_wire::v1;
use fives_wire::v1::join_match_request::Target;

use crate::support::{ANNA, BELA, MATCH, create_request, join_request, list_request, play_request};

const BAD_IDS: [&str; 6] = [
    "",
    "m-",
    "m-short",
    "p-a4dqobyha4dqobyha4dqobyha4",
    "m-A4DQOBYHA4DQOBYHA4DQOBYHA4",
    "m-\u{202e}",
];

#[track_caller]
pub(crate) fn assert_refused<T>(decoded: Result<T, Invalid>, kind: InvalidKind, fields: &[&str]) {
    let Err(invalid) = decoded else {
        panic!("taken, though {fields:?} cannot be");
    };
    let found: Vec<&str> = invalid
        .violations()
        .iter()
        .map(|violation| violation.field.as_str())
        .collect();
    assert_eq!((invalid.kind(), found.as_slice()), (kind, fields));
    assert!(
        invalid
            .violations()
            .iter()
            .all(|violation| !violation.description.is_empty())
    );
}

#[track_caller]
pub(crate) fn assert_fields<T>(decoded: Result<T, Invalid>, fields: &[&str]) {
    assert_refused(decoded, InvalidKind::Field, fields);
}

#[test]
fn malformed_match_ids() {
    for id in BAD_IDS.map(str::to_owned).into_iter().chain(["m".repeat(100_000)]) {
        let (match_id, request_id) = (id, String::from("r1"));
        let fields = &["match_id"][..];
        assert_fields(
            decode::get_match(&v1::GetMatchRequest {
                match_id: match_id.clone(),
                ..Default::default()
            }),
            fields,
        );
        assert_fields(
            decode::get_replay(&v1::GetReplayRequest {
                match_id: match_id.clone(),
                ..Default::default()
            }),
            fields,
        );
        assert_fields(
            decode::follow_match(&v1::FollowMatchRequest {
                match_id: match_id.clone(),
                ..Default::default()
            }),
            fields,
        );
        assert_fields(
            decode::watch_match(&v1::WatchMatchRequest {
                match_id: match_id.clone(),
                ..Default::default()
            }),
            fields,
        );
        assert_fields(
            decode::leave_match(&v1::LeaveMatchRequest {
                match_id: match_id.clone(),
                request_id: request_id.clone(),
            }),
            fields,
        );
        assert_fields(
            decode::resign(&v1::ResignRequest {
                match_id: match_id.clone(),
                request_id: request_id.clone(),
            }),
            fields,
        );
        assert_fields(
            decode::reclaim_seat(&v1::ReclaimSeatRequest {
                match_id: match_id.clone(),
                request_id,
            }),
            fields,
        );
        assert_fields(
            decode::play_tile(&v1::PlayTileRequest {
                match_id: match_id.clone(),
                ..play_request()
            }),
            fields,
        );
        assert_fields(
            decode::join_match(&v1::JoinMatchRequest {
                target: Some(Target::MatchId(match_id)),
                ..join_request()
            }),
            fields,
        );
    }
}

#[test]
fn malformed_request_ids() {
    for id in ["", " ", "a b", "\u{e4}", "a\n", &"x".repeat(65)] {
        let request_id = id.to_owned();
        let (match_id, fields) = (MATCH.to_string(), &["request_id"][..]);
        let create = v1::CreateMatchRequest {
            request_id: request_id.clone(),
            ..create_request()
        };
        assert_fields(decode::create_match(&create), fields);
        let join = v1::JoinMatchRequest {
            request_id: request_id.clone(),
            ..join_request()
        };
        assert_fields(decode::join_match(&join), fields);
        let play = v1::PlayTileRequest {
            request_id: request_id.clone(),
            ..play_request()
        };
        assert_fields(decode::play_tile(&play), fields);
        let leave = v1::LeaveMatchRequest {
            request_id: request_id.clone(),
            match_id: match_id.clone(),
        };
        assert_fields(decode::leave_match(&leave), fields);
        let reclaim = v1::ReclaimSeatRequest {
            request_id: request_id.clone(),
            match_id: match_id.clone(),
        };
        assert_fields(decode::reclaim_seat(&reclaim), fields);
        assert_fields(decode::resign(&v1::ResignRequest { request_id, match_id }), fields);
    }
}

#[test]
fn malformed_invite_codes_and_player_ids() {
    let match_id = MATCH.to_string();
    // Too short, mistyped, too long, and with letters that no code has.
    for code in ["1", "123456780", "1234567899", "ABCDEFGUU", "\u{1f600}"] {
        let (invite_code, match_id) = (code.to_owned(), match_id.clone());
        let fields = &["invite_code"][..];
        let get = v1::GetMatchRequest {
            match_id: match_id.clone(),
            invite_code: invite_code.clone(),
        };
        assert_fields(decode::get_match(&get), fields);
        let replay = v1::GetReplayRequest {
            match_id: match_id.clone(),
            invite_code: invite_code.clone(),
        };
        assert_fields(decode::get_replay(&replay), fields);
        let watch = v1::WatchMatchRequest {
            match_id,
            invite_code: invite_code.clone(),
            ..Default::default()
        };
        assert_fields(decode::watch_match(&watch), fields);
        let join = v1::JoinMatchRequest {
            target: Some(Target::InviteCode(invite_code)),
            ..join_request()
        };
        assert_fields(decode::join_match(&join), fields);
    }
    // An empty code is none, but nobody can join by it.
    let join = v1::JoinMatchRequest {
        target: Some(Target::InviteCode(String::new())),
        ..join_request()
    };
    assert_fields(decode::join_match(&join), &["invite_code"]);
    let player_id = MATCH.to_string();
    assert_fields(decode::get_player(&v1::GetPlayerRequest { player_id }), &["player_id"]);
}

#[test]
fn seats_that_cannot_be_joined() {
    let request = join_request;
    for seat in [4, 255, 256, u32::MAX] {
        let join = v1::JoinMatchRequest {
            seat: Some(seat),
            ..request()
        };
        assert_fields(decode::join_match(&join), &["seat"]);
    }
    let targetless = v1::JoinMatchRequest {
        target: None,
        ..request()
    };
    assert_fields(decode::join_match(&targetless), &["target"]);
    let long = v1::JoinMatchRequest {
        entropy: vec![0; 33].into(),
        ..request()
    };
    assert_fields(decode::join_match(&long), &["entropy"]);
    let all = ["request_id", "target", "seat", "entropy"];
    let hopeless = v1::JoinMatchRequest {
        request_id: String::new(),
        target: None,
        seat: Some(9),
        entropy: vec![0; 1000].into(),
    };
    assert_fields(decode::join_match(&hopeless), &all);
}

#[test]
fn plays_that_cannot_be_meant() {
    let whole = play_request;
    let play = |play| v1::PlayTileRequest { play, ..whole() };
    let tile = |high, low| {
        play(Some(v1::Play {
            tile: Some(v1::Tile { high, low }),
            end: 0,
        }))
    };
    let roundless = v1::PlayTileRequest { round: None, ..whole() };
    assert_fields(decode::play_tile(&roundless), &["round"]);
    assert_fields(decode::play_tile(&play(None)), &["play"]);
    assert_fields(
        decode::play_tile(&play(Some(v1::Play { tile: None, end: 0 }))),
        &["play.tile"],
    );
    assert_fields(decode::play_tile(&tile(7, 0)), &["play.tile.high"]);
    assert_fields(decode::play_tile(&tile(0, 256)), &["play.tile.low"]);
    assert_fields(
        decode::play_tile(&tile(u32::MAX, 7)),
        &["play.tile.high", "play.tile.low"],
    );
    for end in [-1, 5, i32::MAX] {
        let nowhere = v1::Play {
            end,
            ..whole().play.unwrap()
        };
        assert_fields(decode::play_tile(&play(Some(nowhere))), &["play.end"]);
    }
    let all = ["request_id", "match_id", "round", "play"];
    assert_fields(decode::play_tile(&v1::PlayTileRequest::default()), &all);
}

#[test]
fn lists_that_are_not_there() {
    let list = |change: fn(&mut v1::ListMatchesRequest)| {
        let mut request = list_request();
        change(&mut request);
        decode::list_matches(&request)
    };
    assert_fields(list(|request| request.scope = 0), &["scope"]);
    assert_fields(list(|request| request.scope = 3), &["scope"]);
    assert_fields(list(|request| request.state = 5), &["state"]);
    for players in [1, 5, u32::MAX] {
        let page_token = String::new();
        let request = v1::ListMatchesRequest {
            players,
            ..list_request()
        };
        assert_fields(decode::list_matches(&request), &["players"]);
        let request = v1::ListLiveMatchesRequest {
            players,
            page_size: 0,
            page_token,
        };
        assert_fields(decode::list_live_matches(&request), &["players"]);
    }
    let hopeless = v1::ListMatchesRequest {
        scope: 0,
        players: 1,
        state: -1,
        page_size: 0,
        page_token: "x".into(),
    };
    assert_fields(
        decode::list_matches(&hopeless),
        &["scope", "state", "players", "page_token"],
    );
}

#[test]
fn names_and_devices() {
    let sign_in = |display_name: &str, device_key: &str| {
        decode::sign_in_guest(&v1::SignInGuestRequest {
            display_name: display_name.into(),
            device_key: device_key.into(),
        })
    };
    for name in [
        " anna",
        "an\u{202e}na",
        "an\u{0}na",
        &"x".repeat(33),
        &"x".repeat(1 << 20),
    ] {
        assert_fields(sign_in(name, ""), &["display_name"]);
        let display_name = Some(name.to_owned());
        assert_fields(
            decode::update_player(&v1::UpdatePlayerRequest { display_name }),
            &["display_name"],
        );
    }
    assert_fields(sign_in("", ""), &["display_name"]);
    let display_name = Some(String::new());
    assert_fields(
        decode::update_player(&v1::UpdatePlayerRequest { display_name }),
        &["display_name"],
    );
    for key in ["short", "0123456789 abcdef", "0123456789abcde\u{e4}", &"k".repeat(129)] {
        assert_fields(sign_in("anna", key), &["device_key"]);
        assert_fields(sign_in(" ", key), &["display_name", "device_key"]);
    }
}

#[test]
fn a_history_of_what_cannot_be() {
    let fields = |request: v1::ListPlayedMatchesRequest| {
        let invalid = decode::list_played_matches(&request, &ANNA).unwrap_err();
        let fields = invalid.violations().iter().map(|violation| violation.field.clone());
        fields.collect::<Vec<_>>()
    };
    let at = |seconds, nanos| Some(prost_types::Timestamp { seconds, nanos });
    for state in [v1::MatchState::Open, v1::MatchState::Live] {
        let state = state.into();
        assert_eq!(
            fields(v1::ListPlayedMatchesRequest {
                state,
                ..Default::default()
            }),
            ["state"]
        );
    }
    for since in [at(-1, 0), at(0, -1), at(0, 1_000_000_000), at(i64::MAX, 0)] {
        let with_player_id = "p-1".to_owned();
        let request = v1::ListPlayedMatchesRequest {
            since,
            with_player_id,
            ..Default::default()
        };
        assert_eq!(fields(request), ["with_player_id", "since"]);
    }
}

#[test]
fn nobody_is_erased_by_accident() {
    for confirm_player_id in [String::new(), "p-1".to_owned(), BELA.to_string()] {
        let invalid = decode::delete_player(&v1::DeletePlayerRequest { confirm_player_id }, &ANNA).unwrap_err();
        assert_eq!(invalid.violations()[0].field, "confirm_player_id");
    }
    let confirm_player_id = ANNA.to_string();
    assert_eq!(
        decode::delete_player(&v1::DeletePlayerRequest { confirm_player_id }, &ANNA),
        Ok(())
    );
}
