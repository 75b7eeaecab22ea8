//! `fives play`: a person, or a script, at a table.

use std::io::{self, Write};

use clap::Args;
use fives_bots::BotKind;
use fives_client::{Client, Error, v1};

use super::watch::tell;
use crate::connection::{ServerFlags, block_on};
use crate::failure::Failure;
use crate::options::OptionFlags;
use crate::screen;

const EXAMPLES: &str = "\
Play against a greedy bot:

  $ fives play

With a greedy bot as partner, against two random ones:

  $ fives play --players 4 --partners --bots random,greedy

Make a table that waits for a second person, and join it from elsewhere:

  $ fives play --name anna --open 1
  $ fives play --name bob --join any

Half a minute for each turn:

  $ fives play --turn-time-s 30

Leave at any time (Ctrl-C) and come back to your seat, if you play under a secret of yours:

  $ export FIVES_DEVICE_KEY=$(head -c 24 /dev/urandom | base64)
  $ fives play --name anna
  $ fives play --join m-aaaaaaaaaaaaaaaaaaaaaaaaaa";

/// Play a match in the terminal, against bots or people
///
/// When it is your turn, the legal plays are numbered, with the points each would score. Type a number, or `resign`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct PlayCommand {
    /// The bots for the seats that are not yours, dealt to them in turn
    #[arg(long, value_name = "KINDS", value_delimiter = ',', default_value = "greedy")]
    bots: Vec<BotKind>,

    /// How many of the other seats wait for people instead of bots
    #[arg(long, value_name = "SEATS", default_value = "0", conflicts_with = "join")]
    open: usize,

    /// Sit down at a match: its id, its invite code, or `any` for the newest table with an open seat
    #[arg(long, value_name = "MATCH")]
    join: Option<String>,

    /// How long everybody has for a turn, in seconds; then a bot plays for them. No limit if left out
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u32).range(1..=86_400), conflicts_with = "join")]
    turn_time_s: Option<u32>,

    /// Play by itself: the most points now, then the heaviest tile
    #[arg(long)]
    auto: bool,

    #[command(flatten)]
    server: ServerFlags,

    #[command(flatten)]
    options: OptionFlags,
}

/// The kinds of `bots` for this many seats, in turn.
pub(super) fn dealt_in_turn(bots: &[BotKind], seats: usize) -> impl Iterator<Item = BotKind> {
    bots.iter().copied().cycle().take(seats)
}

/// A seat for a bot of this kind.
pub(super) fn bot_seat(kind: BotKind) -> v1::SeatRequest {
    let kind = match kind {
        BotKind::Random => v1::BotKind::Random,
        BotKind::Greedy => v1::BotKind::Greedy,
    };
    v1::SeatRequest {
        occupant: Some(v1::seat_request::Occupant::Bot(kind.into())),
    }
}

/// Makes a public match that anybody may watch; gives its id.
pub(super) async fn make_public(
    client: &Client,
    options: &OptionFlags,
    seats: Vec<v1::SeatRequest>,
    turn_time_s: Option<u32>,
) -> Result<String, Failure> {
    let request = v1::CreateMatchRequest {
        options: Some(options.message()?),
        seats,
        visibility: v1::MatchVisibility::Public.into(),
        spectators_allowed: true,
        turn_clock: turn_time_s.map(|seconds| v1::TurnClock {
            turn_time_ms: seconds.saturating_mul(1000),
            ..Default::default()
        }),
        ..Default::default()
    };
    Ok(client.create_match(request).await?.view.unwrap_or_default().match_id)
}

impl PlayCommand {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        block_on(async {
            let (client, player) = self.server.sign_in().await?;
            let match_id = match &self.join {
                None => self.create(&client).await?,
                Some(wish) => join(&client, &player, wish).await?,
            };
            writeln!(out, "match {match_id}")?;
            self.play(&client, &match_id, out).await
        })
    }

    async fn create(&self, client: &Client) -> Result<String, Failure> {
        let others = self.options.players.count() - 1;
        let bots = others
            .checked_sub(self.open)
            .ok_or_else(|| Failure::Usage(format!("--open {}: only {others} seats are not yours", self.open)))?;
        let me = v1::seat_request::Occupant::Me(v1::seat_request::Me {});
        let open = v1::seat_request::Occupant::Open(v1::seat_request::Open {});
        let mut seats = vec![v1::SeatRequest { occupant: Some(me) }];
        seats.extend(std::iter::repeat_n(v1::SeatRequest { occupant: Some(open) }, self.open));
        seats.extend(dealt_in_turn(&self.bots, bots).map(bot_seat));
        make_public(client, &self.options, seats, self.turn_time_s).await
    }

    async fn play(&self, client: &Client, match_id: &str, out: &mut impl Write) -> Result<(), Failure> {
        let mut updates = client.follow(match_id, None);
        while let Some(update) = updates.next().await? {
            let Some(view) = tell(&update, out)? else { continue };
            out.flush()?;
            if let Some(turn) = Turn::of(&view) {
                match self.take(client, &turn, out).await {
                    Err(Failure::Client(error)) if turn.is_over(&error) => {
                        writeln!(out, "Too late: the time for this turn is over.")?;
                    }
                    taken => taken?,
                }
            }
        }
        Ok(())
    }

    /// Plays the turn, or finds out that it is over.
    async fn take(&self, client: &Client, turn: &Turn<'_>, out: &mut impl Write) -> Result<(), Failure> {
        if self.auto {
            return turn.play(client, turn.most_points()).await;
        }
        turn.show(out)?;
        loop {
            write!(out, "play 1-{}, or resign: ", turn.legal.len())?;
            out.flush()?;
            let line = read_line().await?;
            match (line.trim(), line.trim().parse::<usize>()) {
                ("resign", _) => {
                    let match_id = turn.view.match_id.clone();
                    client
                        .resign(v1::ResignRequest {
                            match_id,
                            ..Default::default()
                        })
                        .await?;
                    return Ok(());
                }
                (_, Ok(number)) if (1..=turn.legal.len()).contains(&number) => {
                    return turn.play(client, turn.legal.get(number - 1)).await;
                }
                _ => writeln!(out, "Type one of the numbers.")?,
            }
        }
    }
}

