//! What a platform's backend does to matches: it makes them for people it knows, and ends them. Twice is as good as once.

use std::collections::HashSet;

use fives_referee::audit::{Operator, Why};
use fives_referee::command::{CreateMatch, Intervention};
use fives_referee::cursor::Cursor;
use fives_referee::error::{Error as TableError, Refusal as TableRefusal};
use fives_referee::id::{MatchId, PlayerId};
use fives_referee::player::DisplayName;
use fives_referee::referee::{Caller, Referee};
use fives_referee::roster::Roster;
use fives_referee::table::{Occupant, Stage, Table};
use fives_referee::view::MatchView;

use crate::error::Error;
use crate::identity::{Identities, Identity};

/// Who shall have a seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Seated {
    /// A player, by the id here.
    Player(PlayerId),
    /// Somebody whom an issuer knows; made a player under this name if they never came yet.
    Identity(Identity, Option<DisplayName>),
    /// A bot, or nobody yet.
    Other(Occupant),
}

/// What a platform may do.
#[derive(Clone)]
pub struct Platform {
    referee: Referee,
    roster: Roster,
    identities: Identities,
}

impl Platform {
    /// What may be done with the tables of this referee and the people of its store.
    #[must_use]
    pub fn new(referee: Referee, identities: Identities) -> Self {
        Self {
            roster: Roster::new(referee.store().clone()),
            referee,
            identities,
        }
    }

    /// Makes a match at which everybody sits from the beginning; it starts at once. A retry finds the match of the first try.
    ///
    /// # Errors
    /// Those of [`Referee::create_seated`]; `PlayerNotFound`; the store's.
    pub async fn create(
        &self,
        caller: &Caller,
        seats: &[Seated],
        terms: &CreateMatch,
    ) -> Result<(Cursor, MatchView), Error> {
        let mut occupants = Vec::with_capacity(seats.len());
        let mut people = HashSet::new();
        for seat in seats {
            let id = match seat {
                Seated::Player(id) => *id,
                Seated::Identity(identity, name) => self.identities.player_of(identity, name.as_ref()).await?,
                Seated::Other(occupant) => {
                    occupants.push(occupant.clone());
                    continue;
                }
            };
            if !people.insert(id) {
                return Err(TableRefusal::TwoSeatsForOne.into());
            }
            let player = self.roster.find(&id).await?;
            let name = player.name;
            occupants.push(Occupant::Person { player: id, name });
        }
        let made = self.referee.create_seated(caller, occupants, terms).await?;
        let view = self.look(&made.view.id).await?;
        Ok((made.batch.cursor, view))
    }

    /// A match as spectators would see it if they were let in and not behind.
    ///
    /// # Errors
    /// `MatchNotFound`; the store's.
    pub async fn look(&self, id: &MatchId) -> Result<MatchView, Error> {
        Ok(self.referee.inspect(id, None).await?.view)
    }

    /// Has `intervention` be done to a match; says where the match is then. What is done already is not done again.
    ///
    /// # Errors
    /// Why it cannot be; the store's.
    pub async fn intervene(
        &self,
        id: MatchId,
        operator: Operator,
        why: Why,
        intervention: Intervention,
    ) -> Result<Cursor, Error> {
        match self.referee.intervene(id, operator, why, intervention).await {
            Err(TableError::Refused(refusal)) => {
                let table = self.referee.load(&id).await?;
                if is_done(&table, intervention) {
                    Ok(table.cursor)
                } else {
                    Err(refusal.into())
                }
            }
            done => Ok(done?),
        }
    }
}

fn is_done(table: &Table, intervention: Intervention) -> bool {
    match intervention {
        Intervention::Void => table.stage == Stage::Voided,
        Intervention::Forfeit(seat) => table.has_resigned(seat),
    }
}
