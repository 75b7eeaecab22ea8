//! The commands: one file and one line in each list for every one.

mod score;
mod simulate;
mod verify;

use std::io::Write;

use clap::Subcommand;

use crate::failure::Failure;

/// What `fives` can be told to do.
#[derive(Subcommand)]
pub(crate) enum Command {
    Simulate(simulate::Simulate),
    Score(score::Score),
    Verify(verify::Verify),
}

impl Command {
    /// Carries it out; what it has to say goes to `out`.
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        match self {
            Self::Simulate(command) => command.run(out),
            Self::Score(command) => command.run(out),
            Self::Verify(command) => command.run(out),
        }
    }
}
