//! Text for tiles, ends, plays and layouts: it is read as it is written, and everything else is refused.

use fives_rules::layout::Layout;
use fives_rules::notation::{LayoutError, NotationError, WrittenPlay};
use fives_rules::play::{End, Illegal, Play};
use fives_rules::tile::{Pip, Tile, TileSet};
use proptest::prelude::*;

use crate::support::{Dice, all_plays, tiles};

#[test]
fn tiles_and_plays_are_read_as_they_are_written() {
    for tile in Tile::ALL {
        assert_eq!(tile.to_string().parse(), Ok(tile));
        // Either half may be written first.
        assert_eq!(format!("{:?}-{:?}", tile.low(), tile.high()).parse(), Ok(tile));
    }
    for end in End::ALL {
        assert_eq!(end.to_string().parse(), Ok(end));
    }
    for play in all_plays() {
        assert_eq!(play.to_string().parse(), Ok(play));
    }
}

#[test]
fn what_is_no_tile_is_named() {
    for text in [
        "", "-", "6", "6-", "-6", "7-0", "0-7", "6-4-2", "64", "6_4", " 6-4", "6-4 ", "06-4", "+6-4", "６-4", "6–4",
    ] {
        let error = Err(NotationError::Tile(text.to_owned()));
        assert_eq!(text.parse::<Tile>(), error);
        assert_eq!(format!("{text}@L").parse::<Play>(), error.map(Play::lead));
    }
}

#[test]
fn what_is_no_end_is_named() {
    for text in ["", "l", "X", "LR", "L ", "@L", "Ł"] {
        let error = NotationError::End(text.to_owned());
        assert_eq!(text.parse::<End>(), Err(error.clone()));
        assert_eq!(format!("6-4@{text}").parse::<Play>(), Err(error));
    }
}

/// `4-5` and `5-4` are one tile, but not one lead.
#[test]
fn a_lead_keeps_its_orientation() {
    for (text, left) in [("4-5", 4), ("5-4", 5)] {
        let layout: Layout = text.parse().unwrap();
        let counted: Vec<(End, u8)> = layout.counted_ends().iter().collect();
        assert_eq!(counted, [(End::Left, left), (End::Right, 9 - left)]);
        assert_eq!(layout.to_string(), text);
        let outward = layout.placed()[0].outward;
        assert_eq!(outward.get(), 9 - left);
    }
}

#[test]
fn a_lead_has_the_number_at_its_left() {
    let mut layout = Layout::EMPTY;
    let (tile, left) = (tiles("5-4")[0], Pip::ALL[3]);
    let refused = Err(Illegal::NoMatch { tile, shown: left });
    assert_eq!(layout.lead_with_left(tile, left), refused);
    assert_eq!(layout, Layout::EMPTY);
}

#[test]
fn a_layout_names_the_word_that_is_wrong() {
    let illegal = |play: &str, reason| LayoutError::Illegal {
        play: play.parse().unwrap(),
        reason,
    };
    let (tile, shown) = (tiles("3-2")[0], Pip::ALL[4]);
    for (text, error) in [
        ("6-4 4-8@R", NotationError::Tile("4-8".to_owned()).into()),
        ("6-4 4-3@T", NotationError::End("T".to_owned()).into()),
        ("6-4 2-3@R", illegal("2-3@R", Illegal::NoMatch { tile, shown })),
        (
            "6-4 4-3@R 6-4@R",
            illegal("6-4@R", Illegal::AlreadyPlayed { tile: tiles("6-4")[0] }),
        ),
    ] {
        assert_eq!(text.parse::<Layout>(), Err(error), "{text}");
    }
    assert_eq!(
        "6-4 2-3@R".parse::<Layout>().unwrap_err().to_string(),
        "2-3@R: 3-2 does not fit: the end shows 4"
    );
}

/// A layout that random plays lead to, its lead in the order `turned` says.
fn random_layout(seed: u64, plays: usize, turned: bool) -> Layout {
    let mut dice = Dice::new(seed);
    let mut layout = Layout::EMPTY;
    let lead = dice.one_of(&Tile::ALL);
    let left = if turned { lead.low() } else { lead.high() };
    layout.lead_with_left(lead, left).unwrap();
    for _ in 0..plays {
        let fits: Vec<Play> = all_plays().filter(|play| layout.check(*play).is_ok()).collect();
        if fits.is_empty() {
            break;
        }
        layout.play(dice.one_of(&fits)).unwrap();
    }
    layout
}

/// A test keeps no file of failures: what it plays follows from the numbers that proptest prints.
fn config() -> ProptestConfig {
    ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn layouts_are_read_as_they_are_written(seed: u64, plays in 0_usize..28, turned: bool) {
        let layout = random_layout(seed, plays, turned);
        let read: Layout = layout.to_string().parse().unwrap();
        prop_assert_eq!(read, layout);
        let placed: TileSet = layout.plays().map(|play| play.tile).collect();
        prop_assert_eq!(layout.tiles(), placed);
    }

    #[test]
    fn written_plays_keep_the_number_written_first(first in 0_u8..7, second in 0_u8..7, end in 0_usize..5) {
        let end = End::ALL.get(end).map_or(String::new(), |end| format!("@{end}"));
        let text = format!("{first}-{second}{end}");
        let written: WrittenPlay = text.parse().unwrap();
        prop_assert_eq!(written.first.get(), first);
        prop_assert_eq!(written.to_string(), text);
    }

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC*", words in "([0-7]-[0-7](@[LRNSX])? ?){0,8}") {
        for text in [text, words] {
            if let Ok(tile) = text.parse::<Tile>() {
                prop_assert_eq!(tile.to_string().len(), text.len());
            }
            if let Ok(layout) = text.parse::<Layout>() {
                prop_assert_eq!(layout.to_string().parse::<Layout>(), Ok(layout));
            }
            drop(text.parse::<Play>());
        }
    }
}
