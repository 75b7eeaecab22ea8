//! Fires what is due: bots' moves, and clocks that have run out. Any process may run one, and any number of them (law 7).
//!
//! Tables that this process has committed are announced to it; everything else, also after a restart, is found in the store,
//! which it asks once in a while. The commit's compare makes each firing happen once, whoever is first. Before it asks, it gives
//! a sign of life: what nobody gave for a while is an outage, and moves the deadlines of those who were on turn.

use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep_until};
use tracing::{error, warn};

use crate::error::Error;
use crate::id::MatchId;
use crate::referee::{DueHints, DueTable, NextDue, Referee};

/// How often a sign of life is given, and the store asked for what is due.
const SWEEP_INTERVAL: Duration = Duration::from_secs(1);

/// How often the store is asked to remove what has been kept long enough.
const EXPIRY_INTERVAL: Duration = Duration::from_secs(30);

/// How many tables one question to the store brings.
const SWEEP_LIMIT: usize = 1024;

/// How many tables are fired at once.
const MAX_FIRING: usize = 64;

/// How long a table is left alone at most whose deadline has moved: somebody else may commit something that is due before.
const MOVED_RECHECK_AFTER: Duration = Duration::from_secs(30);

/// How long a table is left alone after firing it failed.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// Fires due tables until it is dropped.
pub async fn run(referee: Referee, mut hints: DueHints) {
    let mut sweep = interval(SWEEP_INTERVAL);
    sweep.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut expiry = interval(EXPIRY_INTERVAL);
    expiry.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut timekeeper = Timekeeper {
        referee,
        waiting: Waiting::default(),
        firing: HashMap::new(),
        tasks: JoinSet::new(),
    };
    loop {
        let has_room = timekeeper.tasks.len() < MAX_FIRING;
        let next = timekeeper.waiting.next().filter(|_| has_room);
        tokio::select! {
            Some(due) = hints.recv() => timekeeper.announce(due).await,
            () = sleep_until(next.unwrap_or_else(Instant::now)), if next.is_some() => timekeeper.fire_next(),
            Some(fired) = timekeeper.tasks.join_next() => {
                if let Ok((id, next)) = fired {
                    timekeeper.fired(id, next);
                }
            }
            _ = sweep.tick() => timekeeper.sweep().await,
            _ = expiry.tick() => {
                // Many that end together must not hold up the clocks.
                if timekeeper.expire().await > 0 {
                    expiry.reset_immediately();
                }
            }
        }
    }
}

struct Timekeeper {
    referee: Referee,
    waiting: Waiting,
    /// The tables that are being fired, and whether they became due once more meanwhile.
    firing: HashMap<MatchId, bool>,
    tasks: JoinSet<(MatchId, Option<Wait>)>,
}

/// How long a table waits.
#[derive(Clone, Copy)]
struct Wait {
    delay: Duration,
    /// Whether its deadline has moved, so that the store takes it for due all the while.
    is_moved: bool,
}

/// The tables that will be due, each once: at the earliest time that was heard of. To come too early costs a look at the table.
#[derive(Default)]
struct Waiting {
    in_order: BTreeSet<(Instant, MatchId)>,
    by_id: HashMap<MatchId, (Instant, bool)>,
}

impl Waiting {
    fn next(&self) -> Option<Instant> {
        self.in_order.first().map(|(at, _)| *at)
    }

    fn pop(&mut self) -> Option<MatchId> {
        let (_, id) = self.in_order.pop_first()?;
        self.by_id.remove(&id);
        Some(id)
    }

    fn push(&mut self, id: MatchId, at: Instant, is_moved: bool) {
        match self.by_id.get(&id) {
            Some((known, _)) if *known <= at => return,
            Some((known, _)) => _ = self.in_order.remove(&(*known, id)),
            None => {}
        }
        self.by_id.insert(id, (at, is_moved));
        self.in_order.insert((at, id));
    }

    fn is_moved(&self, id: &MatchId) -> bool {
        self.by_id.get(id).is_some_and(|(_, is_moved)| *is_moved)
    }

    fn moved_count(&self) -> usize {
        self.by_id.values().filter(|(_, is_moved)| *is_moved).count()
    }
}

impl Timekeeper {
    /// Has the store remove what it has kept long enough; says how much that was.
    async fn expire(&self) -> usize {
        self.referee.store().expire().await.unwrap_or_else(|error| {
            let error: &dyn std::error::Error = &error;
            warn!(error, "what was kept long enough was not removed");
            0
        })
    }

