//! Carries commands out: load, decide, fold, commit. The write line of the picture in the crate's head.

mod administer;
mod again;
mod create;
mod fire;
mod invites;
mod look;
mod member;
mod seated;

use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, RwLock};

use fives_rules::seat::Seat;
use fives_rules::view::Viewer;
use tokio::sync::mpsc;

pub use administer::{Inspected, RepairPage, Revealed, StuckMatch, StuckPage, Stuckness};
pub use fire::{NextDue, SILENCE_MAX_MS};
pub use look::Page;
pub use member::Membership;

use crate::batch::{Author, Batch, TableEvent};
use crate::command::{Command, JoinTarget};
use crate::cursor::Cursor;
use crate::error::{Error, Refusal};
use crate::id::{MatchId, PlayerId};
use crate::presence::Presence;
use crate::request::{Fingerprint, RequestId};
use crate::store::{Committed, SharedStore, StoreError};
use crate::table::{MatchState, Table};
use crate::time::{Outage, UnixMillis};
use crate::trace::{TraceParent, spanned_now};
use crate::view::{MatchView, SeenBatch};
use crate::vitals::vitals;

/// How often a command is tried again after others were faster.
const MAX_TRIES: usize = 8;

/// How many due tables can be announced before the timekeeper takes them; what does not fit is found in the store.
const DUE_QUEUE: usize = 4096;

/// What is fixed for all tables of a process.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Policy {
    /// How long a bot seems to think, in milliseconds.
    pub bot_delay_ms: u64,
    /// How many tables of one creator may wait for players; `None`: as many as one likes.
    pub max_open_tables: Option<usize>,
    /// How long a turn lasts, in milliseconds, before others are told that it waits for a person who is not there; `None`: they are not.
    pub away_after_ms: Option<u64>,
}

/// Who asks, and under which id: what makes a retry safe.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Caller {
    /// Who.
    pub player: PlayerId,
    /// Under which id.
    pub request: RequestId,
}

/// What came of a command that is answered with the whole match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The revision that it made, as its author may see it.
    pub batch: SeenBatch,
    /// The match as the author sees it now; after a retry it may be newer than `batch`.
    pub view: MatchView,
}

