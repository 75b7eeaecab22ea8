//! A match and who sits at it.
//!
//! ```text
//! OPEN ──last seat taken──▶ LIVE ──outcome──▶ FINISHED
//!   └────given up────▶ CLOSED ◀──voided by an administrator── OPEN, LIVE
//! ```
//!
//! A table changes only by [`Table::fold`], which takes a batch of the log and decides nothing; what a batch may say is
//! decided in `table/decide.rs` and, for everything about the game, by the rules.

mod audience;
mod clock;
mod decide;
mod invites;

pub use audience::{Audience, Horizon};

use fives_bots::BotKind;
use fives_rules::deal::{Commitment, Entropy, Fairness, Master};
use fives_rules::game::Game;
use fives_rules::options::MatchOptions;
use fives_rules::seat::{BySeat, Seat};

use crate::batch::{Author, Batch, NewTable, Spectators, TableEvent, Visibility};
use crate::clock::TurnClock;
use crate::cursor::Cursor;
use crate::id::{InviteCode, MatchId, PlayerId};
use crate::invite::Invite;
use crate::listing::Listing;
use crate::player::DisplayName;
use crate::request::{Remembered, RequestDigest, RequestMemory};
use crate::time::UnixMillis;

/// The bot that plays for a person who is not there: who resigned, or let the clock run out.
pub const SUBSTITUTE: BotKind = BotKind::Greedy;

/// The state of a table at one revision.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    /// The match.
    pub id: MatchId,
    /// Which state this is.
    pub cursor: Cursor,
    /// Who made it.
    pub creator: PlayerId,
    /// When.
    pub created_at: UnixMillis,
    /// When it last changed.
    pub changed_at: UnixMillis,
    /// What it is played with.
    pub options: MatchOptions,
    /// Who may find it.
    pub visibility: Visibility,
    /// Whether strangers may watch.
    pub spectators: Spectators,
    /// How long a person may think; `None` for as long as they like.
    pub clock: Option<TurnClock>,
    /// Whether its result counts for ratings.
    pub ranked: bool,
    /// What its deals follow from, together with the entropies of the chairs.
    pub master: Master,
    /// The seats; as many as the options have players.
    pub chairs: Vec<Chair>,
    /// How far it has come.
    pub stage: Stage,
    /// The invites it has had, in the order in which they were made.
    pub invites: Vec<Invite>,
    /// When the turn that the clock times began; `None` unless there is a clock and a person is on turn.
    pub turn_began_at: Option<UnixMillis>,
    /// Whether the log says of this turn that it waits for a person who is not there.
    pub turn_waits: bool,
    /// When it will act by itself.
    pub next_due: Option<UnixMillis>,
    /// What a retry may still ask for.
    pub requests: RequestMemory,
}

/// A seat and who has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chair {
    /// Who has it.
    pub occupant: Occupant,
    /// What they added to the deals.
    pub entropy: Entropy,
    /// How many turns in a row its person has missed.
    pub missed_turns: u8,
    /// Whether a bot plays it because its person has missed too many.
    pub kept_by_bot: bool,
}

impl Chair {
    /// A chair of which nothing else is known yet.
    #[must_use]
    pub const fn new(occupant: Occupant, entropy: Entropy) -> Self {
        Self {
            occupant,
            entropy,
            missed_turns: 0,
            kept_by_bot: false,
        }
    }
}

/// Who has a seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Occupant {
    /// Nobody yet.
    Open,
    /// A person.
    Person {
        /// Who.
        player: PlayerId,
        /// What they were called when they sat down.
        name: DisplayName,
    },
    /// A bot.
    Bot(BotKind),
}

/// How far a table has come.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stage {
    /// It waits for seats to be taken.
    Open,
    /// The game was dealt at this revision; it goes on until it has an outcome.
    Started {
        /// The revision of the first deal.
        at_revision: u64,
        /// The game.
        game: Box<Game>,
    },
    /// It was given up before the start.
    Closed,
    /// An administrator ended it without a result. What was played until then, the log knows.
    Voided,
}