/// A turn of the player.
struct Turn<'a> {
    view: &'a v1::MatchView,
    round: &'a v1::RoundView,
    legal: &'a [v1::ScoredPlay],
}

impl<'a> Turn<'a> {
    /// The turn that the match waits for, if it is the viewer's.
    fn of(view: &'a v1::MatchView) -> Option<Self> {
        let round = view.round.as_ref()?;
        let legal = round.legal_plays.as_slice();
        (!legal.is_empty()).then_some(Self { view, round, legal })
    }

    fn show(&self, out: &mut impl Write) -> io::Result<()> {
        write!(out, "\n{}", screen::board(self.view))?;
        let hand = self
            .round
            .hand
            .iter()
            .map(|tile| screen::tile(*tile))
            .collect::<Vec<_>>()
            .join(" ");
        writeln!(out, "your hand: {hand}")?;
        if let Some(timer) = &self.view.turn_timer {
            writeln!(out, "time left: {} s", timer.remaining_ms.div_ceil(1000))?;
        }
        for (index, scored) in self.legal.iter().enumerate() {
            let what = scored.play.as_ref().map(screen::play).unwrap_or_default();
            writeln!(
                out,
                "{:3}  {what:6}  total {:2}  points {}",
                index + 1,
                scored.total,
                scored.points
            )?;
        }
        Ok(())
    }

    /// Whether the play was refused because the clock has run out meanwhile, and a bot has played for the seat.
    fn is_over(&self, error: &Error) -> bool {
        use v1::ErrorReason::{IllegalPlay, MatchOver, NotYourTurn, OldRound};
        let late = |reason| [NotYourTurn, OldRound, IllegalPlay, MatchOver].contains(&reason);
        self.view.turn_clock.is_some() && error.reason().is_some_and(late)
    }

    /// The play that a greedy player would make: most points, then the heaviest tile, then the one written first.
    fn most_points(&self) -> Option<&v1::ScoredPlay> {
        let weight = |scored: &v1::ScoredPlay| {
            let tile = scored.play.and_then(|play| play.tile).unwrap_or_default();
            (scored.points, tile.high + tile.low)
        };
        self.legal.iter().rev().max_by_key(|scored| weight(scored))
    }

    async fn play(&self, client: &Client, scored: Option<&v1::ScoredPlay>) -> Result<(), Failure> {
        let request = v1::PlayTileRequest {
            match_id: self.view.match_id.clone(),
            round: Some(self.round.round),
            play: scored.and_then(|scored| scored.play),
            ..Default::default()
        };
        client.play_tile(request).await?;
        Ok(())
    }
}

/// Takes a seat at the match that `wish` names; whoever sits there already stays.
async fn join(client: &Client, player: &v1::Player, wish: &str) -> Result<String, Failure> {
    let target = match wish {
        "any" => v1::join_match_request::Target::MatchId(newest_open(client).await?),
        id if id.starts_with("m-") => v1::join_match_request::Target::MatchId(id.to_owned()),
        code => v1::join_match_request::Target::InviteCode(code.to_owned()),
    };
    if let v1::join_match_request::Target::MatchId(match_id) = &target {
        let request = v1::GetMatchRequest {
            match_id: match_id.clone(),
            ..Default::default()
        };
        let view = client.get_match(request).await?.view.unwrap_or_default();
        if view.seats.iter().any(|seat| seat.player_id == player.player_id) {
            return Ok(view.match_id);
        }
    }
    let joined = client
        .join_match(v1::JoinMatchRequest {
            target: Some(target),
            ..Default::default()
        })
        .await?;
    Ok(joined.view.unwrap_or_default().match_id)
}

async fn newest_open(client: &Client) -> Result<String, Failure> {
    let request = v1::ListMatchesRequest {
        scope: v1::MatchScope::Open.into(),
        ..Default::default()
    };
    let newest = client.list_matches(request).await?.matches.into_iter().next();
    let newest =
        newest.ok_or_else(|| Failure::Fault("no table has an open seat: make one with --open 1".to_owned()))?;
    Ok(newest.match_id)
}

/// A line of standard input, read apart so that nothing else waits for it.
async fn read_line() -> Result<String, Failure> {
    let read = tokio::task::spawn_blocking(|| {
        let mut line = String::new();
        io::stdin().read_line(&mut line).map(|bytes| (bytes, line))
    });
    let failed = Failure::file("standard input");
    match read.await.map_err(io::Error::other).and_then(|read| read) {
        Ok((0, _)) => Err(failed(io::ErrorKind::UnexpectedEof.into())),
        Ok((_, line)) => Ok(line),
        Err(error) => Err(failed(error)),
    }
}
