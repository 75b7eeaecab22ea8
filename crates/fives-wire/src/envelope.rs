//! The envelope that every message of a stream comes in: one field, the update. Written by hand, because the same update goes to
//! all who follow a match in the same role: it is encoded once, and its bytes are put in every envelope (a third of the work of
//! `make bench-cluster PARTS=fanout` was encoding it anew).

use std::fmt;
use std::sync::Arc;

use prost::bytes::{Buf, BufMut};
use prost::encoding::{
    DecodeContext, WireType, encode_key, encode_varint, encoded_len_varint, key_len, message, skip_field,
};
use prost::{DecodeError, Message};

use crate::v1;

/// The field of the update in `FollowMatchResponse` and in `WatchMatchResponse`.
const UPDATE: u32 = 1;

/// A message of a stream: `FollowMatchResponse` and `WatchMatchResponse`, which are the same on the wire.
#[derive(Clone, PartialEq)]
pub enum Envelope {
    /// With an update that can be read.
    Open(Option<Box<v1::MatchUpdate>>),
    /// With the bytes of a `MatchUpdate`, to be sent.
    Sealed(Arc<[u8]>),
}

impl Envelope {
    /// What is in it: nothing, if it came from somewhere that has nothing to say. Bytes that were sealed here are read again.
    ///
    /// # Errors
    /// If sealed bytes are no update.
    pub fn open(self) -> Result<Option<v1::MatchUpdate>, DecodeError> {
        match self {
            Self::Open(update) => Ok(update.map(|update| *update)),
            Self::Sealed(bytes) => v1::MatchUpdate::decode(&*bytes).map(Some),
        }
    }
}

impl From<v1::MatchUpdate> for Envelope {
    fn from(update: v1::MatchUpdate) -> Self {
        Self::Open(Some(Box::new(update)))
    }
}

impl Default for Envelope {
    fn default() -> Self {
        Self::Open(None)
    }
}

impl fmt::Debug for Envelope {
    /// Says nothing of what is in it: a view has a hand.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Envelope")
    }
}

impl Message for Envelope {
    fn encode_raw(&self, buf: &mut impl BufMut) {
        match self {
            Self::Open(None) => {}
            Self::Open(Some(update)) => message::encode(UPDATE, &**update, buf),
            Self::Sealed(bytes) => {
                encode_key(UPDATE, WireType::LengthDelimited, buf);
                encode_varint(bytes.len() as u64, buf);
                buf.put_slice(bytes);
            }
        }
    }

    fn merge_field(
        &mut self,
        tag: u32,
        wire_type: WireType,
        buf: &mut impl Buf,
        ctx: DecodeContext,
    ) -> Result<(), DecodeError> {
        if tag != UPDATE {
            return skip_field(wire_type, tag, buf, ctx);
        }
        let mut update = std::mem::take(self).open()?.unwrap_or_default();
        message::merge(wire_type, &mut update, buf, ctx)?;
        *self = update.into();
        Ok(())
    }

    fn encoded_len(&self) -> usize {
        match self {
            Self::Open(None) => 0,
            Self::Open(Some(update)) => message::encoded_len(UPDATE, &**update),
            Self::Sealed(bytes) => key_len(UPDATE) + encoded_len_varint(bytes.len() as u64) + bytes.len(),
        }
    }

    fn clear(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use v1::match_update::Update;

    fn update(revision: u64) -> v1::MatchUpdate {
        let cursor = Some(v1::Cursor { revision, stamp: 7 });
        v1::MatchUpdate {
            update: Some(Update::Heartbeat(v1::Heartbeat {
                cursor,
                ..Default::default()
            })),
        }
    }

    #[test]
    fn sealed_or_open_the_bytes_are_the_same() {
        for revision in [0, 1, u64::MAX] {
            let open = Envelope::from(update(revision));
            let sealed = Envelope::Sealed(update(revision).encode_to_vec().into());
            assert_eq!(open.encode_to_vec(), sealed.encode_to_vec());
            assert_eq!(open.encoded_len(), open.encode_to_vec().len());
            assert_eq!(sealed.encoded_len(), sealed.encode_to_vec().len());
            let read = Envelope::decode(&*sealed.encode_to_vec()).expect("readable");
            assert_eq!(read, open);
            assert_eq!(sealed.open(), Ok(Some(update(revision))));
        }
    }

    #[test]
    fn what_is_not_known_is_passed_over_and_garbage_is_not() {
        assert_eq!(Envelope::decode(&[][..]), Ok(Envelope::Open(None)));
        // Field 2, a number.
        assert_eq!(Envelope::decode(&[16, 5][..]), Ok(Envelope::Open(None)));
        assert!(Envelope::decode(&[10, 3, 1][..]).is_err());
    }
}
