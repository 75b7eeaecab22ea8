//! `fives load`: plays real matches against servers, and audits every one of them.

mod audit;
mod connections;
mod finding;
mod placed;
mod player;
mod report;
mod seen;
mod table;
mod tally;
mod viewing;
mod watcher;

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use clap::{Args, value_parser};
use fives_client::{RetryPolicy, v1};
use fives_rules::options::{OptionChoices, RoundCap};
use fives_rules::seat::Players;
use futures::future::try_join_all;
use indicatif::{ProgressBar, ProgressStyle};
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep_until};

use self::connections::{Connections, Sharing};
use self::report::Report;
use self::table::{Plan, Table};
use self::tally::{Reading, Tally};
use crate::connection::TlsFlags;
use crate::failure::Failure;
use crate::options::players;

const EXAMPLES: &str = "\
Half a minute of 200 matches on the server that `make run` started:

  $ fives load

Two replicas, everybody over a connection of their own, for a script:

  $ fives load --server http://10.0.0.1:7400 --server http://10.0.0.2:7400 --connections each --json

People who think, before a large public:

  $ fives load --matches 50 --players 4 --think-ms 800 --watchers 100 --seconds 120

Servers that are killed and started again while it runs: nobody gives up for two minutes.

  $ fives load --seconds 300 --give-up-after-s 120 --finish-s 180

The audit compares every answer to a play with what each seat and each watcher was shown, all of them with each other, and \
the whole of a finished match with its record, which must be true. It names what was lost, doubled, left out or different, \
with match and revision. A call counts as failed when the client could not get an answer by trying again.

A server gives each player, address and match a share and refuses what is over (RATE_LIMITED, which is tried again): start it \
with --no-shares to measure the service and not its limits.

Everybody needs a stream: with many clients raise --max-streams of the server, and with `--connections each` the limit of \
open files (ulimit -n) on both sides.";

/// Play many matches at once against servers, measure them, and audit that nothing was lost
///
/// All seats are people who follow their match and play at random; watchers look on. Ends with exit code 1 if a call failed
/// for good or the audit found anything.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Load {
    /// The servers; clients are dealt round them
    #[arg(
        long,
        value_name = "URL",
        env = "FIVES_SERVER",
        value_delimiter = ',',
        num_args = 1..,
        default_value = "http://127.0.0.1:7400"
    )]
    server: Vec<String>,

    #[command(flatten)]
    tls: TlsFlags,

    /// How many matches are played at once; each that ends is followed by a new one
    #[arg(long, value_name = "K", default_value_t = 200, value_parser = value_parser!(u32).range(1..=100_000))]
    matches: u32,

    /// How many play each match: 2, 3 or 4
    #[arg(long, value_name = "N", default_value = "2", value_parser = players)]
    players: Players,

    /// How many watch each match
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = value_parser!(u32).range(..=100_000))]
    watchers: u32,

    /// How long new matches begin, and rates are measured, in seconds
    #[arg(long, value_name = "S", default_value_t = 30, value_parser = value_parser!(u64).range(1..=86_400))]
    seconds: u64,

    /// How long matches under way may then take to finish before they are called off, in seconds
    #[arg(long, value_name = "S", default_value_t = 30, value_parser = value_parser!(u64).range(..=86_400))]
    finish_s: u64,

    /// Who has a connection
    #[arg(long, value_name = "WHO", value_enum, default_value_t = Sharing::Shared)]
    connections: Sharing,

    /// A pause before each play, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 0, value_parser = value_parser!(u64).range(..=3_600_000))]
    think_ms: u64,

    /// How long one call, or a broken stream, is tried again before it has failed, in seconds
    #[arg(long, value_name = "S", default_value_t = 30, value_parser = value_parser!(u64).range(1..=86_400))]
    give_up_after_s: u64,

    /// What the players' choices follow from; the deals are the servers' own
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,

    /// Points that win: 5 to 1000, in fives
    #[arg(long, value_name = "POINTS", default_value_t = 50)]
    target: u32,

    /// After this many rounds the best score wins: 1 to 1000
    #[arg(long, value_name = "ROUNDS", default_value_t = 10)]
    max_rounds: u32,

    /// Say the result as one JSON object
    #[arg(long)]
    json: bool,
}

