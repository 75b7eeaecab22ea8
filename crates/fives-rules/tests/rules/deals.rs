//! `fives-deal/1`: vectors, a second implementation in Python, and whether chance is even.

mod chance;

use std::process::Command;

use data_encoding::HEXLOWER;
use fives_rules::deal::{Deal, Deck, Entropy, Fairness, Master, Seed, Stream};
use fives_rules::options::{HandRule, MatchOptions, OptionChoices};
use fives_rules::seat::{BySeat, Players, Seat};
use fives_rules::tile::Tile;
use serde::Deserialize;

use crate::support::{data, data_path, tiles};

/// One entry of `tests/deal/vectors.json`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Vector {
    master: String,
    entropies: Vec<String>,
    round: u32,
    hand_size: usize,
    random_starter: bool,
    commitment: String,
    seed: String,
    round_commitment: String,
    hands: Vec<Vec<Tile>>,
    boneyard: Vec<Tile>,
    starter: Option<usize>,
}

fn vectors() -> Vec<Vector> {
    serde_json::from_str(&data("deal/vectors.json")).unwrap()
}

fn unhex(text: &str) -> Vec<u8> {
    HEXLOWER.decode(text.as_bytes()).unwrap()
}

/// Options under which this many players hold this many tiles.
fn options(players: Players, hand_size: usize) -> MatchOptions {
    [HandRule::NineSevenFive, HandRule::SevenFiveFive, HandRule::FiveEach]
        .map(|rule| {
            let choices = OptionChoices {
                hand_rule: Some(rule),
                ..OptionChoices::default()
            };
            choices.resolve(players).unwrap()
        })
        .into_iter()
        .find(|options| options.hand_size() == hand_size)
        .unwrap_or_else(|| panic!("no rule deals {hand_size} tiles to {players:?}"))
}

impl Vector {
    fn check(&self) {
        let players = Players::new(self.entropies.len()).unwrap();
        let mut entropies = BySeat::default();
        for (seat, text) in players.seats().zip(&self.entropies) {
            entropies[seat] = Entropy::new(&unhex(text)).unwrap();
        }
        let master = Master::new(unhex(&self.master).try_into().unwrap());
        let seed = Fairness { master, entropies }.seed(players, self.round);
        assert_eq!(HEXLOWER.encode(&master.commitment().0), self.commitment);
        assert_eq!(HEXLOWER.encode(seed.reveal()), self.seed);
        assert_eq!(HEXLOWER.encode(&seed.commitment().0), self.round_commitment);

        let options = options(players, self.hand_size);
        let deal = Deal::from_seed(&seed, players);
        for (seat, hand) in players.seats().zip(&self.hands) {
            assert_eq!(deal.deck.hand(seat, &options), hand);
        }
        assert_eq!(deal.deck.boneyard(&options).as_slice(), self.boneyard);
        assert_eq!(self.starter.is_some(), self.random_starter);
        if let Some(starter) = self.starter {
            assert_eq!(deal.starter.index(), starter);
        }
    }
}

#[test]
fn every_vector() {
    let vectors = vectors();
    assert_eq!(vectors.len(), 26, "vectors");
    for (index, vector) in vectors.iter().enumerate() {
        println!("vector {index}");
        vector.check();
    }
}

/// The vector that DESIGN.md prints, word for word.
#[test]
fn the_vector_of_the_design() {
    let mut master = [0; 32];
    for (byte, number) in master.iter_mut().zip(0..) {
        *byte = number;
    }
    let entropy = |bytes: &[u8]| Entropy::new(bytes).unwrap();
    let fairness = Fairness {
        master: Master::new(master),
        entropies: BySeat([entropy(b"anna"), Entropy::NONE, entropy(&[0xff; 32]), Entropy::NONE]),
    };
    let seed = fairness.seed(Players::Three, 2);
    for (bytes, text) in [
        (
            fairness.master.commitment().0,
            "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd",
        ),
        (
            *seed.reveal(),
            "3ac2664f5e12c6700605721c4fa4f80a43a6a0bdc14157ec8dc983af3088034a",
        ),
        (
            seed.commitment().0,
            "563f0839f295f871285819627583cda062d71b53f0f119a1797a5782d06435df",
        ),
    ] {
        assert_eq!(HEXLOWER.encode(&bytes), text);
    }
    let options = MatchOptions::all_fives(Players::Three);
    let deal = Deal::from_seed(&seed, Players::Three);
    for (seat, hand) in Players::Three.seats().zip([
        "6-5 6-4 6-0 4-0 2-0 5-3 0-0",
        "2-2 5-0 3-1 3-3 3-2 6-6 5-2",
        "5-5 4-4 2-1 5-4 4-2 5-1 6-3",
    ]) {
        assert_eq!(deal.deck.hand(seat, &options), tiles(hand));
    }
    assert_eq!(
        deal.deck.boneyard(&options).as_slice(),
        tiles("4-3 6-2 4-1 3-0 1-1 1-0 6-1")
    );
    assert_eq!(deal.starter.index(), 2);
}

/// The second implementation deals every vector again, and writes the very file that is there.
#[test]
fn the_python_implementation_agrees() {
    let script = data_path("deal/fives_deal.py");
    let python = |argument: &std::ffi::OsStr| {
        let output = Command::new("python3").arg(&script).arg(argument).output();
        let output = output.unwrap_or_else(|error| panic!("this test needs python3: {error}"));
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {said}", script.display());
        String::from_utf8(output.stdout).unwrap()
    };
    let said = python(data_path("deal/vectors.json").as_os_str());
    assert!(said.contains("26 vectors agree"), "{said}");
    assert_eq!(
        python("--generate".as_ref()).trim_end(),
        data("deal/vectors.json").trim_end()
    );
}

