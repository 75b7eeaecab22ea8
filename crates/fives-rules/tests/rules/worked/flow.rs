//! RULES.md 4.3: how turns and rounds go, through `Setup`, `Game` and `apply`.

use fives_rules::deal::{Deal, Fairness, Master};
use fives_rules::event::{Event, RoundResult, StarterReason};
use fives_rules::game::{Action, EndedBy, Game};
use fives_rules::options::{DeadLayout, MatchOptions, OptionChoices, WinCheck};
use fives_rules::seat::{BySeat, BySide, Players, Seat};
use fives_rules::setup::Setup;
use fives_rules::tile::{Tile, TileSet};

use crate::support::{hand, play, plays, seat, tiles};

/// The layout of W42: every 2, the number at all its ends, is on the table or about to be.
const W42: &str = "6-6 6-5@L 6-2@R 6-4@N 4-2@N 5-2@L 2-2@L 2-0@L 6-0@L 2-1@R 6-1@R 6-3@R 3-2@R";

/// A state with this layout and seat 0 on turn; hands by seat. The boneyard begins with the tiles named, behind them come
/// all that are nowhere yet.
pub(super) fn table(options: MatchOptions, on_table: &str, hands: &[TileSet], boneyard: &str) -> Setup {
    let plays = plays(on_table);
    let mut by_seat = BySeat::default();
    for (seat, hand) in Seat::ALL.into_iter().zip(hands) {
        by_seat[seat] = *hand;
    }
    let placed = plays.iter().map(|play| play.tile);
    let first = tiles(boneyard);
    let known: TileSet = placed
        .chain(by_seat.0.into_iter().flatten())
        .chain(first.iter().copied())
        .collect();
    Setup {
        options,
        fairness: Fairness {
            master: Master::new([42; 32]),
            entropies: BySeat::default(),
        },
        round_number: 0,
        starter: seat(0),
        starter_reason: StarterReason::Random,
        scores: BySide::default(),
        resigned: BySeat::default(),
        plays,
        hands: by_seat,
        boneyard: first.into_iter().chain(known.complement()).collect(),
        turn: seat(0),
        outcome: None,
    }
}

/// The same before the lead, as a game.
fn dealt(options: MatchOptions, hands: &[&str], boneyard: &str) -> Game {
    let hands: Vec<TileSet> = hands.iter().map(|text| hand(text)).collect();
    Game::try_from(&table(options, "", &hands, boneyard)).unwrap()
}

fn two_players() -> MatchOptions {
    MatchOptions::all_fives(Players::Two)
}

fn two_players_with(choices: OptionChoices) -> MatchOptions {
    choices.resolve(Players::Two).unwrap()
}

/// Plays for the seat on turn.
fn apply(game: &Game, text: &str) -> (Game, Vec<Event>) {
    let mut events = Vec::new();
    let turn = game.turn().expect("the match goes on");
    let next = game
        .apply(turn, Action::Play(play(text)), &mut events)
        .unwrap_or_else(|reason| panic!("{text}: {reason}"));
    (next, events)
}

fn drawn(events: &[Event]) -> Vec<(Seat, Vec<Tile>)> {
    events
        .iter()
        .filter_map(|event| match event {
            Event::TilesDrawn { seat, tiles } => Some((*seat, tiles.as_slice().to_vec())),
            _ => None,
        })
        .collect()
}

/// How a round ended: result, subtracted, scores.
fn ended(events: &[Event]) -> Option<(RoundResult, Option<BySide<i32>>, BySide<i32>)> {
    events.iter().find_map(|event| match event {
        Event::RoundEnded {
            result,
            subtracted,
            scores,
            ..
        } => Some((*result, *subtracted, *scores)),
        _ => None,
    })
}

/// Who leads the next round, and why.
fn next_lead(events: &[Event]) -> Option<(Seat, StarterReason)> {
    events.iter().find_map(|event| match event {
        Event::RoundStarted { starter, reason, .. } => Some((*starter, *reason)),
        _ => None,
    })
}

