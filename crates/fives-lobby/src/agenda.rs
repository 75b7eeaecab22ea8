//! All matches of one player in one stream: where it is their turn, where they wait, what has just ended.
//!
//! ```text
//! hints of the player (a new match, a rematch) ─▶ read the list anew ─┐
//! hints of each match that is not settled ──────▶ read that match ────┴▶ what is new, together
//! ```
//!
//! What it costs. A stream that brings nothing costs one read of an index every [`LIST_INTERVAL`], which finds what a lost hint
//! did not tell of, and a heartbeat: 10,000 streams at one process are 1,000 such reads a second (each some microseconds of a
//! Redis that does 100,000). A match costs nothing until it changes; each change is announced once to a process, however many
//! streams of it have the match, and read from the store once, since all other streams find it in the memory of the process. In
//! Redis, 10,000 players at three matches each are 40,000 channels of one connection. A stream begins with one read of the index and
//! one of each of the newest [`NEWEST`] matches.

mod item;

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use fives_referee::error::Error;
use fives_referee::id::{MatchId, PlayerId};
use fives_referee::listing::ListPosition;
use fives_referee::referee::Referee;
use fives_referee::store::Hint;
use fives_referee::table::MatchState;
use fives_referee::time::UnixMillis;
use futures::future::try_join_all;
use futures::stream::{self, AbortHandle, BoxStream, SelectAll, StreamExt};
use tokio::sync::watch;
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at, sleep, sleep_until};
use tracing::debug;

pub use item::{Item, News, Standing};

use crate::rematch::Rematches;
use crate::store::SharedLobbyStore;

/// How many of a player's newest matches are looked at. A player who has more that are not settled does not see the oldest.
pub const NEWEST: usize = 60;

/// How often the list is read although no hint came.
pub const LIST_INTERVAL: Duration = Duration::from_secs(10);

/// For how long after its end a match is shown, in milliseconds: a rematch may be offered.
const SETTLED_SHOWN_FOR_MS: u64 = 15 * 60 * 1000;

/// How many of those that have ended last are shown.
const SETTLED_MAX: usize = 10;

/// How long what comes after something new is waited for, to be told together.
const TOGETHER: Duration = Duration::from_millis(50);

/// How long to wait after the store failed.
const PAUSE_AFTER_FAILURE: Duration = Duration::from_secs(1);

/// How long a match that is in the list and not in the store may still come: the list is written first.
const MAY_COME_FOR_MS: u64 = 60_000;

/// What a stream brings.
#[derive(Clone, PartialEq, Debug)]
pub enum AgendaUpdate {
    /// All there is; what was received before is replaced.
    Snapshot(Vec<Item>),
    /// The matches of which there is something new, as they are now, and what that is.
    Changes(Vec<(Item, Vec<News>)>),
    /// Nothing happened for a while.
    Heartbeat {
        /// The store's clock.
        now: UnixMillis,
    },
}

/// What everybody's streams share. Cheap to clone.
#[derive(Clone)]
pub struct Agenda {
    referee: Referee,
    store: SharedLobbyStore,
    rematches: Rematches,
    heartbeat_interval: Duration,
}

impl Agenda {
    /// The agendas of the players of `store`; a stream that brings nothing for `heartbeat_interval` brings a heartbeat.
    #[must_use]
    pub const fn new(
        referee: Referee,
        store: SharedLobbyStore,
        rematches: Rematches,
        heartbeat_interval: Duration,
    ) -> Self {
        Self {
            referee,
            store,
            rematches,
            heartbeat_interval,
        }
    }

    /// Follows all matches of `player`; begins with all there is.
    ///
    /// # Errors
    /// The store's errors.
    pub async fn follow(&self, player: PlayerId) -> Result<AgendaFollower, Error> {
        // Hints are subscribed to before anything is read, so that nothing falls between the two.
        let hints = self.store.watch_player(&player).await?;
        let every = |period: Duration| {
            let mut ticks = interval_at(Instant::now() + period, period);
            ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
            ticks
        };
        let mut follower = AgendaFollower {
            agenda: self.clone(),
            player,
            hints,
            changes: SelectAll::new(),
            shown: HashMap::new(),
            passed_over: HashMap::new(),
            touched: HashMap::new(),
            unsent: Vec::new(),
            must_list: true,
            list: every(LIST_INTERVAL),
            heartbeat: every(self.heartbeat_interval),
            first: None,
        };
        follower.catch_up().await?;
        // What is not settled is read once more, after its hints were subscribed to.
        while !follower.touched.is_empty() {
            follower.catch_up().await?;
        }
        follower.unsent.clear();
        let items = follower.shown.values().map(|shown| shown.item.clone());
        follower.first = Some(items.collect());
        Ok(follower)
    }
}

