//! Law 4 on the wire: change every tile that a viewer may not see, and the viewer's bytes stay equal.

use fives_referee::batch::{Batch, TableEvent};
use fives_referee::feed::Update;
use fives_referee::table::{Stage, Table};
use fives_referee::view::{MatchView, SeenBatch};
use fives_rules::deal::{Deck, Stream};
use fives_rules::event::Event;
use fives_rules::game::Game;
use fives_rules::options::MatchOptions;
use fives_rules::seat::Seat;
use fives_rules::setup::Setup;
use fives_rules::tile::Tile;
use fives_rules::view::Viewer;
use fives_wire::encode;
use prost::Message;

use crate::support::{finished, viewers};

fn shuffle(tiles: &mut [Tile], stream: &mut Stream) {
    for i in (1..tiles.len()).rev() {
        tiles.swap(i, stream.below(i as u32 + 1) as usize);
    }
}

/// The same table with other tiles in all hands but the viewer's and in the boneyard; `None` if chance finds none in which
/// the seat on turn can play.
fn disguised(table: &Table, viewer: Viewer, stream: &mut Stream) -> Option<Table> {
    let Stage::Started { at_revision, game } = &table.stage else {
        return None;
    };
    let truth = Setup::from(&**game);
    let seats = table.options.players().seats();
    let hidden: Vec<Seat> = seats.filter(|seat| viewer.seat() != Some(*seat)).collect();
    let mut tiles: Vec<Tile> = hidden.iter().flat_map(|&seat| truth.hands[seat]).collect();
    tiles.extend(&truth.boneyard);
    let other = (0..50).find_map(|_| {
        let mut setup = truth.clone();
        shuffle(&mut tiles, stream);
        let mut next = tiles.iter().copied();
        for &seat in &hidden {
            setup.hands[seat] = next.by_ref().take(truth.hands[seat].len()).collect();
        }
        setup.boneyard = next.collect();
        Game::try_from(&setup).ok().filter(|other| other != &**game)
    })?;
    let stage = Stage::Started {
        at_revision: *at_revision,
        game: Box::new(other),
    };
    Some(Table { stage, ..table.clone() })
}

/// The same batch with other tiles in everything that the viewer may not see.
fn disguised_batch(batch: &Batch, options: &MatchOptions, viewer: Viewer, stream: &mut Stream) -> Batch {
    let mut other = batch.clone();
    for event in &mut other.events {
        match event {
            TableEvent::Game(Event::RoundStarted { deck, .. }) => {
                let own = viewer.seat().map_or(&[][..], |seat| deck.hand(seat, options));
                let is_hidden = |tile: &Tile| !own.contains(tile);
                let mut hidden: Vec<Tile> = deck.tiles().iter().copied().filter(is_hidden).collect();
                shuffle(&mut hidden, stream);
                let mut tiles = *deck.tiles();
                let places = tiles.iter_mut().filter(|tile| !own.contains(tile));
                places.zip(hidden).for_each(|(place, tile)| *place = tile);
                *deck = Deck::new(tiles).unwrap();
            }
            TableEvent::Game(Event::TilesDrawn { seat, tiles }) if viewer != Viewer::Seat(*seat) => {
                let mut others = Tile::ALL;
                shuffle(&mut others, stream);
                *tiles = others.into_iter().take(tiles.len()).collect();
            }
            _ => {}
        }
    }
    other
}

fn snapshot(table: &Table, viewer: Viewer) -> Vec<u8> {
    let view = MatchView::of(table, viewer, false);
    let summary = encode::match_summary(&view).encode_to_vec();
    let update = Update::Snapshot {
        view: view.into(),
        reset: false,
    };
    [encode::update(&update).encode_to_vec(), summary].concat()
}

#[test]
fn a_viewers_snapshot_has_the_same_bytes_whatever_is_hidden() {
    let mut stream = Stream::new([3; 32]);
    let (mut compared, mut with_hidden) = (0, 0);
    for (_, table) in (0..4).flat_map(finished).filter(|(_, table)| !table.is_settled()) {
        for viewer in viewers(&table.options) {
            with_hidden += usize::from(table.game().is_some());
            let Some(other) = disguised(&table, viewer, &mut stream) else {
                continue;
            };
            assert_eq!(
                snapshot(&table, viewer),
                snapshot(&other, viewer),
                "{viewer:?} at {:?}",
                table.cursor
            );
            compared += 1;
        }
    }
    assert!(
        compared > 100 && compared * 10 > with_hidden * 9,
        "{compared} of {with_hidden}"
    );
}

#[test]
fn a_viewers_batches_have_the_same_bytes_whatever_is_hidden() {
    let mut stream = Stream::new([4; 32]);
    let mut really_differ = 0;
    for (batch, table) in (0..8).flat_map(finished) {
        for viewer in viewers(&table.options) {
            let other = disguised_batch(&batch, &table.options, viewer, &mut stream);
            let bytes = |batch: &Batch| encode::batch(&SeenBatch::of(batch, &table.options, viewer)).encode_to_vec();
            assert_eq!(bytes(&batch), bytes(&other), "{viewer:?} at {:?}", table.cursor);
            really_differ += usize::from(batch != other);
        }
    }
    assert!(really_differ > 50, "{really_differ}");
}

/// A request id is its author's alone.
#[test]
fn nobody_sees_the_request_ids_of_others() {
    for (batch, table) in finished(1) {
        for viewer in viewers(&table.options) {
            let seen = encode::batch(&SeenBatch::of(&batch, &table.options, viewer));
            let is_author = viewer.seat().is_some() && viewer.seat() == batch.author.seat();
            let by_person = !matches!(batch.author, fives_referee::batch::Author::Bot(_));
            assert_eq!(!seen.request_id.is_empty(), is_author && by_person, "{viewer:?}");
        }
    }
}