const F1_HAND: &str = "5-5 3-3 2-2 5-3 5-2 5-1 3-2 3-1 2-1";

#[test]
fn f1_draws_until_a_tile_fits_and_plays_it() {
    let game = dealt(two_players(), &["6-4 0-0", F1_HAND], "3-0 6-3 6-6");
    let (game, events) = apply(&game, "6-4");
    assert_eq!(drawn(&events), [(seat(1), tiles("3-0 6-3"))]);
    assert_eq!(game.turn(), Some(seat(1)));
    assert_eq!(game.legal().iter().collect::<Vec<_>>(), plays("6-3@L"));
    let (game, events) = apply(&game, "6-3@L");
    assert!(matches!(
        events[0],
        Event::TilePlayed {
            total: 7,
            points: 0,
            ..
        }
    ));
    assert_eq!(game.round().hands()[seat(1)].len(), 10);
}

#[test]
fn f2_draws_no_more_than_it_needs() {
    let game = dealt(two_players(), &["6-4 0-0", F1_HAND], "6-6 3-0 6-3");
    let (game, events) = apply(&game, "6-4");
    assert_eq!(drawn(&events), [(seat(1), tiles("6-6"))]);
    assert_eq!(game.legal().iter().collect::<Vec<_>>(), plays("6-6@L"));
}

#[test]
fn f3_out_scores_settles_and_starts_the_next_round() {
    let game = dealt(two_players(), &["5-5", "6-6 6-1 4-0 1-0"], "");
    let (game, events) = apply(&game, "5-5");
    assert!(matches!(events[0], Event::TilePlayed { points: 10, .. }));
    let scores = BySide([10, -25, 0, 0]);
    assert_eq!(
        ended(&events),
        Some((RoundResult::Out(seat(0)), Some(BySide([0, 25, 0, 0])), scores))
    );
    assert_eq!(next_lead(&events), Some((seat(0), StarterReason::Out)));
    assert_eq!((game.round_number(), *game.scores()), (1, scores));
    assert_eq!(game.turn(), Some(seat(0)));
}

/// Seat 0 leads 5-5 and has another tile.
fn lead_at(options: MatchOptions, score: i32) -> (Game, Vec<Event>) {
    let hands = [hand("5-5 0-0"), hand("6-6 6-1 5-0")];
    let mut setup = table(options, "", &hands, "");
    setup.scores.0[0] = score;
    apply(&Game::try_from(&setup).unwrap(), "5-5")
}

#[track_caller]
fn won_at_once(game: &Game, events: &[Event], scores: [i32; 4]) {
    let outcome = game.outcome().expect("the match is over");
    assert_eq!(outcome.ended_by, EndedBy::Target);
    assert_eq!(outcome.winner.map(|side| side.index()), Some(0));
    assert_eq!(outcome.ranks, BySide([1, 2, 0, 0]));
    assert_eq!(
        ended(events),
        Some((RoundResult::Target { out: None }, None, BySide(scores)))
    );
    assert!(matches!(events.last(), Some(Event::MatchEnded { .. })));
    assert_eq!(game.turn(), None);
    assert!(game.legal().is_empty());
}

#[test]
fn f4_the_target_wins_at_once_and_nothing_is_settled() {
    let (game, events) = lead_at(two_players(), 240);
    won_at_once(&game, &events, [250, 0, 0, 0]);
}

#[test]
fn f5_the_target_waits_for_the_end_of_the_round_if_so_agreed() {
    let options = two_players_with(OptionChoices {
        win_check: Some(WinCheck::RoundEnd),
        ..OptionChoices::default()
    });
    let (game, events) = lead_at(options, 240);
    assert_eq!(game.outcome(), None);
    assert_eq!(game.scores(), &BySide([250, 0, 0, 0]));
    assert_eq!(ended(&events), None);
    assert_eq!(game.turn(), Some(seat(1)));
}

