//! Streams of what happens in matches, complete for each viewer or begun anew with a snapshot (law 1). The read line of the
//! picture in the crate's head.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use fives_rules::view::Viewer;
use tokio::sync::broadcast::{self, error::RecvError};
use tokio::sync::watch;
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at};

use crate::clock::TurnTimer;
use crate::cursor::Cursor;
use crate::emote::Emote;
use crate::error::{Error, Refusal};
use crate::id::{InviteCode, MatchId, PlayerId};
use crate::presence::Connections;
use crate::referee::Referee;
use crate::room::{MAX_BATCHES, Notice, Room};
use crate::store::SharedStore;
use crate::table::Table;
use crate::time::UnixMillis;
use crate::view::{MatchView, SeenBatch};
use crate::vitals::vitals;
use crate::watchers::ProcessId;

/// What a stream brings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Update {
    /// The whole match: what was received before is replaced.
    Snapshot {
        /// The match.
        view: Arc<MatchView>,
        /// Whether the cursor that the viewer came with is of a history that does not exist (any more).
        reset: bool,
    },
    /// Exactly the revisions after what was received before.
    Revisions {
        /// In order, without holes; at least one.
        batches: Arc<[SeenBatch]>,
        /// The match after the last of them.
        view: Arc<MatchView>,
        /// Their bytes, for all who get this update.
        encoded: Encoded,
    },
    /// Nothing happened for a while.
    Heartbeat {
        /// Where the viewer is.
        cursor: Cursor,
        /// The store's clock.
        now: UnixMillis,
        /// How much time is left for the turn, where a clock runs and the viewer may know.
        timer: Option<TurnTimer>,
        /// Who of those at the table is there, as far as that is known.
        connections: Connections,
    },
    /// Somebody at the table says something.
    Emote {
        /// What.
        emote: Emote,
        /// Where the viewer is, as before.
        cursor: Cursor,
    },
}

/// What a translator makes of an update, kept for the next one who gets it. Not a part of what the update is: any two are equal.
#[derive(Clone, Default)]
pub struct Encoded(Arc<OnceLock<Arc<[u8]>>>);

impl Encoded {
    /// The bytes; `make` makes them for the first who asks.
    pub fn get_or_make(&self, make: impl FnOnce() -> Arc<[u8]>) -> Arc<[u8]> {
        Arc::clone(self.0.get_or_init(make))
    }
}

impl PartialEq for Encoded {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Encoded {}

impl fmt::Debug for Encoded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Encoded")
    }
}

impl Update {
    /// Where it brings the viewer.
    #[must_use]
    pub fn cursor(&self) -> Cursor {
        match self {
            Self::Snapshot { view, .. } | Self::Revisions { view, .. } => view.cursor,
            Self::Heartbeat { cursor, .. } | Self::Emote { cursor, .. } => *cursor,
        }
    }

    /// Whether nothing can come after it.
    fn is_last(&self) -> bool {
        match self {
            Self::Snapshot { view, .. } | Self::Revisions { view, .. } => view.state.is_settled(),
            Self::Heartbeat { .. } | Self::Emote { .. } => false,
        }
    }
}

type Rooms = Arc<Mutex<HashMap<MatchId, Arc<Room>>>>;

/// All matches that this process follows for somebody. Cheap to clone.
#[derive(Clone)]
pub struct Feed {
    referee: Referee,
    rooms: Rooms,
    heartbeat_interval: Duration,
    process: ProcessId,
}

/// Who follows, and by what right.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Right {
    /// From the seat of this player.
    Seated(PlayerId),
    /// Without a seat, as whoever this is, with this code.
    Watching(Option<PlayerId>, Option<InviteCode>),
}

impl Right {
    fn admit(&self, table: &Table) -> Result<Viewer, Refusal> {
        match self {
            Self::Seated(player) => table.seat_of(player).map(Viewer::Seat).ok_or(Refusal::NotSeated),
            Self::Watching(player, code) => {
                table.check_watcher(player.as_ref(), code.as_ref())?;
                Ok(Viewer::Spectator)
            }
        }
    }
}

impl Feed {
    /// The feed of a process over the referee's store; a stream that brings nothing for `heartbeat_interval` brings a heartbeat.
    #[must_use]
    pub fn new(referee: Referee, heartbeat_interval: Duration, process: ProcessId) -> Self {
        Self {
            referee,
            rooms: Rooms::default(),
            heartbeat_interval,
            process,
        }
    }

