//! `fives-record/1`: a whole match as one line of JSON, which replays without random numbers.
//!
//! The format is described in `tests/games/README.md`. [`Recorder`] writes it from the events of a match, [`verify()`] checks
//! every word of it against the rules. Served matches name their players in `policy`, seat by seat (`person,greedy`);
//! a seat whose player resigned while the match went on has `+resigned` behind its name.
//!
//! A key that may be null must be there all the same.

mod config;
mod fault;
mod recorder;
mod verify;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

pub use config::{ConfigError, RecordConfig, RecordDeadLayout, RecordHandRule, RecordSettlement, RecordWinCheck};
pub use fault::Fault;
pub use recorder::Recorder;
pub use verify::{Proof, verify};

use crate::play::{End, Play};
use crate::tile::Tile;

/// The name of this format.
pub const SCHEMA: &str = "fives-record/1";

/// What stands behind the name of a player who resigned while the match went on.
pub const RESIGNED_MARK: &str = "+resigned";

/// One match.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// Where the match came from.
    pub seed: SeedLabel,
    /// Who played.
    pub policy: String,
    /// The format; not checked.
    pub schema: String,
    /// The options.
    pub config: RecordConfig,
    /// The rounds.
    pub hands: Vec<RoundRecord>,
    /// The result.
    pub r#final: FinalRecord,
    /// What proves the deals, if the record has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fair: Option<FairRecord>,
}

/// Text or a number that tells where a match came from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum SeedLabel {
    /// A number.
    Number(u64),
    /// Text.
    Text(String),
}

// Serde reads a missing `Option` as `None`, unless the field names its own way to be read: the `Option::deserialize` below.

/// One round.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoundRecord {
    /// Its number, from 0.
    pub index: u32,
    /// The seat that led.
    pub starter: usize,
    /// Why that seat.
    pub starter_reason: RecordStarterReason,
    /// The tiles of each seat, in the order dealt.
    pub deal: Vec<Vec<Tile>>,
    /// The tiles left over, first drawn first.
    pub boneyard: Vec<Tile>,
    /// The score of each side before it.
    pub scores_before: Vec<i32>,
    /// Its turns.
    pub events: Vec<TurnRecord>,
    /// How it ended.
    pub result: RecordResult,
    /// The seat that placed its last tile, if one did.
    #[serde(deserialize_with = "Option::deserialize")]
    pub out_seat: Option<usize>,
    /// What each seat was left with, high to low.
    pub left: Vec<Vec<Tile>>,
    /// What was taken off each side, if it was settled.
    #[serde(deserialize_with = "Option::deserialize")]
    pub subtracted: Option<Vec<i32>>,
    /// The score of each side after it.
    pub scores_after: Vec<i32>,
}

/// Why a seat led.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RecordStarterReason {
    /// By lot.
    Random,
    /// It went out in the round before.
    Out,
}

/// How a round ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RecordResult {
    /// A seat placed its last tile.
    Out,
    /// Nobody could place.
    Blocked,
    /// The target was reached.
    Target,
    /// A resignation ended the match.
    Resigned,
}

/// One turn.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TurnRecord {
    /// Whose.
    pub seat: usize,
    /// What was drawn first, in order.
    pub drew: Vec<Tile>,
    /// What could be played then, high to low, ends L R N S.
    pub legal: Vec<Play>,
    /// The tile that was played; `None` for a pass.
    #[serde(deserialize_with = "Option::deserialize")]
    pub play: Option<Tile>,
    /// Where; `None` for a lead or a pass.
    #[serde(deserialize_with = "Option::deserialize")]
    pub end: Option<End>,
    /// What each end counts then; not there for a pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ends: Option<Vec<(End, u8)>>,
    /// All ends added up; not there for a pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<u8>,
    /// The points for it.
    pub points: u8,
    /// The score of each side after it.
    pub scores: Vec<i32>,
}

/// The result of a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FinalRecord {
    /// The score of each side.
    pub scores: Vec<i32>,
    /// Who won; `None` for a draw.
    #[serde(deserialize_with = "Option::deserialize")]
    pub winner_side: Option<usize>,
    /// Whether the cap on rounds ended it.
    pub stopped_by_max_hands: bool,
    /// Only there when a resignation ended it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_by: Option<RecordEndedBy>,
}

/// What ended a match, where the rounds do not tell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RecordEndedBy {
    /// A player gave up.
    Resignation,
}

/// What proves the deals of a match; bytes as hex.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FairRecord {
    /// [`crate::deal::ALGORITHM`].
    pub algorithm: String,
    /// The server's 32 bytes.
    pub master: Hex,
    /// SHA-256 of them, shown before the match.
    pub commitment: Hex,
    /// The players' bytes, by seat.
    pub entropies: Vec<Hex>,
    /// Each round's seed, and the commitment to it that was shown with the deal.
    pub rounds: Vec<FairRound>,
}

/// The proof of one deal.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FairRound {
    /// SHA-256 of the seed.
    pub commitment: Hex,
    /// The seed.
    pub seed: Hex,
}

/// Bytes that are written in lower-case hex.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hex(pub Vec<u8>);

impl From<&[u8]> for Hex {
    fn from(bytes: &[u8]) -> Self {
        Self(bytes.to_vec())
    }
}

impl Serialize for Hex {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&data_encoding::HEXLOWER.encode(&self.0))
    }
}

impl<'de> Deserialize<'de> for Hex {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        data_encoding::HEXLOWER_PERMISSIVE
            .decode(text.as_bytes())
            .map(Self)
            .map_err(de::Error::custom)
    }
}

/// Reads and writes a type as its notation.
macro_rules! as_notation {
    ($($name:ident),+) => {
        $(
            impl Serialize for $name {
                fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    serializer.collect_str(self)
                }
            }

            impl<'de> Deserialize<'de> for $name {
                fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
                }
            }
        )+
    };
}

as_notation!(Tile, End, Play);
