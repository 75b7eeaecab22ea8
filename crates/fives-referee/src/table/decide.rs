//! What a command makes of a table: the events that follow, or why it is refused. Changes nothing.

use fives_rules::event::Event;
use fives_rules::game::{Action, Game};
use fives_rules::play::Illegal;
use fives_rules::seat::Seat;
use fives_rules::view::{OwnHand, View, Viewer};

use super::{MatchState, Occupant, Table};
use crate::batch::TableEvent;
use crate::command::{Command, Intervention};
use crate::error::Refusal;
use crate::id::{InviteCode, PlayerId};
use crate::invite::{InviteEvent, Shown};

impl Table {
    /// What `command` of `player` brings about.
    ///
    /// # Errors
    /// Why it is refused.
    pub fn decide(&self, player: &PlayerId, command: &Command) -> Result<Vec<TableEvent>, Refusal> {
        match command {
            Command::Join {
                seat,
                entropy,
                code,
                name,
            } => {
                let (seat, used) = self.seat_for(player, *seat, code.as_ref())?;
                let taken = TableEvent::SeatTaken {
                    seat,
                    player: *player,
                    name: name.clone(),
                    entropy: *entropy,
                };
                let used = used.map(|code| TableEvent::Invite(InviteEvent::Used(code)));
                Ok(self.with_start([taken].into_iter().chain(used).collect()))
            }
            Command::Leave => self.leave(player),
            Command::Invite { wish, code, at } => self.make_invite(player, wish, *code, *at),
            Command::RevokeInvite { code } => self.revoke_invite(player, code),
            Command::Play { round, play } => {
                let (seat, game) = self.live_seat(player)?;
                if *round != game.round_number() {
                    return Err(Refusal::OldRound {
                        current: game.round_number(),
                    });
                }
                let played = self.act(seat, Action::Play(*play))?;
                // Who plays is there again.
                let reclaimed = self.is_kept(seat).then_some(TableEvent::SeatReclaimed { seat });
                Ok(reclaimed.into_iter().chain(played).collect())
            }
            Command::ReclaimSeat => {
                let (seat, _) = self.live_seat(player)?;
                if self.is_kept(seat) {
                    Ok(vec![TableEvent::SeatReclaimed { seat }])
                } else {
                    Err(Refusal::SeatNotKept)
                }
            }
            Command::Resign => {
                let (seat, _) = self.live_seat(player)?;
                self.act(seat, Action::Resign)
            }
        }
    }

    /// What an administrator brings about.
    ///
    /// # Errors
    /// Why it cannot be.
    pub fn intervene(&self, intervention: Intervention) -> Result<Vec<TableEvent>, Refusal> {
        match intervention {
            Intervention::Void => match self.state() {
                MatchState::Open | MatchState::Live => Ok(vec![TableEvent::Voided { master: self.master }]),
                MatchState::Finished => Err(Refusal::Over),
                MatchState::Closed => Err(Refusal::Closed),
            },
            Intervention::Forfeit(seat) if seat.index() >= self.chairs.len() => Err(Refusal::NoSuchSeat { seat }),
            Intervention::Forfeit(seat) => self.act(seat, Action::Resign),
        }
    }

    /// What an action of a seat brings about, whoever plays it.
    ///
    /// # Errors
    /// Why the rules refuse it.
    pub fn act(&self, seat: Seat, action: Action) -> Result<Vec<TableEvent>, Refusal> {
        let game = self.live_game()?;
        let mut events: Vec<Event> = Vec::new();
        game.apply(seat, action, &mut events)
            .map_err(|illegal| refusal(game, seat, illegal))?;
        Ok(events.into_iter().map(TableEvent::Game).collect())
    }

    /// Adds the start and the first deal to `events` if they leave no seat open.
    #[must_use]
    pub fn with_start(&self, mut events: Vec<TableEvent>) -> Vec<TableEvent> {
        let mut seated = self.clone();
        events.iter().for_each(|event| seated.fold_event(event));
        if seated.chairs.iter().all(|chair| chair.occupant != Occupant::Open) {
            let mut dealt: Vec<Event> = Vec::new();
            Game::start(self.options, seated.fairness(), &mut dealt);
            events.push(TableEvent::Started);
            events.extend(dealt.into_iter().map(TableEvent::Game));
        }
        events
    }

