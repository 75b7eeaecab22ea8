//! The numbers again, plainly: Glicko-2 step by step as its paper has it, and Weng-Lin on the scale of the library.

use fives_referee::id::PlayerId;
use proptest::prelude::*;
use skillratings::weng_lin::weng_lin_two_teams;

use super::*;
use crate::rating::Entrant;

const SCALE: f64 = 173.7178;
const TAU: f64 = 0.5;

/// Glickman, "Example of the Glicko-2 system", steps 2 to 8; the root of step 5 by halving, which is slow and cannot go wrong.
fn glicko2(player: Rating, results: &[(Rating, f64)]) -> (f64, f64, f64) {
    let (mu, phi, sigma) = (
        (player.value() - 1500.0) / SCALE,
        player.deviation() / SCALE,
        player.volatility(),
    );
    let mut information = 0.0;
    let mut surprise = 0.0;
    for (other, score) in results {
        let (mu_j, phi_j) = ((other.value() - 1500.0) / SCALE, other.deviation() / SCALE);
        let g = 1.0 / (1.0 + 3.0 * phi_j * phi_j / std::f64::consts::PI.powi(2)).sqrt();
        let expected = 1.0 / (1.0 + (-g * (mu - mu_j)).exp());
        information += g * g * expected * (1.0 - expected);
        surprise += g * (score - expected);
    }
    let v = 1.0 / information;
    let delta = v * surprise;
    let a = (sigma * sigma).ln();
    let f = |x: f64| {
        let e = x.exp();
        let d = phi * phi + v + e;
        e * (delta * delta - phi * phi - v - e) / (2.0 * d * d) - (x - a) / (TAU * TAU)
    };
    // f falls, from above 0 to below.
    let (mut low, mut high) = (a - 50.0, a + 50.0);
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        if f(middle) > 0.0 { low = middle } else { high = middle }
    }
    let sigma = (low / 2.0).exp();
    let before = (phi * phi + sigma * sigma).sqrt();
    let phi = 1.0 / (1.0 / (before * before) + 1.0 / v).sqrt();
    let mu = mu + phi * phi * surprise;
    (mu * SCALE + 1500.0, phi * SCALE, sigma)
}

/// Weng-Lin as the library has it by itself: 25 ± 25/3 for a newcomer, 42 times smaller.
fn weng_lin(one: [Rating; 2], other: [Rating; 2], outcome: Outcomes) -> [(f64, f64); 4] {
    let small = |rating: Rating| WengLinRating {
        rating: 25.0 + (rating.value() - 1500.0) / 42.0,
        uncertainty: ((rating.deviation() / 42.0).powi(2) + (25.0_f64 / 300.0).powi(2)).sqrt(),
    };
    let large = |rating: &WengLinRating| (1500.0 + (rating.rating - 25.0) * 42.0, rating.uncertainty * 42.0);
    let (one, other) = weng_lin_two_teams(&one.map(small), &other.map(small), &outcome, &WengLinConfig::new());
    [large(&one[0]), large(&one[1]), large(&other[0]), large(&other[1])]
}

fn close(rating: Rating, value: f64, deviation: f64) {
    assert!((rating.value() - value).abs() < 0.01, "{rating:?} is not {value}");
    assert!(
        (rating.deviation() - deviation.min(350.0)).abs() < 0.01,
        "{rating:?} is not ± {deviation}"
    );
}

fn entrant(number: u8) -> Entrant {
    Entrant {
        player: PlayerId::from_bytes([number; 16]),
        abandoned: false,
    }
}

fn singles(ranks: &[u8]) -> Contest {
    let parties = (0..).zip(ranks).map(|(number, rank)| Party {
        entrants: vec![entrant(number)],
        rank: *rank,
    });
    Contest {
        pool: Pool::Singles,
        parties: parties.collect(),
    }
}

fn partners(ranks: [u8; 2]) -> Contest {
    let party = |first, second, rank| Party {
        entrants: vec![entrant(first), entrant(second)],
        rank,
    };
    Contest {
        pool: Pool::Partners,
        parties: vec![party(0, 2, ranks[0]), party(1, 3, ranks[1])],
    }
}

fn rating(value: f64, deviation: f64) -> Rating {
    Rating::new(value, deviation, 0.06).unwrap()
}

#[test]
fn the_example_of_the_paper() {
    let others = [rating(1400.0, 30.0), rating(1550.0, 100.0), rating(1700.0, 300.0)];
    let results = [(others[0], 1.0), (others[1], 0.0), (others[2], 0.0)];
    let (value, deviation, volatility) = glicko2(rating(1500.0, 200.0), &results);
    assert!((value - 1464.06).abs() < 0.01 && (deviation - 151.52).abs() < 0.01);
    assert!((volatility - 0.059_99).abs() < 0.000_01);

    // The same at one table, where the third of four has those results.
    let before = [rating(1500.0, 200.0), others[0], others[1], others[2]];
    let after = rate(&singles(&[3, 4, 1, 1]), &before);
    close(after[0], 1464.06, 151.52);
}

