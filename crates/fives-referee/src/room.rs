//! One match as this process follows it: it hears of commits from the store, redacts each batch once for every role, and hands
//! the same update to all who follow in that role.
//!
//! A room exists while somebody follows. It never hears from the write line, not even of this process.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use fives_rules::seat::Seat;
use fives_rules::view::Viewer;
use tokio::sync::{broadcast, watch};
use tokio::time::{MissedTickBehavior, interval, sleep};
use tracing::{debug, warn};

use crate::batch::{Batch, TableEvent};
use crate::clock::{ClockFace, TurnTimer};
use crate::cursor::Cursor;
use crate::error::{Error, Refusal};
use crate::feed::{Encoded, Update};
use crate::id::MatchId;
use crate::presence::Connections;
use crate::referee::Referee;
use crate::store::{Hint, Step};
use crate::table::Table;
use crate::time::UnixMillis;
use crate::trace::following;
use crate::view::{MatchView, SeenBatch};
use crate::vitals::vitals;

/// How many updates a follower may be behind before it gets a snapshot instead.
const BACKLOG: usize = 32;

/// How many batches one update may bring; who misses more gets a snapshot.
pub(crate) const MAX_BATCHES: usize = 256;

/// How often the log is looked at although no hint came: hints may be lost.
const POLL_INTERVAL: Duration = Duration::from_secs(5);

/// How often it is looked who of those at the table is there.
const LOOK_INTERVAL: Duration = Duration::from_secs(3);

/// The roles in which a match can be followed: four seats and the spectators.
const ROLES: usize = 5;

const fn role(viewer: Viewer) -> usize {
    match viewer {
        Viewer::Seat(seat) => seat.index(),
        Viewer::Spectator => ROLES - 1,
    }
}

/// What a room tells those who follow in one role.
#[derive(Clone)]
pub(crate) enum Notice {
    /// Something happened.
    Update(Update),
    /// The seat of this role was left: whoever followed from it comes back through the door, and sees nothing of who is next.
    Vacated,
    /// The store shows another history: everybody comes back through the door.
    Reset,
}

/// What the followers of one match share.
pub(crate) struct Room {
    id: MatchId,
    now: Mutex<Shown>,
    notices: [broadcast::Sender<Notice>; ROLES],
    connections: watch::Sender<Connections>,
}

/// The states that are shown at this moment.
struct Shown {
    /// The newest one.
    newest: Arc<Table>,
    /// The one that spectators may see; behind `newest` only by the match's delay.
    delayed: Arc<Table>,
    /// The batches between the two.
    held_back: VecDeque<Batch>,
}

impl Shown {
    async fn load(referee: &Referee, id: &MatchId) -> Result<Self, Error> {
        let newest = referee.load(id).await?;
        let delayed = referee.as_seen_by(Viewer::Spectator, Arc::clone(&newest)).await?;
        let (from, to) = (delayed.cursor.revision + 1, newest.cursor.revision);
        let mut held_back = VecDeque::new();
        if from <= to {
            let missing = usize::try_from(to - from + 1).unwrap_or(usize::MAX);
            held_back = referee.store().batches(id, from, missing).await?.into();
        }
        Ok(Self {
            newest,
            delayed,
            held_back,
        })
    }

    fn shown_to(&self, viewer: Viewer) -> &Arc<Table> {
        match viewer {
            Viewer::Seat(_) => &self.newest,
            Viewer::Spectator => &self.delayed,
        }
    }

    /// Whether what is shown depends on the time.
    fn needs_time(&self) -> bool {
        self.newest.clock.is_some() || self.newest.horizon().is_some_and(|horizon| horizon.moves_with_time())
    }

    /// When the first batch that is held back may be shown, if time alone brings that.
    fn next_release(&self) -> Option<UnixMillis> {
        let (horizon, first) = (self.newest.horizon()?, self.held_back.front()?);
        horizon.shown_from(first.cursor.revision, first.at)
    }

    /// Takes over batches; gives those that spectators may see from `now` on.
    fn advance(&mut self, new: Vec<Batch>, now: UnixMillis) -> Vec<Batch> {
        let newest = Arc::make_mut(&mut self.newest);
        for batch in new {
            newest.fold(&batch);
            self.held_back.push_back(batch);
        }
        let horizon = self.newest.horizon();
        let is_shown =
            |batch: &&Batch| horizon.is_none_or(|horizon| horizon.shows(batch.cursor.revision, batch.at, now));
        let shown = self.held_back.iter().take_while(is_shown).count();
        let shown: Vec<Batch> = self.held_back.drain(..shown).collect();
        let delayed = Arc::make_mut(&mut self.delayed);
        shown.iter().for_each(|batch| delayed.fold(batch));
        shown
    }
}

