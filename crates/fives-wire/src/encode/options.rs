//! Options and presets.

use fives_rules::options::{DeadLayout, HandRule, MatchOptions, Rounding, WinCheck};
use fives_rules::seat::{Players, Seating};

use crate::v1;

/// The name of the only preset.
pub(crate) const ALL_FIVES: &str = "all-fives";

/// Options, every field filled in.
#[must_use]
pub fn options(options: &MatchOptions) -> v1::MatchOptions {
    let hand_rule = match options.hand_rule() {
        HandRule::NineSevenFive => v1::HandRule::NineSevenFive,
        HandRule::FiveEach => v1::HandRule::FiveFiveFive,
        HandRule::SevenFiveFive => v1::HandRule::SevenFiveFive,
    };
    let win_check = match options.win_check() {
        WinCheck::Immediate => v1::WinCheck::Immediate,
        WinCheck::RoundEnd => v1::WinCheck::RoundEnd,
    };
    let rounding = match options.rounding() {
        Rounding::PerHand => v1::Rounding::PerHand,
        Rounding::PerSide => v1::Rounding::PerSide,
    };
    let dead_layout = match options.dead_layout() {
        DeadLayout::Drain => v1::DeadLayout::Drain,
        DeadLayout::End => v1::DeadLayout::End,
    };
    v1::MatchOptions {
        preset: ALL_FIVES.to_owned(),
        partners: Some(options.seating() == Seating::Partners),
        hand_rule: hand_rule.into(),
        target_points: Some(options.target_points().unsigned_abs()),
        win_check: win_check.into(),
        rounding: rounding.into(),
        floor_zero: Some(options.floor_zero()),
        dead_layout: dead_layout.into(),
        boneyard_reserve: Some(options.boneyard_reserve().into()),
        max_rounds: options.max_rounds().map(|cap| cap.get()),
    }
}

/// Every preset, the default first.
#[must_use]
pub fn presets() -> Vec<v1::Preset> {
    let variant = |players: Players| {
        let preset = MatchOptions::all_fives(players);
        v1::PresetVariant {
            players: players.count() as u32,
            options: Some(options(&preset)),
            hand_size: preset.hand_size() as u32,
        }
    };
    let variants = [Players::Two, Players::Three, Players::Four].map(variant).to_vec();
    vec![v1::Preset {
        name: ALL_FIVES.to_owned(),
        variants,
    }]
}
