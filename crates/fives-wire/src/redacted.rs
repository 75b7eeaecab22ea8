//! `Debug` of the messages that clients prove something with. Tokens and device keys open a player's account, invite codes a
//! match: what prints such a message must not print them (law 4). `build.rs` names the same messages.
//!
//! A match view prints whole: it holds its viewer's hand, so it is nothing to print in any case.

use std::fmt;

use crate::v1::join_match_request::Target;
use crate::{admin, v1};

/// Declares what of a message may be printed.
macro_rules! redacted {
    ($($message:ident { $($field:ident),+ })+) => {
        $(
            impl fmt::Debug for v1::$message {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.debug_struct(stringify!($message))
                        $(.field(stringify!($field), &self.$field))+
                        .finish_non_exhaustive()
                }
            }
        )+
    };
}

redacted! {
    SignInGuestRequest { display_name }
    SignInGuestResponse { player, expire_time }
    RefreshTokenResponse { expire_time }
    GetMatchRequest { match_id }
    JoinMatchRequest { request_id, target, seat, entropy }
    GetReplayRequest { match_id }
    WatchMatchRequest { match_id, after }
    Invite { seat, create_time, expire_time, uses_max, uses }
    RevokeInviteRequest { request_id, match_id }
}

impl fmt::Debug for v1::LinkIdentityRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LinkIdentityRequest(secret)")
    }
}

impl fmt::Debug for v1::OpenHand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OpenHand(secret)")
    }
}

impl fmt::Debug for admin::v1::Revealed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Revealed")
    }
}

impl fmt::Debug for admin::v1::RevealedHand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RevealedHand")
    }
}

impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MatchId(id) => f.debug_tuple("MatchId").field(id).finish(),
            Self::InviteCode(_) => f.write_str("InviteCode(secret)"),
        }
    }
}
