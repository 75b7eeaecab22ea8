//! Page tokens: good for the list and the filters that they come from, and for nothing else.

use fives_referee::listing::ListPosition;
use fives_referee::time::UnixMillis;
use fives_wire::decode::{self, Invalid};
use fives_wire::{encode, v1};
use proptest::prelude::*;

use crate::garbage::config;
use crate::support::{ANNA, BELA, MATCH, list_request};

const POSITION: ListPosition = ListPosition {
    created_at: UnixMillis(1_800_000_000_123),
    id: MATCH,
};

fn after(request: &v1::ListMatchesRequest) -> Result<Option<ListPosition>, Invalid> {
    decode::list_matches(request).map(|list| list.page.after)
}

fn live_after(players: u32, page_token: String) -> Result<Option<ListPosition>, Invalid> {
    let request = v1::ListLiveMatchesRequest {
        players,
        page_size: 0,
        page_token,
    };
    decode::list_live_matches(&request).map(|page| page.after)
}

fn token(request: &v1::ListMatchesRequest) -> String {
    let list = decode::list_matches(request).unwrap();
    encode::page_token(&list.page.fingerprint, POSITION)
}

#[track_caller]
fn assert_refused(decoded: Result<Option<ListPosition>, Invalid>) {
    let invalid = decoded.unwrap_err();
    assert_eq!(invalid.violations()[0].field, "page_token");
}

#[test]
fn a_token_turns_the_page_of_its_list() {
    let page_token = token(&list_request());
    let next = v1::ListMatchesRequest {
        page_token,
        page_size: 7,
        ..list_request()
    };
    assert_eq!(after(&next), Ok(Some(POSITION)), "only the page size may change");
}

#[test]
fn a_token_of_another_list_or_filter_is_refused() {
    let page_token = token(&list_request());
    let (scope, state) = (v1::MatchScope::Mine.into(), v1::MatchState::Open.into());
    let first = v1::ListMatchesRequest {
        page_token: page_token.clone(),
        ..list_request()
    };
    assert_refused(after(&v1::ListMatchesRequest { scope, ..first.clone() }));
    assert_refused(after(&v1::ListMatchesRequest { state, ..first.clone() }));
    assert_refused(after(&v1::ListMatchesRequest { players: 2, ..first }));
    assert_refused(live_after(0, page_token));

    let list = decode::list_live_matches(&v1::ListLiveMatchesRequest {
        players: 2,
        ..Default::default()
    })
    .unwrap();
    let live = encode::page_token(&list.fingerprint, POSITION);
    assert_eq!(live_after(2, live.clone()), Ok(Some(POSITION)));
    assert_refused(live_after(3, live.clone()));
    assert_refused(live_after(0, live));
}

fn played_after(
    request: &v1::ListPlayedMatchesRequest,
    caller: &fives_referee::id::PlayerId,
) -> Result<Option<ListPosition>, Invalid> {
    decode::list_played_matches(request, caller).map(|list| list.after)
}

#[test]
fn a_token_of_a_history_is_of_one_player_and_its_filters() {
    let filters = v1::ListPlayedMatchesRequest {
        ranked: Some(true),
        with_player_id: BELA.to_string(),
        ..Default::default()
    };
    let list = decode::list_played_matches(&filters, &ANNA).unwrap();
    let page_token = encode::page_token(&list.fingerprint, POSITION);
    let next = v1::ListPlayedMatchesRequest {
        page_token: page_token.clone(),
        page_size: 3,
        ..filters
    };
    assert_eq!(played_after(&next, &ANNA), Ok(Some(POSITION)));
    assert_refused(played_after(&next, &BELA));
    let ranked = Some(false);
    assert_refused(played_after(
        &v1::ListPlayedMatchesRequest { ranked, ..next.clone() },
        &ANNA,
    ));
    let with_player_id = String::new();
    let with_anybody = v1::ListPlayedMatchesRequest {
        with_player_id,
        ..next.clone()
    };
    assert_refused(played_after(&with_anybody, &ANNA));
    let state = v1::MatchState::Finished.into();
    assert_refused(played_after(
        &v1::ListPlayedMatchesRequest { state, ..next.clone() },
        &ANNA,
    ));
    let since = Some(prost_types::Timestamp { seconds: 1, nanos: 0 });
    assert_refused(played_after(&v1::ListPlayedMatchesRequest { since, ..next }, &ANNA));
    assert_refused(live_after(0, page_token));
}

#[test]
fn a_token_with_any_letter_changed_is_refused() {
    let good = token(&list_request());
    for place in 0..good.len() {
        for letter in ["A", "B", "7", "a", "=", "-"] {
            let mut page_token = good.clone();
            page_token.replace_range(place..=place, letter);
            if page_token != good {
                assert_refused(after(&v1::ListMatchesRequest {
                    page_token,
                    ..list_request()
                }));
            }
        }
    }
    for page_token in [
        "x".to_owned(),
        good.repeat(2),
        good[1..].to_owned(),
        "A".repeat(1 << 20),
    ] {
        assert_refused(after(&v1::ListMatchesRequest {
            page_token,
            ..list_request()
        }));
    }
}

fn leaderboard(around_player_id: &str, pool: v1::RatingPool, page_token: String) -> v1::ListLeaderboardRequest {
    v1::ListLeaderboardRequest {
        pool: pool.into(),
        around_player_id: around_player_id.to_owned(),
        page_size: 3,
        page_token,
    }
}

#[test]
fn a_token_of_a_leaderboard_turns_its_pages_and_no_others() {
    use v1::RatingPool::{Partners, Singles};
    let player = fives_referee::id::PlayerId::from_bytes([7; 16]).to_string();
    let first = |around: &str, pool| decode::list_leaderboard(&leaderboard(around, pool, String::new())).unwrap();
    let whole = first("", Singles);
    assert_eq!(whole.begin, decode::LeaderboardBegin::Behind(0));
    for count in [0, 7, u64::MAX] {
        let token = encode::leaderboard_token(&whole.fingerprint, count);
        let next = decode::list_leaderboard(&leaderboard("", Singles, token.clone())).unwrap();
        assert_eq!(next.begin, decode::LeaderboardBegin::Behind(count));
        let around = encode::leaderboard_token(&first(&player, Singles).fingerprint, count);
        let letter = if token.starts_with('A') { "B" } else { "A" };
        let damaged = format!("{letter}{}", &token[1..]);
        for (around_player_id, pool, token) in [
            ("", Partners, token.clone()),
            (player.as_str(), Singles, token.clone()),
            ("", Singles, around),
            ("", Singles, damaged),
            ("", Singles, token[1..].to_owned()),
            ("", Singles, token.repeat(2)),
        ] {
            let invalid = decode::list_leaderboard(&leaderboard(around_player_id, pool, token)).unwrap_err();
            assert_eq!(invalid.violations()[0].field, "page_token");
        }
        assert_refused(live_after(0, token));
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn every_position_is_read_as_it_is_written(created_at in any::<u64>(), id in any::<[u8; 16]>()) {
        let position = ListPosition { created_at: UnixMillis(created_at), id: fives_referee::id::MatchId::from_bytes(id) };
        let list = decode::list_matches(&list_request()).unwrap();
        let page_token = encode::page_token(&list.page.fingerprint, position);
        let next = v1::ListMatchesRequest { page_token, ..list_request() };
        prop_assert_eq!(after(&next), Ok(Some(position)));
    }
}