    /// Follows a match from the seat of `player`, after the cursor `after` or from a snapshot on.
    ///
    /// # Errors
    /// [`Refusal::MatchNotFound`], [`Refusal::NotSeated`]; the store's errors.
    pub async fn follow(&self, id: MatchId, player: PlayerId, after: Option<Cursor>) -> Result<Follower, Error> {
        self.open(id, Right::Seated(player), after).await
    }

    /// Watches a match without a seat.
    ///
    /// # Errors
    /// [`Refusal::MatchNotFound`], [`Refusal::InviteRequired`], [`Refusal::SpectatorsNotAllowed`]; the store's errors.
    pub async fn watch(
        &self,
        id: MatchId,
        player: Option<PlayerId>,
        code: Option<InviteCode>,
        after: Option<Cursor>,
    ) -> Result<Follower, Error> {
        self.open(id, Right::Watching(player, code), after).await
    }

    pub(crate) const fn process(&self) -> ProcessId {
        self.process
    }

    pub(crate) fn store(&self) -> &SharedStore {
        self.referee.store()
    }

    /// How many watch a match without a seat in this process.
    pub(crate) fn watchers_here(&self, id: &MatchId) -> u64 {
        lock(&self.rooms).get(id).map_or(0, |room| room.watcher_count())
    }

    /// How many watch without a seat in this process, all matches together.
    #[must_use]
    pub fn watcher_count(&self) -> u64 {
        lock(&self.rooms).values().map(|room| room.watcher_count()).sum()
    }

    /// How many watch each match that somebody watches here.
    pub(crate) fn all_watchers_here(&self) -> HashMap<MatchId, u64> {
        let rooms = lock(&self.rooms);
        let counts = rooms.iter().map(|(id, room)| (*id, room.watcher_count()));
        counts.filter(|(_, count)| *count > 0).collect()
    }

    async fn open(&self, id: MatchId, right: Right, after: Option<Cursor>) -> Result<Follower, Error> {
        let room = self.room(id).await?;
        // A room may be a little behind the store; somebody who has just sat down must not find an older table.
        room.catch_up(&self.referee).await?;
        let (viewer, table, notices) = room.enter(|table| right.admit(table))?;
        let first = self.first_update(id, viewer, &table, after).await?;
        let mut heartbeat = interval_at(Instant::now() + self.heartbeat_interval, self.heartbeat_interval);
        heartbeat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Ok(Follower {
            referee: self.referee.clone(),
            connections: room.watch_connections(),
            room,
            right,
            notices,
            viewer,
            cursor: table.cursor,
            first: Some(first),
            is_over: false,
            heartbeat,
            emotes: None,
            is_held_back: viewer == Viewer::Spectator && table.spectators.is_delayed(),
        })
    }

    /// What brings a viewer who was at `after` to `table`: exactly what is missing, or a snapshot.
    async fn first_update(
        &self,
        id: MatchId,
        viewer: Viewer,
        table: &Table,
        after: Option<Cursor>,
    ) -> Result<Update, Error> {
        let timer = self.referee.timer(table, viewer).await?;
        let snapshot = |reset| Ok(Update::snapshot(table, viewer, timer, reset));
        let Some(after) = after else {
            return snapshot(false);
        };
        if after == table.cursor && !table.is_settled() {
            return Ok(Update::Heartbeat {
                cursor: after,
                now: self.referee.store().now().await?,
                timer,
                connections: Connections::from([]),
            });
        }
        let missing = table
            .cursor
            .revision
            .checked_sub(after.revision)
            .filter(|_| after != table.cursor);
        let Some(missing) = missing.and_then(|missing| usize::try_from(missing).ok()) else {
            return snapshot(after != table.cursor);
        };
        let wanted = missing.min(MAX_BATCHES) + 1;
        let mut read = self.referee.store().batches(&id, after.revision, wanted).await?;
        if read.first().is_none_or(|first| first.cursor != after) {
            return snapshot(true);
        }
        let new = read.split_off(1);
        match new.last() {
            Some(last) if last.cursor == table.cursor => Ok(Update::revisions(table, &new, viewer, timer)),
            _ => snapshot(false),
        }
    }

    async fn room(&self, id: MatchId) -> Result<Arc<Room>, Error> {
        if let Some(room) = lock(&self.rooms).get(&id) {
            return Ok(Arc::clone(room));
        }
        // Hints are subscribed to before the state is read, so that nothing falls between the two.
        let hints = self.referee.store().watch(&id).await?;
        let opened = Arc::new(Room::open(&self.referee, &id).await?);
        let mut rooms = lock(&self.rooms);
        let room = Arc::clone(rooms.entry(id).or_insert_with(|| Arc::clone(&opened)));
        if Arc::ptr_eq(&room, &opened) {
            let (referee, rooms) = (self.referee.clone(), Arc::clone(&self.rooms));
            tokio::spawn(async move {
                opened.run(&referee, hints, || is_left(&rooms, &id)).await;
                lock(&rooms).retain(|_, room| !Arc::ptr_eq(room, &opened));
            });
        }
        Ok(room)
    }
}

