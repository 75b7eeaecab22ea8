//! Translates between fives.v1 messages and the domain.
//!
//! [`v1`] is generated from `proto/fives/v1`, whose comments are the manual of the API. [`decode`] is the door for what clients
//! send, [`encode`] is what they get, [`status`] is why they are refused.

use std::fmt;

pub mod decode;
pub mod encode;
mod page_token;
pub mod status;

/// The messages, clients and servers of `fives.v1`, as generated.
#[allow(missing_docs, unreachable_pub, clippy::all, clippy::pedantic)]
pub mod v1 {
    tonic::include_proto!("fives.v1");
}

/// Every file of `fives.v1` and what they import, as an encoded `google.protobuf.FileDescriptorSet`: for reflection.
pub const FILE_DESCRIPTOR_SET: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/fives.v1.binpb"));

// Tokens and device keys open a player's account: nothing that prints a message may print them (law 4).

impl fmt::Debug for v1::SignInGuestRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SignInGuestRequest")
            .field("display_name", &self.display_name)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for v1::SignInGuestResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SignInGuestResponse")
            .field("player", &self.player)
            .field("expire_time", &self.expire_time)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for v1::RefreshTokenResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RefreshTokenResponse")
            .field("expire_time", &self.expire_time)
            .finish_non_exhaustive()
    }
}