/// Carries out commands on the tables of a store. Cheap to clone; holds no table.
#[derive(Clone)]
pub struct Referee {
    store: SharedStore,
    policy: Policy,
    due: mpsc::Sender<DueTable>,
    /// The outages that are known: only for showing how much time is left. Whether it is over, the store is asked.
    outages: Arc<RwLock<Arc<[Outage]>>>,
    presence: Presence,
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
        // Counters begin at 0 with the process.
        let _ = vitals();
        let (due, hints) = mpsc::channel(DUE_QUEUE);
        let outages = Arc::new(RwLock::new(Arc::from([])));
        let referee = Self {
            presence: Presence::new(Arc::clone(&store)),
            store,
            policy,
            due,
            outages,
        };
        (referee, hints)
    }

    /// Who is there.
    #[must_use]
    pub const fn presence(&self) -> &Presence {
        &self.presence
    }

    /// The store it works on.
    #[must_use]
    pub fn store(&self) -> &SharedStore {
        &self.store
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
    ) -> Result<SeenBatch, Error> {
        let (table, batch) = self.perform(id, caller, command, expected).await?;
        Ok(seen_by_author(&table, &batch, &caller.player))
    }

    /// Carries out `command` on a table, and shows the table after it: for who has just sat down.
    ///
    /// # Errors
    /// As [`Referee::carry_out`].
    pub async fn carry_out_and_show(&self, id: MatchId, caller: &Caller, command: &Command) -> Result<Answer, Error> {
        let (table, batch) = self.perform(id, caller, command, None).await?;
        self.answer(table, &batch, &caller.player).await
    }

    /// The revision that `command` makes, or that it made when it was sent before (law 5), and the newest table.
    async fn perform(
        &self,
        id: MatchId,
        caller: &Caller,
        command: &Command,
        expected: Option<Cursor>,
    ) -> Result<(Arc<Table>, Batch), Error> {
        let fingerprint = command.fingerprint();
        // What was seen last will mostly do: if it is behind, or of a history that was lost, the commit notices. Any other answer
        // needs the newest state.
        let mut recalled = self.store.recall(&id);
        for _ in 0..MAX_TRIES {
            let (table, is_newest) = match recalled.take() {
                Some(table) => (table, false),
                None => (self.load(&id).await?, true),
            };
            if let Some(remembered) = table.requests.find(&caller.player, &caller.request) {
                if !is_newest {
                    continue;
                }
                let batch = self.batch_at(&id, remembered.revision).await?;
                check_fingerprint(&batch, fingerprint)?;
                // Perhaps nobody was told yet that it is kept.
                if self.store.confirm(&id, table.cursor).await? {
                    vitals().repeated.add(1, &[]);
                    return Ok((table, batch));
                }
                continue;
            }
            let decided = check_expected(&table, &caller.player, expected)
                .and_then(|()| spanned_now("decide", || table.decide(&caller.player, command)));
            let events = match decided {
                Ok(events) => events,
                Err(refusal) if is_newest => return Err(refusal.into()),
                Err(_) => continue,
            };
            let seat = table.seat_of(&caller.player).or_else(|| seat_taken(&events));
            let author = Author::Player {
                player: caller.player,
                seat,
                request: caller.request.clone(),
                fingerprint,
            };
            if let Some((table, batch)) = self.commit(&table, author, events).await? {
                self.announce(&table);
                return Ok((table, batch));
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
            let batch = self.batch_at(&id, remembered.revision).await?;
            check_fingerprint(&batch, command.fingerprint())?;
            return Ok(table.cursor);
        }
        check_expected(&table, &caller.player, expected)?;
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
    pub async fn load(&self, id: &MatchId) -> Result<Arc<Table>, Error> {
        Ok(self.store.load(id).await?.ok_or(Refusal::MatchNotFound)?)
    }

    /// Keeps what happened under the next revision; `None` if others were faster.
    async fn commit(
        &self,
        table: &Table,
        author: Author,
        events: Vec<TableEvent>,
    ) -> Result<Option<(Arc<Table>, Batch)>, Error> {
        let mut batch = Batch {
            cursor: Cursor {
                revision: table.cursor.revision + 1,
                stamp: another_stamp(),
            },
            at: self.store.now().await?,
            author,
            next_due: None,
            events,
            traced: TraceParent::current(),
        };
        let mut next = table.clone();
        next.fold(&batch);
        batch.next_due = self.next_due(&next, batch.at);
        next.next_due = batch.next_due;
        let next = Arc::new(next);
        match self.store.commit(table.cursor, &next, &batch).await? {
            Committed::Done => Ok(Some((next, batch))),
            Committed::Conflict => {
                vitals().conflicts.add(1, &[]);
                Ok(None)
            }
            Committed::Missing => Err(Refusal::MatchNotFound.into()),
        }
    }

    fn next_due(&self, table: &Table, now: UnixMillis) -> Option<UnixMillis> {
        let look = table
            .awaited()
            .and(self.policy.away_after_ms)
            .map(|after_ms| now.plus_ms(after_ms));
        table
            .due_from(now, self.policy.bot_delay_ms)
            .into_iter()
            .chain(look)
            .min()
    }

    fn announce(&self, table: &Table) {
        if let Some(at) = table.next_due {
            // A full queue is no loss: the timekeeper asks the store for what is due, too.
            let _ = self.due.try_send(DueTable { id: table.id, at });
        }
    }

    async fn batch_at(&self, id: &MatchId, revision: u64) -> Result<Batch, Error> {
        let found = self.store.batches(id, revision, 1).await?.into_iter().next();
        let found = found.filter(|batch| batch.cursor.revision == revision);
        found.ok_or_else(|| StoreError::Damaged(format!("revision {revision} of {id} is not in its log")).into())
    }

    /// The revision as its author may see it, and the table as the author sees it now.
    async fn answer(&self, table: Arc<Table>, batch: &Batch, player: &PlayerId) -> Result<Answer, Error> {
        let batch = seen_by_author(&table, batch, player);
        let seat = table.seat_of(player);
        let knows_invite = seat.is_some() || *player == table.creator;
        let viewer = seat.map_or(Viewer::Spectator, Viewer::Seat);
        let table = self.as_seen_by(viewer, table).await?;
        let timer = self.timer(&table, viewer).await?;
        let view = MatchView::of(&table, viewer, knows_invite).with_timer(timer);
        Ok(Answer { batch, view })
    }
}

/// Who has just stood up is answered as from the seat that was left.
fn seen_by_author(table: &Table, batch: &Batch, player: &PlayerId) -> SeenBatch {
    let seat = table.seat_of(player).or(batch.author.seat());
    SeenBatch::of(batch, &table.options, seat.map_or(Viewer::Spectator, Viewer::Seat))
}

/// Whether the table is where the caller thinks, if the caller says so.
fn check_expected(table: &Table, player: &PlayerId, expected: Option<Cursor>) -> Result<(), Refusal> {
    if expected.is_none_or(|expected| expected == table.cursor) {
        return Ok(());
    }
    // The order of refusals that clients are promised: no seat and no game come before a stale cursor.
    table.seat_of(player).ok_or(Refusal::NotSeated)?;
    match table.state() {
        MatchState::Open => Err(Refusal::NotStarted),
        MatchState::Finished => Err(Refusal::Over),
        MatchState::Closed => Err(Refusal::Closed),
        MatchState::Live => Err(Refusal::StaleCursor { current: table.cursor }),
    }
}

/// Whether a batch is what a request with this fingerprint asked for.
fn check_fingerprint(batch: &Batch, fingerprint: Fingerprint) -> Result<(), Refusal> {
    match &batch.author {
        Author::Player { fingerprint: made, .. } if *made == fingerprint => Ok(()),
        _ => Err(Refusal::RequestIdReused),
    }
}

fn seat_taken(events: &[TableEvent]) -> Option<Seat> {
    events.iter().find_map(|event| match event {
        TableEvent::SeatTaken { seat, .. } => Some(*seat),
        _ => None,
    })
}

/// A stamp that no other commit has, of this process or of another one. A keyed hash is as good as random bytes here, where nothing
/// is secret, and every move needs one.
fn another_stamp() -> u64 {
    static KEY: LazyLock<RandomState> = LazyLock::new(RandomState::new);
    static NEXT: AtomicU64 = AtomicU64::new(0);
    KEY.hash_one(NEXT.fetch_add(1, Ordering::Relaxed))
}