fn lock(rooms: &Rooms) -> MutexGuard<'_, HashMap<MatchId, Arc<Room>>> {
    // Inserting and removing leave no half-made map behind.
    rooms.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether nobody but the map and the room's own task holds the room; if so it is taken out of the map.
fn is_left(rooms: &Rooms, id: &MatchId) -> bool {
    let mut rooms = lock(rooms);
    let left = rooms.get(id).is_none_or(|room| Arc::strong_count(room) <= 2);
    if left {
        rooms.remove(id);
    }
    left
}

/// One stream of updates.
pub struct Follower {
    referee: Referee,
    room: Arc<Room>,
    right: Right,
    viewer: Viewer,
    notices: broadcast::Receiver<Notice>,
    cursor: Cursor,
    first: Option<Update>,
    is_over: bool,
    heartbeat: Interval,
    connections: watch::Receiver<Connections>,
    emotes: Option<broadcast::Receiver<Emote>>,
    is_held_back: bool,
}

impl Follower {
    /// The same stream with what is said at the table. Who is held back hears nothing: an emote tells of what they may not see yet.
    #[must_use]
    pub fn hearing(self, emotes: broadcast::Receiver<Emote>) -> Self {
        let emotes = Some(emotes).filter(|_| !self.is_held_back);
        Self { emotes, ..self }
    }

    /// The next update; `None` after the last of a match that is settled.
    ///
    /// # Errors
    /// [`Refusal::NotSeated`] when the player has left the seat. The stream is over then.
    pub async fn next(&mut self) -> Result<Option<Update>, Error> {
        if self.is_over {
            return Ok(None);
        }
        let update = match self.first.take() {
            Some(first) => first,
            None => match self.await_next().await {
                Ok(update) => update,
                Err(error) => {
                    self.is_over = true;
                    return Err(error);
                }
            },
        };
        self.cursor = update.cursor();
        self.is_over = update.is_last();
        self.heartbeat.reset();
        Ok(Some(update))
    }

    async fn await_next(&mut self) -> Result<Update, Error> {
        loop {
            let notice = tokio::select! {
                notice = self.notices.recv() => Some(notice),
                emote = hear(&mut self.emotes) => return Ok(Update::Emote { emote, cursor: self.cursor }),
                _ = self.heartbeat.tick() => None,
                // Somebody has come or gone: that is worth a heartbeat before its time.
                Ok(()) = self.connections.changed() => None,
            };
            let Some(notice) = notice else {
                // Without the store's clock there is no heartbeat: the viewer then knows that something is wrong.
                let Ok(now) = self.referee.store().now().await else {
                    continue;
                };
                let face = self.referee.clock_face_at(now);
                let timer = self.room.timer(self.viewer, self.cursor, &face);
                return Ok(Update::Heartbeat {
                    cursor: self.cursor,
                    now,
                    timer,
                    connections: Arc::clone(&self.connections.borrow_and_update()),
                });
            };
            match notice {
                Ok(Notice::Update(update)) => return Ok(update),
                Ok(Notice::Reset) => return self.reenter(true).await,
                // The seat was left, perhaps by somebody else before the viewer came to it: the door tells.
                Ok(Notice::Vacated) => return self.reenter(false).await,
                Err(RecvError::Lagged(_) | RecvError::Closed) => {
                    vitals().snapshots.add(1, &[]);
                    return self.reenter(false).await;
                }
            }
        }
    }

    /// Begins anew with a snapshot, if the viewer still may.
    async fn reenter(&mut self, reset: bool) -> Result<Update, Error> {
        let (viewer, table, notices) = self.room.enter(|table| self.right.admit(table))?;
        (self.viewer, self.notices) = (viewer, notices);
        let timer = self.referee.timer(&table, viewer).await?;
        Ok(Update::snapshot(&table, viewer, timer, reset))
    }
}

/// What is said next; never ends once nothing can be said any more. What was said too fast to be heard is lost.
async fn hear(emotes: &mut Option<broadcast::Receiver<Emote>>) -> Emote {
    while let Some(open) = emotes {
        match open.recv().await {
            Ok(emote) => return emote,
            Err(RecvError::Lagged(_)) => {}
            Err(RecvError::Closed) => *emotes = None,
        }
    }
    std::future::pending().await
}
