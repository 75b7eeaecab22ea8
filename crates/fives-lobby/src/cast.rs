//! A match as it is shown on a screen, with open hands: what spectators see at the same moment, and beside it what they do not.
//!
//! Open are the hands of the state that spectators may see, where a delay keeps that behind the table, and once the match is
//! over; always what was dealt in the last round that is over. They are types of their own: no spectator's view has a field for
//! any of it (law 4).

use std::fmt;

use fives_referee::batch::TableEvent;
use fives_referee::cursor::Cursor;
use fives_referee::error::Error as TableError;
use fives_referee::feed::{Feed, Follower, Update};
use fives_referee::id::MatchId;
use fives_referee::referee::Referee;
use fives_referee::table::{MatchState, Table};
use fives_rules::deal::Deck;
use fives_rules::event::Event;
use fives_rules::options::MatchOptions;
use fives_rules::setup::Setup;
use fives_rules::tile::TileSet;

use crate::error::Error;

/// How many batches are read at a time.
const CHUNK: usize = 256;

/// What is open to a caster beside a spectator's view.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct OpenHands {
    /// What each seat holds; empty while nobody may know.
    pub hands: Vec<TileSet>,
    /// The last round that is over.
    pub last_round: Option<DealtRound>,
}

impl fmt::Debug for OpenHands {
    /// Says nothing (law 4).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OpenHands")
    }
}

/// What was dealt in a round that is over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DealtRound {
    /// Its number, from 0.
    pub round: u32,
    /// What each seat was dealt.
    pub hands: Vec<TileSet>,
}

/// What a caster's stream brings.
pub struct CastUpdate {
    /// What spectators get at this moment.
    pub update: Update,
    /// What is open at its cursor; `None` with a heartbeat: nothing has changed.
    pub open: Option<OpenHands>,
}

/// A stream of updates for a caster.
pub struct Caster {
    referee: Referee,
    follower: Follower,
    id: MatchId,
    folded: Option<Folded>,
}

/// The match as far as spectators may see it, folded from its log (law 3).
struct Folded {
    table: Table,
    dealt: Option<(u32, Deck)>,
    last_round: Option<DealtRound>,
}

impl Caster {
    /// Casts a match, after the cursor `after` or from a snapshot on. Whoever may, needs no code for a private one; a match without
    /// spectators has no casters either.
    ///
    /// # Errors
    /// `MatchNotFound`, `SpectatorsNotAllowed`; the store's.
    pub async fn open(referee: &Referee, feed: &Feed, id: MatchId, after: Option<Cursor>) -> Result<Self, Error> {
        let code = referee.load(&id).await?.invite();
        Ok(Self {
            referee: referee.clone(),
            follower: feed.watch(id, None, code, after).await?,
            id,
            folded: None,
        })
    }

    /// The next update; `None` after the last of a match that is settled.
    ///
    /// # Errors
    /// As [`Follower::next`].
    pub async fn next(&mut self) -> Result<Option<CastUpdate>, Error> {
        let Some(update) = self.follower.next().await? else {
            return Ok(None);
        };
        let open = match &update {
            Update::Heartbeat { .. } | Update::Emote { .. } => None,
            Update::Snapshot { .. } | Update::Revisions { .. } => Some(self.open_at(update.cursor()).await?),
        };
        Ok(Some(CastUpdate { update, open }))
    }

    /// What is open at a cursor that spectators have been shown.
    async fn open_at(&mut self, cursor: Cursor) -> Result<OpenHands, Error> {
        let kept = self.folded.take();
        let kept = kept.filter(|folded| folded.table.cursor.revision <= cursor.revision);
        let mut folded = self.fold_to(kept, cursor).await?;
        if folded.as_ref().is_some_and(|folded| folded.table.cursor != cursor) {
            // Of a history that was lost.
            folded = self.fold_to(None, cursor).await?;
        }
        self.folded = folded.filter(|folded| folded.table.cursor == cursor);
        // Where the log tells of another history by now, a snapshot is on its way.
        Ok(self.folded.as_ref().map(Folded::open).unwrap_or_default())
    }

    /// Folds the log up to the revision of `cursor`.
    async fn fold_to(&self, mut folded: Option<Folded>, cursor: Cursor) -> Result<Option<Folded>, Error> {
        loop {
            let next = folded.as_ref().map_or(1, |folded| folded.table.cursor.revision + 1);
            if next > cursor.revision {
                return Ok(folded);
            }
            let missing = usize::try_from(cursor.revision - next + 1).unwrap_or(CHUNK);
            let batches = self.referee.store().batches(&self.id, next, missing.min(CHUNK)).await;
            let batches = batches.map_err(TableError::from)?;
            if batches.is_empty() {
                return Ok(folded);
            }
            for batch in batches {
                match &mut folded {
                    None => folded = Table::begin(&batch).map(Folded::new),
                    Some(folded) => folded.table.fold(&batch),
                }
                let Some(folded) = &mut folded else { return Ok(None) };
                for event in &batch.events {
                    if let TableEvent::Game(event) = event {
                        folded.note(event);
                    }
                }
            }
        }
    }
}

impl Folded {
    const fn new(table: Table) -> Self {
        Self {
            table,
            dealt: None,
            last_round: None,
        }
    }

    fn note(&mut self, event: &Event) {
        match *event {
            Event::RoundStarted { round, deck, .. } => self.dealt = Some((round, deck)),
            Event::RoundEnded { .. } | Event::MatchEnded { .. } => {
                if let Some((round, deck)) = self.dealt.take() {
                    let hands = dealt(&deck, &self.table.options);
                    self.last_round = Some(DealtRound { round, hands });
                }
            }
            _ => {}
        }
    }

    fn open(&self) -> OpenHands {
        let may_know = match self.table.state() {
            MatchState::Finished => true,
            MatchState::Live => self.table.spectators.is_delayed(),
            MatchState::Open | MatchState::Closed => false,
        };
        let game = self.table.game().filter(|_| may_know);
        let hands = game.map(|game| {
            let setup = Setup::from(game);
            self.table
                .options
                .players()
                .seats()
                .map(|seat| setup.hands[seat])
                .collect()
        });
        OpenHands {
            hands: hands.unwrap_or_default(),
            last_round: self.last_round.clone(),
        }
    }
}

fn dealt(deck: &Deck, options: &MatchOptions) -> Vec<TileSet> {
    let seats = options.players().seats();
    seats
        .map(|seat| deck.hand(seat, options).iter().copied().collect())
        .collect()
}
