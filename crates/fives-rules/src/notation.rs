//! Text for tiles, plays and layouts: `6-4`, `6-4@L`, `5-5 5-3@R 5-4@L`.
//!
//! A tile is two numbers with a hyphen. A play is a tile and, unless it leads, `@` and an end: L, R, N or S. A layout is its
//! plays in order; its lead keeps the orientation that is written, its first number at L (`4-5`: 4 at L).

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::layout::{Layout, Placement};
use crate::play::{End, Illegal, Play};
use crate::tile::{Pip, Tile};

/// Why a text is no tile, end or play.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum NotationError {
    /// Not two numbers from 0 to 6 with a hyphen.
    #[error("`{0}` is no tile: write two numbers from 0 to 6, as in 6-4")]
    Tile(String),
    /// Not L, R, N or S.
    #[error("`{0}` is no end: write L, R, N or S")]
    End(String),
}

/// The two halves in the order in which they are written.
fn halves(text: &str) -> Result<(Pip, Pip), NotationError> {
    let pip = |half: &str| match half.as_bytes() {
        [digit @ b'0'..=b'6'] => Pip::new(digit - b'0'),
        _ => None,
    };
    let (first, second) = text.split_once('-').unzip();
    match (first.and_then(pip), second.and_then(pip)) {
        (Some(first), Some(second)) => Ok((first, second)),
        _ => Err(NotationError::Tile(text.to_owned())),
    }
}

impl FromStr for Tile {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        halves(text).map(|(first, second)| Self::new(first, second))
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

impl FromStr for End {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        let named = |end: &End| text.len() == 1 && text.starts_with(end.letter());
        Self::ALL
            .into_iter()
            .find(named)
            .ok_or_else(|| NotationError::End(text.to_owned()))
    }
}

impl fmt::Display for Play {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.end {
            None => self.tile.fmt(f),
            Some(end) => write!(f, "{}@{end}", self.tile),
        }
    }
}

impl FromStr for Play {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        match text.split_once('@') {
            None => Ok(Self::lead(text.parse()?)),
            Some((tile, end)) => Ok(Self::at(tile.parse()?, end.parse()?)),
        }
    }
}

/// One word of a layout's text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WrittenPlay {
    /// The play.
    pub play: Play,
    /// The number written first: where it leads, the one at L.
    pub first: Pip,
}

impl WrittenPlay {
    /// Plays it on `layout`, a lead in the orientation that is written.
    ///
    /// # Errors
    /// Why it is refused; nothing has changed then.
    pub fn play_on(self, layout: &mut Layout) -> Result<Placement, Illegal> {
        match self.play.end {
            None => layout.lead_with_left(self.play.tile, self.first),
            Some(_) => layout.play(self.play),
        }
    }
}

impl fmt::Display for WrittenPlay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let second = self.play.tile.other(self.first).unwrap_or(self.first);
        write!(f, "{:?}-{second:?}", self.first)?;
        self.play.end.map_or(Ok(()), |end| write!(f, "@{end}"))
    }
}

impl FromStr for WrittenPlay {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        let play: Play = text.parse()?;
        let tile = text.split_once('@').map_or(text, |(tile, _)| tile);
        halves(tile).map(|(first, _)| Self { play, first })
    }
}

impl fmt::Display for Layout {
    /// The plays in order, the lead as it lies.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, play) in self.plays().enumerate() {
            if index > 0 {
                f.write_str(" ")?;
            }
            let turned = play.end.is_none() && self.lead_is_turned();
            let first = if turned { play.tile.low() } else { play.tile.high() };
            write!(f, "{}", WrittenPlay { play, first })?;
        }
        Ok(())
    }
}

/// Why a text is no layout.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum LayoutError {
    /// A word is no play.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// A play is refused where it stands.
    #[error("{play}: {reason}")]
    Illegal {
        /// The play as it is written.
        play: WrittenPlay,
        /// Why it is refused.
        reason: Illegal,
    },
}

impl FromStr for Layout {
    type Err = LayoutError;

    fn from_str(text: &str) -> Result<Self, LayoutError> {
        let mut layout = Self::EMPTY;
        for word in text.split_whitespace() {
            let play: WrittenPlay = word.parse()?;
            play.play_on(&mut layout)
                .map_err(|reason| LayoutError::Illegal { play, reason })?;
        }
        Ok(layout)
    }
}
