//! What stays of a person who was erased: a seat that was played, under no name.
//!
//! A match belongs to everybody who played it, so its log stays; but nothing in it leads to the person any more. The log is written
//! again with an id of nobody, another one in each match, and with stamps of its own: it is another history (law 1), so whoever
//! knew the old one starts anew.

use std::fmt;

use crate::batch::{Author, Batch, NewTable, TableEvent};
use crate::id::PlayerId;
use crate::player::DisplayName;
use crate::request::{Fingerprint, RequestId};
use crate::table::{Occupant, Table};

/// What recognises the id of a person who was erased, and does not give it away: ids are random, so nobody can guess one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ErasedMark([u8; 16]);

impl ErasedMark {
    /// The mark of this person.
    #[must_use]
    pub fn of(player: &PlayerId) -> Self {
        Self(Fingerprint::of(&[b"fives erased", player.as_bytes()]).0)
    }

    /// The mark with these bytes.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// Its bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 16] {
        &self.0
    }
}

impl fmt::Display for ErasedMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ErasedMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A match that nobody can tell a person from any more.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rewritten {
    /// Its newest state.
    pub table: Table,
    /// Its whole log.
    pub log: Vec<Batch>,
}

/// The match of this log with `nobody` in the place of `player`, and another history by `salt`. `None` if the log does not begin
/// with the creation of a match.
#[must_use]
pub fn rewritten(mut log: Vec<Batch>, player: &PlayerId, nobody: PlayerId, salt: u64) -> Option<Rewritten> {
    for batch in &mut log {
        batch.cursor.stamp ^= salt;
        batch.forget(player, nobody);
    }
    let (first, rest) = log.split_first()?;
    let mut table = Table::begin(first)?;
    rest.iter().for_each(|batch| table.fold(batch));
    Some(Rewritten { table, log })
}

impl Table {
    /// Whether anything here leads to this person. A person who stood up before the start is in the log all the same.
    #[must_use]
    pub fn knows(&self, player: &PlayerId) -> bool {
        self.creator == *player
            || self.seat_of(player).is_some()
            || self.requests.iter().any(|request| request.player == *player)
    }
}

impl Batch {
    /// Whether anything here leads to this person.
    #[must_use]
    pub fn knows(&self, player: &PlayerId) -> bool {
        matches!(&self.author, Author::Player { player: author, .. } if author == player)
            || self.events.iter().any(|event| match event {
                TableEvent::Created(new) => new.creator == *player || new.occupants.iter().any(|one| is(one, player)),
                TableEvent::SeatTaken { player: who, .. } | TableEvent::SeatLeft { player: who, .. } => who == player,
                _ => false,
            })
    }

    fn forget(&mut self, player: &PlayerId, nobody: PlayerId) {
        if let Author::Player {
            player: author,
            request,
            fingerprint,
            ..
        } = &mut self.author
            && author == player
        {
            // A request id is a text that the client has chosen; nobody can send it again.
            (*author, *request, *fingerprint) = (nobody, RequestId::erased(), Fingerprint::of(&[b"erased"]));
        }
        for event in &mut self.events {
            match event {
                TableEvent::Created(new) => new.forget(player, nobody),
                TableEvent::SeatTaken { player: who, name, .. } if who == player => {
                    (*who, *name) = (nobody, DisplayName::erased());
                }
                TableEvent::SeatLeft { player: who, .. } if who == player => *who = nobody,
                _ => {}
            }
        }
    }
}

impl NewTable {
    fn forget(&mut self, player: &PlayerId, nobody: PlayerId) {
        if self.creator == *player {
            self.creator = nobody;
        }
        for occupant in &mut self.occupants {
            if is(occupant, player) {
                *occupant = Occupant::Person {
                    player: nobody,
                    name: DisplayName::erased(),
                };
            }
        }
    }
}

fn is(occupant: &Occupant, player: &PlayerId) -> bool {
    matches!(occupant, Occupant::Person { player: who, .. } if who == player)
}
