//! `fives admin dead-letters`: what could not be delivered to the webhook.

use std::fmt::Write as _;
use std::io::Write;

use clap::Subcommand;
use fives_client::{AdminClient, admin_v1 as v1};

use super::flags::AdminFlags;
use super::report::Report;
use crate::failure::Failure;

/// The most that one question brings.
const MOST: u32 = 1_000;

/// What can be done about them.
#[derive(Debug, Subcommand)]
pub(super) enum DeadLetterAct {
    /// Show what was given up, the newest first
    List {
        /// How many at most
        #[arg(long, value_name = "LETTERS", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=1_000))]
        limit: u32,
    },
    /// Have it delivered again, as the same delivery
    Retry {
        /// Which, as `list` names them
        #[arg(value_name = "DELIVERY", required_unless_present = "all")]
        deliveries: Vec<String>,
        /// All of them, the oldest first
        #[arg(long, conflicts_with = "deliveries")]
        all: bool,
        /// Why
        #[arg(long, value_name = "TEXT", default_value = "")]
        reason: String,
    },
}

impl DeadLetterAct {
    pub(super) async fn carry_out(
        &self,
        client: &AdminClient,
        flags: &AdminFlags,
        report: &mut Report<'_, impl Write>,
    ) -> Result<(), Failure> {
        match self {
            Self::List { limit } => {
                let answer = list(client, *limit).await?;
                report.write("ListDeadLettersResponse", &answer, |text| told(text, &answer))
            }
            Self::Retry {
                deliveries,
                all,
                reason,
            } => {
                let deliveries = if *all {
                    oldest_first(client).await?
                } else {
                    deliveries.clone()
                };
                for delivery in deliveries {
                    let answer = client.retry_dead_letter(v1::RetryDeadLetterRequest {
                        delivery: delivery.clone(),
                        operator: flags.operator()?,
                        reason: reason.clone(),
                    });
                    report.write("RetryDeadLetterResponse", &answer.await?, |text| {
                        let _ = writeln!(text, "{delivery} is delivered again");
                    })?;
                }
                Ok(())
            }
        }
    }
}

async fn list(client: &AdminClient, limit: u32) -> Result<v1::ListDeadLettersResponse, Failure> {
    Ok(client.list_dead_letters(v1::ListDeadLettersRequest { limit }).await?)
}

async fn oldest_first(client: &AdminClient) -> Result<Vec<String>, Failure> {
    let letters = list(client, MOST).await?.dead_letters;
    Ok(letters.into_iter().rev().map(|letter| letter.delivery).collect())
}

fn told(text: &mut String, answer: &v1::ListDeadLettersResponse) {
    for letter in &answer.dead_letters {
        let time = letter.bury_time.as_ref().map(ToString::to_string).unwrap_or_default();
        let event = letter
            .event()
            .as_str_name()
            .trim_start_matches("HOOK_EVENT_")
            .to_lowercase();
        let _ = writeln!(
            text,
            "{}  {event}  {} tries, given up {time}: {}",
            letter.delivery, letter.tries, letter.problem
        );
    }
    let _ = writeln!(text, "{} dead letters", answer.total_count);
}
