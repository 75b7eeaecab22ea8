//! Translates between fives.v1 messages and the domain.
//!
//! [`v1`] is generated from `proto/fives/v1`, whose comments are the manual of the API. [`decode`] is the door for what clients
//! send, [`encode`] is what they get, [`status`] is why they are refused.

pub mod decode;
pub mod encode;
pub mod envelope;
mod page_token;
mod redacted;
pub mod status;

/// The messages, clients and servers of `fives.v1`, as generated.
#[allow(missing_docs, unreachable_pub, clippy::all, clippy::pedantic)]
pub mod v1 {
    tonic::include_proto!("fives.v1");
}

/// Every file of `fives.v1` and what they import, as an encoded `google.protobuf.FileDescriptorSet`: for reflection.
pub const FILE_DESCRIPTOR_SET: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/fives.v1.binpb"));
