//! A match as one viewer may see it.

use fives_bots::BotKind;
use fives_referee::batch::Spectators;
use fives_referee::table::{MatchState, Occupant};
use fives_referee::view::{MatchView, SeatView};
use fives_rules::deal::Entropy;
use fives_rules::event::StarterReason;
use fives_rules::game::{EndedBy, Outcome};
use fives_rules::layout::{Branch, OpenEnd, PlacedTile};
use fives_rules::options::MatchOptions;
use fives_rules::seat::{Seat, Seating};
use fives_rules::view::{OwnHand, RevealedSeed, View};

use super::clock::{turn_clock, turn_timer};
use super::{by_side, bytes, cursor, end, options, scored_play, tile, tiles, timestamp};
use crate::v1;

/// A match.
#[must_use]
pub fn match_view(view: &MatchView) -> v1::MatchView {
    let table = view.game.as_ref().map(|game| &game.table);
    let (spectators_allowed, spectator_delay_revisions, spectator_delay_s) = spectators(view.spectators);
    v1::MatchView {
        match_id: view.id.to_string(),
        cursor: Some(cursor(view.cursor)),
        state: state(view.state).into(),
        options: Some(options(&view.options)),
        visibility: visibility(view.private).into(),
        invite_code: view.invite.map(|code| code.to_string()).unwrap_or_default(),
        creator_player_id: view.creator.to_string(),
        create_time: Some(timestamp(view.created_at)),
        spectators_allowed,
        spectator_delay_revisions,
        spectator_delay_s,
        seats: seats(view),
        viewer_seat: view.viewer.seat().map(seat_index),
        scores: scores(view),
        commitment: bytes(&view.commitment.0),
        round: view.game.as_ref().map(round),
        revealed_seed: table.and_then(|table| table.revealed).map(revealed_seed),
        master: table
            .and_then(|table| table.revealed_master)
            .or(view.voided)
            .map(|master| bytes(&master))
            .unwrap_or_default(),
        outcome: table
            .and_then(|table| table.outcome)
            .map(|end| outcome(&end, view.options.seating())),
        turn_clock: view.clock.map(turn_clock),
        turn_timer: view.timer.map(turn_timer),
        voided: view.voided.is_some(),
        ranked: view.ranked,
    }
}

pub(super) fn seat_index(seat: Seat) -> u32 {
    seat.index() as u32
}

pub(super) const fn state(state: MatchState) -> v1::MatchState {
    match state {
        MatchState::Open => v1::MatchState::Open,
        MatchState::Live => v1::MatchState::Live,
        MatchState::Finished => v1::MatchState::Finished,
        MatchState::Closed => v1::MatchState::Closed,
    }
}

pub(super) const fn visibility(private: bool) -> v1::MatchVisibility {
    if private {
        v1::MatchVisibility::Private
    } else {
        v1::MatchVisibility::Public
    }
}

/// Whether there may be spectators, and how far they are behind: in revisions and in seconds.
pub(super) fn spectators(spectators: Spectators) -> (bool, u32, u32) {
    match spectators {
        Spectators::Forbidden => (false, 0, 0),
        Spectators::Allowed {
            delay_revisions,
            delay_ms,
        } => (true, delay_revisions.into(), delay_ms.div_ceil(1000)),
    }
}

pub(super) fn bot_kind(kind: Option<BotKind>) -> v1::BotKind {
    match kind {
        None => v1::BotKind::Unspecified,
        Some(BotKind::Random) => v1::BotKind::Random,
        Some(BotKind::Greedy) => v1::BotKind::Greedy,
    }
}

pub(super) const fn starter_reason(reason: StarterReason) -> v1::StarterReason {
    match reason {
        StarterReason::Random => v1::StarterReason::Random,
        StarterReason::Out => v1::StarterReason::Out,
    }
}

pub(super) fn outcome(outcome: &Outcome, seating: Seating) -> v1::Outcome {
    let ended_by = match outcome.ended_by {
        EndedBy::Target => v1::EndedBy::Target,
        EndedBy::MaxRounds => v1::EndedBy::MaxRounds,
        EndedBy::Resignation => v1::EndedBy::Resignation,
    };
    v1::Outcome {
        winner_side: outcome.winner.map(|side| side.index() as u32),
        ended_by: ended_by.into(),
        ranks: by_side(seating, &outcome.ranks, u32::from),
    }
}

