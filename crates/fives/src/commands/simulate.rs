//! `fives simulate`: bots play whole matches, without a server.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::{Args, value_parser};
use fives_bots::BotKind;
use fives_rules::deal::{Fairness, Master};
use fives_rules::event::Event;
use fives_rules::game::{Action, Game};
use fives_rules::options::MatchOptions;
use fives_rules::record::{Recorder, SeedLabel};
use fives_rules::seat::{BySeat, BySide, Seat};
use fives_rules::view::{View, Viewer};
use indicatif::{ProgressBar, ProgressStyle};
use sha2::{Digest, Sha256};

use crate::failure::Failure;
use crate::options::OptionFlags;

const EXAMPLES: &str = "\
Bots:
  random  any legal play, each equally likely
  greedy  the most points now, then the heaviest tile

Examples:
  fives simulate --matches 1000 --seed 7 --bots greedy,random
  fives simulate --players 4 --partners --target 150 --win-check round-end
  fives simulate --players 3 --bots greedy,random,random --record matches.jsonl
  fives verify matches.jsonl

The same arguments give the same matches again, byte for byte in the record. Match k (from 0) is dealt by fives-deal/1 \
from the master SHA-256(\"fives simulate\" ‖ u64 seed ‖ u64 k), big-endian, with no entropies; its record names it \
\"seed:k\".

--max-rounds 0 takes the cap on rounds away. A match may then last for ever: where scores fall faster than they rise, \
as they do between random bots, none may ever reach the target.";

/// Let bots play whole matches and count who wins; no server is needed
///
/// Says at the end how often each side won, how long the matches were and how fast they were played.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Simulate {
    /// How many matches
    #[arg(long, value_name = "K", default_value = "100", value_parser = value_parser!(u64).range(1..))]
    matches: u64,

    /// What all deals and all chance follow from
    #[arg(long, value_name = "S", default_value = "0")]
    seed: u64,

    /// Who plays: dealt to the seats in turn, from the first again where they are fewer
    #[arg(long, value_name = "BOT,...", value_delimiter = ',', default_value = "greedy")]
    bots: Vec<BotKind>,

    /// Write each match to FILE as a line of fives-record/1, with what proves its deals
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,

    #[command(flatten)]
    options: OptionFlags,
}

impl Simulate {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        let options = self.options.resolve_offline()?;
        let bots = self.bots_by_seat(&options)?;
        let mut records = self.record.as_deref().map(RecordFile::create).transpose()?;
        let bar = match_bar(self.matches);
        let mut tally = Tally::default();
        let began = Instant::now();
        for number in 0..self.matches {
            let fairness = self.fairness(number);
            let mut recorder = records
                .is_some()
                .then(|| Recorder::new(Game::undealt(options, fairness)));
            let (game, plays) = play_match(options, fairness, &bots, recorder.as_mut())
                .map_err(|reason| Failure::Fault(format!("match {}:{number}: {reason}", self.seed)))?;
            tally.add(&game, plays);
            if let (Some(records), Some(recorder)) = (&mut records, recorder) {
                let seed = SeedLabel::Text(format!("{}:{number}", self.seed));
                records.write(recorder, seed, names(&options, &bots))?;
            }
            bar.inc(1);
        }
        if let Some(records) = records {
            records.close()?;
        }
        let took = began.elapsed();
        bar.finish_and_clear();
        Ok(self.report(&options, &bots, &tally, took, out)?)
    }

    fn bots_by_seat(&self, options: &MatchOptions) -> Result<BySeat<BotKind>, Failure> {
        let seats = options.players().count();
        if self.bots.len() > seats {
            return Err(Failure::Usage(format!("{} bots for {seats} seats", self.bots.len())));
        }
        let mut bots = BySeat([BotKind::Greedy; 4]);
        for (seat, &bot) in options.players().seats().zip(self.bots.iter().cycle()) {
            bots[seat] = bot;
        }
        Ok(bots)
    }

    /// What the deals of match `number`, and its random bots, follow from.
    fn fairness(&self, number: u64) -> Fairness {
        let master = Sha256::new()
            .chain_update("fives simulate")
            .chain_update(self.seed.to_be_bytes())
            .chain_update(number.to_be_bytes())
            .finalize();
        Fairness {
            master: Master::new(master.into()),
            entropies: BySeat::default(),
        }
    }

    /// The rate stands on a line of its own, the last: all others are the same when a run is repeated.
    fn report(
        &self,
        options: &MatchOptions,
        bots: &BySeat<BotKind>,
        tally: &Tally,
        took: Duration,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let (matches, seconds) = (self.matches as f64, took.as_secs_f64().max(f64::MIN_POSITIVE));
        writeln!(
            out,
            "{} matches, {} players, seed {}",
            self.matches,
            options.players().count(),
            self.seed
        )?;
        for side in options.seating().sides() {
            let players: Vec<&str> = options.seating().seats_of(side).map(|seat| bots[seat].name()).collect();
            writeln!(out, "side {side} ({}): {} wins", players.join(","), tally.wins[side])?;
        }
        writeln!(out, "draws: {}", tally.draws)?;
        writeln!(
            out,
            "rounds: {:.2} a match, at most {}",
            tally.rounds as f64 / matches,
            tally.longest
        )?;
        writeln!(
            out,
            "{seconds:.2} s: {:.0} matches/s, {:.0} plays/s",
            matches / seconds,
            tally.plays as f64 / seconds
        )
    }
}

