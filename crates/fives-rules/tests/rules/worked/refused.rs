//! RULES.md 4.1: placements that must be refused, and why; and the refusals that have nothing to do with the layout.

use fives_rules::game::{Action, Game};
use fives_rules::layout::Layout;
use fives_rules::notation::{LayoutError, WrittenPlay};
use fives_rules::options::MatchOptions;
use fives_rules::play::{Illegal, Play};
use fives_rules::seat::Players;
use fives_rules::setup::Setup;
use fives_rules::tile::TileSet;

use super::flow::table;
use crate::support::{hand, play, seat, tiles};

/// The reason must come out at every door: words, layout, round, game.
fn refused(on_table: &str, attempt: &str, reason: Illegal) {
    let layout: Layout = on_table.parse().unwrap();
    let attempted: Play = play(attempt);
    assert_eq!(layout.check(attempted), Err(reason), "Layout::check");
    let mut played = layout;
    assert_eq!(played.play(attempted), Err(reason), "Layout::play");
    assert_eq!(played, layout, "a refused play changed the layout");
    let written: WrittenPlay = attempt.parse().unwrap();
    assert_eq!(
        format!("{on_table} {attempt}").parse::<Layout>(),
        Err(LayoutError::Illegal { play: written, reason }),
        "notation"
    );

    let game = holding(on_table, attempted);
    assert_eq!(game.round().check(attempted), Err(reason), "Round::check");
    assert!(!game.legal().contains(attempted), "Legal::contains");
    let mut events = Vec::new();
    assert_eq!(
        game.apply(seat(0), Action::Play(attempted), &mut events),
        Err(reason),
        "Game::apply"
    );
    assert!(events.is_empty(), "a refused play left events");
}

/// A game with this layout in which seat 0, on turn, holds the tile of `attempted` (if it is not on the table) and half of
/// the tiles that are left, so that it has something else to do.
fn holding(on_table: &str, attempted: Play) -> Game {
    let layout: Layout = on_table.parse().unwrap();
    let free = layout.tiles().complement();
    let mut first: TileSet = free.iter().step_by(2).collect();
    if free.contains(attempted.tile) {
        first.insert(attempted.tile);
    }
    let second = free.and(first.complement());
    let setup = table(MatchOptions::all_fives(Players::Two), on_table, &[first, second], "");
    Game::try_from(&setup).unwrap()
}

/// One test an id: the layout, the attempt, the reason.
macro_rules! refusals {
    ($($id:ident: $on_table:literal, $attempt:literal => $reason:expr;)+) => {
        $(
            #[test]
            fn $id() {
                refused($on_table, $attempt, $reason);
            }
        )+
    };
}

refusals! {
    x01: "5-5 5-0@R", "5-1@N" => Illegal::ArmClosed;
    x02: "6-6 6-5@L", "6-4@S" => Illegal::ArmClosed;
    x03: "6-4 4-4@R", "4-1@N" => Illegal::ArmClosed;
    x04: "6-4", "3-2@R" => no_match("3-2", 4);
    x05: "6-6 6-4@R 4-4@R 4-1@R 6-3@L", "4-0@N" => no_match("4-0", 6);
    x06: "6-6 6-4@R 6-3@L 6-2@N", "6-1@N" => no_match("6-1", 2);
    x07: "6-4", "6-4@L" => Illegal::AlreadyPlayed { tile: tiles("6-4")[0] };
    x08: "6-6", "6-5" => Illegal::EndRequired;
    x09: "", "6-6@L" => Illegal::LeadNamesNoEnd;
    x10: "6-4 4-3@R", "3-1@S" => Illegal::NoSpinner;
}

fn no_match(tile: &str, shown: u8) -> Illegal {
    Illegal::NoMatch {
        tile: tiles(tile)[0],
        shown: fives_rules::tile::Pip::new(shown).unwrap(),
    }
}

/// Seat 0 of two is on turn and holds 6-4; seat 1 holds 6-5.
fn two_hands() -> Setup {
    let hands = [hand("6-4 1-0"), hand("6-5 1-1")];
    table(MatchOptions::all_fives(Players::Two), "6-6", &hands, "")
}

fn refusal(setup: &Setup, by: u8, action: Action) -> Illegal {
    let game = Game::try_from(setup).unwrap();
    let mut events = Vec::new();
    let reason = game.apply(seat(by), action, &mut events).unwrap_err();
    assert!(events.is_empty());
    reason
}

#[test]
fn r11_another_seat_is_on_turn() {
    let reason = refusal(&two_hands(), 1, Action::Play(play("6-5@L")));
    assert_eq!(reason, Illegal::NotYourTurn { turn: seat(0) });
}

#[test]
fn the_tile_is_in_another_hand() {
    let reason = refusal(&two_hands(), 0, Action::Play(play("6-5@L")));
    assert_eq!(reason, Illegal::TileNotInHand { tile: tiles("6-5")[0] });
}

#[test]
fn a_seat_resigns_once() {
    let mut setup = table(MatchOptions::all_fives(Players::Three), "6-6", &[hand("6-4")], "");
    setup.resigned.0[1] = true;
    assert_eq!(refusal(&setup, 1, Action::Resign), Illegal::AlreadyResigned);
}

#[test]
fn the_match_is_over() {
    let game = Game::try_from(&two_hands()).unwrap();
    let over = game.apply(seat(1), Action::Resign, &mut ()).unwrap();
    for action in [Action::Resign, Action::Play(play("6-4@L"))] {
        assert_eq!(refusal(&Setup::from(&over), 0, action), Illegal::MatchOver);
    }
}

/// A seat that the match does not have is never on turn and has nothing to give up.
#[test]
fn a_seat_that_the_match_does_not_have() {
    for action in [Action::Resign, Action::Play(play("6-4@L"))] {
        assert_eq!(refusal(&two_hands(), 2, action), Illegal::NotYourTurn { turn: seat(0) });
    }
}
