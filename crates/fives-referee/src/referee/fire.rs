//! What tables do by themselves when they are due: bots play, clocks run out. And the sign of life by which everybody knows when
//! nobody was there to look at a clock.

use std::sync::{Arc, PoisonError};

use fives_rules::game::Action;
use fives_rules::view::Viewer;

use super::Referee;
use crate::batch::{Author, TableEvent};
use crate::clock::{ClockFace, TurnTimer};
use crate::error::Error;
use crate::id::MatchId;
use crate::store::StoreError;
use crate::table::Table;
use crate::time::{Outage, UnixMillis};
use crate::vitals::vitals;

/// After how much silence, in milliseconds, the service counts as having been away.
pub const SILENCE_MAX_MS: u64 = 5_000;

/// How long a table is left alone, in milliseconds, that is due for nothing this process does: another one has a webhook.
const IDLE_LOOK_MS: u64 = 30_000;

/// What becomes of a table that waits for a person.
enum Wait {
    /// Nothing, before this time.
    Until(UnixMillis),
    /// This follows.
    Over {
        author: Author,
        events: Vec<TableEvent>,
        since: UnixMillis,
    },
}

/// When a table is due after an attempt to fire it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NextDue {
    /// Not by what this process knows: it waits for a person, for nobody, or for what somebody else has just committed.
    Never,
    /// At this time, as its snapshot says.
    At(UnixMillis),
    /// At this time, later than its snapshot says: the service was away during the turn.
    Moved(UnixMillis),
}

impl From<Option<UnixMillis>> for NextDue {
    fn from(next_due: Option<UnixMillis>) -> Self {
        next_due.map_or(Self::Never, Self::At)
    }
}

impl Referee {
    /// Has the table do what it is due for: the bot on turn plays, or the clock of the person on turn runs out. Says when it is
    /// due next.
    ///
    /// # Errors
    /// The store's errors; a refusal here is a fault of this service.
    pub async fn fire(&self, id: MatchId) -> Result<NextDue, Error> {
        // What is due is an index: a table may be gone that it still names.
        let Some(table) = self.store.load(&id).await? else {
            return Ok(NextDue::Never);
        };
        let now = self.store.now().await?;
        let due_at = match table.next_due {
            Some(at) if at <= now => at,
            later => return Ok(later.into()),
        };
        let (author, events, due_at) = if let Some((seat, play)) = table.bot_play() {
            (Author::Bot(seat), table.act(seat, Action::Play(play))?, due_at)
        } else {
            match self.waiting(&table, now, due_at).await? {
                Wait::Until(at) => return Ok(NextDue::Moved(at)),
                Wait::Over { author, events, since } => (author, events, since),
            }
        };
        // A conflict means that somebody else has fired it, or a person has acted: their commit says what is due next.
        let by = match author {
            Author::Clock(_) => "clock",
            _ => "bot",
        };
        let committed = self.commit(&table, author, events).await?;
        if let Some((_, batch)) = &committed {
            vitals().fired(by, batch.at.since(due_at));
        }
        Ok(committed.and_then(|(table, _)| table.next_due).into())
    }

    /// What becomes of a table that is due while it waits for a person, or for nobody any more.
    async fn waiting(&self, table: &Table, now: UnixMillis, due_at: UnixMillis) -> Result<Wait, Error> {
        let mut deadline = None;
        if let Some(turn) = table.timed_turn() {
            deadline = Some(turn.deadline);
            if turn.deadline <= now {
                // The sign of life comes first: whoever is the first to find the service silent records an outage before any
                // deadline within it is looked at. Without it nobody's clock runs out.
                self.store.renew_alive(SILENCE_MAX_MS).await?;
                let moved = turn.deadline_after(&self.store.outages(turn.began_at).await?);
                if moved <= now {
                    return Ok(Wait::Over {
                        author: Author::Clock(turn.seat),
                        events: table.time_out()?,
                        since: moved,
                    });
                }
                deadline = Some(moved);
            }
        }
        let again = match (table.awaited(), self.policy.away_after_ms) {
            (Some((seat, player)), Some(after_ms)) => {
                if !self.presence.is_online(player).await? {
                    return Ok(Wait::Over {
                        author: Author::Clock(seat),
                        events: vec![TableEvent::TurnWaiting { seat }],
                        since: due_at,
                    });
                }
                // Somebody who thinks. Nothing is written: it is looked at again.
                Some(now.plus_ms(after_ms))
            }
            _ => None,
        };
        let at = deadline.into_iter().chain(again).min();
        Ok(Wait::Until(at.unwrap_or(now.plus_ms(IDLE_LOOK_MS))))
    }

    /// Gives a sign of life of the service, and learns of its outages.
    ///
    /// # Errors
    /// The store's errors.
    pub async fn renew_alive(&self) -> Result<(), StoreError> {
        self.store.renew_alive(SILENCE_MAX_MS).await?;
        let outages = self.store.outages(UnixMillis::default()).await?;
        let mut known = self.outages.write().unwrap_or_else(PoisonError::into_inner);
        if **known != *outages {
            *known = outages.into();
        }
        Ok(())
    }

    /// What the store's clock shows, and the outages as this process last learned of them.
    ///
    /// # Errors
    /// The store's errors.
    pub(crate) async fn clock_face(&self) -> Result<ClockFace, StoreError> {
        let now = self.store.now().await?;
        Ok(self.clock_face_at(now))
    }

    pub(crate) fn clock_face_at(&self, now: UnixMillis) -> ClockFace {
        let outages: &Arc<[Outage]> = &self.outages.read().unwrap_or_else(PoisonError::into_inner);
        ClockFace {
            now,
            outages: Arc::clone(outages),
        }
    }

    /// How much time is left for the turn, for whoever may know. The store is asked for nothing where no clock runs.
    ///
    /// # Errors
    /// The store's errors.
    pub(crate) async fn timer(&self, table: &Table, viewer: Viewer) -> Result<Option<TurnTimer>, StoreError> {
        if table.timed_seat().is_none() {
            return Ok(None);
        }
        Ok(table.timer(viewer, &self.clock_face().await?))
    }
}
