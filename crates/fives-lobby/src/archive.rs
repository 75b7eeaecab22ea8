//! What stays of a match that is over when its table is gone: who sat there, how it ended, and its record.

use async_trait::async_trait;
use fives_bots::BotKind;
use fives_referee::batch::{Spectators, Visibility};
use fives_referee::error::{Error as TableError, Refusal as TableRefusal};
use fives_referee::id::{InviteCode, MatchId, PlayerId};
use fives_referee::listing::ListPosition;
use fives_referee::notice::Notice;
use fives_referee::player::DisplayName;
use fives_referee::referee::Referee;
use fives_referee::table::{Occupant, Stage, Table};
use fives_referee::time::UnixMillis;
use fives_rules::game::Outcome;
use fives_rules::options::MatchOptions;
use fives_rules::record::Record;
use fives_rules::seat::{BySide, Seat};

use crate::courier::Settle;
use crate::error::{Error, Refusal};
use crate::store::SharedLobbyStore;

/// A match that is over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Archived {
    /// The match.
    pub id: MatchId,
    /// Who made it; `None` for one who was erased since.
    pub creator: Option<PlayerId>,
    /// When.
    pub created_at: UnixMillis,
    /// When it ended.
    pub ended_at: UnixMillis,
    /// What it was played with.
    pub options: MatchOptions,
    /// Who may ask for its record: for a private match, who has its code.
    pub visibility: Visibility,
    /// Whether strangers may.
    pub spectators: Spectators,
    /// Who sat where; as many as the options have players.
    pub seats: Vec<Seated>,
    /// How it ended.
    pub ending: Ending,
    /// Whether its result counted for ratings.
    pub ranked: bool,
}

/// A seat of a match that is over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seated {
    /// Who had it.
    pub sitter: Sitter,
    /// Whether that person gave up.
    pub resigned: bool,
}

/// Who had a seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sitter {
    /// A person.
    Person {
        /// Who.
        player: PlayerId,
        /// What they were called then.
        name: DisplayName,
    },
    /// A person who was erased since.
    Erased,
    /// A bot.
    Bot(BotKind),
}

/// How a match ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// It was played to its end.
    Finished {
        /// The result.
        outcome: Outcome,
        /// The score of each side.
        scores: BySide<i32>,
    },
    /// An administrator ended it without a result.
    Voided,
}

impl Archived {
    /// What is to be archived of a table; `None` if it is not over, or was closed before anybody could play.
    #[must_use]
    pub fn of(table: &Table) -> Option<Self> {
        let ending = match &table.stage {
            Stage::Started { game, .. } => Ending::Finished {
                outcome: *game.outcome()?,
                scores: *game.scores(),
            },
            Stage::Voided => Ending::Voided,
            Stage::Open | Stage::Closed => return None,
        };
        let seats = table.seats().map(|(seat, chair)| {
            let sitter = match &chair.occupant {
                // Voided before the start.
                Occupant::Open => return None,
                Occupant::Person { player, .. } if player.is_nobody() => Sitter::Erased,
                Occupant::Person { player, name } => Sitter::Person {
                    player: *player,
                    name: name.clone(),
                },
                Occupant::Bot(kind) => Sitter::Bot(*kind),
            };
            let resigned = table.has_resigned(seat);
            Some(Seated { sitter, resigned })
        });
        Some(Self {
            id: table.id,
            creator: Some(table.creator).filter(|creator| !creator.is_nobody()),
            created_at: table.created_at,
            ended_at: table.changed_at,
            options: table.options,
            visibility: table.visibility,
            // How far they were behind does not matter any more.
            spectators: match table.spectators {
                Spectators::Forbidden => Spectators::Forbidden,
                Spectators::Allowed { .. } => Spectators::UNDELAYED,
            },
            seats: seats.collect::<Option<_>>()?,
            ending,
            ranked: table.ranked,
        })
    }

    /// Where it stands in the histories of its persons.
    #[must_use]
    pub const fn position(&self) -> ListPosition {
        ListPosition {
            created_at: self.created_at,
            id: self.id,
        }
    }

    /// The persons who sat at it.
    pub fn people(&self) -> impl Iterator<Item = PlayerId> {
        self.seats.iter().filter_map(|seated| match seated.sitter {
            Sitter::Person { player, .. } => Some(player),
            Sitter::Erased | Sitter::Bot(_) => None,
        })
    }

