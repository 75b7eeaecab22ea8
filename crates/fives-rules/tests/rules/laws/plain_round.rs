//! A referee that trusts nobody: it holds the tiles of one round in its own way and judges every event against RULES.md.

use std::collections::VecDeque;

use fives_rules::deal::Deck;
use fives_rules::event::{Event, RoundResult};
use fives_rules::game::Game;
use fives_rules::layout::Branch;
use fives_rules::options::{DeadLayout, MatchOptions};
use fives_rules::play::Play;
use fives_rules::seat::Seat;
use fives_rules::tile::{Tile, TileSet};

use super::chains::Chains;

/// One round, from its deal to its end.
pub(crate) struct PlainRound {
    options: MatchOptions,
    chains: Chains,
    hands: Vec<TileSet>,
    boneyard: VecDeque<Tile>,
    turn: usize,
    /// Whether the seat on turn has drawn.
    has_drawn: bool,
}

impl PlainRound {
    /// R5 to R7: block after block to the seats, the rest to the boneyard.
    pub(crate) fn deal(options: MatchOptions, deck: &Deck, starter: Seat) -> Self {
        let dealt = options.players().count() * options.hand_size();
        let (hands, boneyard) = deck.tiles().split_at(dealt);
        Self {
            options,
            chains: Chains::default(),
            hands: hands
                .chunks(options.hand_size())
                .map(|hand| hand.iter().copied().collect())
                .collect(),
            boneyard: boneyard.iter().copied().collect(),
            turn: starter.index(),
            has_drawn: false,
        }
    }

    /// Judges one event and takes it over.
    pub(crate) fn observe(&mut self, event: &Event) {
        match *event {
            Event::TilesDrawn { seat, tiles } => self.observe_draw(seat, tiles.as_slice()),
            Event::TurnPassed { seat } => self.observe_pass(seat),
            Event::TilePlayed { .. } => self.observe_play(event),
            Event::RoundEnded { result, left, .. } => {
                let left: Vec<TileSet> = left.0[..self.hands.len()].to_vec();
                assert_eq!(left, self.hands);
                self.judge_end(result);
            }
            Event::RoundStarted { .. } | Event::SeatResigned { .. } | Event::MatchEnded { .. } => {}
        }
    }

    /// R13, A22.
    fn observe_draw(&mut self, seat: Seat, drawn: &[Tile]) {
        self.expect_turn_without_a_play(seat);
        assert!(!self.ends_as_dead(), "A20: a dead layout ends at once");
        assert!(!drawn.is_empty() && !self.has_drawn);
        self.has_drawn = true;
        for &tile in drawn {
            assert!(!self.fits(self.hands[self.turn]), "a tile that fits ends the drawing");
            assert!(!self.is_exhausted(), "the reserve is never drawn");
            assert_eq!(self.boneyard.pop_front(), Some(tile));
            assert!(self.hands[self.turn].insert(tile));
        }
        assert!(
            self.fits(self.hands[self.turn]) || self.is_exhausted(),
            "R13: one after another"
        );
    }

    /// R14, A21.
    fn observe_pass(&mut self, seat: Seat) {
        self.expect_turn_without_a_play(seat);
        assert!(self.is_exhausted(), "R14: who can draw does not pass");
        assert!(
            self.has_drawn || self.hands.iter().any(|&hand| self.fits(hand)),
            "A21: who empties the boneyard in vain passes, and a blocked round ends there"
        );
        self.end_turn();
    }

    fn observe_play(&mut self, event: &Event) {
        let Event::TilePlayed {
            seat,
            play,
            counted,
            total,
            points,
            ..
        } = *event
        else {
            unreachable!("the caller looked")
        };
        self.expect_turn(seat);
        let hand = self.hands[self.turn];
        assert!(self.chains.legal(hand).contains(&play));
        self.hands[self.turn].remove(play.tile);
        self.chains.place(play);
        assert_eq!(counted, self.chains.counted());
        assert_eq!(total, self.chains.total());
        assert_eq!(points, self.chains.points());
        self.end_turn();
    }

    /// R15, A20, A21, A32.
    fn judge_end(&self, result: RoundResult) {
        let out = self.hands.iter().position(|hand| hand.is_empty());
        assert_eq!(result.out_seat().map(Seat::index), out);
        match result {
            RoundResult::Out(_) => assert!(out.is_some()),
            RoundResult::Blocked => {
                assert!(self.hands.iter().all(|&hand| !self.fits(hand)));
                assert!(self.is_exhausted() || self.ends_as_dead());
            }
            RoundResult::Target { .. } => assert!(self.chains.points() > 0),
            RoundResult::Resigned => assert_eq!(out, None),
        }
    }

    /// The round as the rules hold it now, tile for tile.
    pub(crate) fn compare(&self, game: &Game) {
        let round = game.round();
        assert_eq!(round.turn().index(), self.turn);
        assert_eq!(round.hands().0[..self.hands.len()], self.hands);
        assert!(round.boneyard().as_slice().iter().eq(&self.boneyard));
        let mut legal: Vec<_> = round.legal().iter().collect();
        assert_eq!(
            legal,
            self.chains.legal(self.hands[self.turn]),
            "the order of records: tiles high to low, then L R N S"
        );
        let mut counted_off: Vec<_> = (0..round.legal().len())
            .map(|n| round.legal().nth(n).unwrap())
            .collect();
        assert_eq!(round.legal().nth(legal.len()), None);
        let by_end = |play: &Play| (play.end, play.tile);
        legal.sort_by_key(by_end);
        counted_off.sort_by_key(by_end);
        assert_eq!(legal, counted_off);
        self.compare_layout(game);
    }

    fn compare_layout(&self, game: &Game) {
        let layout = game.round().layout();
        assert_eq!(layout.total(), self.chains.total());
        let counted = self.chains.counted();
        for open in layout.open_ends() {
            assert_eq!(Some(open.shown.get()), self.chains.shown(open.end));
            assert_eq!(open.counted, counted.0[open.end.index()]);
        }
        let placed = layout.placed();
        let row = |branch| {
            let mut row: Vec<_> = placed.iter().filter(|placed| placed.branch == branch).collect();
            row.sort_by_key(|placed| placed.position);
            row.into_iter().map(|placed| placed.play.tile).collect::<Vec<Tile>>()
        };
        assert_eq!(
            [Branch::Line, Branch::North, Branch::South].map(row),
            self.chains.rows()
        );
    }

    fn fits(&self, hand: TileSet) -> bool {
        self.chains.any_fits(hand)
    }

    fn is_exhausted(&self) -> bool {
        self.boneyard.len() <= self.options.boneyard_reserve().into()
    }

    /// A20 with `end`: no off-table tile fits, those kept back in the boneyard included.
    fn ends_as_dead(&self) -> bool {
        let boneyard: TileSet = self.boneyard.iter().copied().collect();
        self.options.dead_layout() == DeadLayout::End
            && !self.fits(boneyard)
            && self.hands.iter().all(|&hand| !self.fits(hand))
    }

    fn expect_turn(&self, seat: Seat) {
        assert_eq!(seat.index(), self.turn, "R11");
        assert!(
            self.hands.iter().all(|hand| !hand.is_empty()),
            "R15: who is out ends the round"
        );
    }

    fn expect_turn_without_a_play(&self, seat: Seat) {
        self.expect_turn(seat);
        assert!(
            !self.fits(self.hands[self.turn]),
            "A7: who can play neither draws nor passes"
        );
    }

    fn end_turn(&mut self) {
        self.turn = (self.turn + 1) % self.hands.len();
        self.has_drawn = false;
    }
}
