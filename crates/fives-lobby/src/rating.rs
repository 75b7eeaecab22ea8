//! Ratings: how good somebody plays, told from the results of ranked matches.
//!
//! ```text
//! finished match ─▶ contest: who beat whom ─▶ rate: the library's numbers ─▶ settle: one step of the store, once a match
//! ```
//!
//! Once, and nothing lost, whoever races or dies: a [`Settlement`] says which standings it began with, and the store keeps it
//! only if they are still the players' standings and the match is not settled yet. Two matches of one player that end together
//! meet there: one of them is refused, and is rated again from what the other has left. Nothing is ever half done, so nothing
//! has to be taken back, and no replica holds what another would need. A store can do that in one step because everything about
//! a pool is in one place: a leaderboard has to be in one anyway, and what is kept of a player beside it is small. Only the
//! lists of past changes, which are not small, may lie elsewhere.
//!
//! Numbers are on Glicko's scale in both pools: 1500 ± 350 for a newcomer.

pub mod book;
mod contest;
mod rate;

use std::cmp::Reverse;

use fives_referee::id::{MatchId, PlayerId};
use fives_referee::time::UnixMillis;
use fives_rules::seat::Seating;

pub use book::{BoardPage, Ranked, RatingBook};
pub use contest::{Contest, Entrant, Party};
pub use rate::rate;

/// How many changes of a player's rating are kept in a pool; the oldest go.
pub const CHANGES_MAX: u64 = 50;

/// How many rated matches it takes to be listed: before that, a rating says more about luck.
pub const LISTED_AFTER: u64 = 10;

/// Ratings that can be compared with each other: one for each kind of game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Pool {
    /// Everybody for themselves, two to four of them.
    Singles,
    /// Two against two.
    Partners,
}

impl Pool {
    /// All pools.
    pub const ALL: [Self; 2] = [Self::Singles, Self::Partners];

    /// The pool that matches of this seating are rated in.
    #[must_use]
    pub const fn of(seating: Seating) -> Self {
        match seating {
            Seating::Singles(_) => Self::Singles,
            Seating::Partners => Self::Partners,
        }
    }

    /// Its name in keys.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Singles => "singles",
            Self::Partners => "partners",
        }
    }
}

/// How good somebody plays, and how sure that is. Always numbers that the library can go on with.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rating {
    value: f64,
    deviation: f64,
    volatility: f64,
}

impl Rating {
    /// What everybody begins with.
    pub const NEWCOMER: Self = Self {
        value: 1500.0,
        deviation: Self::DEVIATION_MAX,
        volatility: 0.06,
    };

    const VALUE_MAX: f64 = 10_000.0;
    const DEVIATION_MIN: f64 = 1.0;
    const DEVIATION_MAX: f64 = 350.0;
    const VOLATILITY_MIN: f64 = 1e-6;
    const VOLATILITY_MAX: f64 = 1.0;

    /// A rating, or `None` if these are not numbers of one.
    #[must_use]
    pub fn new(value: f64, deviation: f64, volatility: f64) -> Option<Self> {
        let is_one = (0.0..=Self::VALUE_MAX).contains(&value)
            && (Self::DEVIATION_MIN..=Self::DEVIATION_MAX).contains(&deviation)
            && (Self::VOLATILITY_MIN..=Self::VOLATILITY_MAX).contains(&volatility);
        is_one.then_some(Self {
            value,
            deviation,
            volatility,
        })
    }

    /// The rating next to these numbers; `None` if one of them is none at all.
    #[must_use]
    pub fn nearest(value: f64, deviation: f64, volatility: f64) -> Option<Self> {
        Self::new(
            value.clamp(0.0, Self::VALUE_MAX),
            deviation.clamp(Self::DEVIATION_MIN, Self::DEVIATION_MAX),
            volatility.clamp(Self::VOLATILITY_MIN, Self::VOLATILITY_MAX),
        )
    }

    /// The most likely strength.
    #[must_use]
    pub const fn value(self) -> f64 {
        self.value
    }

    /// How far off that may well be: with a probability of 95 %, at most twice as much.
    #[must_use]
    pub const fn deviation(self) -> f64 {
        self.deviation
    }

    /// How steadily somebody plays; only Glicko-2 uses it.
    #[must_use]
    pub const fn volatility(self) -> f64 {
        self.volatility
    }

    /// What a leaderboard counts: the strength that is as good as sure, two deviations below the most likely one. So nobody
    /// leads by a few lucky matches, and whoever plays rises by becoming known.
    #[must_use]
    pub fn points(self) -> i32 {
        (self.value - 2.0 * self.deviation).round() as i32
    }
}

/// Where somebody stands in a pool.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Standing {
    /// The rating.
    pub rating: Rating,
    /// How many matches it comes from. Each one raises it by one, so it also says which state this is.
    pub matches: u64,
    /// When the points became what they are.
    pub reached_at: UnixMillis,
}

impl Standing {
    /// Of somebody who has finished no rated match yet.
    pub const NEWCOMER: Self = Self {
        rating: Rating::NEWCOMER,
        matches: 0,
        reached_at: UnixMillis(0),
    };

