//! What casters see.

use fives_lobby::cast::{CastUpdate, DealtRound, OpenHands};
use fives_rules::tile::TileSet;

use super::{tiles, update};
use crate::v1;

/// What a caster's stream brings.
#[must_use]
pub fn cast_update(cast: &CastUpdate) -> v1::CastMatchResponse {
    v1::CastMatchResponse {
        update: Some(update(&cast.update)),
        open: cast.open.as_ref().map(open),
    }
}

fn open(open: &OpenHands) -> v1::OpenHands {
    v1::OpenHands {
        hands: hands(&open.hands),
        last_round: open.last_round.as_ref().map(dealt),
    }
}

fn dealt(dealt: &DealtRound) -> v1::DealtRound {
    v1::DealtRound {
        round: dealt.round,
        hands: hands(&dealt.hands),
    }
}

fn hands(hands: &[TileSet]) -> Vec<v1::OpenHand> {
    let hand = |hand: &TileSet| v1::OpenHand { tiles: tiles(*hand) };
    hands.iter().map(hand).collect()
}
