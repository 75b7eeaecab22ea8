//! The numbers, by `skillratings`.
//!
//! **Singles: Glicko-2**, a match being a rating period. With three or four at the table, each has met each of the others once
//! in that period and has beaten those who came in behind: what Glicko-2 is made for, several results judged together by the
//! ratings before them. So matches of two, three and four feed one rating, by one method. (Weng-Lin for many teams would rate
//! the whole order at once, but its numbers could not be mixed with those of Glicko-2.)
//!
//! **Partners: Weng-Lin** (Bradley-Terry), which knows teams. It is brought to Glicko's scale by its one constant, the
//! skill-class width: half of a newcomer's deviation, as in the paper. Since it can only become surer, everybody becomes a
//! little less sure before each match, as in TrueSkill: otherwise ratings would freeze.
//!
//! Who abandons loses: in singles they are behind everybody who stayed, among themselves in the order of the result; a partner
//! who abandons is rated as if the party had lost, while one who stayed has the real result.

use std::cmp::Ordering;

use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2_rating_period};
use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin_two_teams};

use super::contest::Party;
use super::{Contest, Pool, Rating};

/// How many points make it twice as likely to win as to lose, roughly: Weng-Lin's β.
const SKILL_CLASS: f64 = 175.0;

/// How much less sure a partner's rating becomes from match to match: a hundredth of a newcomer's deviation, as in TrueSkill.
const DRIFT: f64 = 3.5;

/// The ratings after a contest; those before are given, and come back, in the order of [`Contest::entrants`]. Who has none
/// is a newcomer.
#[must_use]
pub fn rate(contest: &Contest, before: &[Rating]) -> Vec<Rating> {
    let mut given = before.iter().copied();
    let mut before: Vec<Vec<Rating>> = Vec::with_capacity(contest.parties.len());
    for party in &contest.parties {
        let ratings = party.entrants.iter().map(|_| given.next().unwrap_or(Rating::NEWCOMER));
        before.push(ratings.collect());
    }
    let after = match (contest.pool, contest.parties.as_slice(), before.as_slice()) {
        (Pool::Partners, [one, other], [of_one, of_other]) => partners([one, other], [of_one, of_other]),
        _ => singles(&contest.parties, &before.concat()),
    };
    // The library gives no number that is none; if it did, nothing would change.
    let kept = after.into_iter().zip(before.concat());
    kept.map(|(after, before)| after.unwrap_or(before)).collect()
}

fn singles(parties: &[Party], before: &[Rating]) -> Vec<Option<Rating>> {
    let config = Glicko2Config::new();
    let of = |rating: &Rating| Glicko2Rating {
        rating: rating.value(),
        deviation: rating.deviation(),
        volatility: rating.volatility(),
    };
    let each = parties.iter().zip(before).enumerate();
    each.map(|(own, (party, rating))| {
        let others = parties.iter().zip(before).enumerate();
        let results: Vec<_> = others
            .filter(|(other, _)| *other != own)
            .map(|(_, (other, rating))| (of(rating), outcome(party, other)))
            .collect();
        let after = glicko2_rating_period(&of(rating), &results, &config);
        Rating::nearest(after.rating, after.deviation, after.volatility)
    })
    .collect()
}

fn partners([one, other]: [&Party; 2], [of_one, of_other]: [&[Rating]; 2]) -> Vec<Option<Rating>> {
    let real = outcome(one, other);
    let (as_played_one, as_played_other) = teams(of_one, of_other, real);
    let (lost_by_one, _) = teams(of_one, of_other, Outcomes::LOSS);
    let (_, lost_by_other) = teams(of_one, of_other, Outcomes::WIN);
    let own = |party: &Party, as_played: Vec<_>, lost: Vec<_>| {
        let each = party.entrants.iter().zip(as_played).zip(lost);
        each.map(|((entrant, as_played), lost)| if entrant.abandoned { lost } else { as_played })
            .collect::<Vec<_>>()
    };
    [
        own(one, as_played_one, lost_by_one),
        own(other, as_played_other, lost_by_other),
    ]
    .concat()
}

type Team = Vec<Option<Rating>>;

fn teams(one: &[Rating], other: &[Rating], outcome: Outcomes) -> (Team, Team) {
    let config = WengLinConfig {
        beta: SKILL_CLASS,
        ..WengLinConfig::new()
    };
    let enter = |team: &[Rating]| -> Vec<WengLinRating> {
        let each = team.iter().map(|rating| WengLinRating {
            rating: rating.value(),
            uncertainty: rating.deviation().hypot(DRIFT),
        });
        each.collect()
    };
    let leave = |after: Vec<WengLinRating>, before: &[Rating]| -> Team {
        let each = after.into_iter().zip(before);
        each.map(|(after, before)| Rating::nearest(after.rating, after.uncertainty, before.volatility()))
            .collect()
    };
    let (after_one, after_other) = weng_lin_two_teams(&enter(one), &enter(other), &outcome, &config);
    (leave(after_one, one), leave(after_other, other))
}

fn outcome(own: &Party, other: &Party) -> Outcomes {
    match own.order().cmp(&other.order()) {
        Ordering::Less => Outcomes::WIN,
        Ordering::Equal => Outcomes::DRAW,
        Ordering::Greater => Outcomes::LOSS,
    }
}

#[cfg(test)]
mod tests;
