//! `fives score`: counts a layout tile by tile.

use std::io::Write;

use clap::Args;
use fives_rules::layout::Layout;
use fives_rules::notation::{NotationError, WrittenPlay};

use crate::failure::Failure;

const EXAMPLES: &str = "\
Each tile gets a line with what its ends count (a double both halves), their total and the points for it:

  $ fives score \"5-5 5-3@R 5-4@L\"
  5-5  L5 R5  total 10  points 10
  5-3@R  L10 R3  total 13  points 0
  5-4@L  L4 R3  total 7  points 0
  points 10 0 0

A lone double shows its pips at L and at R. The arms N and S are open once both sides of the first double are covered:

  $ fives score \"6-6 6-4@R 6-3@L 6-2@N\"

An illegal play is refused with its reason and exit code 1:

  $ fives score \"5-5 5-0@R 5-1@N\"";

/// Count a layout: the ends, their total and the points after each tile
///
/// The first word is the lead, its first number at end L and its second at R. Every other word is a tile and the end it
/// is placed on: L or R of the main line, N or S of the first double.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Score {
    /// The plays in order, as in "6-4 4-4@R"
    #[arg(required = true, value_name = "PLAYS")]
    plays: Vec<String>,
}

impl Score {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        let plays = self.written_plays()?;
        let mut layout = Layout::EMPTY;
        let mut points = String::new();
        for play in plays {
            let placement = play
                .play_on(&mut layout)
                .map_err(|reason| Failure::Fault(format!("{play}: {reason}")))?;
            write!(out, "{play} ")?;
            for (end, counted) in layout.counted_ends().iter() {
                write!(out, " {end}{counted}")?;
            }
            writeln!(out, "  total {}  points {}", placement.total, placement.points)?;
            points += &format!(" {}", placement.points);
        }
        Ok(writeln!(out, "points{points}")?)
    }

    /// All of them, before the first is played: a typing error is no illegal play.
    fn written_plays(&self) -> Result<Vec<WrittenPlay>, Failure> {
        let words = self.plays.iter().flat_map(|words| words.split_whitespace());
        let plays: Vec<WrittenPlay> = words
            .map(str::parse)
            .collect::<Result<_, _>>()
            .map_err(|error: NotationError| Failure::Usage(error.to_string()))?;
        if plays.is_empty() {
            return Err(Failure::Usage("there is no play: name at least the lead".to_owned()));
        }
        Ok(plays)
    }
}
