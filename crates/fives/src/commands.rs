//! The commands: one file and one line in each list for every one.

mod demo;
mod load;
mod play;
mod replay;
mod score;
mod serve;
mod simulate;
mod verify;
mod watch;

use std::io::Write;

use clap::Subcommand;

use crate::failure::Failure;

/// What `fives` can be told to do.
#[derive(Subcommand)]
pub(crate) enum Command {
    Serve(Box<serve::Serve>),
    Play(play::PlayCommand),
    Watch(watch::Watch),
    Replay(replay::Replay),
    Demo(demo::Demo),
    Load(load::Load),
    Simulate(simulate::Simulate),
    Score(score::Score),
    Verify(verify::Verify),
}

impl Command {
    /// Carries it out; what it has to say goes to `out`.
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        match self {
            Self::Serve(command) => command.run(),
            Self::Play(command) => command.run(out),
            Self::Watch(command) => command.run(out),
            Self::Replay(command) => command.run(out),
            Self::Demo(command) => command.run(out),
            Self::Load(command) => command.run(out),
            Self::Simulate(command) => command.run(out),
            Self::Score(command) => command.run(out),
            Self::Verify(command) => command.run(out),
        }
    }
}