impl Agenda {
    /// A match as it is now, or at least at this revision; `None` if it is gone, or the player's no more.
    async fn item(&self, player: &PlayerId, id: MatchId, at_least: Option<u64>) -> Result<Option<Item>, Error> {
        let Some(member) = self.referee.membership(&id, player, at_least).await? else {
            return Ok(None);
        };
        let rematch = match (member.view.state, member.view.viewer.seat()) {
            (MatchState::Finished, Some(_)) => self.rematches.look(&id, player).await?,
            _ => None,
        };
        Ok(Some(Item::new(member, rematch)))
    }
}

/// A match that was heard of, and its newest revision as far as that is known.
type Touched = (MatchId, Option<u64>);

/// A match that is shown.
struct Shown {
    item: Item,
    position: ListPosition,
    /// Ends the hints; `None` once it is settled.
    hints: Option<AbortHandle>,
}

/// One stream.
pub struct AgendaFollower {
    agenda: Agenda,
    player: PlayerId,
    hints: watch::Receiver<Hint>,
    changes: SelectAll<BoxStream<'static, Touched>>,
    shown: HashMap<MatchId, Shown>,
    /// In the list, and nothing to show: settled long ago, or (then it may come back) the player's no more.
    passed_over: HashMap<MatchId, bool>,
    /// What must be read.
    touched: HashMap<MatchId, Option<u64>>,
    /// What was read and is not told yet.
    unsent: Vec<(Item, Vec<News>)>,
    must_list: bool,
    list: Interval,
    heartbeat: Interval,
    first: Option<Vec<Item>>,
}

impl AgendaFollower {
    /// What comes next.
    pub async fn next(&mut self) -> AgendaUpdate {
        let update = match self.first.take() {
            Some(items) => AgendaUpdate::Snapshot(newest_first(items, |item| item)),
            None => self.await_next().await,
        };
        self.heartbeat.reset();
        update
    }

    async fn await_next(&mut self) -> AgendaUpdate {
        loop {
            if self.touched.is_empty()
                && let Some(now) = self.hear(None).await
            {
                return AgendaUpdate::Heartbeat { now };
            }
            let end = Instant::now() + TOGETHER;
            while Instant::now() < end {
                self.hear(Some(end)).await;
            }
            if let Err(error) = self.catch_up().await {
                // The store's readiness says whether it works; what must be read stays noted.
                debug!(error = &error as &dyn std::error::Error, "an agenda could not be read");
                sleep(PAUSE_AFTER_FAILURE).await;
            } else if !self.unsent.is_empty() {
                let changes = std::mem::take(&mut self.unsent);
                return AgendaUpdate::Changes(newest_first(changes, |(item, _)| item));
            }
        }
    }

