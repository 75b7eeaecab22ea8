//! `fives watch`: follows a match without a seat.

use std::io::Write;

use clap::Args;
use fives_client::v1::match_update::Update;
use fives_client::{Updates, v1};

use crate::connection::{ServerFlags, block_on};
use crate::failure::Failure;
use crate::screen;

const EXAMPLES: &str = "\
Watch a public match, with the table drawn after every play:

  $ fives watch m-aaaaaaaaaaaaaaaaaaaaaaaaaa --board

A private match needs its invite code:

  $ fives watch m-aaaaaaaaaaaaaaaaaaaaaaaaaa --code 0Z0ABCDE";

/// Watch a match: every play in words, hands hidden
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Watch {
    /// The match
    #[arg(value_name = "MATCH")]
    match_id: String,

    /// The invite code of a private match
    #[arg(long, value_name = "CODE", default_value = "")]
    code: String,

    /// Draw the table after every update
    #[arg(long)]
    board: bool,

    #[command(flatten)]
    server: ServerFlags,
}

impl Watch {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        block_on(async {
            let client = self.server.returning().await?;
            show(client.watch(&self.match_id, &self.code, None), self.board, out).await?;
            Ok(())
        })
    }
}

/// Tells what a stream brings, until the match is over; gives its last state.
pub(crate) async fn show(
    mut updates: Updates,
    draw_board: bool,
    out: &mut impl Write,
) -> Result<v1::MatchView, Failure> {
    let mut last = v1::MatchView::default();
    while let Some(update) = updates.next().await? {
        let Some(view) = tell(&update, out)? else { continue };
        let round_over = matches!(&update, Update::Revisions(revisions) if ends_round(revisions));
        if draw_board || round_over {
            writeln!(out, "{}", screen::board(&view))?;
        }
        out.flush()?;
        last = view;
    }
    Ok(last)
}

/// Tells what one update brings; gives the state after it, unless nothing happened.
pub(crate) fn tell(update: &Update, out: &mut impl Write) -> Result<Option<v1::MatchView>, Failure> {
    match update {
        Update::Heartbeat(_) | Update::Reconnect(_) => Ok(None),
        Update::Emote(emote) => {
            let name = emote.kind().as_str_name();
            let said = name.trim_start_matches("EMOTE_KIND_").replace('_', " ").to_lowercase();
            writeln!(out, "Seat {} says: {said}", emote.seat)?;
            Ok(None)
        }
        Update::Snapshot(snapshot) => {
            let view = snapshot.view.clone().unwrap_or_default();
            if snapshot.reset {
                writeln!(
                    out,
                    "(the service lost its newest moves; this is where the match is now)"
                )?;
            }
            writeln!(out, "{}", screen::board(&view))?;
            Ok(Some(view))
        }
        Update::Revisions(revisions) => {
            let view = revisions.view.clone().unwrap_or_default();
            for batch in &revisions.batches {
                if batch.by_administrator {
                    writeln!(out, "(an administrator of the service acts)")?;
                }
                let kinds = batch.events.iter().filter_map(|event| event.kind.as_ref());
                for text in kinds.filter_map(|kind| screen::event(&view, kind)) {
                    writeln!(out, "{text}")?;
                }
            }
            Ok(Some(view))
        }
    }
}

fn ends_round(revisions: &v1::Revisions) -> bool {
    let mut kinds = revisions
        .batches
        .iter()
        .flat_map(|batch| &batch.events)
        .filter_map(|event| event.kind.as_ref());
    kinds.any(|kind| matches!(kind, v1::event::Kind::RoundEnded(_)))
}