impl Load {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
        let runtime = runtime.map_err(Failure::file("the runtime"))?;
        let report = runtime.block_on(self.measure())?;
        if self.json {
            writeln!(out, "{}", report.json())?;
        } else {
            report.write(out)?;
        }
        out.flush()?;
        report.verdict()
    }

    async fn measure(&self) -> Result<Report, Failure> {
        let retries = Arc::new(AtomicU64::new(0));
        let tally = Tally::new(Arc::clone(&retries)).map_err(|error| Failure::Usage(error.to_string()))?;
        let tally = Arc::new(tally);
        let options = self.options()?;
        let tables = self.gather(retries).await?;
        let begin = Instant::now();
        let last_start = begin + Duration::from_secs(self.seconds);
        let plan = Arc::new(Plan {
            options,
            think: Duration::from_millis(self.think_ms),
            seed: self.seed,
            next_match: AtomicU64::new(0),
            last_start,
            called_off: last_start + Duration::from_secs(self.finish_s),
            tally: Arc::clone(&tally),
        });
        let mut playing = JoinSet::new();
        for table in tables {
            playing.spawn(table.keep_playing(Arc::clone(&plan)));
        }
        let progress = tokio::spawn(show_progress(Arc::clone(&tally)));
        sleep_until(last_start).await;
        let (window, took) = (tally.reading(), begin.elapsed());
        while let Some(played) = playing.join_next().await {
            played.map_err(|error| Failure::Fault(format!("a table of the load generator broke: {error}")))?;
        }
        progress.abort();
        // Its line is cleared before the result is written.
        let _ = progress.await;
        Ok(Report::new(window, took, &tally))
    }

    fn options(&self) -> Result<v1::MatchOptions, Failure> {
        let choices = OptionChoices {
            target_points: Some(self.target),
            max_rounds: RoundCap::After(self.max_rounds),
            ..OptionChoices::default()
        };
        Ok(fives_wire::encode::options(&choices.resolve(self.players)?))
    }

    /// Everybody at all tables, the players signed in.
    async fn gather(&self, retries: Arc<AtomicU64>) -> Result<Vec<Table>, Failure> {
        let policy = RetryPolicy {
            give_up_after: Duration::from_secs(self.give_up_after_s),
            ..RetryPolicy::default()
        };
        let mut connections = Connections::new(&self.server, self.tls.read()?, self.connections, policy, retries);
        let mut tables = Vec::new();
        for _ in 0..self.matches {
            let mut clients = |count: usize| -> Result<Vec<_>, fives_client::Error> {
                (0..count).map(|_| connections.client()).collect()
            };
            tables.push(Table {
                players: clients(self.players.count())?,
                watchers: clients(self.watchers as usize)?,
            });
        }
        let players = tables.iter().flat_map(|table| &table.players);
        try_join_all(players.map(|client| client.sign_in("load", None))).await?;
        Ok(tables)
    }
}

/// How often the line of progress is drawn.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(500);

/// Drawn on standard error, and only where that is a terminal.
async fn show_progress(tally: Arc<Tally>) {
    let style = ProgressStyle::with_template("{spinner} {elapsed} {msg}");
    let bar = ProgressBar::new_spinner().with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
    // Cleared when the task is aborted, too.
    let bar = ClearedBar(bar);
    let mut ticks = interval(PROGRESS_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut last = (ticks.tick().await, 0);
    loop {
        let now = ticks.tick().await;
        let Reading {
            moves,
            started,
            finished,
            audited,
            retries,
            failures,
            findings,
            ..
        } = tally.reading();
        let rate = (moves - last.1) as f64 / (now - last.0).as_secs_f64().max(f64::MIN_POSITIVE);
        last = (now, moves);
        bar.0.set_message(format!(
            "{rate:.0} moves/s, {} matches live, {finished} finished, {retries} tries repeated, {failures} failed, {findings} findings",
            started - audited
        ));
        bar.0.tick();
    }
}

struct ClearedBar(ProgressBar);

impl Drop for ClearedBar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