    async fn announce(&mut self, due: DueTable) {
        // Without the store's clock the sweep will find it.
        if let Ok(now) = self.referee.store().now().await {
            self.wait(due.id, due.at.since(now));
        }
    }

    fn wait(&mut self, id: MatchId, delay: Duration) {
        self.waiting.push(id, Instant::now() + delay, false);
    }

    fn fire_next(&mut self) {
        let Some(id) = self.waiting.pop() else {
            return;
        };
        if let Some(is_due_again) = self.firing.get_mut(&id) {
            *is_due_again = true;
            return;
        }
        self.firing.insert(id, false);
        let referee = self.referee.clone();
        self.tasks.spawn(async move {
            let next = match fire(&referee, id).await {
                Ok(next) => next,
                Err(Error::Store(error)) => {
                    warn!(match_id = %id, error = &error as &dyn std::error::Error, "a due table was not fired: the store failed");
                    let (delay, is_moved) = (RETRY_AFTER, false);
                    Some(Wait { delay, is_moved })
                }
                Err(Error::Refused(refusal)) => {
                    error!(match_id = %id, %refusal, "a due table was not fired: its action was refused");
                    None
                }
            };
            (id, next)
        });
    }

    fn fired(&mut self, id: MatchId, next: Option<Wait>) {
        if self.firing.remove(&id) == Some(true) {
            self.wait(id, Duration::ZERO);
        } else if let Some(wait) = next {
            self.waiting.push(id, Instant::now() + wait.delay, wait.is_moved);
        }
    }

    async fn sweep(&mut self) {
        // Those whose deadline has moved are found each time: there must be room for others beside them.
        let limit = SWEEP_LIMIT + self.waiting.moved_count();
        let found = async {
            self.referee.renew_alive().await?;
            let now = self.referee.store().now().await?;
            self.referee.store().due(now, limit).await
        };
        match found.await {
            Ok(due) => {
                for id in due {
                    if !self.waiting.is_moved(&id) && !self.firing.contains_key(&id) {
                        self.wait(id, Duration::ZERO);
                    }
                }
            }
            Err(error) => warn!(
                error = &error as &dyn std::error::Error,
                "what is due could not be asked for"
            ),
        }
    }
}

async fn fire(referee: &Referee, id: MatchId) -> Result<Option<Wait>, Error> {
    let (at, is_moved) = match referee.fire(id).await? {
        NextDue::Never => return Ok(None),
        NextDue::At(at) => (at, false),
        NextDue::Moved(at) => (at, true),
    };
    let delay = at.since(referee.store().now().await?);
    Ok(Some(Wait {
        delay: if is_moved {
            delay.min(MOVED_RECHECK_AFTER)
        } else {
            delay
        },
        is_moved,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: u8) -> MatchId {
        MatchId::from_bytes([number; 16])
    }

    #[test]
    fn each_table_waits_once_for_the_earliest_time() {
        let (mut waiting, now) = (Waiting::default(), Instant::now());
        for (number, delay_s) in [(1, 9), (2, 5), (1, 7), (1, 60), (3, 8)] {
            waiting.push(id(number), now + Duration::from_secs(delay_s), false);
        }
        assert_eq!(waiting.next(), Some(now + Duration::from_secs(5)));
        let popped: Vec<MatchId> = std::iter::from_fn(|| waiting.pop()).collect();
        assert_eq!(popped, [2, 1, 3].map(id));
        assert!(waiting.by_id.is_empty());
    }

    #[test]
    fn a_table_whose_deadline_moved_is_known_until_it_comes_up() {
        let (mut waiting, now) = (Waiting::default(), Instant::now());
        let later = now + Duration::from_secs(30);
        waiting.push(id(1), later, true);
        waiting.push(id(2), later, false);
        assert_eq!((waiting.is_moved(&id(1)), waiting.is_moved(&id(2))), (true, false));
        assert_eq!(waiting.moved_count(), 1);
        // Somebody says that it is due before: then it waits like any other.
        waiting.push(id(1), now, false);
        assert!(!waiting.is_moved(&id(1)));
        assert_eq!(waiting.pop(), Some(id(1)));
        assert_eq!(waiting.moved_count(), 0);
    }
}
