//! Players that decide from a [`View`] alone: a bot knows what a person in its seat would know.
//!
//! Its randomness is handed in, so that replicas that race for the same decision agree (law 7).

use std::fmt;
use std::str::FromStr;

use fives_rules::deal::Stream;
use fives_rules::play::Play;
use fives_rules::view::{ScoredPlay, View};

/// The kinds of bots.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BotKind {
    /// Any legal play, each equally likely.
    Random,
    /// The most points now, then the heaviest tile, then the play written first.
    Greedy,
}

impl BotKind {
    /// Every kind.
    pub const ALL: [BotKind; 2] = [Self::Random, Self::Greedy];

    /// The name that people type and records show.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Greedy => "greedy",
        }
    }

    /// The bot's play, or `None` when the viewer is not on turn.
    #[must_use]
    pub fn decide(self, view: &View, stream: &mut Stream) -> Option<Play> {
        let legal = view.own.as_ref()?.legal.as_slice();
        match self {
            Self::Random => random(legal, stream),
            Self::Greedy => greedy(legal),
        }
    }
}

fn random(legal: &[ScoredPlay], stream: &mut Stream) -> Option<Play> {
    let pick = stream.below(legal.len() as u32) as usize;
    legal.get(pick).map(|scored| scored.play)
}

fn greedy(legal: &[ScoredPlay]) -> Option<Play> {
    // `max_by_key` would keep the last of equals; the list is reversed to keep the first.
    let best = legal
        .iter()
        .rev()
        .max_by_key(|scored| (scored.points, scored.play.tile.pips()));
    best.map(|scored| scored.play)
}

impl fmt::Display for BotKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is no bot's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownBot(String);

impl fmt::Display for UnknownBot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no bot `{}`: choose random or greedy", self.0)
    }
}

impl std::error::Error for UnknownBot {}

impl FromStr for BotKind {
    type Err = UnknownBot;

    fn from_str(name: &str) -> Result<Self, UnknownBot> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.name() == name)
            .ok_or_else(|| UnknownBot(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fives_rules::play::End;

    fn scored(text: &str, points: u8) -> ScoredPlay {
        let (tile, end) = text.split_once('@').expect("a play at an end");
        let end: End = end.parse().expect("an end");
        ScoredPlay {
            play: Play::at(tile.parse().expect("a tile"), end),
            total: points,
            points,
        }
    }

    #[test]
    fn greedy_takes_points_then_weight_then_the_first_written() {
        let legal = [
            scored("6-6@L", 0),
            scored("5-0@L", 10),
            scored("5-0@R", 10),
            scored("4-1@L", 10),
        ];
        assert_eq!(greedy(&legal), Some(legal[1].play));
        let heavier = [scored("4-1@L", 5), scored("6-1@R", 5)];
        assert_eq!(greedy(&heavier), Some(heavier[1].play));
    }

    #[test]
    fn random_reaches_every_play_and_nothing_else() {
        let legal = [scored("6-6@L", 0), scored("5-0@L", 10), scored("5-0@R", 10)];
        let mut stream = Stream::new([7; 32]);
        let mut seen = [false; 3];
        for _ in 0..100 {
            let play = random(&legal, &mut stream).expect("there are plays");
            seen[legal
                .iter()
                .position(|scored| scored.play == play)
                .expect("one of them")] = true;
        }
        assert_eq!(seen, [true; 3]);
        assert_eq!(random(&[], &mut stream), None);
    }
}