/// The scores of all sides; all 0 before the start.
pub(super) fn scores(view: &MatchView) -> Vec<i32> {
    let scores = view.game.as_ref().map(|game| game.table.scores).unwrap_or_default();
    by_side(view.options.seating(), &scores, |score| score)
}

pub(super) fn seats(view: &MatchView) -> Vec<v1::SeatView> {
    let counts = view
        .game
        .as_ref()
        .map(|game| game.table.tile_counts)
        .unwrap_or_default();
    let seats = view.options.players().seats().zip(&view.seats);
    seats
        .map(|(seat, shown)| seat_view(&view.options, seat, shown, counts[seat]))
        .collect()
}

fn seat_view(options: &MatchOptions, seat: Seat, shown: &SeatView, tile_count: u8) -> v1::SeatView {
    v1::SeatView {
        bot_kind: bot_kind(shown.bot).into(),
        resigned: shown.resigned,
        tile_count: tile_count.into(),
        entropy: entropy(&shown.entropy),
        missed_turns: shown.missed_turns.into(),
        kept_by_bot: shown.kept_by_bot,
        ..occupant(options, seat, &shown.occupant)
    }
}

/// A seat as it is taken, before anything was dealt.
pub(super) fn occupant(options: &MatchOptions, seat: Seat, occupant: &Occupant) -> v1::SeatView {
    let empty = v1::SeatView {
        seat: seat_index(seat),
        side: options.seating().side_of(seat).index() as u32,
        ..Default::default()
    };
    match occupant {
        Occupant::Open => empty,
        Occupant::Bot(kind) => v1::SeatView {
            bot_kind: bot_kind(Some(*kind)).into(),
            ..empty
        },
        Occupant::Person { player, name } => v1::SeatView {
            player_id: player.to_string(),
            display_name: name.to_string(),
            ..empty
        },
    }
}

pub(super) fn entropy(entropy: &Entropy) -> prost::bytes::Bytes {
    bytes(entropy.as_bytes())
}

fn revealed_seed(revealed: RevealedSeed) -> v1::RevealedSeed {
    v1::RevealedSeed {
        round: revealed.round,
        seed: bytes(&revealed.seed),
    }
}

fn round(view: &View) -> v1::RoundView {
    let View { table, own } = view;
    let (hand, legal) = own
        .as_ref()
        .map(|OwnHand { hand, legal, .. }| (*hand, legal.as_slice()))
        .unwrap_or_default();
    v1::RoundView {
        round: table.round,
        starter: seat_index(table.starter),
        starter_reason: starter_reason(table.starter_reason).into(),
        seat_on_turn: table.turn.map(seat_index),
        boneyard_count: table.boneyard_count.into(),
        commitment: bytes(&table.round_commitment.0),
        layout: table.placed.iter().map(placed_tile).collect(),
        open_ends: table.ends.iter().map(open_end).collect(),
        total: table.total.into(),
        hand: tiles(hand),
        legal_plays: legal.iter().map(scored_play).collect(),
    }
}

fn placed_tile(placed: &PlacedTile) -> v1::PlacedTile {
    let branch = match placed.branch {
        Branch::Line => v1::Branch::Line,
        Branch::North => v1::Branch::North,
        Branch::South => v1::Branch::South,
    };
    v1::PlacedTile {
        tile: Some(tile(placed.play.tile)),
        branch: branch.into(),
        position: placed.position.into(),
        outward_pip: placed.outward.get().into(),
        crosswise: placed.play.tile.is_double(),
        spinner: placed.spinner,
        end: placed.play.end.map_or(v1::End::Unspecified, end).into(),
    }
}

fn open_end(open: &OpenEnd) -> v1::OpenEnd {
    v1::OpenEnd {
        end: end(open.end).into(),
        pip: open.shown.get().into(),
        counted: open.counted.map(u32::from),
    }
}
