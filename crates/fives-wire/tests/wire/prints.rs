//! What opens an account or a match is never printed (law 4).

use fives_wire::v1::join_match_request::Target;
use fives_wire::{decode, v1};

use crate::support::{MATCH, code, join_request};

const SECRET: &str = "s3cr3t-0123456789";

#[test]
fn messages_print_no_token_no_device_key_and_no_code() {
    let (secret, match_id) = (String::from(SECRET), MATCH.to_string());
    let printed = [
        format!(
            "{:?}",
            v1::SignInGuestRequest {
                display_name: "anna".into(),
                device_key: secret.clone()
            }
        ),
        format!(
            "{:?}",
            v1::SignInGuestResponse {
                access_token: secret.clone(),
                ..Default::default()
            }
        ),
        format!(
            "{:?}",
            v1::RefreshTokenResponse {
                access_token: secret.clone(),
                ..Default::default()
            }
        ),
        format!(
            "{:?}",
            v1::GetMatchRequest {
                match_id: match_id.clone(),
                invite_code: secret.clone()
            }
        ),
        format!(
            "{:?}",
            v1::GetReplayRequest {
                match_id: match_id.clone(),
                invite_code: secret.clone()
            }
        ),
        format!(
            "{:?}",
            v1::WatchMatchRequest {
                match_id: match_id.clone(),
                after: None,
                invite_code: secret.clone(),
                no_emotes: false,
            }
        ),
        format!(
            "{:?}",
            v1::RevokeInviteRequest {
                request_id: "r1".into(),
                match_id,
                invite_code: secret.clone(),
            }
        ),
        format!(
            "{:?}",
            v1::CreateInviteResponse {
                invite: Some(v1::Invite {
                    invite_code: secret.clone(),
                    ..Default::default()
                }),
                ..Default::default()
            }
        ),
        format!(
            "{:?}",
            v1::LinkIdentityRequest {
                identity_token: secret.clone()
            }
        ),
        format!(
            "{:?}",
            v1::JoinMatchRequest {
                target: Some(Target::InviteCode(secret)),
                ..join_request()
            }
        ),
    ];
    for text in printed {
        assert!(text.len() > 20 && !text.contains(SECRET), "{text}");
    }
}

#[test]
fn what_was_decoded_prints_none_either() {
    let target = Some(Target::InviteCode(code().to_string()));
    let join = decode::join_match(&v1::JoinMatchRequest {
        target,
        ..join_request()
    })
    .unwrap();
    assert!(!format!("{join:?}").contains(&code().to_string()));
}

#[test]
fn a_refusal_repeats_nothing_that_was_sent() {
    let request = v1::SignInGuestRequest {
        display_name: format!(" {SECRET}"),
        device_key: format!("{SECRET} "),
    };
    let invalid = decode::sign_in_guest(&request).unwrap_err();
    assert_eq!(invalid.violations().len(), 2);
    assert!(!format!("{invalid} {invalid:?}").contains(SECRET));
}
