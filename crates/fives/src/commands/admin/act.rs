//! What an administrator can do, and what each of it takes.

use std::io::Write;

use clap::Subcommand;
use fives_client::{AdminClient, admin_v1 as v1};

use super::dead_letters::DeadLetterAct;
use super::flags::AdminFlags;
use super::report::Report;
use crate::failure::Failure;

/// What an administrator can do.
#[derive(Debug, Subcommand)]
pub(super) enum Act {
    /// Show a match as spectators would see it; with --reveal also hands, boneyard, master and invite code, which is audited
    Inspect {
        /// The match
        #[arg(value_name = "MATCH")]
        match_id: String,
        /// Show what is hidden, too
        #[arg(long, requires = "reason")]
        reveal: bool,
        /// Why it is shown
        #[arg(long, value_name = "TEXT", requires = "reveal")]
        reason: Option<String>,
    },
    /// End a match without a result for anybody; its seeds are revealed
    Void {
        /// The match
        #[arg(value_name = "MATCH")]
        match_id: String,
        /// Why; kept in the audit, not told to players
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
    /// Have the player of a seat give up
    Forfeit {
        /// The match
        #[arg(value_name = "MATCH")]
        match_id: String,
        /// The seat, from 0
        #[arg(long, value_name = "N")]
        seat: u32,
        /// Why; kept in the audit, not told to players
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
    /// Find live matches that should have gone on by themselves, or that have not for too long
    Stuck {
        /// How long ago they should have acted, in seconds
        #[arg(long, value_name = "S", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
        overdue_s: u32,
        /// Also those that have not changed for this long, in seconds, whatever they wait for
        #[arg(long, value_name = "S", value_parser = clap::value_parser!(u32).range(1..))]
        idle_s: Option<u32>,
    },
    /// Make what matches are found by follow from them again: lists, what is due, invite codes
    Repair {
        /// Why
        #[arg(long, value_name = "TEXT", default_value = "")]
        reason: String,
    },
    /// Show what administrators have done, newest first
    Audit {
        /// How many rows at most
        #[arg(long, value_name = "ROWS", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..))]
        limit: u32,
    },
    /// Change what the process logs, until it stops or is told otherwise
    Log {
        /// A level, or levels by module as in `info,fives_referee=debug`
        #[arg(value_name = "FILTER")]
        filter: String,
        /// Why
        #[arg(long, value_name = "TEXT", default_value = "")]
        reason: String,
    },
    /// Stop the process, as SIGTERM does: streams are told to resume elsewhere, calls under way finish
    Drain {
        /// Why
        #[arg(long, value_name = "TEXT", default_value = "")]
        reason: String,
    },
    /// Show or retry what could not be delivered to the webhook (`fives serve --hooks`)
    DeadLetters {
        #[command(subcommand)]
        act: DeadLetterAct,
    },
    /// Erase a person who asked for it: the player goes, and what others keep of the matches leads nowhere
    ErasePlayer {
        /// The player's id
        #[arg(value_name = "PLAYER")]
        player_id: String,
        /// Why; kept in the audit, so leave names and ids out of it
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
    /// Show what the process is: version, commit, storage format, durability, since when it serves
    Build,
}

impl Act {
    pub(super) async fn carry_out(
        &self,
        client: &AdminClient,
        flags: &AdminFlags,
        report: &mut Report<'_, impl Write>,
    ) -> Result<(), Failure> {
        match self {
            Self::Inspect {
                match_id,
                reveal,
                reason,
            } => {
                let answer = client.inspect_match(v1::InspectMatchRequest {
                    match_id: match_id.clone(),
                    reveal: *reveal,
                    operator: if *reveal { flags.operator()? } else { String::new() },
                    reason: reason.clone().unwrap_or_default(),
                });
                report.inspected(&answer.await?)
            }
            Self::Void { match_id, reason } => {
                let answer = client.void_match(v1::VoidMatchRequest {
                    match_id: match_id.clone(),
                    operator: flags.operator()?,
                    reason: reason.clone(),
                });
                report.voided(match_id, &answer.await?)
            }
            Self::Forfeit { match_id, seat, reason } => {
                let answer = client.forfeit_seat(v1::ForfeitSeatRequest {
                    match_id: match_id.clone(),
                    seat: Some(*seat),
                    operator: flags.operator()?,
                    reason: reason.clone(),
                });
                report.forfeited(match_id, *seat, &answer.await?)
            }
            Self::Stuck { overdue_s, idle_s } => stuck(client, *overdue_s, *idle_s, report).await,
            Self::Repair { reason } => repair(client, flags.operator()?, reason, report).await,
            Self::DeadLetters { act } => act.carry_out(client, flags, report).await,
            Self::Audit { limit } => audit(client, *limit, report).await,
            Self::Log { filter, reason } => {
                let answer = client.set_log_filter(v1::SetLogFilterRequest {
                    filter: filter.clone(),
                    operator: flags.operator()?,
                    reason: reason.clone(),
                });
                report.filtered(filter, &answer.await?)
            }
            Self::Drain { reason } => {
                let operator = flags.operator()?;
                let reason = reason.clone();
                report.draining(&client.drain(v1::DrainRequest { operator, reason }).await?)
            }
            Self::ErasePlayer { player_id, reason } => {
                let answer = client.erase_player(v1::ErasePlayerRequest {
                    player_id: player_id.clone(),
                    operator: flags.operator()?,
                    reason: reason.clone(),
                });
                report.erased(&answer.await?)
            }
            Self::Build => report.build(&client.get_build(v1::GetBuildRequest {}).await?),
        }
    }
}

async fn stuck(
    client: &AdminClient,
    overdue_s: u32,
    idle_s: Option<u32>,
    report: &mut Report<'_, impl Write>,
) -> Result<(), Failure> {
    let mut all = v1::ListStuckMatchesResponse::default();
    loop {
        let page = client.list_stuck_matches(v1::ListStuckMatchesRequest {
            overdue_s,
            idle_s: idle_s.unwrap_or_default(),
            page_size: 0,
            page_token: all.next_page_token,
        });
        let page = page.await?;
        all.matches.extend(page.matches);
        all.unreadable.extend(page.unreadable);
        all.next_page_token = page.next_page_token;
        if all.next_page_token.is_empty() {
            return report.stuck(&all);
        }
    }
}

async fn repair(
    client: &AdminClient,
    operator: String,
    reason: &str,
    report: &mut Report<'_, impl Write>,
) -> Result<(), Failure> {
    let mut all = v1::RepairIndexesResponse::default();
    loop {
        let page = client.repair_indexes(v1::RepairIndexesRequest {
            page_size: 0,
            page_token: all.next_page_token,
            operator: operator.clone(),
            reason: reason.to_owned(),
        });
        let page = page.await?;
        all.checked += page.checked;
        all.repaired.extend(page.repaired);
        all.unreadable.extend(page.unreadable);
        all.next_page_token = page.next_page_token;
        if all.next_page_token.is_empty() {
            return report.repaired(&all);
        }
    }
}

async fn audit(client: &AdminClient, limit: u32, report: &mut Report<'_, impl Write>) -> Result<(), Failure> {
    let mut all = v1::ListAuditResponse::default();
    loop {
        let left = limit.saturating_sub(u32::try_from(all.rows.len()).unwrap_or(u32::MAX));
        let page = client.list_audit(v1::ListAuditRequest {
            page_size: left,
            page_token: all.next_page_token,
        });
        let page = page.await?;
        all.rows.extend(page.rows);
        all.next_page_token = page.next_page_token;
        if all.next_page_token.is_empty() || all.rows.len() >= limit as usize {
            return report.audit(&all);
        }
    }
}
