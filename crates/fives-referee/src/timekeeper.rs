//! Fires what is due: today a bot's move. Any process may run one, and any number of them (law 7).
//!
//! Tables that this process has committed are announced to it; everything else, also after a restart, is found in the store,
//! which it asks once in a while. The commit's compare makes each firing happen once, whoever is first.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep_until};
use tracing::{error, warn};

use crate::error::Error;
use crate::id::MatchId;
use crate::referee::{DueHints, DueTable, Referee};
use crate::time::UnixMillis;

/// How often the store is asked for what is due.
const SWEEP_INTERVAL: Duration = Duration::from_secs(1);

/// How many tables one question to the store brings.
const SWEEP_LIMIT: usize = 1024;

/// How many tables are fired at once.
const MAX_FIRING: usize = 64;

/// How long a table is left alone after firing it failed.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// Fires due tables until it is dropped.
pub async fn run(referee: Referee, mut hints: DueHints) {
    let mut sweep = interval(SWEEP_INTERVAL);
    sweep.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut timekeeper = Timekeeper {
        referee,
        waiting: BinaryHeap::new(),
        firing: HashSet::new(),
        tasks: JoinSet::new(),
    };
    loop {
        let has_room = timekeeper.tasks.len() < MAX_FIRING;
        let next = timekeeper
            .waiting
            .peek()
            .map(|Reverse((at, _))| *at)
            .filter(|_| has_room);
        tokio::select! {
            Some(due) = hints.recv() => timekeeper.announce(due).await,
            () = sleep_until(next.unwrap_or_else(Instant::now)), if next.is_some() => timekeeper.fire_next(),
            Some(fired) = timekeeper.tasks.join_next() => {
                if let Ok((id, next)) = fired {
                    timekeeper.fired(id, next);
                }
            }
            _ = sweep.tick() => timekeeper.sweep().await,
        }
    }
}

struct Timekeeper {
    referee: Referee,
    waiting: BinaryHeap<Reverse<(Instant, MatchId)>>,
    firing: HashSet<MatchId>,
    tasks: JoinSet<(MatchId, Option<Duration>)>,
}

impl Timekeeper {
    async fn announce(&mut self, due: DueTable) {
        // Without the store's clock the sweep will find it.
        if let Ok(now) = self.referee.store().now().await {
            self.wait(due.id, due.at.since(now));
        }
    }

    fn wait(&mut self, id: MatchId, delay: Duration) {
        self.waiting.push(Reverse((Instant::now() + delay, id)));
    }

    fn fire_next(&mut self) {
        let Some(Reverse((_, id))) = self.waiting.pop() else {
            return;
        };
        if !self.firing.insert(id) {
            return;
        }
        let referee = self.referee.clone();
        self.tasks.spawn(async move {
            let next = match fire(&referee, id).await {
                Ok(next) => next,
                Err(Error::Store(error)) => {
                    warn!(match_id = %id, error = &error as &dyn std::error::Error, "a due table was not fired: the store failed");
                    Some(RETRY_AFTER)
                }
                Err(Error::Refused(refusal)) => {
                    error!(match_id = %id, %refusal, "a due table was not fired: its action was refused");
                    None
                }
            };
            (id, next)
        });
    }

    fn fired(&mut self, id: MatchId, next: Option<Duration>) {
        self.firing.remove(&id);
        if let Some(delay) = next {
            self.wait(id, delay);
        }
    }

    async fn sweep(&mut self) {
        let found = async {
            let now = self.referee.store().now().await?;
            self.referee.store().due(now, SWEEP_LIMIT).await
        };
        match found.await {
            Ok(due) => {
                let known: HashSet<MatchId> = self.waiting.iter().map(|Reverse((_, id))| *id).collect();
                due.into_iter()
                    .filter(|id| !known.contains(id))
                    .for_each(|id| self.wait(id, Duration::ZERO));
            }
            Err(error) => warn!(
                error = &error as &dyn std::error::Error,
                "what is due could not be asked for"
            ),
        }
    }
}

async fn fire(referee: &Referee, id: MatchId) -> Result<Option<Duration>, Error> {
    let Some(next) = referee.fire(id).await? else {
        return Ok(None);
    };
    let now: UnixMillis = referee.store().now().await?;
    Ok(Some(next.since(now)))
}
