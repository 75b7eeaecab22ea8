//! Translates between fives.v1 messages, those of fives.admin.v1 for administrators, and the domain.
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

/// The messages, client and server of `fives.admin.v1`, as generated.
pub mod admin {
    /// They.
    #[allow(missing_docs, unreachable_pub, clippy::all, clippy::pedantic)]
    pub mod v1 {
        include!(concat!(env!("OUT_DIR"), "/admin/fives.admin.v1.rs"));
    }
}

/// The file of `fives.admin.v1` and what it imports, encoded like [`FILE_DESCRIPTOR_SET`].
pub const ADMIN_FILE_DESCRIPTOR_SET: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/admin/fives.admin.v1.binpb"));

/// Every file of `fives.v1` and what they import, as an encoded `google.protobuf.FileDescriptorSet`: for reflection.
pub const FILE_DESCRIPTOR_SET: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/fives.v1.binpb"));
