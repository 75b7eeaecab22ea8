//! Making a table. Its id follows from who asks and under which id, so a retry finds the table of the first try (law 5).

use std::sync::Arc;

use fives_rules::deal::Master;
use fives_rules::seat::Seat;

use super::{Answer, Caller, Referee, another_stamp, check_fingerprint};
use crate::batch::{Author, Batch, NewTable, TableEvent, Visibility};
use crate::command::{CreateMatch, SeatWish};
use crate::cursor::Cursor;
use crate::error::{Error, Refusal};
use crate::id::{InviteCode, MatchId, PlayerId, random};
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
        let occupant = |seat: &SeatWish| match seat {
            SeatWish::Open => Occupant::Open,
            SeatWish::Me => Occupant::Person {
                player: caller.player,
                name: name.clone(),
            },
            SeatWish::Bot(kind) => Occupant::Bot(*kind),
        };
        let occupants = wish.seats.iter().map(occupant).collect();
        self.make(caller, wish.fingerprint(), occupants, wish, self.policy.max_open_tables)
            .await
    }

    /// Makes a table at which `occupants` sit from the beginning, whatever the seats of `terms` say; whoever makes it has no seat
    /// unless they are among them. A retry finds the table of the first try, whatever people are called by then.
    ///
    /// # Errors
    /// [`Refusal::WrongSeatCount`], [`Refusal::RequestIdReused`]; the store's errors.
    pub async fn create_seated(
        &self,
        caller: &Caller,
        occupants: Vec<Occupant>,
        terms: &CreateMatch,
    ) -> Result<Answer, Error> {
        if occupants.len() != terms.options.players().count() {
            return Err(Refusal::WrongSeatCount.into());
        }
        let who = |occupant: &Occupant| match occupant {
            Occupant::Open => "open".to_owned(),
            Occupant::Person { player, .. } => player.to_string(),
            Occupant::Bot(kind) => kind.name().to_owned(),
        };
        let seated = occupants.iter().map(who).collect::<Vec<_>>().join(",");
        let fingerprint = Fingerprint::of(&[b"create seated", &terms.fingerprint().0, seated.as_bytes()]);
        self.make(caller, fingerprint, occupants, terms, None).await
    }

    async fn make(
        &self,
        caller: &Caller,
        fingerprint: Fingerprint,
        occupants: Vec<Occupant>,
        terms: &CreateMatch,
        max_open_tables: Option<usize>,
    ) -> Result<Answer, Error> {
        let id = MatchId::derive(&caller.player, &caller.request);
        if let Some(first) = self.first_creation(id, caller, fingerprint).await? {
            return Ok(first);
        }
        if let Some(most) = max_open_tables {
            self.check_open_tables(&caller.player, most).await?;
        }
        let (table, batch) = self.new_table(id, caller, fingerprint, occupants, terms).await?;
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
    async fn check_open_tables(&self, player: &PlayerId, most: usize) -> Result<(), Error> {
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
        fingerprint: Fingerprint,
        occupants: Vec<Occupant>,
        wish: &CreateMatch,
    ) -> Result<(Arc<Table>, Batch), Error> {
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
            ranked: false,
            master: Master::new(random()?),
            occupants,
        };
        let is_theirs =
            |occupant: &Occupant| matches!(occupant, Occupant::Person { player, .. } if *player == caller.player);
        let author = Author::Player {
            player: caller.player,
            seat: new
                .occupants
                .iter()
                .position(is_theirs)
                .and_then(|seat| Seat::new(seat as u8)),
            request: caller.request.clone(),
            fingerprint,
        };
        self.first_revision(new, author).await
    }

    /// The table that `new` makes, and the batch that makes it; with everybody seated, it starts.
    pub(super) async fn first_revision(&self, new: NewTable, author: Author) -> Result<(Arc<Table>, Batch), Error> {
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
