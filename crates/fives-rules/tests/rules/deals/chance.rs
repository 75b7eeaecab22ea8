//! Whether chance is even: chi-square over 100,000 deals from fixed seeds.

use fives_rules::deal::{Deal, Fairness, Master};
use fives_rules::seat::{BySeat, Players};

const DEALS: u32 = 100_000;
const TILES: usize = 28;

/// The deals of one match without end.
fn deals(players: Players) -> impl Iterator<Item = Deal> {
    let fairness = Fairness {
        master: Master::new([17; 32]),
        entropies: BySeat::default(),
    };
    (0..DEALS).map(move |round| Deal::from_seed(&fairness.seed(players, round), players))
}

/// The sum of (observed - expected)^2 / expected.
fn chi_square(counts: impl IntoIterator<Item = u32>, expected: f64) -> f64 {
    counts
        .into_iter()
        .map(|count| (f64::from(count) - expected).powi(2) / expected)
        .sum()
}

/// What chi-square stays below but once in a million (Wilson and Hilferty's approximation, z = 4.75). The seeds are fixed, so
/// an even deal passes always or never.
fn once_in_a_million(degrees: f64) -> f64 {
    let spread = 2.0 / (9.0 * degrees);
    degrees * (1.0 - spread + 4.75 * spread.sqrt()).powi(3)
}

/// Each tile lies at each of the 28 places equally often: so each is equally likely in every hand and in the boneyard.
///
/// Chi-square finds a shuffle that is off by 1 % all over; one tile at one place must be off by a quarter to show there, so each
/// is looked at by itself too.
#[test]
fn tiles_are_dealt_evenly() {
    let mut counts = [[0_u32; TILES]; TILES];
    for deal in deals(Players::Two) {
        for (place, tile) in deal.deck.tiles().iter().enumerate() {
            counts[place][usize::from(tile.number())] += 1;
        }
    }
    let raw = chi_square(counts.into_iter().flatten(), f64::from(DEALS) / TILES as f64);
    // A deal fills every row and every column once, so its cells are not independent: scaled by 27/28 the sum follows
    // chi-square with 27 x 27 degrees of freedom.
    let scaled = raw * 27.0 / 28.0;
    assert!(scaled < once_in_a_million(27.0 * 27.0), "chi-square {scaled}");
    // One in 784 counts strays by 6.2 deviations once in a million times.
    let expected = f64::from(DEALS) / TILES as f64;
    let deviation = (expected * (1.0 - 1.0 / TILES as f64)).sqrt();
    for (place, tiles) in counts.iter().enumerate() {
        for (tile, &count) in tiles.iter().enumerate() {
            let strays = (f64::from(count) - expected) / deviation;
            assert!(strays.abs() < 6.2, "tile {tile} at place {place}: {count}");
        }
    }
    // Nor is it too even to be chance.
    assert!(
        scaled > 27.0 * 27.0 - 4.75 * (2.0_f64 * 27.0 * 27.0).sqrt(),
        "chi-square {scaled}"
    );
}

/// Each seat holds each tile equally often, and the boneyard in proportion.
#[test]
fn hands_are_even() {
    use fives_rules::options::MatchOptions;
    for players in [Players::Two, Players::Three, Players::Four] {
        let options = MatchOptions::all_fives(players);
        let mut counts = [[0_u32; TILES]; 4];
        for deal in deals(players) {
            for seat in players.seats() {
                for tile in deal.deck.hand(seat, &options) {
                    counts[seat.index()][usize::from(tile.number())] += 1;
                }
            }
        }
        let share = options.hand_size() as f64 / TILES as f64;
        for hand in &counts[..players.count()] {
            // A hand is drawn without putting back: a count varies by (1 - share) of what it would, and the counts of a
            // hand add up to a constant, which leaves 27 degrees.
            let raw = chi_square(*hand, f64::from(DEALS) * share);
            let scaled = raw / (1.0 - share) * 27.0 / 28.0;
            assert!(scaled < once_in_a_million(27.0), "{players:?}: chi-square {scaled}");
        }
    }
}

#[test]
fn starters_are_even() {
    for players in [Players::Two, Players::Three, Players::Four] {
        let mut counts = [0; 4];
        for deal in deals(players) {
            counts[deal.starter.index()] += 1;
        }
        let (there, not_there) = counts.split_at(players.count());
        let seats = players.count() as f64;
        let found = chi_square(there.iter().copied(), f64::from(DEALS) / seats);
        assert!(
            found < once_in_a_million(seats - 1.0),
            "{players:?}: chi-square {found}"
        );
        assert!(not_there.iter().all(|&count| count == 0));
    }
}

/// Where the starter sits tells nothing of the tiles: of each starter's deals, the first tile dealt is even too.
#[test]
fn the_starter_does_not_depend_on_the_tiles() {
    let mut counts = [[0_u32; TILES]; 4];
    for deal in deals(Players::Four) {
        counts[deal.starter.index()][usize::from(deal.deck.tiles()[0].number())] += 1;
    }
    let found = chi_square(counts.into_iter().flatten(), f64::from(DEALS) / (4.0 * TILES as f64));
    assert!(
        found < once_in_a_million(4.0 * TILES as f64 - 1.0),
        "chi-square {found}"
    );
}
