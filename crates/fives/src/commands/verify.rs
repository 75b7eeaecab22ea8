//! `fives verify`: whether records are true.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};

use clap::Args;
use fives_rules::record::{Proof, Record, SeedLabel, verify};
use indicatif::{ProgressBar, ProgressStyle};

use crate::failure::Failure;

const EXAMPLES: &str = "\
Examples:
  fives simulate --matches 1000 --seed 7 --record matches.jsonl
  fives verify matches.jsonl
  xz -dc matches.jsonl.xz | fives verify -

Checked are: that the deals follow from the seeds, and the seeds from the master that was committed to; that every play \
was legal; every draw, end, total, point and score; who led, who won and why. A record without the part `fair` has all \
but its deals checked.

The first fault ends it with exit code 1 and is named as FILE:LINE: match M (seed S): round R, turn T, field: what is \
wrong. Matches, rounds and turns are counted from 0, lines from 1.";

/// Verify records of matches, one a line
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Verify {
    /// The records, or `-` for standard input
    #[arg(value_name = "FILE")]
    file: String,
}

/// The longest line that is read: thousands of rounds fit, and a file without line ends cannot fill the memory.
const MAX_LINE_BYTES: u64 = 16 << 20;

impl Verify {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        let verified = if self.file == "-" {
            self.verify_lines(io::stdin().lock(), &byte_bar(None))?
        } else {
            let (file, bytes) = self.open().map_err(Failure::file(&self.file))?;
            let bar = byte_bar(bytes);
            self.verify_lines(BufReader::new(bar.wrap_read(file)), &bar)?
        };
        let Verified { proved, not_proved } = verified;
        Ok(writeln!(
            out,
            "{} matches verified, deals proved in {proved}; deals not proved in {not_proved}",
            proved + not_proved
        )?)
    }

    /// The file, and how long it is where that can be told: a pipe is not a regular file.
    fn open(&self) -> io::Result<(File, Option<u64>)> {
        let file = File::open(&self.file)?;
        let metadata = file.metadata()?;
        Ok((file, metadata.is_file().then_some(metadata.len())))
    }

    fn verify_lines(&self, mut lines: impl BufRead, bar: &ProgressBar) -> Result<Verified, Failure> {
        let mut verified = Verified::default();
        let mut line = Vec::new();
        for line_number in 1.. {
            line.clear();
            let read = lines.by_ref().take(MAX_LINE_BYTES + 1).read_until(b'\n', &mut line);
            if read.map_err(Failure::file(&self.file))? == 0 {
                break;
            }
            if !line.trim_ascii().is_empty() {
                let proof = verify_line(&line).map_err(|fault| {
                    let number = verified.count();
                    Failure::Fault(format!("{}:{line_number}: match {number}{fault}", self.file))
                })?;
                verified.add(proof);
                bar.set_message(verified.count().to_string());
            }
        }
        bar.finish_and_clear();
        match verified.count() {
            0 => Err(Failure::Fault(format!("{}: there is no record in it", self.file))),
            _ => Ok(verified),
        }
    }
}

/// What the record in `line` proves, or what is wrong with it: a text that follows upon the number of the match.
fn verify_line(line: &[u8]) -> Result<Proof, String> {
    if line.len() as u64 > MAX_LINE_BYTES {
        return Err(format!(": the line is longer than {MAX_LINE_BYTES} bytes"));
    }
    let record: Record = serde_json::from_slice(line).map_err(|error| format!(": {}", not_a_record(&error)))?;
    verify(&record).map_err(|fault| {
        let seed = match &record.seed {
            SeedLabel::Number(number) => number.to_string(),
            SeedLabel::Text(text) => text.clone(),
        };
        format!(" (seed {seed}): {fault}")
    })
}

/// The reader's reason with its column; its line is always 1 and would only mislead.
fn not_a_record(error: &serde_json::Error) -> String {
    let (reason, column) = (error.to_string(), error.column());
    let place = format!(" at line {} column {column}", error.line());
    let reason = reason.strip_suffix(&place).unwrap_or(&reason);
    format!("no record: column {column}: {reason}")
}

/// How many records were found true.
#[derive(Default)]
struct Verified {
    proved: u64,
    not_proved: u64,
}

impl Verified {
    fn add(&mut self, proof: Proof) {
        match proof {
            Proof::Everything => self.proved += 1,
            Proof::DealsNotProved => self.not_proved += 1,
        }
    }

    fn count(&self) -> u64 {
        self.proved + self.not_proved
    }
}

/// Drawn on standard error, and only where that is a terminal.
fn byte_bar(bytes: Option<u64>) -> ProgressBar {
    let (bar, template) = match bytes {
        Some(bytes) => (
            ProgressBar::new(bytes),
            "{wide_bar} {bytes}/{total_bytes}, {msg} matches, {eta} left",
        ),
        None => (ProgressBar::new_spinner(), "{spinner} {msg} matches, {elapsed}"),
    };
    bar.with_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_without_an_end_is_refused_before_it_fills_the_memory() {
        let endless = BufReader::new(io::repeat(b'6'));
        let verify = Verify { file: "-".to_owned() };
        let failure = verify
            .verify_lines(endless, &ProgressBar::hidden())
            .err()
            .expect("a fault");
        assert_eq!(
            failure.to_string(),
            "-:1: match 0: the line is longer than 16777216 bytes"
        );
    }

    #[test]
    fn the_place_of_an_unreadable_word_is_told_by_its_column() {
        let fault = verify_line(br#"{"seed": 7, "policy": 8}"#).expect_err("no record");
        assert_eq!(
            fault,
            ": no record: column 23: invalid type: integer `8`, expected a string"
        );
    }
}
