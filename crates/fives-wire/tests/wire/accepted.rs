//! Requests as clients send them, and what the domain makes of them.

use fives_bots::BotKind;
use fives_referee::batch::Spectators;
use fives_referee::clock::{AfterMisses, TurnClock};
use fives_referee::command::{Command, JoinTarget, SeatWish};
use fives_referee::cursor::Cursor;
use fives_referee::emote::EmoteKind;
use fives_referee::invite::{InviteWish, Shown};
use fives_referee::table::MatchState;
use fives_referee::time::UnixMillis;
use fives_rules::options::{DeadLayout, HandRule, MatchOptions, Rounding, WinCheck};
use fives_rules::play::{End, Play};
use fives_rules::seat::{Players, Seating};
use fives_wire::decode::{self, Following, Scope};
use fives_wire::v1::join_match_request::Target;
use fives_wire::{encode, v1};
use prost::Message;

use crate::support::{ANNA, MATCH, code, create_request, join_request, list_request, name, play_request, seat};

#[test]
fn a_match_with_the_preset_of_its_players() {
    let (request, wish) = decode::create_match(&create_request()).unwrap();
    assert_eq!(request.as_str(), "r1");
    assert_eq!(wish.options, MatchOptions::all_fives(Players::Three));
    assert_eq!(
        wish.seats,
        [SeatWish::Me, SeatWish::Open, SeatWish::Bot(BotKind::Greedy)]
    );
    assert!(!wish.private);
    assert_eq!(
        wish.spectators,
        Spectators::Allowed {
            delay_revisions: 3,
            delay_ms: 20_000,
        }
    );
}

#[test]
fn a_match_with_every_option_chosen() {
    let chosen = v1::MatchOptions {
        preset: "all-fives".into(),
        partners: Some(true),
        hand_rule: v1::HandRule::FiveFiveFive.into(),
        target_points: Some(1000),
        win_check: v1::WinCheck::RoundEnd.into(),
        rounding: v1::Rounding::PerSide.into(),
        floor_zero: Some(true),
        dead_layout: v1::DeadLayout::End.into(),
        boneyard_reserve: Some(2),
        max_rounds: Some(1),
    };
    let mut request = v1::CreateMatchRequest {
        options: Some(chosen.clone()),
        visibility: v1::MatchVisibility::Private.into(),
        spectators_allowed: false,
        spectator_delay_revisions: 0,
        spectator_delay_s: 0,
        ..create_request()
    };
    request.seats.push(request.seats[1]);
    let (_, wish) = decode::create_match(&request).unwrap();
    let options = wish.options;
    assert_eq!(options.seating(), Seating::Partners);
    assert_eq!(
        (options.hand_rule(), options.target_points()),
        (HandRule::FiveEach, 1000)
    );
    assert_eq!(
        (options.win_check(), options.rounding()),
        (WinCheck::RoundEnd, Rounding::PerSide)
    );
    assert_eq!(
        (options.dead_layout(), options.boneyard_reserve()),
        (DeadLayout::End, 2)
    );
    assert_eq!(
        (options.floor_zero(), options.max_rounds().map(|cap| cap.get())),
        (true, Some(1))
    );
    assert_eq!((wish.private, wish.spectators), (true, Spectators::Forbidden));
    assert_eq!(
        encode::options(&options),
        chosen,
        "options are written as they were read"
    );
}

#[test]
fn the_options_of_an_answer_are_a_request_for_the_same() {
    for preset in encode::presets() {
        for variant in preset.variants {
            let open = create_request().seats[1];
            let request = v1::CreateMatchRequest {
                options: variant.options.clone(),
                seats: vec![open; variant.players as usize],
                ..create_request()
            };
            let (_, wish) = decode::create_match(&request).unwrap();
            assert_eq!(Some(encode::options(&wish.options)), variant.options);
            assert_eq!(wish.options.hand_size(), variant.hand_size as usize);
        }
    }
}

#[test]
fn a_match_with_a_clock() {
    use v1::MissedTurnsPolicy::{BotKeepsSeat, Forfeit, Unspecified};
    let clock = |turn_time_ms, missed_turns_max, policy: v1::MissedTurnsPolicy| {
        let request = v1::CreateMatchRequest {
            turn_clock: Some(v1::TurnClock {
                turn_time_ms,
                missed_turns_max,
                missed_turns_policy: policy.into(),
            }),
            ..create_request()
        };
        decode::create_match(&request).unwrap().1.clock.unwrap()
    };
    for (decoded, (turn_time_ms, missed_turns_max, after_misses)) in [
        (clock(100, 0, Unspecified), (100, 3, AfterMisses::BotKeepsSeat)),
        (
            clock(86_400_000, 1, BotKeepsSeat),
            (86_400_000, 1, AfterMisses::BotKeepsSeat),
        ),
        (clock(30_000, 10, Forfeit), (30_000, 10, AfterMisses::Forfeit)),
    ] {
        let expected = TurnClock {
            turn_time_ms,
            missed_turns_max,
            after_misses,
        };
        assert_eq!(decoded, expected);
    }
    assert_eq!(decode::create_match(&create_request()).unwrap().1.clock, None);
}

