//! Carries commands out: load, decide, fold, commit. The write line of the picture in the crate's head.

use std::sync::Arc;

use fives_rules::deal::Master;
use fives_rules::game::Action;
use fives_rules::play::Play;
use fives_rules::seat::Seat;
use fives_rules::view::Viewer;
use tokio::sync::mpsc;

use crate::batch::{Author, Batch, NewTable, TableEvent, Visibility};
use crate::command::{Command, CreateMatch, JoinTarget, SeatWish};
use crate::cursor::Cursor;
use crate::error::{Error, Refusal};
use crate::id::{InviteCode, MatchId, PlayerId};
use crate::listing::{ListPosition, Listing};
use crate::player::DisplayName;
use crate::request::{Fingerprint, Remembered, RequestId};
use crate::store::{Committed, Created, SharedStore, StoreError};
use crate::table::{Audience, MatchState, Occupant, Table};
use crate::time::UnixMillis;
use crate::view::{MatchView, SeenBatch};

/// How often a command is tried again after others were faster.
const MAX_TRIES: usize = 8;

/// How many due tables can be announced before the timekeeper takes them; what does not fit is found in the store.
const DUE_QUEUE: usize = 4096;

/// What is fixed for all tables of a process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Policy {
    /// How long a bot seems to think, in milliseconds.
    pub bot_delay_ms: u64,
}

/// Who asks, and under which id: what makes a retry safe.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Caller {
    /// Who.
    pub player: PlayerId,
    /// Under which id.
    pub request: RequestId,
}

/// What came of a command: the revision it made, as its author may see it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// What happened.
    pub batch: SeenBatch,
    /// The match as the author sees it now; after a retry it may be newer than `batch`.
    pub view: MatchView,
}

/// A page of a list of matches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Page {
    /// The matches, as the caller may see them.
    pub matches: Vec<MatchView>,
    /// Where the next page begins; `None` after the last.
    pub next: Option<ListPosition>,
}

/// Carries out commands on the tables of a store. Cheap to clone; holds no table.
#[derive(Clone)]
pub struct Referee {
    store: SharedStore,
    policy: Policy,
    due: mpsc::Sender<DueTable>,
}

/// A table that will act by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DueTable {
    /// The match.
    pub id: MatchId,
    /// When.
    pub at: UnixMillis,
}

/// What [`crate::timekeeper`] is told by this process; only a hint, the store knows all that is due.
pub type DueHints = mpsc::Receiver<DueTable>;

impl Referee {
    /// A referee over `store`, and the hints for its timekeeper.
    #[must_use]
    pub fn new(store: SharedStore, policy: Policy) -> (Self, DueHints) {
        let (due, hints) = mpsc::channel(DUE_QUEUE);
        (Self { store, policy, due }, hints)
    }

    /// The store it works on.
    #[must_use]
    pub fn store(&self) -> &SharedStore {
        &self.store
    }

    /// Makes a table. A retry finds the table that the first try made.
    ///
    /// # Errors
    /// [`Refusal::WrongSeatCount`], [`Refusal::TwoSeatsForOne`], [`Refusal::RequestIdReused`]; the store's errors.
    pub async fn create(&self, caller: &Caller, name: &DisplayName, wish: &CreateMatch) -> Result<Answer, Error> {
        let id = MatchId::derive(&caller.player, &caller.request);
        let (table, batch) = self.new_table(id, caller, name, wish).await?;
        if let Some(first) = self.find_first(id, &batch.author).await? {
            return Ok(first);
        }
        match self
            .store_whole(move |store| async move { store.create(&table, &batch).await.map(|c| (c, table, batch)) })
            .await?
        {
            (Created::New, table, batch) => {
                self.announce(&table);
                self.answer(table, &batch, &caller.player).await
            }
            (Created::Exists, _, batch) => self
                .find_first(id, &batch.author)
                .await?
                .ok_or_else(|| Refusal::RequestIdReused.into()),
        }
    }

