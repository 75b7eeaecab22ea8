//! What a match can be played with: the table of RULES.md section 3, validated once.
//!
//! [`OptionChoices`] is what somebody asked for (anything may be left out); [`MatchOptions`] is what a match
//! is played with. The only way from one to the other is [`OptionChoices::resolve`], so a `MatchOptions` is
//! always possible and complete.

use std::num::NonZeroU32;

use thiserror::Error;

use crate::seat::{Players, Seating};

/// How many tiles each seat is dealt (R5, R6, A31).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum HandRule {
    /// 9 with two players, 7 with three, 5 with four (R5).
    #[default]
    NineSevenFive,
    /// 5 each (R6, alternative A).
    FiveEach,
    /// 7 with two players, otherwise 5 (R6, alternative B).
    SevenFiveFive,
}

impl HandRule {
    /// Tiles a seat.
    #[must_use]
    pub const fn hand_size(self, players: Players) -> usize {
        match (self, players) {
            (Self::NineSevenFive, Players::Two) => 9,
            (Self::NineSevenFive, Players::Three) | (Self::SevenFiveFive, Players::Two) => 7,
            _ => 5,
        }
    }
}

/// When reaching the target wins (A9 to A11).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum WinCheck {
    /// At once: the side that placed the tile wins on it, and the round is not settled (A10).
    #[default]
    Immediate,
    /// After the settlement of a round: the highest side at the target wins; a tie at the top plays on.
    RoundEnd,
}

/// What R21 rounds (A14).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Rounding {
    /// Each hand by itself.
    #[default]
    PerHand,
    /// The pips of a side's hands together.
    PerSide,
}

/// What happens to a layout on which no off-table tile can ever fit (A20).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum DeadLayout {
    /// The next player draws the boneyard empty, as R13 says; then the round is blocked.
    #[default]
    Drain,
    /// The round is blocked at once.
    End,
}

/// The options of one match: always possible, always complete.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MatchOptions {
    seating: Seating,
    hand_rule: HandRule,
    target_points: i32,
    win_check: WinCheck,
    rounding: Rounding,
    floor_zero: bool,
    dead_layout: DeadLayout,
    boneyard_reserve: u8,
    max_rounds: Option<NonZeroU32>,
}

impl MatchOptions {
    /// The preset `all-fives`: every default of RULES.md section 3.
    #[must_use]
    pub fn all_fives(players: Players) -> Self {
        Self {
            seating: Seating::Singles(players),
            hand_rule: HandRule::default(),
            target_points: default_target_points(players),
            win_check: WinCheck::default(),
            rounding: Rounding::default(),
            floor_zero: false,
            dead_layout: DeadLayout::default(),
            boneyard_reserve: 0,
            max_rounds: NonZeroU32::new(DEFAULT_MAX_ROUNDS),
        }
    }

    /// The seats and the sides they score for.
    #[must_use]
    pub const fn seating(&self) -> Seating {
        self.seating
    }

    /// How many seats there are.
    #[must_use]
    pub const fn players(&self) -> Players {
        self.seating.players()
    }

    /// How many tiles a seat is dealt.
    #[must_use]
    pub const fn hand_size(&self) -> usize {
        self.hand_rule.hand_size(self.players())
    }

    /// The rule behind [`MatchOptions::hand_size`].
    #[must_use]
    pub const fn hand_rule(&self) -> HandRule {
        self.hand_rule
    }

    /// Points that win (A28).
    #[must_use]
    pub const fn target_points(&self) -> i32 {
        self.target_points
    }

    /// When the target is looked at.
    #[must_use]
    pub const fn win_check(&self) -> WinCheck {
        self.win_check
    }

    /// What the settlement rounds.
    #[must_use]
    pub const fn rounding(&self) -> Rounding {
        self.rounding
    }

    /// Whether scores stop at zero (A12).
    #[must_use]
    pub const fn floor_zero(&self) -> bool {
        self.floor_zero
    }

    /// What happens to a dead layout.
    #[must_use]
    pub const fn dead_layout(&self) -> DeadLayout {
        self.dead_layout
    }

    /// How many tiles are never drawn (A22), 0 to 2.
    #[must_use]
    pub const fn boneyard_reserve(&self) -> u8 {
        self.boneyard_reserve
    }

