//! Matches that the service makes by itself. Their ids are chosen before they are made, so making one twice is making it once.

use fives_rules::deal::Master;

use super::Referee;
use crate::batch::{Author, NewTable, Spectators, Visibility};
use crate::command::SeatedMatch;
use crate::error::{Error, Refusal};
use crate::id::{MatchId, random};
use crate::store::Created;
use crate::table::Occupant;

impl Referee {
    /// Makes the match of this id, if it is not there; it starts at once. Nobody adds entropy, so its deals follow from the master alone.
    ///
    /// # Errors
    /// [`Refusal::WrongSeatCount`] unless there is somebody for each seat, and a person for one; [`Refusal::Conflict`]; the store's
    /// errors.
    pub async fn seat_match(&self, id: MatchId, seated: &SeatedMatch) -> Result<(), Error> {
        let is_full =
            seated.occupants.len() == seated.options.players().count() && !seated.occupants.contains(&Occupant::Open);
        let first_person = seated.occupants.iter().find_map(|occupant| match occupant {
            Occupant::Person { player, .. } => Some(*player),
            Occupant::Open | Occupant::Bot(_) => None,
        });
        let creator = first_person.filter(|_| is_full).ok_or(Refusal::WrongSeatCount)?;
        let new = NewTable {
            id,
            creator,
            options: seated.options,
            visibility: Visibility::Public,
            spectators: Spectators::UNDELAYED,
            clock: seated.clock,
            ranked: seated.ranked,
            master: Master::new(random()?),
            occupants: seated.occupants.clone(),
        };
        let (table, batch) = self.first_revision(new, Author::House).await?;
        match self.store.create(&table, &batch).await? {
            Created::New => {
                self.announce(&table);
                Ok(())
            }
            Created::Exists => {
                let table = self.load(&id).await?;
                // Perhaps nobody was told yet that it is kept.
                let is_kept = self.store.confirm(&id, table.cursor).await?;
                is_kept.then_some(()).ok_or_else(|| Refusal::Conflict.into())
            }
        }
    }
}
