//! The command line of Fives: reads the arguments, runs one command, ends with its exit code.

mod commands;
mod connection;
mod failure;
mod options;
mod screen;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;
use fives_server::build;
use mimalloc::MiMalloc;

use crate::commands::Command;

/// Memory is freed here by other threads than those that ask for it, which the allocator of glibc locks for: with this one, a
/// server on two cores answers 1.4 times as many plays a second (`make bench-serve`).
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

const AFTER_HELP: &str = "\
Exit codes:
  0  done
  1  something is not right: an illegal play, a record that is not true, a refusal of the server
  2  the command could not be carried out: wrong usage, a file that cannot be read or written, no server

`fives COMMAND --help` explains a command and shows examples.";

/// All Fives dominoes: serve, play and watch matches, simulate them, verify their records.
#[derive(Parser)]
#[command(version = build::LINE.as_str(), after_help = AFTER_HELP, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

fn main() -> ExitCode {
    let Cli { command } = Cli::parse();
    let mut out = io::stdout().lock();
    let done = command.run(&mut out).and_then(|()| Ok(out.flush()?));
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if let Some(message) = failure.message() {
                // Nobody is left to be told when standard error is closed too.
                let _ = writeln!(io::stderr(), "error: {message}");
            }
            failure.exit_code()
        }
    }
}
