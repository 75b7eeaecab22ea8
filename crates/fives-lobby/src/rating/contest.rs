//! Who played against whom for a rating, and how it ended.

use fives_referee::id::PlayerId;
use fives_referee::table::{Occupant, Table};

use super::Pool;

/// A finished match, as far as ratings are concerned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contest {
    /// Where it is rated.
    pub pool: Pool,
    /// Who played together, and how they ended: one alone, or two partners.
    pub parties: Vec<Party>,
}

/// Those who win and lose together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Party {
    /// They.
    pub entrants: Vec<Entrant>,
    /// The place they came in on, 1 for the best; equals share one.
    pub rank: u8,
}

/// A person who played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entrant {
    /// Who.
    pub player: PlayerId,
    /// Whether they were not there any more at the end: resigned, or replaced by a bot since they missed too many turns. Who
    /// abandons a match loses it, whatever the bot has made of it.
    pub abandoned: bool,
}

impl Contest {
    /// What there is to rate about `table`: nothing unless it is ranked and was played to an outcome by people only.
    #[must_use]
    pub fn of(table: &Table) -> Option<Self> {
        let game = table.game()?;
        let outcome = game.outcome().filter(|_| table.ranked)?;
        let seating = table.options.seating();
        let mut parties: Vec<Party> = seating
            .sides()
            .map(|side| Party {
                entrants: Vec::new(),
                rank: outcome.ranks[side],
            })
            .collect();
        for (seat, chair) in table.seats() {
            let Occupant::Person { player, .. } = chair.occupant else {
                return None;
            };
            let entrant = Entrant {
                player,
                abandoned: chair.kept_by_bot || game.resigned()[seat],
            };
            parties.get_mut(seating.side_of(seat).index())?.entrants.push(entrant);
        }
        let pool = Pool::of(seating);
        Some(Self { pool, parties })
    }

    /// Everybody who played, party by party.
    pub fn entrants(&self) -> impl Iterator<Item = &Entrant> {
        self.parties.iter().flat_map(|party| &party.entrants)
    }
}

impl Party {
    /// What decides between two parties, the better one first: a party that nobody stayed in is behind all others.
    pub(super) fn order(&self) -> (bool, u8) {
        (self.entrants.iter().all(|entrant| entrant.abandoned), self.rank)
    }
}