impl Room {
    pub(crate) async fn open(referee: &Referee, id: &MatchId) -> Result<Self, Error> {
        let now = Mutex::new(Shown::load(referee, id).await?);
        Ok(Self {
            id: *id,
            now,
            notices: std::array::from_fn(|_| broadcast::channel(BACKLOG).0),
            connections: watch::Sender::new(Connections::from([])),
        })
    }

    /// Lets somebody in as the viewer that `admit` makes of them: the state they may see, and all notices after it.
    pub(crate) fn enter(
        &self,
        admit: impl FnOnce(&Table) -> Result<Viewer, Refusal>,
    ) -> Result<(Viewer, Arc<Table>, broadcast::Receiver<Notice>), Refusal> {
        // Under the lock, no notice can come between the state and the subscription.
        let now = self.lock();
        let viewer = admit(&now.newest)?;
        Ok((
            viewer,
            Arc::clone(now.shown_to(viewer)),
            self.notices[role(viewer)].subscribe(),
        ))
    }

    /// How much time is left for the turn at `cursor`, for a viewer who was shown that state; `None` if it is not the one
    /// that is shown now.
    pub(crate) fn timer(&self, viewer: Viewer, cursor: Cursor, face: &ClockFace) -> Option<TurnTimer> {
        let now = self.lock();
        let table = now.shown_to(viewer);
        table.timer(viewer, face).filter(|_| table.cursor == cursor)
    }

    /// Who of those at the table is there, and who comes and goes; who has just come is told at once, if anybody has looked.
    pub(crate) fn watch_connections(&self) -> watch::Receiver<Connections> {
        let mut connections = self.connections.subscribe();
        if !connections.borrow().is_empty() {
            connections.mark_changed();
        }
        connections
    }

    /// Looks who is there, and tells those who follow if that has changed.
    async fn look_around(&self, referee: &Referee) {
        let table = Arc::clone(&self.lock().newest);
        match referee.presence().connections(&table).await {
            Ok(connections) => {
                self.connections.send_if_modified(|known| {
                    let has_changed = **known != *connections;
                    *known = connections;
                    has_changed
                });
            }
            // The next look tries again.
            Err(error) => {
                debug!(match_id = %self.id, error = &error as &dyn std::error::Error, "nobody could look who is there");
            }
        }
    }

    /// How many follow without a seat.
    pub(crate) fn watcher_count(&self) -> u64 {
        self.notices[role(Viewer::Spectator)].receiver_count() as u64
    }

    /// Follows the log until the match is settled or `is_left` says that nobody follows any more.
    pub(crate) async fn run(
        &self,
        referee: &Referee,
        mut hints: watch::Receiver<Hint>,
        mut is_left: impl FnMut() -> bool,
    ) {
        let mut poll = interval(POLL_INTERVAL);
        poll.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut looks = interval(LOOK_INTERVAL);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        while !self.lock().newest.is_settled() {
            let hint = tokio::select! {
                changed = hints.changed() => changed.ok().map(|()| hints.borrow_and_update().clone()),
                _ = poll.tick() => None,
                () = self.release(referee) => None,
                _ = looks.tick() => {
                    self.look_around(referee).await;
                    continue;
                }
            };
            if hint.is_none() && is_left() {
                return;
            }
            let caught_up = match hint.and_then(|hint| hint.step) {
                Some(step) => self.go_on(&step, referee).await,
                None => self.catch_up(referee).await,
            };
            if let Err(error) = caught_up {
                let error: &dyn std::error::Error = &error;
                warn!(match_id = %self.id, error, "a followed match could not be read; followers wait");
            }
        }
    }

    /// Waits until something that is held back may be shown because enough time has passed; for ever, if nothing is.
    async fn release(&self, referee: &Referee) {
        let next = self.lock().next_release();
        if let Some(at) = next
            && let Ok(now) = referee.store().now().await
        {
            sleep(at.since(now)).await;
        } else {
            // Without the store's clock the next poll looks again.
            std::future::pending::<()>().await;
        }
    }

    /// Goes on with a commit that was heard of, if it is the next one; otherwise asks the log.
    async fn go_on(&self, step: &Step, referee: &Referee) -> Result<(), Error> {
        let (known, needs_time) = {
            let now = self.lock();
            (now.newest.cursor, now.needs_time())
        };
        if known == step.batch.cursor {
            return Ok(());
        }
        if known != step.before {
            return self.catch_up(referee).await;
        }
        self.advance(known, vec![step.batch.clone()], needs_time, referee).await
    }