#[test]
fn a_seat_by_id_or_by_code() {
    let join = decode::join_match(&join_request()).unwrap();
    assert_eq!((join.target, join.seat), (JoinTarget::Id(MATCH), Some(seat(1))));
    assert_eq!(join.entropy.as_bytes(), [9; 32]);
    let now = UnixMillis(5);
    assert!(matches!(
        join.command(name("anna"), now),
        Command::Join { code: None, .. }
    ));

    let typed = v1::JoinMatchRequest {
        target: Some(Target::InviteCode(format!(" {}-", code().to_string().to_lowercase()))),
        seat: None,
        entropy: Default::default(),
        ..join_request()
    };
    let join = decode::join_match(&typed).unwrap();
    assert_eq!((join.target, join.seat), (JoinTarget::Code(code()), None));
    let shown = Shown { code: code(), at: now };
    assert!(matches!(join.command(name("anna"), now), Command::Join { code: Some(given), .. } if given == shown));
}

/// Protobuf keeps one member of a oneof: of two targets on the wire only the last is seen.
#[test]
fn of_two_targets_the_last_one_counts() {
    let target = |target| v1::JoinMatchRequest {
        target: Some(target),
        ..Default::default()
    };
    let mut bytes = join_request().encode_to_vec();
    bytes.extend(target(Target::InviteCode(code().to_string())).encode_to_vec());
    let merged = v1::JoinMatchRequest::decode(bytes.as_slice()).unwrap();
    assert_eq!(decode::join_match(&merged).unwrap().target, JoinTarget::Code(code()));
}

#[test]
fn a_tile_in_either_order_at_every_end() {
    let play = decode::play_tile(&play_request()).unwrap();
    let tile = "6-2".parse().unwrap();
    let command = |end| Command::Play {
        round: 0,
        play: Play { tile, end },
    };
    assert_eq!(play.command, command(Some(End::North)));
    assert_eq!((play.id, play.validate_only), (MATCH, true));
    assert_eq!(play.expected, Some(Cursor { revision: 5, stamp: 6 }));
    let ends = [
        (v1::End::Unspecified, None),
        (v1::End::Left, Some(End::Left)),
        (v1::End::Right, Some(End::Right)),
        (v1::End::South, Some(End::South)),
    ];
    for (sent, end) in ends {
        let mut request = play_request();
        request.play.as_mut().unwrap().end = sent.into();
        request.expected_cursor = None;
        let play = decode::play_tile(&request).unwrap();
        assert_eq!((play.command, play.expected), (command(end), None));
    }
}

#[test]
fn what_only_names_a_match() {
    let (match_id, request_id) = (MATCH.to_string(), String::from("r9"));
    let leave = v1::LeaveMatchRequest {
        match_id: match_id.clone(),
        request_id: request_id.clone(),
    };
    let (request, id, command) = decode::leave_match(&leave).unwrap();
    assert_eq!((request.as_str(), id, command), ("r9", MATCH, Command::Leave));
    let reclaim = v1::ReclaimSeatRequest {
        match_id: match_id.clone(),
        request_id: request_id.clone(),
    };
    let (request, id, command) = decode::reclaim_seat(&reclaim).unwrap();
    assert_eq!((request.as_str(), id, command), ("r9", MATCH, Command::ReclaimSeat));
    let (request, id, command) = decode::resign(&v1::ResignRequest { match_id, request_id }).unwrap();
    assert_eq!((request.as_str(), id, command), ("r9", MATCH, Command::Resign));
}

#[test]
fn what_shows_a_match() {
    let (match_id, invite_code) = (MATCH.to_string(), code().to_string());
    let after = Some(v1::Cursor {
        revision: 3,
        stamp: u64::MAX,
    });
    let cursor = Some(Cursor {
        revision: 3,
        stamp: u64::MAX,
    });
    let watch = v1::WatchMatchRequest {
        match_id: match_id.clone(),
        after,
        invite_code: invite_code.clone(),
        no_emotes: false,
    };
    let following = |code| Following {
        id: MATCH,
        after: cursor,
        code,
        hears_emotes: true,
    };
    assert_eq!(decode::watch_match(&watch), Ok(following(Some(code()))));
    let follow = v1::FollowMatchRequest {
        match_id: match_id.clone(),
        after,
        no_emotes: false,
    };
    assert_eq!(decode::follow_match(&follow), Ok(following(None)));
    let muted = v1::FollowMatchRequest {
        no_emotes: true,
        ..follow
    };
    assert_eq!(
        decode::follow_match(&muted).map(|wanted| wanted.hears_emotes),
        Ok(false)
    );
    let get = v1::GetMatchRequest {
        match_id: match_id.clone(),
        invite_code: String::new(),
    };
    assert_eq!(decode::get_match(&get), Ok((MATCH, None)));
    assert_eq!(
        decode::get_replay(&v1::GetReplayRequest { match_id, invite_code }),
        Ok((MATCH, Some(code())))
    );
}