#[test]
fn entropy_has_at_most_32_bytes() {
    for length in 0..=Entropy::MAX_LEN {
        let bytes = vec![0xa5; length];
        assert_eq!(Entropy::new(&bytes).unwrap().as_bytes(), bytes);
    }
    assert_eq!(Entropy::new(&[0xa5; 33]), None);
    assert_eq!(Entropy::new(&[]), Some(Entropy::NONE));
    // The length is part of it: a zero byte is not nothing.
    assert_ne!(Entropy::new(&[0]), Some(Entropy::NONE));
}

/// Each thing that goes into a seed changes it, and nothing can be moved from one seat to the next.
#[test]
fn a_seed_depends_on_all_that_goes_into_it() {
    let of = |master: u8, entropies: [&[u8]; 3], round| {
        let mut by_seat = BySeat::default();
        for (seat, bytes) in Seat::ALL.into_iter().zip(entropies) {
            by_seat[seat] = Entropy::new(bytes).unwrap();
        }
        let fairness = Fairness {
            master: Master::new([master; 32]),
            entropies: by_seat,
        };
        *fairness.seed(Players::Three, round).reveal()
    };
    let seeds = [
        of(1, [b"a", b"", b""], 0),
        of(2, [b"a", b"", b""], 0),
        of(1, [b"a", b"", b""], 1),
        of(1, [b"a", b"", b""], 256),
        of(1, [b"", b"a", b""], 0),
        of(1, [b"", b"", b"a"], 0),
        of(1, [b"a\0", b"", b""], 0),
        of(1, [b"", b"", b""], 0),
    ];
    for (index, seed) in seeds.iter().enumerate() {
        assert!(!seeds[..index].contains(seed), "seed {index} is there already");
    }
}

#[test]
fn the_seeds_of_the_rounds_of_a_match_differ() {
    let fairness = Fairness {
        master: Master::new([3; 32]),
        entropies: BySeat::default(),
    };
    let mut seeds: Vec<[u8; 32]> = (0..1000)
        .map(|round| *fairness.seed(Players::Two, round).reveal())
        .collect();
    seeds.sort_unstable();
    seeds.dedup();
    assert_eq!(seeds.len(), 1000);
}

/// Seats that the match does not have get nothing: what would be theirs is boneyard.
#[test]
fn only_the_seats_of_the_match_are_dealt_to() {
    let deck = Deck::new(Tile::ALL).unwrap();
    for (players, hand_size) in [
        (Players::Two, 9),
        (Players::Two, 5),
        (Players::Three, 7),
        (Players::Four, 5),
    ] {
        let options = options(players, hand_size);
        for seat in Seat::ALL {
            let expected = if players.has(seat) { hand_size } else { 0 };
            assert_eq!(deck.hand(seat, &options).len(), expected, "{players:?}, {seat:?}");
        }
        assert_eq!(deck.boneyard(&options).len(), 28 - players.count() * hand_size);
    }
}

/// Whatever a log or a failed assertion prints of a secret, its bytes and tiles are not in it.
#[test]
fn secrets_print_nothing_of_themselves() {
    let fairness = Fairness {
        master: Master::new([0xab; 32]),
        entropies: BySeat([
            Entropy::new(b"anna").unwrap(),
            Entropy::NONE,
            Entropy::NONE,
            Entropy::NONE,
        ]),
    };
    let seed = fairness.seed(Players::Two, 0);
    let deal = Deal::from_seed(&seed, Players::Two);
    let stream = Stream::new(*seed.reveal());
    for (printed, expected) in [
        (
            format!("{:?} {:#?}", fairness.master, fairness.master),
            "Master(secret) Master(secret)",
        ),
        (format!("{seed:?} {seed:#?}"), "Seed(secret) Seed(secret)"),
        (format!("{stream:?} {stream:#?}"), "Stream(secret) Stream(secret)"),
        (format!("{:?} {:#?}", deal.deck, deal.deck), "Deck(secret) Deck(secret)"),
    ] {
        assert_eq!(printed, expected);
    }
    let nested = format!("{fairness:?} {deal:?}");
    assert!(
        nested.contains("Master(secret)") && nested.contains("Deck(secret)"),
        "{nested}"
    );
    // What players add is public.
    assert!(nested.contains("Entropy(616e6e61)"), "{nested}");
}

#[test]
fn a_deck_has_each_tile_once() {
    let mut tiles = Tile::ALL;
    tiles[27] = tiles[0];
    assert_eq!(Deck::new(tiles), None);
}

#[test]
fn below_one_or_nothing_is_zero() {
    let mut stream = Stream::new([1; 32]);
    assert_eq!([stream.below(0), stream.below(1)], [0, 0]);
}

/// Two bots, or one bot at two revisions, do not roll the same numbers, and none of them rolls those of a deal.
#[test]
fn bots_have_random_numbers_of_their_own() {
    let fairness = Fairness {
        master: Master::new([8; 32]),
        entropies: BySeat::default(),
    };
    let rolls = |mut stream: Stream| [(); 8].map(|()| stream.below(u32::MAX));
    let seed: Seed = fairness.seed(Players::Two, 0);
    let all = [
        rolls(Stream::new(*seed.reveal())),
        rolls(fairness.bot_stream(Seat::ALL[0], 0)),
        rolls(fairness.bot_stream(Seat::ALL[1], 0)),
        rolls(fairness.bot_stream(Seat::ALL[0], 1)),
    ];
    for (index, one) in all.iter().enumerate() {
        assert!(!all[..index].contains(one), "stream {index} is there already");
    }
    assert_eq!(
        all[1],
        rolls(fairness.bot_stream(Seat::ALL[0], 0)),
        "replicas that race agree"
    );
}