    /// Carries out `command` on a table. If `expected` is given, only when the table is exactly there.
    ///
    /// # Errors
    /// Why it is refused; the store's errors.
    pub async fn carry_out(
        &self,
        id: MatchId,
        caller: &Caller,
        command: &Command,
        expected: Option<Cursor>,
    ) -> Result<Answer, Error> {
        let fingerprint = command.fingerprint();
        for _ in 0..MAX_TRIES {
            let table = self.load(&id).await?;
            if let Some(first) = self.first_answer(&table, caller, fingerprint).await? {
                return Ok(first);
            }
            if let Some(expected) = expected.filter(|expected| *expected != table.cursor) {
                check_expected(&table, &caller.player, expected)?;
            }
            let events = table.decide(&caller.player, command)?;
            let seat = table.seat_of(&caller.player).or_else(|| seat_taken(&events));
            let author = Author::Player {
                player: caller.player,
                seat,
                request: caller.request.clone(),
                fingerprint,
            };
            if let Some((table, batch)) = self.commit(table, author, events).await? {
                self.announce(&table);
                return self.answer(table, &batch, &caller.player).await;
            }
            // With an expected cursor the next load finds another one and refuses.
        }
        Err(Refusal::Conflict.into())
    }

    /// Whether a play would be accepted, and where; changes nothing.
    ///
    /// # Errors
    /// As [`Referee::carry_out`].
    pub async fn check_play(
        &self,
        id: MatchId,
        caller: &Caller,
        command: &Command,
        expected: Option<Cursor>,
    ) -> Result<Cursor, Error> {
        let table = self.load(&id).await?;
        if let Some(remembered) = table.requests.find(&caller.player, &caller.request) {
            check_fingerprint(remembered, command.fingerprint())?;
            return Ok(table.cursor);
        }
        if let Some(expected) = expected.filter(|expected| *expected != table.cursor) {
            check_expected(&table, &caller.player, expected)?;
        }
        table.decide(&caller.player, command)?;
        Ok(table.cursor)
    }

    /// The match that somebody wants to join.
    ///
    /// # Errors
    /// [`Refusal::InviteNotFound`]; the store's errors.
    pub async fn find(&self, target: &JoinTarget) -> Result<MatchId, Error> {
        match target {
            JoinTarget::Id(id) => Ok(*id),
            JoinTarget::Code(code) => Ok(self.store.find_invite(code).await?.ok_or(Refusal::InviteNotFound)?),
        }
    }

    /// The newest state of a table.
    ///
    /// # Errors
    /// [`Refusal::MatchNotFound`]; the store's errors.
    pub async fn load(&self, id: &MatchId) -> Result<Table, Error> {
        Ok(self.store.load(id).await?.ok_or(Refusal::MatchNotFound)?)
    }

    /// A match as somebody may see it now. Strangers see a live match behind by its spectator delay.
    ///
    /// # Errors
    /// [`Refusal::MatchNotFound`], [`Refusal::InviteRequired`], [`Refusal::SpectatorsNotAllowed`]; the store's errors.
    pub async fn look(
        &self,
        id: &MatchId,
        player: Option<&PlayerId>,
        code: Option<&InviteCode>,
    ) -> Result<MatchView, Error> {
        let table = self.load(id).await?;
        match table.audience(player, code)? {
            Audience::Member {
                viewer: Viewer::Seat(seat),
            } => Ok(MatchView::of(&table, Viewer::Seat(seat), true)),
            // A creator without a seat sees what spectators see, when they see it.
            Audience::Member { viewer } => Ok(MatchView::of(&self.as_spectators_see(table).await?, viewer, true)),
            Audience::Stranger => Ok(MatchView::of(
                &self.as_spectators_see(table).await?,
                Viewer::Spectator,
                false,
            )),
        }
    }

    /// A page of a list, newest first; each match as the caller may see it.
    ///
    /// # Errors
    /// The store's errors.
    pub async fn list(
        &self,
        listing: Listing,
        player: Option<&PlayerId>,
        after: Option<ListPosition>,
        limit: usize,
    ) -> Result<Page, Error> {
        let positions = self.store.list(&listing, after, limit).await?;
        let next = positions.last().copied().filter(|_| positions.len() == limit);
        let mut matches = Vec::with_capacity(positions.len());
        for position in positions {
            // A list is an index: the table itself says whether it belongs there.
            let Some(table) = self.store.load(&position.id).await? else {
                continue;
            };
            if !table.listings().contains(&listing) {
                continue;
            }
            let seat = player
                .and_then(|player| table.seat_of(player))
                .filter(|_| listing != Listing::Live);
            matches.push(match seat {
                Some(seat) => MatchView::of(&table, Viewer::Seat(seat), true),
                None => MatchView::of(&self.as_spectators_see(table).await?, Viewer::Spectator, false),
            });
        }
        Ok(Page { matches, next })
    }

    /// The state that spectators may see: behind by the delay while the match is live, though never before its start.
    ///
    /// # Errors
    /// The store's errors.
    pub async fn as_spectators_see(&self, table: Table) -> Result<Table, Error> {
        let revision = table.spectator_revision();
        if revision == table.cursor.revision {
            Ok(table)
        } else {
            self.table_at(&table.id, revision).await
        }
    }

