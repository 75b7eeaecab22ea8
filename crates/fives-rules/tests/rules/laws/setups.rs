//! The door to the rules (law 6): any partition of the tiles gets in, nothing impossible does, and nothing makes it panic.

use fives_rules::game::{EndedBy, Game, Outcome};
use fives_rules::play::{End, Play};
use fives_rules::seat::{BySeat, BySide, Seat};
use fives_rules::setup::{Setup, SetupError};
use fives_rules::tile::{Tile, TileSet};
use fives_rules::view::View;
use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, any, prop_oneof};
use proptest::sample::{Index, select};
use proptest::test_runner::{Config, TestRunner};

use super::{any_options, play_match, steps};
use crate::support::{Dice, VIEWERS};

fn runner(cases: u32) -> TestRunner {
    TestRunner::new(Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    })
}

/// Options, and one state of a match that is played with them.
fn any_state() -> impl Strategy<Value = Setup> {
    (any::<u64>(), any::<Index>()).prop_map(|(seed, index)| {
        let mut dice = Dice::new(seed);
        let options = any_options(&mut dice);
        let mut states = Vec::new();
        play_match(&mut dice, options, 100, |step| states.push(Setup::from(step.after)));
        index.get(&states).clone()
    })
}

fn any_seat() -> impl Strategy<Value = Seat> {
    select(&Seat::ALL[..])
}

fn any_play() -> impl Strategy<Value = Play> {
    let end = prop_oneof![Just(None), select(&End::ALL[..]).prop_map(Some)];
    (select(&Tile::ALL[..]), end).prop_map(|(tile, end)| Play { tile, end })
}

fn any_hand() -> impl Strategy<Value = TileSet> {
    any::<u32>().prop_map(|bits| TileSet::from_bits(bits & TileSet::FULL.bits()).unwrap())
}

fn any_outcome() -> impl Strategy<Value = Option<Outcome>> {
    let outcome = any::<[u8; 4]>().prop_map(|ranks| Outcome {
        ended_by: EndedBy::Target,
        winner: None,
        ranks: BySide(ranks),
    });
    prop_oneof![4 => Just(None), 1 => outcome.prop_map(Some)]
}

/// A state in which one thing is not what it was.
fn one_thing_changed() -> impl Strategy<Value = Setup> {
    let change = prop_oneof![
        any::<[i32; 4]>().prop_map(|scores| Change::Scores(BySide(scores))),
        select(&[i32::MIN, i32::MAX][..]).prop_map(|score| Change::Scores(BySide([score; 4]))),
        any::<u32>().prop_map(Change::RoundNumber),
        Just(Change::RoundNumber(u32::MAX)),
        any::<[bool; 4]>().prop_map(|resigned| Change::Resigned(BySeat(resigned))),
        any_seat().prop_map(Change::Turn),
        any_seat().prop_map(Change::Starter),
        (any_seat(), any_hand()).prop_map(|(seat, hand)| Change::Hand(seat, hand)),
        (any_seat(), any_seat()).prop_map(|(a, b)| Change::SwapHands(a, b)),
        vec(select(&Tile::ALL[..]), 0..40).prop_map(Change::Boneyard),
        (any::<Index>(), any_play()).prop_map(|(at, play)| Change::Play(at, play)),
        any_outcome().prop_map(Change::Outcome),
    ];
    (any_state(), change).prop_map(|(mut setup, change)| {
        change.make(&mut setup);
        setup
    })
}

#[derive(Clone, Debug)]
enum Change {
    Scores(BySide<i32>),
    RoundNumber(u32),
    Resigned(BySeat<bool>),
    Turn(Seat),
    Starter(Seat),
    Hand(Seat, TileSet),
    SwapHands(Seat, Seat),
    Boneyard(Vec<Tile>),
    Play(Index, Play),
    Outcome(Option<Outcome>),
}

impl Change {
    fn make(self, setup: &mut Setup) {
        match self {
            Self::Scores(scores) => setup.scores = scores,
            Self::RoundNumber(number) => setup.round_number = number,
            Self::Resigned(resigned) => setup.resigned = resigned,
            Self::Turn(seat) => setup.turn = seat,
            Self::Starter(seat) => setup.starter = seat,
            Self::Hand(seat, hand) => setup.hands[seat] = hand,
            Self::SwapHands(a, b) => setup.hands.0.swap(a.index(), b.index()),
            Self::Boneyard(tiles) => setup.boneyard = tiles,
            Self::Play(at, play) if !setup.plays.is_empty() => *at.get_mut(&mut setup.plays) = play,
            Self::Play(_, play) => setup.plays.push(play),
            Self::Outcome(outcome) => setup.outcome = outcome,
        }
    }
}

