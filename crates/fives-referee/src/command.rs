//! What a person can ask of a table, and an administrator do to it.

use fives_bots::BotKind;
use fives_rules::deal::Entropy;
use fives_rules::options::MatchOptions;
use fives_rules::play::Play;
use fives_rules::seat::Seat;

use crate::batch::Spectators;
use crate::clock::TurnClock;
use crate::id::{InviteCode, MatchId};
use crate::invite::{InviteWish, Shown};
use crate::player::DisplayName;
use crate::request::Fingerprint;
use crate::table::Occupant;
use crate::time::UnixMillis;

/// A new match, as asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CreateMatch {
    /// What to play with.
    pub options: MatchOptions,
    /// Who shall sit where; as many as the options have players.
    pub seats: Vec<SeatWish>,
    /// Whether it needs a code to be found.
    pub private: bool,
    /// Whether strangers may watch.
    pub spectators: Spectators,
    /// How long a person may think; `None` for as long as they like.
    pub clock: Option<TurnClock>,
}

/// A new match that the service makes by itself: everybody sits from the beginning, so it starts at once. Public, and anybody may watch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeatedMatch {
    /// What to play with.
    pub options: MatchOptions,
    /// How long a person may think; `None` for as long as they like.
    pub clock: Option<TurnClock>,
    /// Whether its result counts for ratings.
    pub ranked: bool,
    /// Who sits where; as many as the options have players, at least one person and nobody missing.
    pub occupants: Vec<Occupant>,
}

/// Who shall have a seat of a new match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SeatWish {
    /// Anybody who joins.
    Open,
    /// The creator; at most one seat.
    Me,
    /// A bot.
    Bot(BotKind),
}

/// How a match is named by who wants to join it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JoinTarget {
    /// By its id; enough for a public match.
    Id(MatchId),
    /// By the code of a private match.
    Code(InviteCode),
}

/// What a person asks of a table that exists.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// To take a seat.
    Join {
        /// Which; `None` for the first open one.
        seat: Option<Seat>,
        /// What to add to the deals.
        entropy: Entropy,
        /// The code, if the match was found by it, and when.
        code: Option<Shown>,
        /// What the person is called.
        name: DisplayName,
    },
    /// To stand up before the start.
    Leave,
    /// To place a tile.
    Play {
        /// In which round.
        round: u32,
        /// What and where.
        play: Play,
    },
    /// To give up.
    Resign,
    /// To take the seat back from the bot that keeps it.
    ReclaimSeat,
    /// To have an invite.
    Invite {
        /// What it shall be like.
        wish: InviteWish,
        /// The code that it gets, unless a first try got another one.
        code: InviteCode,
        /// When this is asked.
        at: UnixMillis,
    },
    /// To have an invite no more.
    RevokeInvite {
        /// Which.
        code: InviteCode,
    },
}

/// What an administrator can do to a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Intervention {
    /// To end the match without a result for anybody.
    Void,
    /// To have the player of a seat give up.
    Forfeit(Seat),
}

impl CreateMatch {
    /// What tells this request from others under the same id.
    #[must_use]
    pub fn fingerprint(&self) -> Fingerprint {
        // Debug of these plain values is complete and holds no secret; a change of it only makes a late retry be refused.
        let text = format!(
            "{:?}",
            (&self.options, &self.seats, self.private, self.spectators, self.clock)
        );
        Fingerprint::of(&[b"create", text.as_bytes()])
    }
}

impl Command {
    /// What tells this request from others under the same id. A name is not part of it: it may change between two tries.
    #[must_use]
    pub fn fingerprint(&self) -> Fingerprint {
        let index = |seat: &Option<Seat>| seat.map_or(u8::MAX, |seat| seat.index() as u8);
        match self {
            Self::Join {
                seat, entropy, code, ..
            } => {
                let code = code.as_ref().map_or(&[][..], |shown| shown.code.as_bytes());
                Fingerprint::of(&[b"join", &[index(seat)], entropy.as_bytes(), code])
            }
            Self::Leave => Fingerprint::of(&[b"leave"]),
            Self::Play { round, play } => {
                let end = play.end.map_or(u8::MAX, |end| end.index() as u8);
                Fingerprint::of(&[b"play", &round.to_be_bytes(), &[play.tile.number(), end]])
            }
            Self::Resign => Fingerprint::of(&[b"resign"]),
            Self::ReclaimSeat => Fingerprint::of(&[b"reclaim"]),
            // The code and the time are not asked for: they may differ between two tries.
            Self::Invite { wish, .. } => Fingerprint::of(&[
                b"invite",
                &[index(&wish.seat)],
                &wish.lifetime_ms.unwrap_or_default().to_be_bytes(),
                &wish.uses_max.unwrap_or_default().to_be_bytes(),
            ]),
            Self::RevokeInvite { code } => Fingerprint::of(&[b"revoke", code.as_bytes()]),
        }
    }
}
