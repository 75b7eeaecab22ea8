//! Matches that somebody has played.

use fives_lobby::archive::{Ending, Seated, Sitter};
use fives_lobby::history::{Page, Played, Standing};
use fives_referee::batch::Visibility;
use fives_referee::player::DisplayName;
use fives_referee::request::Fingerprint;
use fives_rules::seat::Seat;

use super::view::{bot_kind, outcome, seat_index, visibility};
use super::{by_side, options, page_token, timestamp};
use crate::v1;

/// A page of a history, whose tokens are bound to this list.
#[must_use]
pub fn list_played_matches(page: &Page, list: &Fingerprint) -> v1::ListPlayedMatchesResponse {
    v1::ListPlayedMatchesResponse {
        matches: page.played.iter().map(played_match).collect(),
        next_page_token: page.next.map(|next| page_token(list, next)).unwrap_or_default(),
    }
}

fn played_match(played: &Played) -> v1::PlayedMatch {
    let archived = &played.archived;
    let seating = archived.options.seating();
    let (state, scores, outcome) = match &archived.ending {
        Ending::Finished {
            outcome: result,
            scores,
        } => (
            v1::MatchState::Finished,
            by_side(seating, scores, |score| score),
            Some(outcome(result, seating)),
        ),
        Ending::Voided => (v1::MatchState::Closed, Vec::new(), None),
    };
    let seats = archived.options.players().seats().zip(&archived.seats);
    v1::PlayedMatch {
        match_id: archived.id.to_string(),
        create_time: Some(timestamp(archived.created_at)),
        end_time: Some(timestamp(archived.ended_at)),
        state: state.into(),
        options: Some(options(&archived.options)),
        visibility: visibility(archived.visibility != Visibility::Public).into(),
        ranked: archived.ranked,
        seats: seats.map(|(seat, seated)| played_seat(played, seat, seated)).collect(),
        scores,
        outcome,
        seat: seat_index(played.seat),
        result: standing(played.standing).into(),
    }
}

fn played_seat(played: &Played, seat: Seat, seated: &Seated) -> v1::PlayedSeat {
    let (player, name, bot) = match &seated.sitter {
        Sitter::Person { player, name } => (player.to_string(), name.to_string(), None),
        Sitter::Erased => (String::new(), DisplayName::erased().to_string(), None),
        Sitter::Bot(kind) => (String::new(), String::new(), Some(*kind)),
    };
    v1::PlayedSeat {
        side: played.archived.options.seating().side_of(seat).index() as u32,
        player_id: player,
        display_name: name,
        bot_kind: bot_kind(bot).into(),
        resigned: seated.resigned,
    }
}

const fn standing(standing: Standing) -> v1::PlayedResult {
    match standing {
        Standing::Won => v1::PlayedResult::Won,
        Standing::Lost => v1::PlayedResult::Lost,
        Standing::Drawn => v1::PlayedResult::Drawn,
        Standing::Resigned => v1::PlayedResult::Resigned,
        Standing::Voided => v1::PlayedResult::Voided,
    }
}
