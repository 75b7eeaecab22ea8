//! What the store keeps of a queue.

use fives_referee::command::SeatedMatch;
use fives_referee::id::{MatchId, PlayerId, TicketId};
use fives_referee::player::DisplayName;
use fives_referee::table::Occupant;
use fives_referee::time::UnixMillis;

/// A place in line. It does not change as long as it is there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ticket {
    /// Which.
    pub id: TicketId,
    /// Whose.
    pub player: PlayerId,
    /// What the player was called when they came.
    pub name: DisplayName,
    /// With whom the player wants to play; it counts when they have named each other.
    pub partner: Option<PlayerId>,
    /// How well the player played when they came, in points.
    pub rating: i32,
    /// Since when the player waits.
    pub joined_at: UnixMillis,
}

/// What a player has of a queue.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Standing {
    /// Nothing.
    Gone,
    /// A place in line.
    Waiting(Ticket),
    /// A seat at a match that is being made.
    Claimed(MatchId),
    /// A seat at a match that was made not long ago.
    Matched(MatchId),
    /// Nothing, since the player has left.
    Left,
}

/// Tickets that were taken for a match, until it is made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// The match.
    pub match_id: MatchId,
    /// When they were taken.
    pub claimed_at: UnixMillis,
    /// All that it takes to make the match: whoever finds the claim need not know the queue as it was.
    pub seated: SeatedMatch,
}

impl Claim {
    /// Whose tickets were taken.
    pub fn players(&self) -> impl Iterator<Item = &PlayerId> {
        self.seated.occupants.iter().filter_map(|occupant| match occupant {
            Occupant::Person { player, .. } => Some(player),
            Occupant::Open | Occupant::Bot(_) => None,
        })
    }
}

/// How to look at a queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Look {
    /// Tickets of which nobody has given a sign of life since then are gone.
    pub fresh_since: UnixMillis,
    /// Claims are shown that were made before this.
    pub claimed_before: UnixMillis,
    /// How many tickets to show, those first who wait the longest.
    pub limit: usize,
}

/// What there is to see of a queue.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Line {
    /// How many wait.
    pub waiting: u64,
    /// How long those waited who got a match lately.
    pub typical_wait_ms: Option<u64>,
    /// Tickets, those first who wait the longest.
    pub tickets: Vec<Ticket>,
    /// Claims that nobody has finished, the oldest first; a bounded number of them.
    pub claims: Vec<Claim>,
}
