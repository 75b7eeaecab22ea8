//! The options of a match as flags (RULES.md section 3, third column).

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use fives_client::v1;
use fives_rules::options::{
    DeadLayout, HandRule, MatchOptions, OptionChoices, OptionsError, RoundCap, Rounding, WinCheck,
};
use fives_rules::seat::Players;

/// What somebody asked for; whatever is left out is the preset's.
#[derive(Debug, Args)]
#[command(next_help_heading = "Match options")]
pub(crate) struct OptionFlags {
    /// How many play: 2, 3 or 4
    #[arg(long, value_name = "N", default_value = "2", value_parser = players)]
    pub(crate) players: Players,

    /// Seats 0 and 2 play together against 1 and 3, with one score a pair (four players only)
    #[arg(long)]
    pub(crate) partners: bool,

    /// Tiles dealt to each of 2, 3 or 4 players [default: 9-7-5]
    #[arg(long, value_name = "RULE", value_parser = one_of(&HAND_RULES))]
    pub(crate) hand_rule: Option<HandRule>,

    /// Points that win: 5 to 1000, in fives [default: 250 with two players, otherwise 200]
    #[arg(long, value_name = "POINTS")]
    pub(crate) target: Option<u32>,

    /// When a side that has reached the target wins [default: immediate]
    #[arg(long, value_name = "WHEN", value_parser = one_of(&WIN_CHECKS))]
    pub(crate) win_check: Option<WinCheck>,

    /// What is rounded to fives after a round [default: per-hand]
    #[arg(long, value_name = "WHAT", value_parser = one_of(&ROUNDINGS))]
    pub(crate) rounding: Option<Rounding>,

    /// Scores never fall below zero
    #[arg(long)]
    pub(crate) floor_zero: bool,

    /// What happens when no tile off the table can ever fit [default: drain]
    #[arg(long, value_name = "WHAT", value_parser = one_of(&DEAD_LAYOUTS))]
    pub(crate) dead_layout: Option<DeadLayout>,

    /// Tiles of the boneyard that are never drawn: 0, 1 or 2 [default: 0]
    #[arg(long, value_name = "TILES")]
    pub(crate) reserve: Option<u32>,

    /// After this many rounds the best score wins: 1 to 1000 [default: 100]
    #[arg(long, value_name = "ROUNDS")]
    pub(crate) max_rounds: Option<u32>,
}

impl OptionFlags {
    /// What was asked for, in the words of the rules. A cap of 0 rounds is refused there like any other that is out
    /// of range.
    pub(crate) fn choices(&self) -> OptionChoices {
        OptionChoices {
            partners: Some(self.partners),
            hand_rule: self.hand_rule,
            target_points: self.target,
            win_check: self.win_check,
            rounding: self.rounding,
            floor_zero: Some(self.floor_zero),
            dead_layout: self.dead_layout,
            boneyard_reserve: self.reserve,
            max_rounds: self.max_rounds.map_or(RoundCap::Preset, RoundCap::After),
        }
    }

    /// What was asked for, as the service is asked for it. It refuses what is impossible; so does this, before it is sent.
    pub(crate) fn message(&self) -> Result<v1::MatchOptions, OptionsError> {
        self.choices()
            .resolve(self.players)
            .map(|options| fives_wire::encode::options(&options))
    }

    /// The options of a match that keeps nobody waiting: here a cap of 0 rounds means none.
    pub(crate) fn resolve_offline(&self) -> Result<MatchOptions, OptionsError> {
        let mut choices = self.choices();
        if self.max_rounds == Some(0) {
            choices.max_rounds = RoundCap::Never;
        }
        choices.resolve(self.players)
    }
}

/// A word, what it means to a reader, and what it means to the rules; the first of a list is the default.
type Word<T> = (&'static str, &'static str, T);