/// [`Stage`] in the words of clients.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MatchState {
    /// Waits for seats to be taken.
    Open,
    /// Is being played.
    Live,
    /// Was played to its end.
    Finished,
    /// Ended without a result: given up before the start, or voided.
    Closed,
}

impl MatchState {
    /// Whether nothing can happen any more.
    #[must_use]
    pub const fn is_settled(self) -> bool {
        matches!(self, Self::Finished | Self::Closed)
    }
}

impl Table {
    /// The table that the first batch of a log makes, or `None` if that batch does not create one.
    #[must_use]
    pub fn begin(first: &Batch) -> Option<Self> {
        let Some(TableEvent::Created(new)) = first.events.first() else {
            return None;
        };
        let NewTable {
            id,
            creator,
            options,
            visibility,
            spectators,
            clock,
            ranked,
            master,
            occupants,
        } = (**new).clone();
        let chairs = occupants
            .into_iter()
            .map(|occupant| Chair::new(occupant, Entropy::NONE));
        let mut table = Self {
            id,
            cursor: first.cursor,
            creator,
            created_at: first.at,
            changed_at: first.at,
            options,
            visibility,
            spectators,
            clock,
            ranked,
            master,
            chairs: chairs.collect(),
            stage: Stage::Open,
            invites: Vec::new(),
            turn_began_at: None,
            turn_waits: false,
            next_due: None,
            requests: RequestMemory::default(),
        };
        table.fold(first);
        Some(table)
    }

    /// Takes over what a batch of the log says, without deciding anything (law 3).
    pub fn fold(&mut self, batch: &Batch) {
        self.cursor = batch.cursor;
        self.changed_at = batch.at;
        self.next_due = batch.next_due;
        for event in &batch.events {
            self.fold_event(event);
        }
        self.fold_clock(batch);
        if let Author::Player { player, request, .. } = &batch.author {
            self.requests.remember(Remembered {
                player: *player,
                request: RequestDigest::of(request),
                revision: batch.cursor.revision,
                round: self.game().map_or(0, Game::round_number),
            });
        }
    }

    fn fold_event(&mut self, event: &TableEvent) {
        match event {
            TableEvent::Created(_) => {}
            TableEvent::SeatTaken {
                seat,
                player,
                name,
                entropy,
            } => {
                if let Some(chair) = self.chairs.get_mut(seat.index()) {
                    let occupant = Occupant::Person {
                        player: *player,
                        name: name.clone(),
                    };
                    *chair = Chair::new(occupant, *entropy);
                }
            }
            TableEvent::SeatLeft { seat, .. } => {
                if let Some(chair) = self.chairs.get_mut(seat.index()) {
                    *chair = Chair::new(Occupant::Open, Entropy::NONE);
                }
            }
            TableEvent::Started => {
                let game = Box::new(Game::undealt(self.options, self.fairness()));
                self.stage = Stage::Started {
                    at_revision: self.cursor.revision,
                    game,
                };
            }
            TableEvent::Closed => self.stage = Stage::Closed,
            TableEvent::Voided { .. } => self.stage = Stage::Voided,
            TableEvent::TurnTimedOut { seat, missed_turns } => {
                if let Some(chair) = self.chairs.get_mut(seat.index()) {
                    chair.missed_turns = *missed_turns;
                }
            }
            TableEvent::SeatKeptByBot { seat } => {
                if let Some(chair) = self.chairs.get_mut(seat.index()) {
                    chair.kept_by_bot = true;
                }
            }
            TableEvent::SeatReclaimed { seat } => {
                if let Some(chair) = self.chairs.get_mut(seat.index()) {
                    (chair.missed_turns, chair.kept_by_bot) = (0, false);
                }
            }
            TableEvent::TurnWaiting { .. } => self.turn_waits = true,
            TableEvent::Invite(event) => self.fold_invite(event),
            TableEvent::Game(event) => {
                if let Stage::Started { game, .. } = &mut self.stage {
                    game.fold(event);
                }
            }
        }
    }

