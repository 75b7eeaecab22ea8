//! Making a table. Its id follows from who asks and under which id, so a retry finds the table of the first try (law 5).

use std::sync::Arc;

use fives_rules::deal::Master;
use fives_rules::seat::Seat;

use super::{Answer, Caller, Referee, another_stamp, check_fingerprint, random};
use crate::batch::{Author, Batch, NewTable, TableEvent, Visibility};
use crate::command::{CreateMatch, SeatWish};
use crate::cursor::Cursor;
use crate::error::{Error, Refusal};
use crate::id::{InviteCode, MatchId, PlayerId};
use crate::listing::Listing;
use crate::player::DisplayName;
use crate::request::Fingerprint;
use crate::store::Created;
use crate::table::{MatchState, Occupant, Table};
use crate::trace::TraceParent;

/// How many of a player's newest matches are looked at for those that wait.
const NEWEST: usize = 200;

impl Referee {
    /// Makes a table. A retry finds the table that the first try made.
    ///
    /// # Errors
    /// [`Refusal::WrongSeatCount`], [`Refusal::TwoSeatsForOne`], [`Refusal::RequestIdReused`],
    /// [`Refusal::TooManyTables`]; the store's errors.
    pub async fn create(&self, caller: &Caller, name: &DisplayName, wish: &CreateMatch) -> Result<Answer, Error> {
        check_seats(wish)?;
        let id = MatchId::derive(&caller.player, &caller.request);
        let fingerprint = wish.fingerprint();
        if let Some(first) = self.first_creation(id, caller, fingerprint).await? {
            return Ok(first);
        }
        self.check_open_tables(&caller.player).await?;
        let (table, batch) = self.new_table(id, caller, name, wish).await?;
        match self.store.create(&table, &batch).await? {
            Created::New => {
                self.announce(&table);
                self.answer(table, &batch, &caller.player).await
            }
            // The same request, sent twice at once: the other one was faster.
            Created::Exists => {
                let first = self.first_creation(id, caller, fingerprint).await?;
                first.ok_or_else(|| Refusal::RequestIdReused.into())
            }
        }
    }

    /// Whether the player may have one more table that waits. Two requests at once may both find room: this keeps a flood out, and
    /// no books.
    async fn check_open_tables(&self, player: &PlayerId) -> Result<(), Error> {
        let Some(most) = self.policy.max_open_tables else {
            return Ok(());
        };
        let newest = self.store.list(&Listing::Of(*player), None, NEWEST).await?;
        let mut waiting = 0;
        for position in newest {
            let waits = |table: Arc<Table>| table.creator == *player && table.state() == MatchState::Open;
            // What does not wait any more never will again; whether it still does, only the store knows.
            if self.store.recall(&position.id).is_none_or(waits) {
                waiting += usize::from(self.store.load(&position.id).await?.is_some_and(waits));
            }
            if waiting >= most {
                return Err(Refusal::TooManyTables { most }.into());
            }
        }
        Ok(())
    }

    async fn new_table(
        &self,
        id: MatchId,
        caller: &Caller,
        name: &DisplayName,
        wish: &CreateMatch,
    ) -> Result<(Arc<Table>, Batch), Error> {
        let occupant = |seat: &SeatWish| match seat {
            SeatWish::Open => Occupant::Open,
            SeatWish::Me => Occupant::Person {
                player: caller.player,
                name: name.clone(),
            },
            SeatWish::Bot(kind) => Occupant::Bot(*kind),
        };
        let visibility = if wish.private {
            Visibility::Private(InviteCode::from_random(random()?))
        } else {
            Visibility::Public
        };
        let new = NewTable {
            id,
            creator: caller.player,
            options: wish.options,
            visibility,
            spectators: wish.spectators,
            clock: wish.clock,
            master: Master::new(random()?),
            occupants: wish.seats.iter().map(occupant).collect(),
        };
        let author = Author::Player {
            player: caller.player,
            seat: wish
                .seats
                .iter()
                .position(|seat| *seat == SeatWish::Me)
                .and_then(|seat| Seat::new(seat as u8)),
            request: caller.request.clone(),
            fingerprint: wish.fingerprint(),
        };
        self.first_state(new, author).await
    }

    /// What a table begins with, dealt already if no seat is open.
    pub(super) async fn first_state(&self, new: NewTable, author: Author) -> Result<(Arc<Table>, Batch), Error> {
        let mut batch = Batch {
            cursor: Cursor {
                revision: 1,
                stamp: another_stamp(),
            },
            at: self.store.now().await?,
            author,
            next_due: None,
            events: vec![TableEvent::Created(Box::new(new))],
            traced: TraceParent::current(),
        };
        let unstarted = Table::begin(&batch).ok_or(Refusal::MatchNotFound)?;
        batch.events = unstarted.with_start(batch.events);
        let mut table = Table::begin(&batch).ok_or(Refusal::MatchNotFound)?;
        batch.next_due = self.next_due(&table, batch.at);
        table.next_due = batch.next_due;
        Ok((Arc::new(table), batch))
    }

    /// The first answer to a creation, if the table is there already.
    async fn first_creation(
        &self,
        id: MatchId,
        caller: &Caller,
        fingerprint: Fingerprint,
    ) -> Result<Option<Answer>, Error> {
        let Some(table) = self.store.load(&id).await? else {
            return Ok(None);
        };
        let first = self.batch_at(&id, 1).await?;
        check_fingerprint(&first, fingerprint)?;
        // Perhaps nobody was told yet that it is kept.
        if !self.store.confirm(&id, table.cursor).await? {
            return Err(Refusal::Conflict.into());
        }
        Ok(Some(self.answer(table, &first, &caller.player).await?))
    }
}

fn check_seats(wish: &CreateMatch) -> Result<(), Refusal> {
    if wish.seats.len() != wish.options.players().count() {
        return Err(Refusal::WrongSeatCount);
    }
    match wish.seats.iter().filter(|seat| **seat == SeatWish::Me).count() {
        0 | 1 => Ok(()),
        _ => Err(Refusal::TwoSeatsForOne),
    }
}
