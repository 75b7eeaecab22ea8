//! What people at a table say: one of a few things, never words of their own.
//!
//! An emote is no part of the match. It changes no revision and is not kept; who is not there when it comes has missed nothing.

use fives_rules::seat::Seat;

use crate::time::UnixMillis;

/// What can be said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "each says it in its name")]
pub enum EmoteKind {
    Hello,
    GoodLuck,
    GoodPlay,
    WellDone,
    Wow,
    Oops,
    Thinking,
    Hurry,
    Sorry,
    Thanks,
    GoodGame,
}

/// Somebody says something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Emote {
    /// From which seat.
    pub seat: Seat,
    /// What.
    pub kind: EmoteKind,
    /// When, by the store's clock.
    pub at: UnixMillis,
}

impl EmoteKind {
    /// All of them; where one stands here is its number for those who pass it on.
    pub const ALL: [Self; 11] = [
        Self::Hello,
        Self::GoodLuck,
        Self::GoodPlay,
        Self::WellDone,
        Self::Wow,
        Self::Oops,
        Self::Thinking,
        Self::Hurry,
        Self::Sorry,
        Self::Thanks,
        Self::GoodGame,
    ];
}