#[test]
fn f6_more_than_the_target_wins_too() {
    let (game, events) = lead_at(two_players(), 245);
    won_at_once(&game, &events, [255, 0, 0, 0]);
}

/// W42 but for its last tile, which seat 0 is about to place.
fn before_w42(options: MatchOptions) -> Game {
    let (before, last) = W42.rsplit_once(' ').unwrap();
    assert_eq!(last, "3-2@R");
    let hands = [hand("3-2 5-5 1-0 0-0"), hand("5-4 4-4 3-3 1-1")];
    let setup = table(options, before, &hands, "5-3 5-1 5-0 4-3 3-0 3-1 4-0 4-1");
    assert_eq!(setup.boneyard.len(), 8);
    Game::try_from(&setup).unwrap()
}

#[track_caller]
fn next_starter_is_random(game: &Game, events: &[Event]) {
    let by_lot = Deal::from_seed(&game.fairness().seed(Players::Two, 1), Players::Two).starter;
    assert_eq!(next_lead(events), Some((by_lot, StarterReason::Random)));
}

#[test]
fn f7_a_dead_layout_drains_the_boneyard() {
    let (game, events) = apply(&before_w42(two_players()), "3-2@R");
    assert!(matches!(events[0], Event::TilePlayed { points: 10, .. }));
    assert_eq!(drawn(&events), [(seat(1), tiles("5-3 5-1 5-0 4-3 3-0 3-1 4-0 4-1"))]);
    assert_eq!(
        ended(&events),
        Some((
            RoundResult::Blocked,
            Some(BySide([10, 65, 0, 0])),
            BySide([0, -65, 0, 0])
        ))
    );
    next_starter_is_random(&game, &events);
}

#[test]
fn f8_a_dead_layout_ends_the_round_at_once_if_so_agreed() {
    let options = two_players_with(OptionChoices {
        dead_layout: Some(DeadLayout::End),
        ..OptionChoices::default()
    });
    let (game, events) = apply(&before_w42(options), "3-2@R");
    assert_eq!(drawn(&events), []);
    assert_eq!(
        ended(&events),
        Some((
            RoundResult::Blocked,
            Some(BySide([10, 25, 0, 0])),
            BySide([0, -25, 0, 0])
        ))
    );
    next_starter_is_random(&game, &events);
}

/// The tiles that nobody mentions have to be somewhere, and the boneyard is empty: seat 2 holds them all.
#[test]
fn f10_passes_without_drawing_when_nothing_is_left_to_draw() {
    let rest = hand("6-4 0-0 5-5 3-3").complement();
    let hands = [hand("6-4 0-0"), hand("5-5 3-3"), rest];
    let setup = table(MatchOptions::all_fives(Players::Three), "", &hands, "");
    assert_eq!(setup.boneyard, []);
    let (game, events) = apply(&Game::try_from(&setup).unwrap(), "6-4");
    assert_eq!(events[1..], [Event::TurnPassed { seat: seat(1) }]);
    assert_eq!(game.turn(), Some(seat(2)));
}

#[test]
fn f11_partners_share_a_score_and_each_rounds_the_own_hand() {
    let choices = OptionChoices {
        partners: Some(true),
        ..OptionChoices::default()
    };
    let options = choices.resolve(Players::Four).unwrap();
    let game = dealt(options, &["5-5", "6-6 6-1", "2-0", "1-0"], "");
    let (game, events) = apply(&game, "5-5");
    let scores = BySide([10, -20, 0, 0]);
    assert_eq!(
        ended(&events),
        Some((RoundResult::Out(seat(0)), Some(BySide([0, 20, 0, 0])), scores))
    );
    assert_eq!(game.scores(), &scores);
    assert_eq!(next_lead(&events), Some((seat(0), StarterReason::Out)));
}
