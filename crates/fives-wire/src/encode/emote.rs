//! What somebody says at a table.

use fives_referee::emote::{Emote, EmoteKind};

use super::timestamp;
use super::view::seat_index;
use crate::v1;

/// What somebody says.
pub(super) fn emote(emote: &Emote) -> v1::Emote {
    v1::Emote {
        seat: seat_index(emote.seat),
        kind: kind(emote.kind).into(),
        send_time: Some(timestamp(emote.at)),
    }
}

const fn kind(kind: EmoteKind) -> v1::EmoteKind {
    match kind {
        EmoteKind::Hello => v1::EmoteKind::Hello,
        EmoteKind::GoodLuck => v1::EmoteKind::GoodLuck,
        EmoteKind::GoodPlay => v1::EmoteKind::GoodPlay,
        EmoteKind::WellDone => v1::EmoteKind::WellDone,
        EmoteKind::Wow => v1::EmoteKind::Wow,
        EmoteKind::Oops => v1::EmoteKind::Oops,
        EmoteKind::Thinking => v1::EmoteKind::Thinking,
        EmoteKind::Hurry => v1::EmoteKind::Hurry,
        EmoteKind::Sorry => v1::EmoteKind::Sorry,
        EmoteKind::Thanks => v1::EmoteKind::Thanks,
        EmoteKind::GoodGame => v1::EmoteKind::GoodGame,
    }
}