    /// Notes one thing that must be read, or gives the time if there is nothing for so long. With `end`, waits no longer than that.
    async fn hear(&mut self, end: Option<Instant>) -> Option<UnixMillis> {
        let over = async {
            match end {
                Some(end) => sleep_until(end).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            changed = self.hints.changed() => {
                if changed.is_err() {
                    // Nobody tells any more; the list is still read now and then.
                    self.list.tick().await;
                }
                self.must_list = true;
                self.passed_over.retain(|_, may_come_back| !*may_come_back);
            }
            Some((id, revision)) = self.changes.next() => {
                self.touched.insert(id, revision);
            }
            _ = self.list.tick() => self.must_list = true,
            () = over => {}
            _ = self.heartbeat.tick(), if end.is_none() => {
                // Without the store's clock there is no heartbeat: the viewer then knows that something is wrong.
                return self.agenda.store.now().await.ok();
            }
        }
        None
    }

    /// Reads whatever must be read.
    async fn catch_up(&mut self) -> Result<(), Error> {
        let touched = std::mem::take(&mut self.touched);
        let caught_up = self.read_all(&touched).await;
        if caught_up.is_err() {
            self.must_list = true;
            self.touched.extend(touched.into_keys().map(|id| (id, None)));
        }
        caught_up
    }

    async fn read_all(&mut self, touched: &HashMap<MatchId, Option<u64>>) -> Result<(), Error> {
        let now = self.agenda.store.now().await?;
        let mut to_read: Vec<(ListPosition, Option<u64>)> = Vec::new();
        for (id, revision) in touched {
            to_read.extend(self.shown.get(id).map(|shown| (shown.position, *revision)));
        }
        if self.must_list {
            let mut newest = self.agenda.store.newest_matches(&self.player, NEWEST).await?;
            // A match that two processes made at once may stand at the places of both.
            let mut listed: HashSet<MatchId> = HashSet::new();
            newest.retain(|position| listed.insert(position.id));
            self.passed_over.retain(|id, _| listed.contains(id));
            let too_old: Vec<MatchId> = self.shown.keys().filter(|id| !listed.contains(id)).copied().collect();
            too_old.iter().for_each(|id| _ = self.hide(id));
            let is_new = |position: &&ListPosition| {
                !self.shown.contains_key(&position.id) && !self.passed_over.contains_key(&position.id)
            };
            to_read.extend(newest.iter().filter(is_new).map(|position| (*position, None)));
            // A rematch is no change of the match.
            let settled = self.shown.values().filter(|shown| shown.item.view.state.is_settled());
            to_read.extend(settled.map(|shown| (shown.position, Some(0))));
            to_read.retain(|(position, _)| listed.contains(&position.id));
        }
        let (agenda, player) = (&self.agenda, &self.player);
        let read = to_read
            .iter()
            .map(|(position, revision)| agenda.item(player, position.id, *revision));
        let read = try_join_all(read).await?;
        for ((position, _), item) in to_read.into_iter().zip(read) {
            let is_late = position.created_at.plus_ms(MAY_COME_FOR_MS) < now;
            let shows = |item: &Item| !item.view.state.is_settled() || item.is_recent(now, SETTLED_SHOWN_FOR_MS);
            match item {
                Some(item) if shows(&item) => self.show(position, item).await?,
                None if !is_late && !self.shown.contains_key(&position.id) => {}
                other => {
                    let may_come_back = other.is_none();
                    let gone = self.hide(&position.id).filter(|_| may_come_back);
                    self.unsent.extend(gone.map(|item| (item, vec![News::Gone])));
                    self.passed_over.insert(position.id, may_come_back);
                }
            }
        }
        self.must_list = false;
        self.forget_settled();
        Ok(())
    }

    /// Shows a match from now on as it is, and notes what is new about it.
    async fn show(&mut self, position: ListPosition, item: Item) -> Result<(), Error> {
        let news = item.news_since(self.shown.get(&position.id).map(|shown| &shown.item));
        let hints = match self.shown.remove(&position.id).and_then(|shown| shown.hints) {
            hints if item.view.state.is_settled() => {
                hints.inspect(AbortHandle::abort);
                None
            }
            Some(hints) => Some(hints),
            None => {
                let hints = self.agenda.store.watch(&position.id).await?;
                let (hints, handle) = stream::abortable(revisions(position.id, hints));
                self.changes.push(hints.boxed());
                // What was committed between the reading and this is found by reading once more.
                self.touched.insert(position.id, None);
                Some(handle)
            }
        };
        if !news.is_empty() {
            self.unsent.push((item.clone(), news));
        }
        self.shown.insert(position.id, Shown { item, position, hints });
        Ok(())
    }

    fn hide(&mut self, id: &MatchId) -> Option<Item> {
        let shown = self.shown.remove(id)?;
        shown.hints.inspect(AbortHandle::abort);
        Some(shown.item)
    }

    /// Keeps those that have ended last.
    fn forget_settled(&mut self) {
        let settled = self.shown.values().filter(|shown| shown.item.view.state.is_settled());
        let mut settled: Vec<(UnixMillis, MatchId)> = settled
            .map(|shown| (shown.item.changed_at, shown.position.id))
            .collect();
        settled.sort_unstable();
        for (_, id) in settled.iter().rev().skip(SETTLED_MAX) {
            self.hide(id);
            self.passed_over.insert(*id, false);
        }
    }
}

/// The revisions that are heard of; none is known after hints may have been missed.
fn revisions(id: MatchId, hints: watch::Receiver<Hint>) -> impl stream::Stream<Item = Touched> + Send {
    stream::unfold(hints, move |mut hints| async move {
        hints.changed().await.ok()?;
        let revision = hints.borrow_and_update().revision;
        Some(((id, Some(revision).filter(|revision| *revision > 0)), hints))
    })
}

/// In the order of lists.
fn newest_first<T>(mut entries: Vec<T>, item: impl Fn(&T) -> &Item) -> Vec<T> {
    entries.sort_by_key(|entry| {
        let view = &item(entry).view;
        (std::cmp::Reverse(view.created_at), view.id)
    });
    entries
}