#[test]
fn lists_and_their_filters() {
    let list = decode::list_matches(&list_request()).unwrap();
    assert_eq!((list.scope, list.state), (Scope::Open, None));
    assert_eq!((list.page.players, list.page.size, list.page.after), (None, 50, None));
    let filtered = v1::ListMatchesRequest {
        scope: v1::MatchScope::Mine.into(),
        players: 4,
        state: v1::MatchState::Finished.into(),
        page_size: u32::MAX,
        page_token: String::new(),
    };
    let list = decode::list_matches(&filtered).unwrap();
    assert_eq!((list.scope, list.state), (Scope::Mine, Some(MatchState::Finished)));
    assert_eq!(
        (list.page.players, list.page.size),
        (Some(Players::Four), u32::MAX as usize)
    );
}

#[test]
fn people() {
    let sign_in = |display_name: &str, device_key: &str| {
        decode::sign_in_guest(&v1::SignInGuestRequest {
            display_name: display_name.into(),
            device_key: device_key.into(),
        })
    };
    assert_eq!(sign_in("Zoe\u{308}", "").unwrap(), (Some(name("Zo\u{eb}")), None));
    let (new, device) = sign_in("", "0123456789abcdef").unwrap();
    assert!(new.is_none() && device.is_some(), "a known device needs no name");
    assert_eq!(decode::get_player(&v1::GetPlayerRequest::default()), Ok(None));
    let player_id = ANNA.to_string();
    assert_eq!(decode::get_player(&v1::GetPlayerRequest { player_id }), Ok(Some(ANNA)));
    assert_eq!(decode::update_player(&v1::UpdatePlayerRequest::default()), Ok(None));
    let display_name = Some(String::from("bela"));
    assert_eq!(
        decode::update_player(&v1::UpdatePlayerRequest { display_name }),
        Ok(Some(name("bela")))
    );
}

#[test]
fn an_invite_an_answer_and_an_emote() {
    let (request_id, match_id) = (String::from("r9"), MATCH.to_string());
    let plain = v1::CreateInviteRequest {
        request_id: request_id.clone(),
        match_id: match_id.clone(),
        ..Default::default()
    };
    let wanted = decode::create_invite(&plain).unwrap();
    let unlimited = InviteWish {
        seat: None,
        lifetime_ms: None,
        uses_max: None,
    };
    assert_eq!(
        (wanted.request.as_str(), wanted.id, wanted.wish),
        ("r9", MATCH, unlimited)
    );
    let widest = v1::CreateInviteRequest {
        expire_after_s: Some(604_800),
        uses_max: Some(100),
        seat: Some(3),
        ..plain
    };
    let wanted = decode::create_invite(&widest).unwrap();
    assert_eq!(
        wanted.wish,
        InviteWish {
            seat: Some(seat(3)),
            lifetime_ms: Some(InviteWish::MAX_LIFETIME_MS),
            uses_max: Some(100),
        }
    );
    let revoke = v1::RevokeInviteRequest {
        request_id: request_id.clone(),
        match_id: match_id.clone(),
        invite_code: code().to_string().to_lowercase(),
    };
    let (_, id, command) = decode::revoke_invite(&revoke).unwrap();
    assert_eq!((id, command), (MATCH, Command::RevokeInvite { code: code() }));
    for decline in [false, true] {
        let answer = v1::AnswerRematchRequest {
            request_id: request_id.clone(),
            match_id: match_id.clone(),
            decline,
        };
        let (_, of, is_yes) = decode::answer_rematch(&answer).unwrap();
        assert_eq!((of, is_yes), (MATCH, !decline));
    }
    let kinds = (1..).map_while(|kind| v1::EmoteKind::try_from(kind).ok());
    let kinds: Vec<EmoteKind> = kinds
        .map(|kind| {
            let request = v1::SendEmoteRequest {
                match_id: match_id.clone(),
                kind: kind.into(),
            };
            decode::send_emote(&request).unwrap().1
        })
        .collect();
    assert_eq!(kinds, EmoteKind::ALL);
}