    /// Brings all followers to the end of the log, and spectators as near to it as they may come.
    pub(crate) async fn catch_up(&self, referee: &Referee) -> Result<(), Error> {
        loop {
            let (known, needs_time, holds_back) = {
                let now = self.lock();
                (now.newest.cursor, now.needs_time(), now.next_release().is_some())
            };
            // The revision that is known comes along: its stamp proves that the history is still the same.
            let mut read = referee.store().batches(&self.id, known.revision, MAX_BATCHES).await?;
            if read.first().is_none_or(|first| first.cursor != known) {
                return self.reset(referee).await;
            }
            let is_last = read.len() < MAX_BATCHES;
            let new = read.split_off(1);
            if new.is_empty() && !holds_back {
                return Ok(());
            }
            self.advance(known, new, needs_time, referee).await?;
            if is_last {
                return Ok(());
            }
        }
    }

    /// Takes over batches that follow on `before`, and notes how long after its commit the newest was handed to the followers.
    async fn advance(&self, before: Cursor, new: Vec<Batch>, needs_time: bool, referee: &Referee) -> Result<(), Error> {
        // Read after the batches, so that no time is left over that was used up before they came.
        let face = match needs_time {
            true => Some(referee.clock_face().await?),
            false => None,
        };
        let traced = new.iter().rev().find_map(|batch| batch.traced);
        let newest_at = new.last().map(|batch| batch.at);
        following(traced.as_ref(), "feed.fan_out", || {
            self.hand_out(before, new, face.as_ref());
        });
        if let Some(newest_at) = newest_at
            && let Ok(now) = referee.store().now().await
        {
            vitals().feed_lag.record(now.since(newest_at).as_secs_f64(), &[]);
        }
        Ok(())
    }

    fn hand_out(&self, before: Cursor, mut new: Vec<Batch>, face: Option<&ClockFace>) {
        let mut now = self.lock();
        // Somebody else may have gone on, or found another history, at the same time.
        if now.newest.cursor != before {
            let Some(known) = new.iter().position(|batch| batch.cursor == now.newest.cursor) else {
                return;
            };
            new.drain(..=known);
        }
        let for_spectators = now.advance(new.clone(), face.map(|face| face.now).unwrap_or_default());
        let timer = |viewer| face.and_then(|face| now.shown_to(viewer).timer(viewer, face));
        if !new.is_empty() {
            for seat in now.newest.options.players().seats() {
                let vacated = new.iter().any(|batch| vacates(batch, seat));
                let viewer = Viewer::Seat(seat);
                self.notify(viewer, || match vacated {
                    true => Notice::Vacated,
                    false => Notice::Update(Update::revisions(&now.newest, &new, viewer, timer(viewer))),
                });
            }
        }
        if !for_spectators.is_empty() {
            let viewer = Viewer::Spectator;
            self.notify(viewer, || {
                Notice::Update(Update::revisions(&now.delayed, &for_spectators, viewer, timer(viewer)))
            });
        }
    }

    /// The store shows another history than the one that was followed: everybody starts anew.
    async fn reset(&self, referee: &Referee) -> Result<(), Error> {
        let fresh = Shown::load(referee, &self.id).await?;
        vitals().resets.add(1, &[]);
        warn!(match_id = %self.id, revision = fresh.newest.cursor.revision, "the store shows another history: followers are reset");
        let mut now = self.lock();
        *now = fresh;
        for seat in now.newest.options.players().seats() {
            self.notify(Viewer::Seat(seat), || Notice::Reset);
        }
        self.notify(Viewer::Spectator, || Notice::Reset);
        Ok(())
    }

    fn notify(&self, viewer: Viewer, notice: impl FnOnce() -> Notice) {
        let notices = &self.notices[role(viewer)];
        if notices.receiver_count() > 0 {
            // The last follower may just have left.
            let _ = notices.send(notice());
        }
    }

    fn lock(&self) -> MutexGuard<'_, Shown> {
        // Nothing under this lock can leave half a change behind: a poisoned one is as good as new.
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn vacates(batch: &Batch, seat: Seat) -> bool {
    batch
        .events
        .iter()
        .any(|event| matches!(event, TableEvent::SeatLeft { seat: left, .. } if *left == seat))
}

impl Update {
    pub(crate) fn revisions(table: &Table, batches: &[Batch], viewer: Viewer, timer: Option<TurnTimer>) -> Self {
        let seen = batches.iter().map(|batch| SeenBatch::of(batch, &table.options, viewer));
        Self::Revisions {
            batches: seen.collect(),
            view: Arc::new(shown_to(table, viewer, timer)),
            encoded: Encoded::default(),
        }
    }

    pub(crate) fn snapshot(table: &Table, viewer: Viewer, timer: Option<TurnTimer>, reset: bool) -> Self {
        Self::Snapshot {
            view: Arc::new(shown_to(table, viewer, timer)),
            reset,
        }
    }
}

fn shown_to(table: &Table, viewer: Viewer, timer: Option<TurnTimer>) -> MatchView {
    MatchView::of(table, viewer, viewer != Viewer::Spectator).with_timer(timer)
}
