//! How fast the rules play: `make bench`.
//!
//! An item is a play, so the figure to read is "item/s": the plays a second on one core. Every choice is random among
//! the legal plays, and every sample plays the same rounds, so that runs can be compared.

#![allow(
    clippy::expect_used,
    reason = "a benchmark says what it expects by failing, as a test does"
)]

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use fives_rules::deal::{Deal, Deck, Fairness, Master};
use fives_rules::game::{Action, Game};
use fives_rules::options::MatchOptions;
use fives_rules::round::Round;
use fives_rules::seat::{BySeat, Players};
use fives_rules::tile::Tile;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// Rounds in one sample: more than a branch predictor can learn by heart.
const ROUNDS: usize = 4096;
/// Matches in one sample of whole matches.
const MATCHES: u8 = 16;

const PLAYERS: [usize; 3] = [2, 3, 4];

fn main() {
    divan::main();
}

/// Random plays in rounds that are dealt already.
#[divan::bench(args = PLAYERS)]
fn plays_from_a_deal(bencher: Bencher, players: usize) {
    let options = preset(players);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let rounds: Vec<Round> = (0..ROUNDS).map(|_| deal(&options, &mut rng)).collect();
    let sample = || {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
        rounds.iter().map(|round| play_out(*round, &mut rng)).sum::<usize>()
    };
    bencher.counter(ItemsCount::new(sample())).bench_local(sample);
}

/// The same with a shuffle before each round.
#[divan::bench(args = PLAYERS)]
fn plays_with_deals(bencher: Bencher, players: usize) {
    let options = preset(players);
    let sample = || {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
        (0..ROUNDS)
            .map(|_| {
                let round = deal(&options, &mut rng);
                play_out(round, &mut rng)
            })
            .sum::<usize>()
    };
    bencher.counter(ItemsCount::new(sample())).bench_local(sample);
}

/// Whole matches: scores, settlements and provable deals; nobody keeps the events.
#[divan::bench(args = PLAYERS)]
fn plays_of_whole_matches(bencher: Bencher, players: usize) {
    let options = preset(players);
    let sample = || {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
        (0..MATCHES)
            .map(|number| play_match(Game::start(options, fairness(number), &mut ()), &mut rng))
            .sum::<usize>()
    };
    bencher.counter(ItemsCount::new(sample())).bench_local(sample);
}

/// One deal that can be proved: the seed of a round, its shuffle and its starter. Read the time.
#[divan::bench(args = PLAYERS)]
fn one_provable_deal(bencher: Bencher, players: usize) {
    let players = preset(players).players();
    let fairness = fairness(0);
    let mut round = 0;
    bencher.bench_local(|| {
        round += 1;
        Deal::from_seed(&black_box(fairness).seed(players, round), players)
    });
}

fn preset(players: usize) -> MatchOptions {
    MatchOptions::all_fives(Players::new(players).expect("two to four"))
}

fn fairness(number: u8) -> Fairness {
    Fairness {
        master: Master::new([number; 32]),
        entropies: BySeat::default(),
    }
}

/// A number below `n`: one multiplication, because a division would cost as much as a play.
fn below(n: usize, rng: &mut Xoshiro256PlusPlus) -> usize {
    (((rng.next_u64() >> 32) * n as u64) >> 32) as usize
}

fn deal(options: &MatchOptions, rng: &mut Xoshiro256PlusPlus) -> Round {
    let mut tiles = Tile::ALL;
    for i in (1..tiles.len()).rev() {
        tiles.swap(i, below(i + 1, rng));
    }
    let deck = Deck::new(tiles).expect("a shuffle keeps every tile");
    let starter = options.players().seats().nth(below(options.players().count(), rng));
    Round::deal(options, &deck, starter.expect("one of the seats"))
}

/// Plays a round to its end and counts the plays.
fn play_out(mut round: Round, rng: &mut Xoshiro256PlusPlus) -> usize {
    let mut plays = 0;
    loop {
        let legal = round.legal();
        let play = legal
            .nth(below(legal.len(), rng))
            .expect("a round waits for a decision");
        let seat = round.turn();
        black_box(round.place(play).points);
        plays += 1;
        if round.advance(seat, &mut ()).is_some() {
            return plays;
        }
    }
}

/// Plays a match to its end and counts the plays.
fn play_match(mut game: Game, rng: &mut Xoshiro256PlusPlus) -> usize {
    let mut plays = 0;
    while let Some(seat) = game.turn() {
        let legal = game.legal();
        let play = legal
            .nth(below(legal.len(), rng))
            .expect("a match waits for a decision");
        game = game
            .apply(seat, Action::Play(play), &mut ())
            .expect("the play is legal");
        plays += 1;
    }
    plays
}
