//! `fives admin`: looks after matches and processes, through the admin port.

mod act;
mod dead_letters;
mod flags;
mod report;

use std::io::Write;

use clap::Args;

use crate::connection::block_on;
use crate::failure::Failure;
use act::Act;
use flags::AdminFlags;
use report::Report;

const EXAMPLES: &str = "\
Make a secret, and start a server that knows it:

  $ (umask 077 && openssl rand -hex 32 > admin-token)
  $ fives serve --admin-token-file admin-token

Look at a match; end it without a result; see who did what:

  $ export FIVES_ADMIN_TOKEN_FILE=admin-token
  $ fives admin inspect m-aaaaaaaaaaaaaaaaaaaaaaaaaa
  $ fives admin void m-aaaaaaaaaaaaaaaaaaaaaaaaaa --reason 'both players asked for it'
  $ fives admin audit

Find matches that do not go on, and make the indexes right by which they would be found:

  $ fives admin stuck --overdue-s 60
  $ fives admin repair

Find what could not be delivered to the webhook, and have it delivered again:

  $ fives admin dead-letters list
  $ fives admin dead-letters retry --all --reason 'the receiver is back'
Erase a person who asked for it by mail:

  $ fives admin erase-player p-aaaaaaaaaaaaaaaaaaaaaaaaaa --reason 'request 4711'

Log more for a while; stop a process so that its streams go elsewhere first:

  $ fives admin log info,fives_server=debug
  $ fives admin drain";

/// Look after matches and processes: needs the admin token
///
/// Talks to the admin port of one process (`fives serve --admin-listen`). What is done to a match holds for all processes with the
/// same store; `log`, `drain` and `build` are about the one process. Everything that changes something, and every look at what is
/// hidden, leaves an audit row with the operator's name, the reason and the time.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, subcommand_required = true)]
pub(crate) struct Admin {
    #[command(subcommand)]
    act: Act,

    #[command(flatten)]
    flags: AdminFlags,
}

impl Admin {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        block_on(async {
            let client = self.flags.client()?;
            self.act
                .carry_out(&client, &self.flags, &mut Report::new(out, self.flags.json))
                .await
        })
    }
}
