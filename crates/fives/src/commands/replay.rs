//! `fives replay`: fetches the record of a finished match.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use fives_client::v1;

use crate::connection::{ServerFlags, block_on};
use crate::failure::Failure;

const EXAMPLES: &str = "\
Fetch a record and check every deal, play and score of it without the server:

  $ fives replay m-aaaaaaaaaaaaaaaaaaaaaaaaaa --output match.jsonl
  $ fives verify match.jsonl";

/// Write the record of a finished match: one line of JSON, hands and seeds included
///
/// The seated may have it, and anybody where spectators are allowed.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Replay {
    /// The match
    #[arg(value_name = "MATCH")]
    match_id: String,

    /// Where to write it [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// The invite code of a private match
    #[arg(long, value_name = "CODE", default_value = "")]
    code: String,

    #[command(flatten)]
    server: ServerFlags,
}

impl Replay {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        let record = block_on(async {
            let client = self.server.returning().await?;
            let request = v1::GetReplayRequest {
                match_id: self.match_id.clone(),
                invite_code: self.code.clone(),
            };
            Ok(client.get_replay(request).await?.record_json)
        })?;
        match &self.output {
            None => Ok(writeln!(out, "{record}")?),
            Some(path) => std::fs::write(path, record + "\n").map_err(Failure::file(path.display())),
        }
    }
}