    /// The state of a table at an earlier revision, folded from its log (law 3).
    async fn table_at(&self, id: &MatchId, revision: u64) -> Result<Table, Error> {
        let mut table: Option<Table> = None;
        let mut log = crate::replay::Log::new(&self.store, *id);
        while let Some(batch) = log.next().await? {
            match &mut table {
                None => table = Table::begin(&batch),
                Some(table) => table.fold(&batch),
            }
            if batch.cursor.revision >= revision {
                break;
            }
        }
        table.ok_or_else(|| StoreError::Damaged(format!("the log of {id} does not begin with its creation")).into())
    }

    /// Has the bot on turn play, if it is due. Says when the table is due next.
    ///
    /// # Errors
    /// The store's errors; a refusal here is a fault of this service.
    pub async fn fire(&self, id: MatchId) -> Result<Option<UnixMillis>, Error> {
        let table = self.load(&id).await?;
        let now = self.store.now().await?;
        match table.next_due {
            Some(at) if at <= now => {}
            later => return Ok(later),
        }
        let Some((seat, play)) = table.bot_play() else {
            return Ok(None);
        };
        self.play_for_bot(table, seat, play).await
    }

    async fn play_for_bot(&self, table: Table, seat: Seat, play: Play) -> Result<Option<UnixMillis>, Error> {
        let events = table.act(seat, Action::Play(play))?;
        // A conflict means that somebody else has fired it, or a person has acted: their commit says what is due next.
        let committed = self.commit(table, Author::Bot(seat), events).await?;
        Ok(committed.and_then(|(table, _)| table.next_due))
    }

    /// Keeps what happened under the next revision; `None` if others were faster.
    async fn commit(
        &self,
        table: Table,
        author: Author,
        events: Vec<TableEvent>,
    ) -> Result<Option<(Table, Batch)>, Error> {
        let expected = table.cursor;
        let cursor = Cursor {
            revision: expected.revision + 1,
            stamp: random_u64()?,
        };
        let (next, batch) = self.fold_next(table, cursor, author, events).await?;
        let committed = self
            .store_whole(
                move |store| async move { store.commit(expected, &next, &batch).await.map(|c| (c, next, batch)) },
            )
            .await?;
        match committed {
            (Committed::Done, next, batch) => Ok(Some((next, batch))),
            (Committed::Conflict, ..) => Ok(None),
            (Committed::Missing, ..) => Err(Refusal::MatchNotFound.into()),
        }
    }

    async fn fold_next(
        &self,
        mut table: Table,
        cursor: Cursor,
        author: Author,
        events: Vec<TableEvent>,
    ) -> Result<(Table, Batch), Error> {
        let at = self.store.now().await?;
        let mut batch = Batch {
            cursor,
            at,
            author,
            next_due: None,
            events,
        };
        table.fold(&batch);
        batch.next_due = self.next_due(&table, at);
        table.next_due = batch.next_due;
        Ok((table, batch))
    }

    fn next_due(&self, table: &Table, now: UnixMillis) -> Option<UnixMillis> {
        table.waits_for_bot().then(|| now.plus_ms(self.policy.bot_delay_ms))
    }

    fn announce(&self, table: &Table) {
        if let Some(at) = table.next_due {
            // A full queue is no loss: the timekeeper asks the store for what is due, too.
            let _ = self.due.try_send(DueTable { id: table.id, at });
        }
    }

    /// Runs a write in a task of its own: a caller that gives up must not cut a commit in two.
    async fn store_whole<T, F, W>(&self, write: W) -> Result<T, Error>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, StoreError>> + Send,
        W: FnOnce(SharedStore) -> F + Send + 'static,
    {
        let store = Arc::clone(&self.store);
        let written = tokio::spawn(async move { write(store).await }).await;
        written
            .map_err(|error| StoreError::Unconfirmed(error.into()))?
            .map_err(Error::from)
    }

