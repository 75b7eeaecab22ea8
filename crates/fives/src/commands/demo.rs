//! `fives demo`: has bots play a whole match and watches it.

use std::io::Write;

use clap::Args;
use fives_bots::BotKind;

use super::play::{bot_seat, dealt_in_turn, make_public};
use super::watch::show;
use crate::connection::{ServerFlags, block_on};
use crate::failure::Failure;
use crate::options::OptionFlags;

const EXAMPLES: &str = "\
Four bots on the server that `make run` started:

  $ fives demo

Two greedy bots, partners against two random ones:

  $ fives demo --players 4 --partners --bots greedy,random";

/// Have bots play a whole match, and watch it
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Demo {
    /// The bots, dealt to the seats in turn
    #[arg(long, value_name = "KINDS", value_delimiter = ',', default_value = "greedy,random")]
    bots: Vec<BotKind>,

    #[command(flatten)]
    server: ServerFlags,

    #[command(flatten)]
    options: OptionFlags,
}

impl Demo {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        let seats = dealt_in_turn(&self.bots, self.options.players.count())
            .map(bot_seat)
            .collect();
        block_on(async {
            let (client, _) = self.server.sign_in().await?;
            let match_id = make_public(&client, &self.options, seats, None).await?;
            writeln!(out, "match {match_id}")?;
            show(client.watch(&match_id, "", None), false, out).await?;
            Ok(writeln!(
                out,
                "The record: fives replay {match_id} --server {}",
                self.server.server
            )?)
        })
    }
}
