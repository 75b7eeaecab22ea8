//! The next match of the same people: the same terms, and the seats moved on by one.

use std::sync::Arc;

use fives_rules::deal::Master;

use super::Referee;
use crate::batch::{Author, NewTable, Visibility};
use crate::error::{Error, Refusal};
use crate::id::{InviteCode, MatchId, PlayerId, random};
use crate::request::{Fingerprint, RequestId};
use crate::store::{Created, StoreError};
use crate::table::{Occupant, Table};

impl Referee {
    /// Makes the match `id`, which follows on `finished`, unless it is there already. Whoever is first makes it; the request behind
    /// it is in the name of `offered_by`. Nobody adds anything to its deals.
    ///
    /// # Errors
    /// The store's errors.
    pub async fn play_again(&self, finished: &Table, id: MatchId, offered_by: PlayerId) -> Result<Arc<Table>, Error> {
        if let Some(table) = self.store.load(&id).await? {
            return Ok(table);
        }
        let mut occupants: Vec<Occupant> = finished.chairs.iter().map(|chair| chair.occupant.clone()).collect();
        // Whoever sat across sits across again.
        occupants.rotate_right(1);
        let visibility = match finished.visibility {
            Visibility::Public => Visibility::Public,
            Visibility::Private(_) => Visibility::Private(InviteCode::from_random(random()?)),
        };
        let new = NewTable {
            id,
            creator: finished.creator,
            options: finished.options,
            visibility,
            spectators: finished.spectators,
            clock: finished.clock,
            // Those who play again and again could make each other's ratings what they like.
            ranked: false,
            master: Master::new(random()?),
            occupants,
        };
        let request = format!("rematch-of-{}", finished.id);
        let request = RequestId::new(&request).map_err(|error| StoreError::Damaged(error.to_string()))?;
        let author = Author::Player {
            player: offered_by,
            seat: finished
                .seat_of(&offered_by)
                .map(|seat| finished.options.players().after(seat)),
            request,
            fingerprint: Fingerprint::of(&[b"rematch", finished.id.as_bytes()]),
        };
        let (table, batch) = self.first_revision(new, author).await?;
        match self.store.create(&table, &batch).await? {
            Created::New => {
                self.announce(&table);
                Ok(table)
            }
            Created::Exists => Ok(self.store.load(&id).await?.ok_or(Refusal::MatchNotFound)?),
        }
    }
}
