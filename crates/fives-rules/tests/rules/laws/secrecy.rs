//! Law 4: change everything that a viewer may not see, and what that viewer gets stays the same to the byte.

use fives_rules::deal::{Commitment, Deck, Master};
use fives_rules::event::Event;
use fives_rules::game::Game;
use fives_rules::options::MatchOptions;
use fives_rules::seat::Seat;
use fives_rules::setup::Setup;
use fives_rules::tile::{Tile, TileSet};
use fives_rules::view::{SeenEvent, View, Viewer};

use super::{any_options, play_match};
use crate::support::{Dice, VIEWERS};

/// The same match to `viewer`'s eyes: all hands but the viewer's own and the boneyard hold other tiles, and other
/// seeds are behind it. `None` if no such change leaves the seat on turn a play.
fn disguised(game: &Game, viewer: Viewer, dice: &mut Dice) -> Option<Game> {
    let truth = Setup::from(game);
    let hidden_seats: Vec<Seat> = Seat::ALL
        .into_iter()
        .filter(|&seat| viewer.seat() != Some(seat))
        .collect();
    let mut hidden: Vec<Tile> = hidden_seats.iter().flat_map(|&seat| truth.hands[seat]).collect();
    hidden.extend(&truth.boneyard);
    (0..20).find_map(|_| {
        let mut setup = truth.clone();
        setup.fairness.master = Master::new(dice.bytes());
        dice.shuffle(&mut hidden);
        let mut next = hidden.iter().copied();
        for &seat in &hidden_seats {
            setup.hands[seat] = next.by_ref().take(truth.hands[seat].len()).collect();
        }
        setup.boneyard = next.collect();
        Game::try_from(&setup).ok()
    })
}

/// What the viewer gets, with everything that hashes or reveals a seed held fixed.
fn seen(game: &Game, viewer: Viewer) -> View {
    let mut view = View::of(game, viewer);
    view.table.commitment = Commitment([0; 32]);
    view.table.round_commitment = Commitment([0; 32]);
    view.table.revealed = None;
    view.table.revealed_master = None;
    view
}

#[test]
fn a_view_does_not_change_with_what_is_hidden() {
    let mut dice = Dice::new(3);
    let (mut compared, mut really_differ) = (0, 0);
    for _ in 0..60 {
        let options = any_options(&mut dice);
        let mut states = Vec::new();
        play_match(&mut dice, options, 100, |step| states.push(*step.after));
        for (game, viewer) in states.iter().flat_map(|game| VIEWERS.map(|viewer| (game, viewer))) {
            let Some(other) = disguised(game, viewer, &mut dice) else {
                continue;
            };
            let (view, same) = (seen(game, viewer), seen(&other, viewer));
            assert_eq!(view, same);
            assert_eq!(format!("{view:?}"), format!("{same:?}"));
            compared += 1;
            really_differ += usize::from(game.round() != other.round());
        }
    }
    assert!(
        compared > 10_000 && really_differ * 10 > compared * 9,
        "{really_differ} of {compared}"
    );
}

/// The event as it might have been: every tile in it that `viewer` may not see is another.
fn disguised_event(event: &Event, options: &MatchOptions, viewer: Viewer, dice: &mut Dice) -> Event {
    let mut other = *event;
    match &mut other {
        Event::RoundStarted { deck, .. } => {
            let own = viewer.seat().map_or(&[][..], |seat| deck.hand(seat, options));
            let mut hidden: Vec<Tile> = deck
                .tiles()
                .iter()
                .copied()
                .filter(|tile| !own.contains(tile))
                .collect();
            dice.shuffle(&mut hidden);
            let mut next = hidden.into_iter();
            let mut pick = |&tile: &Tile| {
                if own.contains(&tile) {
                    tile
                } else {
                    next.next().unwrap()
                }
            };
            let tiles: Vec<Tile> = deck.tiles().iter().map(&mut pick).collect();
            *deck = Deck::new(tiles.try_into().unwrap()).unwrap();
        }
        Event::TilesDrawn { seat, tiles } if viewer != Viewer::Seat(*seat) => {
            let mut others = Tile::ALL;
            dice.shuffle(&mut others);
            *tiles = others.into_iter().take(tiles.len()).collect();
        }
        _ => {}
    }
    other
}

