//! What several modules need: data files, tiles from text, random matches.

use std::path::PathBuf;

use fives_rules::deal::{Entropy, Fairness, Master};
use fives_rules::game::{Action, Game};
use fives_rules::options::{DeadLayout, HandRule, MatchOptions, OptionChoices, RoundCap, Rounding, WinCheck};
use fives_rules::play::{Legal, Play};
use fives_rules::seat::{BySeat, Players, Seat};
use fives_rules::tile::{Tile, TileSet};
use fives_rules::view::Viewer;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// Everybody who can look at a match, seats that it does not have included.
pub(crate) const VIEWERS: [Viewer; 5] = [
    Viewer::Seat(Seat::ALL[0]),
    Viewer::Seat(Seat::ALL[1]),
    Viewer::Seat(Seat::ALL[2]),
    Viewer::Seat(Seat::ALL[3]),
    Viewer::Spectator,
];

/// A file under `tests/` at the root of the workspace.
pub(crate) fn data_path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests").join(name)
}

/// The text of such a file.
pub(crate) fn data(name: &str) -> String {
    let path = data_path(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The tiles that `text` names, in its order.
pub(crate) fn tiles(text: &str) -> Vec<Tile> {
    text.split_whitespace()
        .map(|word| word.parse().unwrap_or_else(|error| panic!("{error}")))
        .collect()
}

/// The same as a set.
pub(crate) fn hand(text: &str) -> TileSet {
    tiles(text).into_iter().collect()
}

pub(crate) fn play(text: &str) -> Play {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

pub(crate) fn seat(index: u8) -> Seat {
    Seat::new(index).unwrap()
}

/// Plays with `text`, high number first whatever the lead's orientation: what a `Setup` takes.
pub(crate) fn plays(text: &str) -> Vec<Play> {
    text.split_whitespace().map(play).collect()
}

/// Random numbers with a fixed beginning: every run of a test is the same.
pub(crate) struct Dice(Xoshiro256PlusPlus);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.0.next_u64() % n as u64) as usize
    }

    pub(crate) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub(crate) fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }

    pub(crate) fn bytes(&mut self) -> [u8; 32] {
        let mut bytes = [0; 32];
        self.0.fill_bytes(&mut bytes);
        bytes
    }

    /// One of the legal plays, each equally likely.
    pub(crate) fn pick(&mut self, legal: &Legal) -> Play {
        let n = self.below(legal.len());
        legal.nth(n).expect("there are more than n")
    }

    /// Masters and entropies of every length.
    pub(crate) fn fairness(&mut self) -> Fairness {
        let mut entropies = BySeat::default();
        for seat in Seat::ALL {
            let length = self.below(Entropy::MAX_LEN + 1);
            entropies[seat] = Entropy::new(&self.bytes()[..length]).unwrap();
        }
        Fairness {
            master: Master::new(self.bytes()),
            entropies,
        }
    }

    /// Options from all over RULES.md section 3; matches are capped at 12 rounds, so that a test can play thousands.
    pub(crate) fn options(&mut self) -> MatchOptions {
        let players = self.one_of(&[Players::Two, Players::Three, Players::Four]);
        let choices = OptionChoices {
            partners: Some(players == Players::Four && self.one_in(2)),
            hand_rule: Some(self.one_of(&[HandRule::NineSevenFive, HandRule::FiveEach, HandRule::SevenFiveFive])),
            target_points: self.one_of(&[None, Some(5), Some(25), Some(50), Some(100), Some(1000)]),
            win_check: Some(self.one_of(&[WinCheck::Immediate, WinCheck::RoundEnd])),
            rounding: Some(self.one_of(&[Rounding::PerHand, Rounding::PerSide])),
            floor_zero: Some(self.one_in(2)),
            dead_layout: Some(self.one_of(&[DeadLayout::Drain, DeadLayout::End])),
            boneyard_reserve: Some(self.below(3) as u32),
            max_rounds: RoundCap::After(1 + self.below(12) as u32),
        };
        choices.resolve(players).unwrap()
    }

    /// The seat on turn with a legal play or, once in `resign_one_in`, some seat that gives up.
    pub(crate) fn action(&mut self, game: &Game, resign_one_in: usize) -> Option<(Seat, Action)> {
        let turn = game.turn()?;
        if self.one_in(resign_one_in) {
            let seat = seat(self.below(game.options().players().count()) as u8);
            if !game.resigned()[seat] {
                return Some((seat, Action::Resign));
            }
        }
        Some((turn, Action::Play(self.pick(&game.legal()))))
    }
}

/// Every play that words allow: 28 tiles, as a lead and at four ends.
pub(crate) fn all_plays() -> impl Iterator<Item = Play> {
    use fives_rules::play::End;
    Tile::ALL.into_iter().flat_map(|tile| {
        let joins = End::ALL.map(|end| Play::at(tile, end));
        std::iter::once(Play::lead(tile)).chain(joins)
    })
}