    /// The seat that somebody gets, and the code of the invite that is used for it.
    fn seat_for(
        &self,
        player: &PlayerId,
        wished: Option<Seat>,
        shown: Option<&Shown>,
    ) -> Result<(Seat, Option<InviteCode>), Refusal> {
        let invite = self.admitting_invite(shown.map(|shown| &shown.code))?;
        if let Some(seat) = self.seat_of(player) {
            return Err(Refusal::AlreadySeated { seat });
        }
        self.check_open()?;
        if let (Some(invite), Some(shown)) = (invite, shown) {
            invite.check(shown.at)?;
        }
        let is_open = |seat: &Seat| {
            self.chairs
                .get(seat.index())
                .is_some_and(|chair| chair.occupant == Occupant::Open)
        };
        let seat = match invite.and_then(|invite| invite.seat).or(wished) {
            Some(seat) if seat.index() >= self.chairs.len() => Err(Refusal::NoSuchSeat { seat }),
            Some(seat) if is_open(&seat) => Ok(seat),
            Some(seat) => Err(Refusal::SeatTaken { seat }),
            // An open table always has an open seat: the last one taken starts it.
            None => self
                .options
                .players()
                .seats()
                .find(is_open)
                .ok_or(Refusal::AlreadyStarted),
        }?;
        Ok((seat, invite.map(|invite| invite.code)))
    }

    fn leave(&self, player: &PlayerId) -> Result<Vec<TableEvent>, Refusal> {
        let seat = self.seat_of(player);
        let is_creator = *player == self.creator;
        if seat.is_none() && !is_creator {
            return Err(Refusal::NotSeated);
        }
        self.check_open()?;
        let mut events: Vec<TableEvent> = seat
            .map(|seat| TableEvent::SeatLeft { seat, player: *player })
            .into_iter()
            .collect();
        let person = |occupant: &Occupant| matches!(occupant, Occupant::Person { .. });
        let is_last = self.chairs.iter().filter(|chair| person(&chair.occupant)).count() <= 1;
        if is_creator || is_last {
            events.push(TableEvent::Closed);
        }
        Ok(events)
    }

    pub(super) fn check_open(&self) -> Result<(), Refusal> {
        match self.state() {
            MatchState::Open => Ok(()),
            MatchState::Live => Err(Refusal::AlreadyStarted),
            MatchState::Finished => Err(Refusal::Over),
            MatchState::Closed => Err(Refusal::Closed),
        }
    }

    fn live_game(&self) -> Result<&Game, Refusal> {
        match (self.state(), self.game()) {
            (MatchState::Live, Some(game)) => Ok(game),
            (MatchState::Finished, _) => Err(Refusal::Over),
            (MatchState::Closed, _) => Err(Refusal::Closed),
            _ => Err(Refusal::NotStarted),
        }
    }

    fn live_seat(&self, player: &PlayerId) -> Result<(Seat, &Game), Refusal> {
        let seat = self.seat_of(player).ok_or(Refusal::NotSeated)?;
        let game = self.live_game()?;
        if self.has_resigned(seat) {
            return Err(Refusal::Resigned);
        }
        Ok((seat, game))
    }
}

fn refusal(game: &Game, seat: Seat, illegal: Illegal) -> Refusal {
    match illegal {
        Illegal::MatchOver => Refusal::Over,
        Illegal::NotYourTurn { turn } => Refusal::NotYourTurn { turn },
        Illegal::AlreadyResigned => Refusal::Resigned,
        Illegal::AlreadyPlayed { .. }
        | Illegal::TileNotInHand { .. }
        | Illegal::EndRequired
        | Illegal::LeadNamesNoEnd
        | Illegal::NoSpinner
        | Illegal::ArmClosed
        | Illegal::NoMatch { .. } => {
            let own: Option<OwnHand> = View::of(game, Viewer::Seat(seat)).own;
            Refusal::IllegalPlay {
                reason: illegal,
                legal: own.map(|own| own.legal).unwrap_or_default(),
            }
        }
    }
}