#[test]
fn newcomers_who_meet_gain_and_lose_the_same() {
    let after = rate(&singles(&[1, 2]), &[Rating::NEWCOMER; 2]);
    close(after[0], 1662.31, 290.32);
    close(after[1], 1337.69, 290.32);
    let after = rate(&singles(&[1, 1]), &[Rating::NEWCOMER; 2]);
    close(after[0], 1500.0, 290.32);
    assert_eq!(after[0], after[1], "a draw of equals makes nobody better");
}

#[test]
fn who_abandons_loses() {
    let before = [rating(1600.0, 100.0), rating(1500.0, 120.0), rating(1400.0, 80.0)];
    let mut left = singles(&[1, 2, 3]);
    left.parties[0].entrants[0].abandoned = true;
    assert_eq!(rate(&left, &before), rate(&singles(&[3, 1, 2]), &before));

    let before = [
        rating(1600.0, 100.0),
        rating(1500.0, 120.0),
        rating(1400.0, 80.0),
        Rating::NEWCOMER,
    ];
    let (won, lost) = (rate(&partners([1, 2]), &before), rate(&partners([2, 1]), &before));
    let mut left = partners([1, 2]);
    left.parties[0].entrants[0].abandoned = true;
    assert_eq!(
        rate(&left, &before),
        [lost[0], won[1], won[2], won[3]],
        "the one who stayed has won"
    );
    left.parties[0].entrants[1].abandoned = true;
    assert_eq!(rate(&left, &before), lost, "nobody stayed: the others have won");
}

#[test]
fn partners_stay_movable_however_much_they_play() {
    let mut ratings = vec![Rating::NEWCOMER; 4];
    for game in 0..5000 {
        let ranks = if game % 2 == 0 { [1, 2] } else { [2, 1] };
        ratings = rate(&partners(ranks), &ratings);
    }
    assert!(ratings.iter().all(|rating| rating.deviation() > 10.0), "{ratings:?}");
}

/// Who of six plays, and how it ends.
fn season() -> impl Strategy<Value = Vec<(Vec<usize>, Vec<u8>, bool)>> {
    let game = (
        Just((0..6).collect::<Vec<usize>>()).prop_shuffle(),
        2..=4_usize,
        prop::collection::vec(1..=4_u8, 4),
        any::<bool>(),
    );
    let game = game.prop_map(|(people, count, ranks, partners)| {
        let count = if partners { 4 } else { count };
        (people[..count].to_vec(), ranks[..count].to_vec(), partners)
    });
    prop::collection::vec(game, 1..60)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_season_comes_to_what_the_plain_methods_say(season in season()) {
        let mut pools = [[Rating::NEWCOMER; 6]; 2];
        for (people, ranks, is_partners) in season {
            let pool = &mut pools[usize::from(is_partners)];
            let before: Vec<Rating> = people.iter().map(|person| pool[*person]).collect();
            let after = if is_partners {
                let outcome = match ranks[0].cmp(&ranks[1]) {
                    Ordering::Less => Outcomes::WIN,
                    Ordering::Equal => Outcomes::DRAW,
                    Ordering::Greater => Outcomes::LOSS,
                };
                let after = rate(&partners([ranks[0], ranks[1]]), &before);
                let plain = weng_lin([before[0], before[1]], [before[2], before[3]], outcome);
                for (rating, (value, deviation)) in after.iter().zip(plain) {
                    close(*rating, value, deviation);
                }
                after
            } else {
                let after = rate(&singles(&ranks), &before);
                for (own, rating) in after.iter().enumerate() {
                    let score = |other: usize| match ranks[own].cmp(&ranks[other]) {
                        Ordering::Less => 1.0,
                        Ordering::Equal => 0.5,
                        Ordering::Greater => 0.0,
                    };
                    let others = (0..people.len()).filter(|other| *other != own);
                    let results: Vec<_> = others.map(|other| (before[other], score(other))).collect();
                    let (value, deviation, volatility) = glicko2(before[own], &results);
                    close(*rating, value, deviation);
                    prop_assert!((rating.volatility() - volatility).abs() < 1e-5);
                }
                after
            };
            for (person, rating) in people.iter().zip(after) {
                pool[*person] = rating;
            }
        }
    }

    /// Alone at the top nobody falls, alone at the bottom nobody rises.
    #[test]
    fn the_best_rise_and_the_worst_fall(
        values in prop::collection::vec(500.0..2500.0, 4),
        deviations in prop::collection::vec(30.0..350.0, 4),
    ) {
        let before: Vec<Rating> = values.into_iter().zip(deviations).map(|(value, deviation)| rating(value, deviation)).collect();
        let after = rate(&singles(&[1, 2, 3, 4]), &before);
        prop_assert!(after[0].value() >= before[0].value() && after[3].value() <= before[3].value());
        let after = rate(&partners([1, 2]), &before);
        let rises = |index: usize| after[index].value() >= before[index].value();
        prop_assert!(rises(0) && rises(1) && !rises(2) && !rises(3));
        for (after, before) in after.iter().zip(&before) {
            prop_assert!(after.deviation() <= before.deviation().hypot(3.5).min(350.0));
        }
    }
}
