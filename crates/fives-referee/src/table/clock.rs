//! What becomes of a turn by itself: the plays of bots, and the clock of persons.

use fives_rules::event::Event;
use fives_rules::game::{Action, Game};
use fives_rules::play::Play;
use fives_rules::seat::Seat;
use fives_rules::view::{View, Viewer};

use super::{BotKind, MatchState, SUBSTITUTE, Table};
use crate::batch::{Author, Batch, TableEvent};
use crate::clock::{AfterMisses, ClockFace, TimedTurn, TurnTimer};
use crate::error::Refusal;
use crate::id::PlayerId;
use crate::time::UnixMillis;

impl Table {
    /// What the bot on turn plays: its seat and its play; `None` if no bot is on turn.
    #[must_use]
    pub fn bot_play(&self) -> Option<(Seat, Play)> {
        let seat = self.game()?.turn()?;
        let kind = self.bot_of(seat)?;
        Some((seat, self.play_of(kind)?))
    }

    /// What a bot of this kind would play for the seat on turn.
    ///
    /// Its randomness follows from the master, the seat and the revision that its play makes, so that processes that race
    /// come to the same play (law 7).
    fn play_of(&self, kind: BotKind) -> Option<Play> {
        let game = self.game()?;
        let seat = game.turn()?;
        let mut stream = game.fairness().bot_stream(seat, self.cursor.revision + 1);
        kind.decide(&View::of(game, Viewer::Seat(seat)), &mut stream)
    }

    /// Whether a bot is on turn.
    #[must_use]
    pub fn waits_for_bot(&self) -> bool {
        let turn = self.game().and_then(Game::turn);
        turn.is_some_and(|seat| self.bot_of(seat).is_some())
    }

    /// Whether a bot keeps this seat until its person comes back.
    #[must_use]
    pub fn is_kept(&self, seat: Seat) -> bool {
        self.chairs.get(seat.index()).is_some_and(|chair| chair.kept_by_bot)
    }

    /// The person's seat that a clock runs for; `None` without a clock and while no person is on turn.
    #[must_use]
    pub fn timed_seat(&self) -> Option<Seat> {
        self.clock?;
        let seat = self.game()?.turn()?;
        self.bot_of(seat).is_none().then_some(seat)
    }

    /// The turn that the clock runs for.
    #[must_use]
    pub fn timed_turn(&self) -> Option<TimedTurn> {
        let (seat, began_at) = (self.timed_seat()?, self.turn_began_at?);
        Some(TimedTurn {
            seat,
            began_at,
            deadline: began_at.plus_ms(self.clock?.turn_time_ms.into()),
        })
    }

    /// When the table will act by itself, if it came to this state at `now`: a bot after `bot_delay_ms`, the clock of a person
    /// at its deadline.
    #[must_use]
    pub fn due_from(&self, now: UnixMillis, bot_delay_ms: u64) -> Option<UnixMillis> {
        if self.waits_for_bot() {
            Some(now.plus_ms(bot_delay_ms))
        } else {
            self.timed_turn().map(|turn| turn.deadline)
        }
    }

    /// The person on turn whom nobody was told of yet: whose turn would wait if they are not there.
    #[must_use]
    pub fn awaited(&self) -> Option<(Seat, PlayerId)> {
        if self.turn_waits || self.state() != MatchState::Live {
            return None;
        }
        let seat = self.game()?.turn()?;
        let player = self.person_at(seat)?;
        self.bot_of(seat).is_none().then_some((seat, player))
    }

    /// How much time is left for the turn, for whoever may know. Spectators who are held back are not told: they see the table
    /// at another time.
    #[must_use]
    pub fn timer(&self, viewer: Viewer, face: &ClockFace) -> Option<TurnTimer> {
        if viewer == Viewer::Spectator && self.spectators.is_delayed() {
            return None;
        }
        let turn = self.timed_turn()?;
        Some(TurnTimer {
            seat: turn.seat,
            now: face.now,
            deadline: turn.deadline_after(&face.outages),
        })
    }

    /// What follows when the clock runs out: the greedy bot plays for the seat, and with too many turns missed in a row it keeps
    /// the seat, or the person resigns.
    ///
    /// # Errors
    /// If no clock runs.
    pub fn time_out(&self) -> Result<Vec<TableEvent>, Refusal> {
        let (Some(seat), Some(clock)) = (self.timed_seat(), self.clock) else {
            return Err(Refusal::NotStarted);
        };
        let missed_before = self.chairs.get(seat.index()).map_or(0, |chair| chair.missed_turns);
        let missed_turns = missed_before.saturating_add(1).min(clock.missed_turns_max);
        let mut events = vec![TableEvent::TurnTimedOut { seat, missed_turns }];
        if missed_turns == clock.missed_turns_max {
            match clock.after_misses {
                AfterMisses::Forfeit => {
                    events.extend(self.act(seat, Action::Resign)?);
                    return Ok(events);
                }
                AfterMisses::BotKeepsSeat => events.push(TableEvent::SeatKeptByBot { seat }),
            }
        }
        if let Some(play) = self.play_of(SUBSTITUTE) {
            events.extend(self.act(seat, Action::Play(play))?);
        }
        Ok(events)
    }

    /// What a batch means for the clock, after its events were folded.
    pub(super) fn fold_clock(&mut self, batch: &Batch) {
        let mut is_new_turn = false;
        for event in &batch.events {
            match event {
                TableEvent::Game(Event::TilePlayed { seat, .. }) => {
                    is_new_turn = true;
                    if matches!(batch.author, Author::Player { .. })
                        && let Some(chair) = self.chairs.get_mut(seat.index())
                    {
                        chair.missed_turns = 0;
                    }
                }
                TableEvent::Game(Event::RoundStarted { .. }) => is_new_turn = true,
                // Whoever gives up does not come back, so no bot keeps the seat for them.
                TableEvent::Game(Event::SeatResigned { seat }) => {
                    if let Some(chair) = self.chairs.get_mut(seat.index()) {
                        chair.kept_by_bot = false;
                    }
                }
                _ => {}
            }
        }
        if is_new_turn {
            self.turn_waits = false;
        }
        // What others do gives the person on turn no more time.
        let began_at = self.turn_began_at.filter(|_| !is_new_turn).unwrap_or(batch.at);
        self.turn_began_at = self.timed_seat().map(|_| began_at);
    }
}