    /// How far it has come.
    #[must_use]
    pub fn state(&self) -> MatchState {
        match &self.stage {
            Stage::Open => MatchState::Open,
            Stage::Started { game, .. } if game.outcome().is_none() => MatchState::Live,
            Stage::Started { .. } => MatchState::Finished,
            Stage::Closed | Stage::Voided => MatchState::Closed,
        }
    }

    /// Whether nothing can happen here any more.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.state().is_settled()
    }

    /// The game, once it has started.
    #[must_use]
    pub fn game(&self) -> Option<&Game> {
        match &self.stage {
            Stage::Started { game, .. } => Some(game),
            Stage::Open | Stage::Closed | Stage::Voided => None,
        }
    }

    /// What the deals follow from, as the chairs are now.
    #[must_use]
    pub fn fairness(&self) -> Fairness {
        let mut entropies = BySeat::default();
        for (seat, chair) in self.seats() {
            entropies[seat] = chair.entropy;
        }
        Fairness {
            master: self.master,
            entropies,
        }
    }

    /// What the master was committed to.
    #[must_use]
    pub fn commitment(&self) -> Commitment {
        self.master.commitment()
    }

    /// Every seat with its chair.
    pub fn seats(&self) -> impl Iterator<Item = (Seat, &Chair)> {
        self.options.players().seats().zip(&self.chairs)
    }

    /// The seat of a player.
    #[must_use]
    pub fn seat_of(&self, who: &PlayerId) -> Option<Seat> {
        let has = |chair: &Chair| matches!(&chair.occupant, Occupant::Person { player, .. } if player == who);
        self.seats().find(|(_, chair)| has(chair)).map(|(seat, _)| seat)
    }

    /// The person of this seat, if it is a person's.
    #[must_use]
    pub fn person_at(&self, seat: Seat) -> Option<PlayerId> {
        match self.chairs.get(seat.index())?.occupant {
            Occupant::Person { player, .. } => Some(player),
            Occupant::Open | Occupant::Bot(_) => None,
        }
    }

    /// Whether the player of this seat has resigned.
    #[must_use]
    pub fn has_resigned(&self, seat: Seat) -> bool {
        self.game().is_some_and(|game| game.resigned()[seat])
    }

    /// The bot that plays this seat: its own, or the one that plays for a person who resigned or has missed too many turns.
    #[must_use]
    pub fn bot_of(&self, seat: Seat) -> Option<BotKind> {
        let chair = self.chairs.get(seat.index())?;
        match chair.occupant {
            Occupant::Bot(kind) => Some(kind),
            Occupant::Person { .. } if chair.kept_by_bot || self.has_resigned(seat) => Some(SUBSTITUTE),
            Occupant::Person { .. } | Occupant::Open => None,
        }
    }

    /// The lists that it is in.
    #[must_use]
    pub fn listings(&self) -> Vec<Listing> {
        let public = self.visibility == Visibility::Public;
        let watched = self.spectators != Spectators::Forbidden;
        let people = self.seats().filter_map(|(_, chair)| match &chair.occupant {
            Occupant::Person { player, .. } if *player != self.creator => Some(*player),
            _ => None,
        });
        // Nobody looks for the matches of nobody.
        let people = people.chain([self.creator]).filter(|player| !player.is_nobody());
        let mut listings: Vec<Listing> = people.map(Listing::Of).collect();
        match self.state() {
            MatchState::Open if public => listings.push(Listing::Open),
            MatchState::Live if public && watched => listings.push(Listing::Live),
            _ => {}
        }
        listings
    }

    /// The code that opens it, if it is private.
    #[must_use]
    pub const fn invite(&self) -> Option<InviteCode> {
        match self.visibility {
            Visibility::Private(code) => Some(code),
            Visibility::Public => None,
        }
    }
}
