//! What lists show of a match, and what turns their pages.

use fives_referee::listing::ListPosition;
use fives_referee::request::Fingerprint;
use fives_referee::view::MatchView;
use fives_rules::seat::Seat;

use super::clock::turn_clock;
use super::view::{scores, seat_index, seats, spectators, state, visibility};
use super::{options, timestamp};
use crate::{page_token, v1};

/// What a list shows of a match.
#[must_use]
pub fn match_summary(view: &MatchView) -> v1::MatchSummary {
    let table = view.game.as_ref().map(|game| &game.table);
    let (spectators_allowed, spectator_delay_revisions, spectator_delay_s) = spectators(view.spectators);
    v1::MatchSummary {
        match_id: view.id.to_string(),
        state: state(view.state).into(),
        options: Some(options(&view.options)),
        visibility: visibility(view.private).into(),
        creator_player_id: view.creator.to_string(),
        create_time: Some(timestamp(view.created_at)),
        spectators_allowed,
        spectator_delay_revisions,
        spectator_delay_s,
        seats: seats(view),
        viewer_seat: view.viewer.seat().map(seat_index),
        scores: scores(view),
        round: table.map(|table| table.round),
        turn_clock: view.clock.map(turn_clock),
        seat_on_turn: table.and_then(|table| table.turn).map(|seat: Seat| seat_index(seat)),
        ranked: view.ranked,
    }
}

/// The token for the page behind `position` of the list with this fingerprint.
#[must_use]
pub fn page_token(list: &Fingerprint, position: ListPosition) -> String {
    page_token::write(list, position)
}
