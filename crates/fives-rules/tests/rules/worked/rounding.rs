//! RULES.md 4.2: what a hand that is left costs (R21, A13, A14).

use fives_rules::options::{MatchOptions, OptionChoices, Rounding};
use fives_rules::score::{rounded, settled, settlement};
use fives_rules::seat::{BySeat, BySide, Players};

use crate::support::hand;

/// One test an id: the hand left, its pips, what is subtracted.
macro_rules! hands_left {
    ($($id:ident: $left:literal, $pips:literal, $subtracted:literal;)+) => {
        $(
            #[test]
            fn $id() {
                let left = hand($left);
                assert_eq!(left.pips(), $pips);
                assert_eq!(rounded(left.pips()), $subtracted);
                let options = MatchOptions::all_fives(Players::Two);
                let by_side = settlement(&options, &BySeat([hand(""), left, hand(""), hand("")]));
                assert_eq!(by_side, BySide([0, $subtracted, 0, 0]));
                let scores = settled(&options, BySide([10, 10, 0, 0]), &by_side);
                assert_eq!(scores, BySide([10, 10 - $subtracted, 0, 0]));
            }
        )+
    };
}

hands_left! {
    s01: "5-2", 7, 5;
    s02: "6-2", 8, 10;
    s03: "2-1", 3, 5;
    s04: "1-1", 2, 0;
    s05: "", 0, 0;
    s06: "0-0", 0, 0;
    s07: "1-0", 1, 0;
    s08: "6-6", 12, 10;
    s09: "6-6 1-0", 13, 15;
    s10: "6-6 6-1 4-0 1-0", 24, 25;
    s11: "6-4 4-3", 17, 15;
    s12: "5-4 4-4 3-3 1-1", 25, 25;
    s13: "6-5 6-4 5-5 6-6", 43, 45;
}

/// 1-1 and 1-0 cost nothing each for itself, but together they are 3 pips.
#[test]
fn a14_partners_round_each_hand_or_the_sum() {
    let partners = |rounding| {
        let choices = OptionChoices {
            partners: Some(true),
            rounding: Some(rounding),
            ..OptionChoices::default()
        };
        choices.resolve(Players::Four).unwrap()
    };
    let left = BySeat([hand("1-1"), hand("6-2"), hand("1-0"), hand("6-1")]);
    assert_eq!(settlement(&partners(Rounding::PerHand), &left), BySide([0, 15, 0, 0]));
    assert_eq!(settlement(&partners(Rounding::PerSide), &left), BySide([5, 15, 0, 0]));
}

#[test]
fn a12_scores_stop_at_zero_if_so_agreed() {
    let choices = OptionChoices {
        floor_zero: Some(true),
        ..OptionChoices::default()
    };
    let options = choices.resolve(Players::Two).unwrap();
    assert_eq!(
        settled(&options, BySide([10, 20, 0, 0]), &BySide([15, 15, 0, 0])),
        BySide([0, 5, 0, 0])
    );
}