    /// Everybody to whom it leads: its persons, and who made it.
    #[must_use]
    pub fn everybody(&self) -> Vec<PlayerId> {
        let creator = self.creator.filter(|creator| self.people().all(|one| one != *creator));
        self.people().chain(creator).collect()
    }

    /// The seat of a person.
    #[must_use]
    pub fn seat_of(&self, who: &PlayerId) -> Option<Seat> {
        let has = |seated: &Seated| matches!(&seated.sitter, Sitter::Person { player, .. } if player == who);
        let mut seats = self.options.players().seats().zip(&self.seats);
        seats.find(|(_, seated)| has(seated)).map(|(seat, _)| seat)
    }

    /// The same match, in which nothing leads to this person.
    #[must_use]
    pub fn without(mut self, who: &PlayerId) -> Self {
        self.creator = self.creator.filter(|creator| creator != who);
        for seated in &mut self.seats {
            if matches!(&seated.sitter, Sitter::Person { player, .. } if player == who) {
                seated.sitter = Sitter::Erased;
            }
        }
        self
    }

    /// Whether somebody may have its record: by the rules of a table, who sat at it, who made it, and strangers where they may look on.
    fn admit(&self, player: Option<&PlayerId>, code: Option<&InviteCode>) -> Result<(), TableRefusal> {
        if player.is_some_and(|player| self.creator.as_ref() == Some(player) || self.seat_of(player).is_some()) {
            return Ok(());
        }
        self.visibility.admit(code)?;
        self.spectators.admit()
    }
}

/// Puts matches that are over into the archive, and finds them there. Cheap to clone; holds no match.
#[derive(Clone)]
pub struct Archive {
    store: SharedLobbyStore,
    referee: Referee,
}

impl Archive {
    /// The archive of `store`, whose tables the referee reads.
    #[must_use]
    pub const fn new(store: SharedLobbyStore, referee: Referee) -> Self {
        Self { store, referee }
    }

    /// Archives a match that is over; does nothing for one that is not, or that is archived. Whoever was interrupted does it again.
    ///
    /// # Errors
    /// The store's errors.
    pub async fn keep(&self, id: &MatchId) -> Result<(), Error> {
        let Some(table) = self.store.load(id).await? else {
            return Ok(());
        };
        let Some(archived) = Archived::of(&table) else {
            return Ok(());
        };
        let record = match archived.ending {
            Ending::Finished { .. } => Some(self.referee.record(&table).await?),
            Ending::Voided => None,
        };
        self.store.archive(&archived, record.as_ref()).await?;
        Ok(())
    }

    /// The record of a finished match, from its log or from the archive, for those who may have it.
    ///
    /// # Errors
    /// As [`Referee::replay`].
    pub async fn replay(
        &self,
        id: &MatchId,
        player: Option<&PlayerId>,
        code: Option<&InviteCode>,
    ) -> Result<Record, Error> {
        let not_found = match self.referee.replay(id, player, code).await {
            Err(TableError::Refused(TableRefusal::MatchNotFound)) => TableRefusal::MatchNotFound,
            replay => return Ok(replay?),
        };
        let Some(archived) = self.store.archived(id).await? else {
            return Err(table(not_found));
        };
        archived.admit(player, code).map_err(table)?;
        if archived.ending == Ending::Voided {
            return Err(table(TableRefusal::Closed));
        }
        // It may end between the two looks.
        let record = self.store.archived_record(id).await?;
        record.ok_or_else(|| table(not_found))
    }

    /// What to say instead when a match has no table any more: that only its record is left, or what keeps the caller from that.
    /// Other failures stay as they are.
    pub async fn instead(
        &self,
        failure: TableError,
        id: &MatchId,
        player: Option<&PlayerId>,
        code: Option<&InviteCode>,
    ) -> Error {
        if !matches!(failure, TableError::Refused(TableRefusal::MatchNotFound)) {
            return failure.into();
        }
        match self.store.archived(id).await {
            Err(error) => error.into(),
            Ok(None) => failure.into(),
            Ok(Some(archived)) => match archived.admit(player, code) {
                Ok(()) => Refusal::Archived.into(),
                Err(refusal) => table(refusal),
            },
        }
    }
}

#[async_trait]
impl Settle for Archive {
    async fn settle(&self, notice: &Notice) -> Result<(), Error> {
        if notice.event.is_result() {
            self.keep(&notice.id.match_id).await?;
        }
        Ok(())
    }
}

fn table(refusal: TableRefusal) -> Error {
    TableError::Refused(refusal).into()
}
