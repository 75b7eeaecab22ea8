//! Tables that are still there: the person stands up or gives up, and then the log is written again without them.

use async_trait::async_trait;
use fives_referee::command::Command;
use fives_referee::erased::rewritten;
use fives_referee::error::{Error as TableError, Refusal};
use fives_referee::id::{MatchId, PlayerId, random};
use fives_referee::listing::Listing;
use fives_referee::referee::{Caller, Referee};
use fives_referee::request::RequestId;
use fives_referee::store::{Committed, StoreError};
use fives_referee::table::{MatchState, Table};

use super::Forget;
use crate::error::Error;
use crate::store::SharedLobbyStore;

/// How many matches are read at a time.
const CHUNK: usize = 100;

/// How often a match is tried again after others changed it.
const MAX_TRIES: usize = 16;

/// The tables of persons.
pub(super) struct Tables {
    store: SharedLobbyStore,
    referee: Referee,
}

impl Tables {
    pub(super) const fn new(store: SharedLobbyStore, referee: Referee) -> Self {
        Self { store, referee }
    }

    async fn forget_at(&self, id: &MatchId, player: &PlayerId) -> Result<(), Error> {
        for _ in 0..MAX_TRIES {
            let Some(table) = self.store.load(id).await? else {
                return Ok(());
            };
            if let Some(command) = rising(&table, player) {
                self.rise(&table, player, &command).await?;
                continue;
            }
            let log = self.referee.log(id).await?;
            // Others may have gone on, and it is the person's turn again to stand up or give up.
            if log.last().is_none_or(|newest| newest.cursor != table.cursor) {
                continue;
            }
            if !log.iter().any(|batch| batch.knows(player)) {
                return Ok(());
            }
            let nobody = PlayerId::of_nobody(random()?);
            // Another history must have other stamps.
            let salt = u64::from_ne_bytes(random()?) | 1;
            let history = rewritten(log, player, nobody, salt);
            let history = history.ok_or_else(|| StoreError::Damaged(format!("the log of {id} has no beginning")))?;
            match self.store.rewrite(table.cursor, &history).await? {
                Committed::Done | Committed::Missing => return Ok(()),
                Committed::Conflict => {}
            }
        }
        Err(TableError::Refused(Refusal::Conflict).into())
    }

    async fn rise(&self, table: &Table, player: &PlayerId, command: &Command) -> Result<(), Error> {
        let request = format!("{:016x}", u64::from_ne_bytes(random()?));
        let caller = Caller {
            player: *player,
            request: RequestId::new(&request).unwrap_or_else(|_| RequestId::erased()),
        };
        match self.referee.carry_out(table.id, &caller, command, None).await {
            // It has ended or begun meanwhile: it is looked at again.
            Ok(_) | Err(TableError::Refused(_)) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}

#[async_trait]
impl Forget for Tables {
    fn what(&self) -> &'static str {
        "tables"
    }

    async fn forget(&self, player: &PlayerId) -> Result<(), Error> {
        for id in self.store.left(player).await? {
            self.forget_at(&id, player).await?;
        }
        let mut after = None;
        loop {
            let found = self.store.list(&Listing::Of(*player), after, CHUNK).await?;
            after = found.last().copied();
            for position in &found {
                self.forget_at(&position.id, player).await?;
            }
            if found.len() < CHUNK {
                return Ok(());
            }
        }
    }
}

/// What a person who is at a table has to do before nobody can sit there: to stand up, or to give up.
fn rising(table: &Table, player: &PlayerId) -> Option<Command> {
    match (table.state(), table.seat_of(player)) {
        (MatchState::Open, Some(_)) => Some(Command::Leave),
        (MatchState::Open, None) if table.creator == *player => Some(Command::Leave),
        (MatchState::Live, Some(seat)) if !table.has_resigned(seat) => Some(Command::Resign),
        _ => None,
    }
}