#[test]
fn an_event_is_seen_alike_whatever_is_hidden_in_it() {
    let mut dice = Dice::new(4);
    let mut really_differ = 0;
    for _ in 0..300 {
        let options = any_options(&mut dice);
        let mut log = Vec::new();
        play_match(&mut dice, options, 100, |step| log.extend_from_slice(step.events));
        for (event, viewer) in log.iter().flat_map(|event| VIEWERS.map(|viewer| (event, viewer))) {
            let other = disguised_event(event, &options, viewer, &mut dice);
            let (told, same) = (
                SeenEvent::of(event, &options, viewer),
                SeenEvent::of(&other, &options, viewer),
            );
            assert_eq!(told, same);
            assert_eq!(format!("{told:?}"), format!("{same:?}"));
            really_differ += usize::from(*event != other);
        }
    }
    assert!(really_differ > 1000, "{really_differ}");
}

/// A play is answered alike as far as it goes: the tile, the ends, the total, the points, the scores.
#[test]
fn a_play_is_told_alike_whatever_the_others_hold() {
    let mut dice = Dice::new(5);
    for _ in 0..60 {
        let options = any_options(&mut dice);
        let mut states = Vec::new();
        play_match(&mut dice, options, usize::MAX, |step| states.push(*step.after));
        for game in &states {
            let Some(viewer) = game.turn().map(Viewer::Seat) else {
                continue;
            };
            let Some(other) = disguised(game, viewer, &mut dice) else {
                continue;
            };
            let (seat, action) = dice.action(game, usize::MAX).unwrap();
            let told = |game: &Game| {
                let mut events = Vec::new();
                game.apply(seat, action, &mut events).unwrap();
                SeenEvent::of(&events[0], &options, viewer)
            };
            assert_eq!(told(game), told(&other));
        }
    }
}

#[test]
fn debug_prints_no_hidden_tile_and_no_seed() {
    let mut dice = Dice::new(6);
    for _ in 0..60 {
        let options = any_options(&mut dice);
        let mut steps = Vec::new();
        play_match(&mut dice, options, 100, |step| {
            steps.push((*step.after, step.events.to_vec()));
        });
        for (game, events) in &steps {
            let setup = Setup::from(game);
            let legal = game.legal();
            let texts = [
                format!("{game:?} {game:#?}"),
                format!("{setup:?} {setup:#?}"),
                format!("{:?} {:?} {legal:?}", game.round(), game.fairness()),
            ];
            let hidden = game.round().layout().tiles().complement();
            texts.iter().for_each(|text| prints_nothing_of(text, hidden, game));
            if let Some(other) = disguised(game, Viewer::Spectator, &mut dice) {
                assert_eq!(format!("{game:?}"), format!("{other:?}"));
                assert_eq!(format!("{setup:?}"), format!("{:?}", Setup::from(&other)));
            }
            for event in events {
                let other = disguised_event(event, &options, Viewer::Spectator, &mut dice);
                assert_eq!(format!("{event:?}"), format!("{other:?}"));
                if !matches!(event, Event::TilePlayed { .. }) {
                    prints_nothing_of(&format!("{event:?}"), TileSet::FULL, game);
                }
            }
        }
    }
}

fn prints_nothing_of(text: &str, tiles: TileSet, game: &Game) {
    for tile in tiles {
        assert!(!text.contains(&tile.to_string()), "{tile} is in {text}");
    }
    let players = game.options().players();
    let seeds = (0..=game.round_number()).map(|round| *game.fairness().seed(players, round).reveal());
    for secret in seeds.chain([*game.fairness().master.reveal()]) {
        let hex: String = secret.iter().map(|byte| format!("{byte:02x}")).collect();
        let list = format!("{secret:?}");
        assert!(!text.contains(&hex) && !text.contains(list.trim_matches(['[', ']'])));
    }
}