    /// After how many rounds the best score wins (A29); `None` for never.
    #[must_use]
    pub const fn max_rounds(&self) -> Option<NonZeroU32> {
        self.max_rounds
    }
}

/// After how many rounds a match ends unless something else is chosen (A29).
const DEFAULT_MAX_ROUNDS: u32 = 100;

/// 250 with two players, 200 with three or four (R22, A28).
const fn default_target_points(players: Players) -> i32 {
    match players {
        Players::Two => 250,
        Players::Three | Players::Four => 200,
    }
}

/// The cap on rounds that somebody asked for (A29).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RoundCap {
    /// The preset's: 100.
    #[default]
    Preset,
    /// This many, 1 to 1000.
    After(u32),
    /// None at all; only where nobody is kept waiting, as in simulations.
    Never,
}

/// What somebody asked for; whatever is `None` is the preset's.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct OptionChoices {
    /// Two partnerships (A15)?
    pub partners: Option<bool>,
    /// Tiles a seat (A31).
    pub hand_rule: Option<HandRule>,
    /// Points that win: 5 to 1000, in fives (A28).
    pub target_points: Option<u32>,
    /// When the target is looked at (A9).
    pub win_check: Option<WinCheck>,
    /// What the settlement rounds (A14).
    pub rounding: Option<Rounding>,
    /// Whether scores stop at zero (A12).
    pub floor_zero: Option<bool>,
    /// What happens to a dead layout (A20).
    pub dead_layout: Option<DeadLayout>,
    /// Tiles that are never drawn, 0 to 2 (A22).
    pub boneyard_reserve: Option<u32>,
    /// The cap on rounds (A29).
    pub max_rounds: RoundCap,
}

impl OptionChoices {
    /// The options of a match for `players`.
    ///
    /// # Errors
    /// The first choice that is impossible, with its reason.
    pub fn resolve(self, players: Players) -> Result<MatchOptions, OptionsError> {
        let preset = MatchOptions::all_fives(players);
        let seating = match (self.partners, players) {
            (None | Some(false), _) => preset.seating,
            (Some(true), Players::Four) => Seating::Partners,
            (Some(true), _) => return Err(OptionsError::PartnersNeedFour),
        };
        let target_points = match self.target_points {
            None => preset.target_points,
            Some(points @ 5..=1000) if points % 5 == 0 => points as i32,
            Some(_) => return Err(OptionsError::TargetOutOfRange),
        };
        let boneyard_reserve = match self.boneyard_reserve {
            None => preset.boneyard_reserve,
            Some(tiles @ 0..=2) => tiles as u8,
            Some(_) => return Err(OptionsError::ReserveOutOfRange),
        };
        let max_rounds = match self.max_rounds {
            RoundCap::Preset => preset.max_rounds,
            RoundCap::Never => None,
            RoundCap::After(rounds @ 1..=1000) => NonZeroU32::new(rounds),
            RoundCap::After(_) => return Err(OptionsError::MaxRoundsOutOfRange),
        };
        Ok(MatchOptions {
            seating,
            hand_rule: self.hand_rule.unwrap_or_default(),
            target_points,
            win_check: self.win_check.unwrap_or_default(),
            rounding: self.rounding.unwrap_or_default(),
            floor_zero: self.floor_zero.unwrap_or(preset.floor_zero),
            dead_layout: self.dead_layout.unwrap_or_default(),
            boneyard_reserve,
            max_rounds,
        })
    }
}

/// Why a combination of options is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum OptionsError {
    /// Partners are seats 0 + 2 against 1 + 3 (A15).
    #[error("partners need four players")]
    PartnersNeedFour,
    /// A28.
    #[error("the target must be 5 to 1000 points, in fives")]
    TargetOutOfRange,
    /// A22.
    #[error("the boneyard reserve must be 0, 1 or 2 tiles")]
    ReserveOutOfRange,
    /// A29.
    #[error("the cap on rounds must be 1 to 1000")]
    MaxRoundsOutOfRange,
}

impl OptionsError {
    /// The option that is at fault, in the words of RULES.md section 3.
    #[must_use]
    pub const fn option(self) -> &'static str {
        match self {
            Self::PartnersNeedFour => "partners",
            Self::TargetOutOfRange => "target_points",
            Self::ReserveOutOfRange => "boneyard_reserve",
            Self::MaxRoundsOutOfRange => "max_rounds",
        }
    }
}