const HAND_RULES: [Word<HandRule>; 3] = [
    (
        "9-7-5",
        "9 with two players, 7 with three, 5 with four",
        HandRule::NineSevenFive,
    ),
    ("5-5-5", "always 5", HandRule::FiveEach),
    ("7-5-5", "7 with two players, otherwise 5", HandRule::SevenFiveFive),
];

const WIN_CHECKS: [Word<WinCheck>; 2] = [
    (
        "immediate",
        "at once, in the middle of a round; that round costs nobody points",
        WinCheck::Immediate,
    ),
    ("round-end", "after the round, if it leads alone", WinCheck::RoundEnd),
];

const ROUNDINGS: [Word<Rounding>; 2] = [
    ("per-hand", "the pips of each hand by itself", Rounding::PerHand),
    ("per-side", "the pips of both partners together", Rounding::PerSide),
];

const DEAD_LAYOUTS: [Word<DeadLayout>; 2] = [
    (
        "drain",
        "the next player draws the boneyard empty, then the round is blocked",
        DeadLayout::Drain,
    ),
    ("end", "the round is blocked at once", DeadLayout::End),
];

/// Reads one of `words`; help and errors list them all.
fn one_of<T>(words: &'static [Word<T>]) -> impl TypedValueParser<Value = T>
where
    T: Copy + Send + Sync + 'static,
{
    let names = words
        .iter()
        .map(|(name, meaning, _)| PossibleValue::new(*name).help(*meaning));
    PossibleValuesParser::new(names).try_map(|typed| {
        let word = words.iter().find(|(name, ..)| *name == typed);
        word.map(|&(.., value)| value)
            .ok_or("it is none of the possible values")
    })
}

pub(crate) fn players(typed: &str) -> Result<Players, &'static str> {
    let players = typed.parse().ok().and_then(Players::new);
    players.ok_or("a match has 2, 3 or 4 players")
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        options: OptionFlags,
    }

    fn choices(flags: &str) -> OptionChoices {
        let line = Line::try_parse_from(["fives"].into_iter().chain(flags.split_whitespace()));
        line.expect("the flags are right").options.choices()
    }

    #[test]
    fn no_flag_is_the_preset() {
        for players in [Players::Two, Players::Three, Players::Four] {
            assert_eq!(choices("").resolve(players), Ok(MatchOptions::all_fives(players)));
        }
    }

    #[test]
    fn the_first_word_of_each_list_is_the_default() {
        assert_eq!(HAND_RULES[0].2, HandRule::default());
        assert_eq!(WIN_CHECKS[0].2, WinCheck::default());
        assert_eq!(ROUNDINGS[0].2, Rounding::default());
        assert_eq!(DEAD_LAYOUTS[0].2, DeadLayout::default());
    }

    #[test]
    fn every_flag_reaches_its_option() {
        let flags = "--players 4 --partners --hand-rule 7-5-5 --target 150 --win-check round-end --rounding per-side \
                     --floor-zero --dead-layout end --reserve 2 --max-rounds 7";
        let asked = OptionChoices {
            partners: Some(true),
            hand_rule: Some(HandRule::SevenFiveFive),
            target_points: Some(150),
            win_check: Some(WinCheck::RoundEnd),
            rounding: Some(Rounding::PerSide),
            floor_zero: Some(true),
            dead_layout: Some(DeadLayout::End),
            boneyard_reserve: Some(2),
            max_rounds: RoundCap::After(7),
        };
        assert_eq!(choices(flags), asked);
    }

    #[test]
    fn only_who_asks_for_it_gets_no_cap() {
        let line = Line::try_parse_from(["fives", "--max-rounds", "0"]).expect("the flags are right");
        let capped = line.options.choices().resolve(Players::Two);
        assert_eq!(capped, Err(OptionsError::MaxRoundsOutOfRange));
        let uncapped = line.options.resolve_offline().expect("no cap is possible");
        assert_eq!(uncapped.max_rounds(), None);
    }
}