    async fn new_table(
        &self,
        id: MatchId,
        caller: &Caller,
        name: &DisplayName,
        wish: &CreateMatch,
    ) -> Result<(Table, Batch), Error> {
        let mine = wish.seats.iter().filter(|seat| **seat == SeatWish::Me).count();
        if wish.seats.len() != wish.options.players().count() {
            return Err(Refusal::WrongSeatCount.into());
        }
        if mine > 1 {
            return Err(Refusal::TwoSeatsForOne.into());
        }
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
        let mut batch = Batch {
            cursor: Cursor {
                revision: 1,
                stamp: random_u64()?,
            },
            at: self.store.now().await?,
            author,
            next_due: None,
            events: vec![TableEvent::Created(Box::new(new))],
        };
        let unstarted = Table::begin(&batch).ok_or(Refusal::MatchNotFound)?;
        batch.events = unstarted.with_start(batch.events);
        let mut table = Table::begin(&batch).ok_or(Refusal::MatchNotFound)?;
        batch.next_due = self.next_due(&table, batch.at);
        table.next_due = batch.next_due;
        Ok((table, batch))
    }

    /// The first answer to a creation, if the table is there already.
    async fn find_first(&self, id: MatchId, author: &Author) -> Result<Option<Answer>, Error> {
        let Author::Player {
            player,
            request,
            fingerprint,
            ..
        } = author
        else {
            return Ok(None);
        };
        let Some(table) = self.store.load(&id).await? else {
            return Ok(None);
        };
        let first = self.batch_at(&id, 1).await?;
        match &first.author {
            Author::Player {
                fingerprint: first_print,
                ..
            } if first_print != fingerprint => Err(Refusal::RequestIdReused.into()),
            Author::Player {
                player: creator,
                request: first_request,
                ..
            } if creator == player && first_request == request => Ok(Some(self.answer(table, &first, player).await?)),
            _ => Err(Refusal::RequestIdReused.into()),
        }
    }

    /// The first answer to a request that was carried out before (law 5).
    async fn first_answer(
        &self,
        table: &Table,
        caller: &Caller,
        fingerprint: Fingerprint,
    ) -> Result<Option<Answer>, Error> {
        let Some(remembered) = table.requests.find(&caller.player, &caller.request) else {
            return Ok(None);
        };
        check_fingerprint(remembered, fingerprint)?;
        let batch = self.batch_at(&table.id, remembered.revision).await?;
        Ok(Some(self.answer(table.clone(), &batch, &caller.player).await?))
    }

    async fn batch_at(&self, id: &MatchId, revision: u64) -> Result<Batch, Error> {
        let found = self.store.batches(id, revision, 1).await?.into_iter().next();
        let found = found.filter(|batch| batch.cursor.revision == revision);
        found.ok_or_else(|| StoreError::Damaged(format!("revision {revision} of {id} is not in its log")).into())
    }

    async fn answer(&self, table: Table, batch: &Batch, player: &PlayerId) -> Result<Answer, Error> {
        // Who has just stood up is answered as from the seat that was left.
        let seat = table.seat_of(player);
        let author_sees = seat.or(batch.author.seat()).map_or(Viewer::Spectator, Viewer::Seat);
        let knows_invite = seat.is_some() || *player == table.creator;
        let batch = SeenBatch::of(batch, &table.options, author_sees);
        let view = match seat {
            Some(seat) => MatchView::of(&table, Viewer::Seat(seat), knows_invite),
            None => MatchView::of(&self.as_spectators_see(table).await?, Viewer::Spectator, knows_invite),
        };
        Ok(Answer { batch, view })
    }
}

/// A retry of a play that names an old cursor is answered above; here the cursor is really another one.
fn check_expected(table: &Table, player: &PlayerId, expected: Cursor) -> Result<(), Refusal> {
    debug_assert_ne!(expected, table.cursor);
    // The order of refusals that clients are promised: no seat and no game come before a stale cursor.
    table.seat_of(player).ok_or(Refusal::NotSeated)?;
    match table.state() {
        MatchState::Open => Err(Refusal::NotStarted),
        MatchState::Finished => Err(Refusal::Over),
        MatchState::Closed => Err(Refusal::Closed),
        MatchState::Live => Err(Refusal::StaleCursor { current: table.cursor }),
    }
}

fn check_fingerprint(remembered: &Remembered, fingerprint: Fingerprint) -> Result<(), Refusal> {
    if remembered.fingerprint == fingerprint {
        Ok(())
    } else {
        Err(Refusal::RequestIdReused)
    }
}

fn seat_taken(events: &[TableEvent]) -> Option<Seat> {
    events.iter().find_map(|event| match event {
        TableEvent::SeatTaken { seat, .. } => Some(*seat),
        _ => None,
    })
}

fn random<const N: usize>() -> Result<[u8; N], StoreError> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| StoreError::Unavailable(error.into()))?;
    Ok(bytes)
}

fn random_u64() -> Result<u64, StoreError> {
    random().map(u64::from_ne_bytes)
}
