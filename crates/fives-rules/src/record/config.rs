//! The options of a match in the words of records (RULES.md section 3, fourth column).

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::options::{DeadLayout, HandRule, MatchOptions, OptionChoices, OptionsError, RoundCap, Rounding, WinCheck};
use crate::seat::{Players, Seating};

/// The options, in the words of records.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordConfig {
    /// 2, 3 or 4.
    pub players: usize,
    /// A15.
    pub partners: bool,
    /// A31.
    pub hand_rule: RecordHandRule,
    /// A28.
    pub target: u32,
    /// A9.
    pub win_check: RecordWinCheck,
    /// A14.
    pub settlement: RecordSettlement,
    /// A12.
    pub floor_zero: bool,
    /// A20.
    pub dead_layout: RecordDeadLayout,
    /// A22.
    pub reserve: u32,
    /// A29; 0 for no cap.
    pub max_hands: u32,
}

/// Declares an option's words in records beside the rules' own type.
macro_rules! record_word {
    ($(#[$doc:meta])* $name:ident for $domain:ident { $($variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
        pub enum $name {
            $(
                #[doc = concat!("`", $word, "`")]
                #[serde(rename = $word)]
                $variant,
            )+
        }

        impl From<$domain> for $name {
            fn from(value: $domain) -> Self {
                match value { $($domain::$variant => Self::$variant,)+ }
            }
        }

        impl From<$name> for $domain {
            fn from(value: $name) -> Self {
                match value { $($name::$variant => Self::$variant,)+ }
            }
        }
    };
}

record_word! {
    /// [`HandRule`] in records.
    RecordHandRule for HandRule { NineSevenFive = "9-7-5", FiveEach = "5-5-5", SevenFiveFive = "7-5-5" }
}
record_word! {
    /// [`WinCheck`] in records.
    RecordWinCheck for WinCheck { Immediate = "immediate", RoundEnd = "hand_end" }
}
record_word! {
    /// [`Rounding`] in records.
    RecordSettlement for Rounding { PerHand = "per_hand", PerSide = "per_side" }
}
record_word! {
    /// [`DeadLayout`] in records.
    RecordDeadLayout for DeadLayout { Drain = "drain", End = "end" }
}

impl From<&MatchOptions> for RecordConfig {
    fn from(options: &MatchOptions) -> Self {
        Self {
            players: options.players().count(),
            partners: options.seating() == Seating::Partners,
            hand_rule: options.hand_rule().into(),
            target: options.target_points().unsigned_abs(),
            win_check: options.win_check().into(),
            settlement: options.rounding().into(),
            floor_zero: options.floor_zero(),
            dead_layout: options.dead_layout().into(),
            reserve: options.boneyard_reserve().into(),
            max_hands: options.max_rounds().map_or(0, |cap| cap.get()),
        }
    }
}

impl RecordConfig {
    /// The options that it names.
    ///
    /// # Errors
    /// Which option is impossible, and why.
    pub fn options(&self) -> Result<MatchOptions, ConfigError> {
        let players = Players::new(self.players).ok_or(ConfigError::Players)?;
        let choices = OptionChoices {
            partners: Some(self.partners),
            hand_rule: Some(self.hand_rule.into()),
            target_points: Some(self.target),
            win_check: Some(self.win_check.into()),
            rounding: Some(self.settlement.into()),
            floor_zero: Some(self.floor_zero),
            dead_layout: Some(self.dead_layout.into()),
            boneyard_reserve: Some(self.reserve),
            max_rounds: if self.max_hands == 0 {
                RoundCap::Never
            } else {
                RoundCap::After(self.max_hands)
            },
        };
        Ok(choices.resolve(players)?)
    }
}

/// Why a record's options are impossible.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum ConfigError {
    /// R2.
    #[error("a match has 2, 3 or 4 players")]
    Players,
    /// Another option.
    #[error(transparent)]
    Options(#[from] OptionsError),
}