/// Nothing in it belongs together.
fn all_garbage() -> impl Strategy<Value = Setup> {
    let tiles = vec(select(&Tile::ALL[..]), 0..40);
    let hands = [any_hand(), any_hand(), any_hand(), any_hand()];
    let who = (any_seat(), any_seat(), any::<[bool; 4]>());
    (any_state(), vec(any_play(), 0..40), hands, tiles, who).prop_map(|(state, plays, hands, boneyard, who)| Setup {
        plays,
        hands: BySeat(hands),
        boneyard,
        turn: who.0,
        starter: who.1,
        resigned: BySeat(who.2),
        ..state
    })
}

/// If the door lets it through, it is a match like any other: it can be looked at and played on.
fn comes_to_the_door(setup: &Setup) -> Result<(), SetupError> {
    let mut game = Game::try_from(setup)?;
    assert_eq!(Setup::from(&game), *setup);
    let sits = |seat: Seat| seat.index() < setup.options.players().count();
    assert!(sits(setup.turn) && sits(setup.starter));
    assert!(Seat::ALL.iter().all(|&seat| sits(seat) || !setup.resigned[seat]));
    let mut dice = Dice::new(8);
    for _ in 0..60 {
        steps::the_28_tiles_are_all_there(&game);
        steps::somebody_can_play_or_the_match_is_over(&game);
        for viewer in VIEWERS {
            assert_eq!(View::of(&game, viewer).own.is_some(), viewer.seat().is_some());
        }
        steps::exactly_those_who_have_not_resigned_may_resign(&game);
        let Some((seat, action)) = dice.action(&game, 200) else {
            break;
        };
        game = game.apply(seat, action, &mut ()).unwrap();
    }
    Ok(())
}

/// A state whose tiles off the table are dealt anew, to anybody in any number.
fn any_partition() -> impl Strategy<Value = Setup> {
    (any_state(), vec(0..5_usize, Tile::COUNT)).prop_map(|(mut setup, places)| {
        let seats = setup.options.players().count();
        let on_table: TileSet = setup.plays.iter().map(|play| play.tile).collect();
        setup.hands = BySeat::default();
        setup.boneyard.clear();
        for (tile, place) in on_table.complement().into_iter().zip(places) {
            if place < seats {
                setup.hands.0[place].insert(tile);
            } else {
                setup.boneyard.push(tile);
            }
        }
        setup
    })
}

#[test]
fn any_partition_of_the_tiles_is_a_match_if_the_seat_on_turn_can_play() {
    let check = |setup: Setup| {
        match comes_to_the_door(&setup) {
            Ok(()) => {}
            Err(reason) => assert_eq!(reason, SetupError::NothingToDecide(setup.turn)),
        }
        Ok(())
    };
    runner(2000).run(&any_partition(), check).unwrap();
}

/// Whoever is left alone by resignations has won; no match waits for them.
#[test]
fn nobody_plays_on_alone() {
    let check = |mut setup: Setup, left: Seat| {
        setup.outcome = None;
        for seat in setup.options.players().seats() {
            setup.resigned[seat] = seat != left;
        }
        assert_eq!(comes_to_the_door(&setup), Err(SetupError::NobodyLeft));
        Ok(())
    };
    runner(200)
        .run(&(any_state(), any_seat()), |(setup, left)| check(setup, left))
        .unwrap();
}

#[test]
fn a_setup_with_one_wrong_thing_is_refused_or_played() {
    let check = |setup| {
        let _refused_or_played = comes_to_the_door(&setup);
        Ok(())
    };
    runner(2000).run(&one_thing_changed(), check).unwrap();
}

#[test]
fn a_setup_of_garbage_is_refused() {
    let check = |setup| {
        assert!(comes_to_the_door(&setup).is_err());
        Ok(())
    };
    runner(2000).run(&all_garbage(), check).unwrap();
}