    /// The standing after one more match.
    #[must_use]
    pub fn next(self, rating: Rating, at: UnixMillis) -> Self {
        let stays = self.matches > 0 && self.rating.points() == rating.points();
        Self {
            rating,
            matches: self.matches.saturating_add(1),
            reached_at: if stays { self.reached_at } else { at },
        }
    }

    /// Whether there are too few matches to be listed.
    #[must_use]
    pub const fn is_provisional(&self) -> bool {
        self.matches < LISTED_AFTER
    }

    /// The place of `player`, who stands so, on the leaderboard; `None` if there is none yet.
    #[must_use]
    pub fn place(&self, player: PlayerId) -> Option<Place> {
        (!self.is_provisional()).then_some(Place {
            points: self.rating.points(),
            reached_at: self.reached_at,
            player,
        })
    }
}

/// A place on a leaderboard. The order is the leaderboard's: more points first; of equals, who has had them for longer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The points.
    pub points: i32,
    /// Since when.
    pub reached_at: UnixMillis,
    /// Whose.
    pub player: PlayerId,
}

impl Place {
    const fn order(&self) -> (Reverse<i32>, UnixMillis, PlayerId) {
        (Reverse(self.points), self.reached_at, self.player)
    }
}

impl PartialOrd for Place {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Place {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.order().cmp(&other.order())
    }
}

/// What a match has made of a rating.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RatingChange {
    /// The match.
    pub match_id: MatchId,
    /// Which of the player's rated matches it was, from 1.
    pub number: u64,
    /// When it was rated.
    pub at: UnixMillis,
    /// The rating before.
    pub before: Rating,
    /// The rating after.
    pub after: Rating,
}

/// What a match makes of its players' standings: all of it is kept, or none.
#[derive(Clone, PartialEq, Debug)]
pub struct Settlement {
    /// The match.
    pub match_id: MatchId,
    /// Where it is rated.
    pub pool: Pool,
    /// When.
    pub at: UnixMillis,
    /// Each player's part.
    pub rows: Vec<SettledRow>,
}

/// What a match makes of one player's standing.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SettledRow {
    /// The player.
    pub player: PlayerId,
    /// The standing it begins with; [`Standing::NEWCOMER`] for who has none.
    pub before: Standing,
    /// The standing after it.
    pub after: Standing,
}

impl Settlement {
    /// What each player can read of it.
    pub fn changes(&self) -> impl Iterator<Item = (PlayerId, RatingChange)> {
        self.rows.iter().map(|row| {
            let change = RatingChange {
                match_id: self.match_id,
                number: row.after.matches,
                at: self.at,
                before: row.before.rating,
                after: row.after.rating,
            };
            (row.player, change)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_numbers_of_a_rating_make_one() {
        assert!(Rating::new(1500.0, 350.0, 0.06).is_some());
        for (value, deviation, volatility) in [
            (f64::NAN, 350.0, 0.06),
            (f64::INFINITY, 350.0, 0.06),
            (-1.0, 350.0, 0.06),
            (1500.0, 0.0, 0.06),
            (1500.0, 351.0, 0.06),
            (1500.0, f64::NAN, 0.06),
            (1500.0, 350.0, 0.0),
            (1500.0, 350.0, f64::NAN),
        ] {
            assert_eq!(Rating::new(value, deviation, volatility), None);
        }
        assert_eq!(Rating::nearest(f64::NAN, 350.0, 0.06), None);
        assert_eq!(
            Rating::nearest(-5.0, 1e9, 0.06),
            Rating::new(0.0, 350.0, 0.06),
            "what went too far stops at the bound"
        );
    }

    #[test]
    fn of_equals_who_came_first_is_ahead() {
        let place = |points, at, player| Place {
            points,
            reached_at: UnixMillis(at),
            player: PlayerId::from_bytes([player; 16]),
        };
        let board = [
            place(1700, 9, 1),
            place(1600, 3, 2),
            place(1600, 4, 0),
            place(-20, 1, 0),
        ];
        assert!(board.is_sorted());
    }

    #[test]
    fn points_that_stay_keep_their_time() {
        let rating = |value| Rating::new(value, 100.0, 0.06).unwrap();
        let first = Standing::NEWCOMER.next(rating(1500.2), UnixMillis(7));
        assert_eq!((first.matches, first.reached_at), (1, UnixMillis(7)));
        let same = first.next(rating(1500.4), UnixMillis(8));
        assert_eq!((same.matches, same.reached_at), (2, UnixMillis(7)));
        let other = same.next(rating(1501.0), UnixMillis(9));
        assert_eq!((other.matches, other.reached_at), (3, UnixMillis(9)));
    }

    #[test]
    fn who_has_played_enough_is_listed() {
        let player = PlayerId::from_bytes([1; 16]);
        let after = |matches| Standing {
            matches,
            ..Standing::NEWCOMER
        };
        assert_eq!(after(LISTED_AFTER - 1).place(player), None);
        assert_eq!(after(LISTED_AFTER).place(player).map(|place| place.points), Some(800));
    }
}