/// Plays one match to its end: how it ended, and after how many plays.
fn play_match(
    options: MatchOptions,
    fairness: Fairness,
    bots: &BySeat<BotKind>,
    mut recorder: Option<&mut Recorder>,
) -> Result<(Game, u64), String> {
    let mut events = Vec::new();
    let mut game = Game::start(options, fairness, &mut events);
    let mut plays = 0;
    while let Some(seat) = game.turn() {
        record(&mut events, recorder.as_deref_mut());
        plays += 1;
        game = decide(&game, seat, bots[seat], plays)
            .and_then(|action| {
                game.apply(seat, action, &mut events)
                    .map_err(|reason| reason.to_string())
            })
            .map_err(|reason| format!("{} in seat {seat}: {reason}", bots[seat]))?;
    }
    record(&mut events, recorder);
    Ok((game, plays))
}

/// What the bot does, for the `revision`-th decision of the match (from 1).
fn decide(game: &Game, seat: Seat, bot: BotKind, revision: u64) -> Result<Action, String> {
    let view = View::of(game, Viewer::Seat(seat));
    let mut stream = game.fairness().bot_stream(seat, revision);
    let play = bot.decide(&view, &mut stream);
    play.map(Action::Play)
        .ok_or_else(|| "it is on turn and found no play".to_owned())
}

/// Hands over what has happened, so that the list never grows beyond one play.
fn record(events: &mut Vec<Event>, recorder: Option<&mut Recorder>) {
    if let Some(recorder) = recorder {
        events.iter().for_each(|event| recorder.push(event));
    }
    events.clear();
}

/// The bots by seat, as records name the players.
fn names(options: &MatchOptions, bots: &BySeat<BotKind>) -> String {
    let names: Vec<&str> = options.players().seats().map(|seat| bots[seat].name()).collect();
    names.join(",")
}

/// Drawn on standard error, and only where that is a terminal.
fn match_bar(matches: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} matches, {eta} left");
    ProgressBar::new(matches).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// What all matches came to.
#[derive(Default)]
struct Tally {
    wins: BySide<u64>,
    draws: u64,
    rounds: u64,
    longest: u64,
    plays: u64,
}

impl Tally {
    fn add(&mut self, game: &Game, plays: u64) {
        match game.outcome().and_then(|outcome| outcome.winner) {
            Some(side) => self.wins[side] += 1,
            None => self.draws += 1,
        }
        let rounds = u64::from(game.round_number()) + 1;
        self.rounds += rounds;
        self.longest = self.longest.max(rounds);
        self.plays += plays;
    }
}

/// Where the records go, one a line.
struct RecordFile<'a> {
    path: &'a Path,
    lines: BufWriter<File>,
}

impl<'a> RecordFile<'a> {
    fn create(path: &'a Path) -> Result<Self, Failure> {
        let file = File::create(path).map_err(Failure::file(path.display()))?;
        Ok(Self {
            path,
            lines: BufWriter::new(file),
        })
    }

    fn write(&mut self, recorder: Recorder, seed: SeedLabel, policy: String) -> Result<(), Failure> {
        let record = recorder
            .finish(seed, policy)
            .ok_or_else(|| Failure::Fault("a match without an outcome".to_owned()))?;
        serde_json::to_writer(&mut self.lines, &record)
            .map_err(io::Error::from)
            .and_then(|()| self.lines.write_all(b"\n"))
            .map_err(Failure::file(self.path.display()))
    }

    /// Writes what is still in memory. Merely dropped, it would hide that the disk is full.
    fn close(mut self) -> Result<(), Failure> {
        self.lines.flush().map_err(Failure::file(self.path.display()))
    }
}
