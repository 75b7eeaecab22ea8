//! Bytes and fields of any kind, as each of the requests: taken or refused, never a panic (law 6).

use fives_wire::decode::{self, Invalid};
use fives_wire::{status, v1};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use prost::Message;
use tonic::Code;

use crate::support::{ANNA, MATCH, create_request, join_request, list_request, play_request};

/// A test keeps no file of failures: what it tries follows from the numbers that proptest prints.
pub(crate) fn config() -> ProptestConfig {
    ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

fn check<T>(decoded: Result<T, Invalid>) {
    if let Err(invalid) = decoded {
        assert!(!invalid.violations().is_empty());
        let status = status::invalid(&invalid);
        assert_eq!(status.code(), Code::InvalidArgument);
        // Details travel in a header: they stay small, whatever was sent.
        assert!(
            status.message().len() < 1024 && status.details().len() < 4096,
            "{status:?}"
        );
    }
}

/// Whatever these bytes are as each request.
fn try_as_everything(bytes: &[u8]) {
    macro_rules! as_each {
        ($($request:ident by $decode:ident;)+) => {
            $(
                if let Ok(request) = v1::$request::decode(bytes) {
                    let _ = format!("{request:?}");
                    check(decode::$decode(&request));
                }
            )+
        };
    }
    as_each! {
        CreateMatchRequest by create_match;
        GetMatchRequest by get_match;
        ListMatchesRequest by list_matches;
        JoinMatchRequest by join_match;
        LeaveMatchRequest by leave_match;
        PlayTileRequest by play_tile;
        ResignRequest by resign;
        FollowMatchRequest by follow_match;
        GetReplayRequest by get_replay;
        ListLiveMatchesRequest by list_live_matches;
        WatchMatchRequest by watch_match;
        SignInGuestRequest by sign_in_guest;
        GetPlayerRequest by get_player;
        UpdatePlayerRequest by update_player;
        CreateInviteRequest by create_invite;
        RevokeInviteRequest by revoke_invite;
        ListInvitesRequest by list_invites;
        SendEmoteRequest by send_emote;
        AnswerRematchRequest by answer_rematch;
        GetRematchRequest by get_rematch;
    }
    if let Ok(request) = v1::ListPlayedMatchesRequest::decode(bytes) {
        check(decode::list_played_matches(&request, &ANNA));
    }
    if let Ok(request) = v1::DeletePlayerRequest::decode(bytes) {
        check(decode::delete_player(&request, &ANNA));
    }
}

/// Requests that are good, so that what is changed in them still looks like one.
fn good_requests() -> Vec<Vec<u8>> {
    let sign_in = v1::SignInGuestRequest {
        display_name: "Zo\u{eb}".into(),
        device_key: "0123456789abcdef".into(),
    };
    let resign = v1::ResignRequest {
        request_id: "r1".into(),
        match_id: MATCH.to_string(),
    };
    vec![
        create_request().encode_to_vec(),
        join_request().encode_to_vec(),
        play_request().encode_to_vec(),
        list_request().encode_to_vec(),
        sign_in.encode_to_vec(),
        resign.encode_to_vec(),
    ]
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_bytes(bytes in vec(any::<u8>(), 0..300)) {
        try_as_everything(&bytes);
    }

    #[test]
    fn good_requests_with_bytes_changed(
        which in any::<Index>(),
        changes in vec((any::<Index>(), any::<u8>()), 1..6),
        cut in any::<Index>(),
    ) {
        let requests = good_requests();
        let mut bytes = which.get(&requests).clone();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        try_as_everything(&bytes);
        try_as_everything(&bytes[..cut.index(bytes.len())]);
    }

    #[test]
    fn a_new_match_of_any_fields(
        texts in (".*", ".*"),
        seats in vec(any::<Option<i32>>(), 0..6),
        numbers in any::<(i32, bool, u32)>(),
        enums in any::<[i32; 4]>(),
        chosen in any::<(Option<bool>, Option<u32>, Option<bool>, Option<u32>, Option<u32>)>(),
    ) {
        let [hand_rule, win_check, rounding, dead_layout] = enums;
        let (partners, target_points, floor_zero, boneyard_reserve, max_rounds) = chosen;
        let (request_id, preset) = texts;
        let occupant = |bot: Option<i32>| bot.map(v1::seat_request::Occupant::Bot);
        check(decode::create_match(&v1::CreateMatchRequest {
            request_id,
            options: Some(v1::MatchOptions {
                preset, partners, hand_rule, target_points, win_check, rounding, floor_zero, dead_layout,
                boneyard_reserve, max_rounds,
            }),
            seats: seats.into_iter().map(|bot| v1::SeatRequest { occupant: occupant(bot) }).collect(),
            visibility: numbers.0,
            spectators_allowed: numbers.1,
            spectator_delay_revisions: numbers.2,
            spectator_delay_s: numbers.2,
            turn_clock: Some(v1::TurnClock {
                turn_time_ms: numbers.2,
                missed_turns_max: numbers.2,
                missed_turns_policy: numbers.0,
            }),
        }));
    }

    #[test]
    fn any_text_as_an_id_a_code_a_name_or_a_token(text in ".*", short in "\\PC{0,40}") {
        for text in [text, short] {
            let (match_id, invite_code, after) = (text.clone(), text.clone(), None);
            check(decode::watch_match(&v1::WatchMatchRequest { match_id, after, invite_code, no_emotes: false }));
            check(decode::get_player(&v1::GetPlayerRequest { player_id: text.clone() }));
            check(decode::sign_in_guest(&v1::SignInGuestRequest {
                display_name: text.clone(),
                device_key: text.clone(),
            }));
            check(decode::list_matches(&v1::ListMatchesRequest { page_token: text, ..list_request() }));
        }
    }
}
