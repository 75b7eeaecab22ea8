//! The log of a match from its beginning: what replays and delayed views are made of.

use std::collections::VecDeque;

use fives_rules::game::Game;
use fives_rules::record::{RESIGNED_MARK, Record, Recorder, SeedLabel};

use crate::batch::{Batch, TableEvent};
use crate::error::{Error, Refusal};
use crate::id::{InviteCode, MatchId, PlayerId};
use crate::referee::Referee;
use crate::store::{SharedStore, StoreError};
use crate::table::{MatchState, Occupant, Table};

/// How many batches are read at a time.
const CHUNK: usize = 256;

/// Reads the log of a match in order, a bounded piece at a time.
pub(crate) struct Log<'a> {
    store: &'a SharedStore,
    id: MatchId,
    next: u64,
    read: VecDeque<Batch>,
}

impl<'a> Log<'a> {
    pub(crate) fn new(store: &'a SharedStore, id: MatchId) -> Self {
        Self {
            store,
            id,
            next: 1,
            read: VecDeque::new(),
        }
    }

    /// The next batch, or `None` at the end of the log.
    pub(crate) async fn next(&mut self) -> Result<Option<Batch>, StoreError> {
        if self.read.is_empty() {
            self.read = self.store.batches(&self.id, self.next, CHUNK).await?.into();
            self.next += self.read.len() as u64;
        }
        Ok(self.read.pop_front())
    }
}

impl Referee {
    /// The full record of a finished match, for the seated and its creator, and for anybody where spectators are allowed.
    ///
    /// # Errors
    /// [`Refusal::MatchNotFound`], [`Refusal::NotFinished`], [`Refusal::Closed`], [`Refusal::InviteRequired`],
    /// [`Refusal::SpectatorsNotAllowed`]; the store's errors.
    pub async fn replay(
        &self,
        id: &MatchId,
        player: Option<&PlayerId>,
        code: Option<&InviteCode>,
    ) -> Result<Record, Error> {
        let table = self.load(id).await?;
        table.audience(player, code)?;
        match table.state() {
            MatchState::Finished => {}
            MatchState::Closed => return Err(Refusal::Closed.into()),
            MatchState::Open | MatchState::Live => return Err(Refusal::NotFinished.into()),
        }
        self.record(&table).await
    }

    /// The whole log of a match; empty if it is not there.
    ///
    /// # Errors
    /// The store's errors.
    pub async fn log(&self, id: &MatchId) -> Result<Vec<Batch>, Error> {
        let (mut log, mut read) = (Log::new(self.store(), *id), Vec::new());
        while let Some(batch) = log.next().await? {
            read.push(batch);
        }
        Ok(read)
    }

    /// The full record of a finished table, for whoever may ask.
    ///
    /// # Errors
    /// The store's errors; [`StoreError::Damaged`] if it is not finished.
    pub async fn record(&self, table: &Table) -> Result<Record, Error> {
        let id = &table.id;
        let mut recorder = Recorder::new(Game::undealt(table.options, table.fairness()));
        let mut log = Log::new(self.store(), *id);
        while let Some(batch) = log.next().await? {
            for event in &batch.events {
                if let TableEvent::Game(event) = event {
                    recorder.push(event);
                }
            }
        }
        let record = recorder.finish(SeedLabel::Text(id.to_string()), policy(table));
        record.ok_or_else(|| StoreError::Damaged(format!("the log of {id} has no end")).into())
    }
}

/// Who played, seat by seat, as records name it.
fn policy(table: &Table) -> String {
    let names = table.seats().map(|(seat, chair)| {
        let name = match &chair.occupant {
            Occupant::Bot(kind) => kind.name(),
            Occupant::Person { .. } | Occupant::Open => "person",
        };
        if table.has_resigned(seat) {
            format!("{name}{RESIGNED_MARK}")
        } else {
            name.to_owned()
        }
    });
    names.collect::<Vec<_>>().join(",")
}
