//! A viewer who only folds the events that it was told knows exactly what its view would show.

use fives_rules::deal::Commitment;
use fives_rules::event::StarterReason;
use fives_rules::game::Game;
use fives_rules::layout::Layout;
use fives_rules::options::MatchOptions;
use fives_rules::play::Play;
use fives_rules::seat::{BySeat, BySide, Seat};
use fives_rules::tile::TileSet;
use fives_rules::view::{RevealedSeed, SeenEvent, TableView, View, Viewer};

use super::{any_options, play_match};
use crate::support::{Dice, VIEWERS, all_plays};

/// One viewer with a pencil.
struct Watcher {
    viewer: Viewer,
    options: MatchOptions,
    layout: Layout,
    /// Whose turn it would be, were the match not over.
    turn: Seat,
    table: TableView,
    own: TileSet,
}

impl Watcher {
    /// Knows of the match what is public before its first deal: options, entropies, the commitment to the master.
    fn new(game: &Game, viewer: Viewer) -> Self {
        let seat = Seat::ALL[0];
        Self {
            viewer,
            options: *game.options(),
            layout: Layout::EMPTY,
            turn: seat,
            table: TableView {
                options: *game.options(),
                round: 0,
                starter: seat,
                starter_reason: StarterReason::Random,
                turn: None,
                scores: BySide::default(),
                resigned: BySeat::default(),
                tile_counts: BySeat::default(),
                boneyard_count: 0,
                placed: Vec::new(),
                ends: Vec::new(),
                total: 0,
                commitment: game.fairness().master.commitment(),
                entropies: game.fairness().entropies,
                round_commitment: Commitment([0; 32]),
                revealed: None,
                revealed_master: None,
                outcome: None,
            },
            own: TileSet::EMPTY,
        }
    }

    fn hear(&mut self, event: &SeenEvent) {
        let table = &mut self.table;
        let after = |seat| self.options.players().after(seat);
        match *event {
            SeenEvent::RoundStarted {
                round,
                starter,
                reason,
                commitment,
                tile_counts,
                boneyard_count,
                own_hand,
            } => {
                self.layout = Layout::EMPTY;
                self.turn = starter;
                self.own = own_hand.unwrap_or_default();
                assert_eq!(own_hand.is_some(), self.viewer.seat().is_some());
                table.round = round;
                (table.starter, table.starter_reason) = (starter, reason);
                table.round_commitment = commitment;
                (table.tile_counts, table.boneyard_count) = (tile_counts, boneyard_count);
            }
            SeenEvent::TilesDrawn { seat, count, own_tiles } => {
                self.turn = seat;
                table.tile_counts[seat] += count;
                table.boneyard_count -= count;
                assert_eq!(own_tiles.is_some(), self.viewer == Viewer::Seat(seat));
                self.own = self
                    .own
                    .or(own_tiles.iter().flat_map(|tiles| tiles.as_slice()).copied().collect());
            }
            SeenEvent::TurnPassed { seat } => self.turn = after(seat),
            SeenEvent::TilePlayed { seat, play, scores, .. } => {
                self.turn = after(seat);
                self.layout.play(play).unwrap();
                table.tile_counts[seat] -= 1;
                table.scores = scores;
                if self.viewer == Viewer::Seat(seat) {
                    assert!(self.own.contains(play.tile));
                    self.own.remove(play.tile);
                }
            }
            SeenEvent::RoundEnded {
                round, scores, seed, ..
            } => {
                table.scores = scores;
                table.revealed = Some(RevealedSeed { round, seed });
            }
            SeenEvent::SeatResigned { seat } => table.resigned[seat] = true,
            SeenEvent::MatchEnded { outcome, master } => {
                table.outcome = Some(outcome);
                table.revealed_master = Some(master);
            }
        }
    }

    /// What the pencil says of the table.
    fn table(&self) -> TableView {
        TableView {
            turn: self.table.outcome.is_none().then_some(self.turn),
            placed: self.layout.placed(),
            ends: self.layout.open_ends().collect(),
            total: self.layout.total(),
            ..self.table.clone()
        }
    }

    /// What the viewer may play, and what it would bring, tried out one by one.
    fn legal(&self) -> Vec<(Play, u8, u8)> {
        let on_turn = self.table().turn.is_some_and(|turn| self.viewer == Viewer::Seat(turn));
        let mut legal: Vec<_> = all_plays()
            .filter(|play| on_turn && self.own.contains(play.tile))
            .filter_map(|play| {
                let mut layout = self.layout;
                let placement = layout.play(play).ok()?;
                Some((play, placement.total, placement.points))
            })
            .collect();
        legal.sort_by_key(|(play, ..)| (std::cmp::Reverse(play.tile), play.end));
        legal
    }
}

#[test]
fn whoever_folds_what_it_was_told_knows_its_view() {
    let mut dice = Dice::new(7);
    for _ in 0..300 {
        let options = any_options(&mut dice);
        let mut watchers = Vec::new();
        play_match(&mut dice, options, 100, |step| {
            if watchers.is_empty() {
                watchers.extend(VIEWERS.map(|viewer| Watcher::new(step.before, viewer)));
            }
            for watcher in &mut watchers {
                for event in step.events {
                    watcher.hear(&SeenEvent::of(event, &options, watcher.viewer));
                }
                let view = View::of(step.after, watcher.viewer);
                assert_eq!(watcher.table(), view.table);
                assert_eq!(view.own.is_some(), watcher.viewer.seat().is_some());
                let Some(own) = view.own else { continue };
                assert_eq!((Some(own.seat), own.hand), (watcher.viewer.seat(), watcher.own));
                let listed: Vec<_> = own
                    .legal
                    .iter()
                    .map(|listed| (listed.play, listed.total, listed.points))
                    .collect();
                assert_eq!(listed, watcher.legal());
            }
        });
    }
}
