//! What the backend of a platform asks.

use fives_bots::BotKind;
use fives_referee::audit::Why;
use fives_referee::command::{CreateMatch, Intervention, SeatWish};
use fives_referee::id::{MatchId, PlayerId};
use fives_referee::player::DisplayName;
use fives_referee::request::RequestId;

use super::admin::{seat, why};
use super::create::create_match as terms;
use super::field::{match_id, optional_name, parsed};
use super::invalid::{Invalid, all, both};
use crate::v1;

/// Who shall have a seat of a new match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Seat {
    /// A player, by the id here.
    Player(PlayerId),
    /// Somebody whom an issuer knows.
    Identity {
        /// As whom.
        subject: String,
        /// Which; `None`: the caller's own.
        issuer: Option<String>,
        /// What to call them if they have never been here.
        name: Option<DisplayName>,
    },
    /// A bot.
    Bot(BotKind),
}

/// A match that a platform wants to be made: under which id, for whom, and the rest, whose seats say nothing.
///
/// # Errors
/// The fields or the options at fault.
pub fn create_match(
    request: &v1::PlatformServiceCreateMatchRequest,
) -> Result<(RequestId, Vec<Seat>, CreateMatch), Invalid> {
    use v1::seat_request::{Occupant, Open};
    let kind = |seat: &v1::PlatformSeat| match seat.occupant {
        Some(v1::platform_seat::Occupant::Bot(kind)) => Occupant::Bot(kind),
        _ => Occupant::Open(Open {}),
    };
    // Read by the same rules as a player's own match. Of seats, as many as a match may have and one.
    let seats = request.seats.iter().take(SEATS_READ);
    let same = v1::CreateMatchRequest {
        request_id: request.request_id.clone(),
        options: request.options.clone(),
        seats: seats
            .clone()
            .map(|seat| v1::SeatRequest {
                occupant: Some(kind(seat)),
            })
            .collect(),
        visibility: request.visibility,
        spectators_allowed: request.spectators_allowed,
        spectator_delay_revisions: request.spectator_delay_revisions,
        spectator_delay_s: request.spectator_delay_s,
        turn_clock: request.turn_clock,
    };
    let people = all(seats.enumerate().map(|(index, seat)| person(index, seat)));
    let ((request, terms), people) = both(terms(&same), people)?;
    let seats = people.into_iter().zip(&terms.seats);
    let seats = seats.map(|(person, wish)| match (person, wish) {
        (Some(person), _) => Ok(person),
        (None, SeatWish::Bot(kind)) => Ok(Seat::Bot(*kind)),
        (None, SeatWish::Open | SeatWish::Me) => Err(Invalid::missing("seats")),
    });
    Ok((request, all(seats)?, terms))
}

/// How many seats are read: one more than there can be is as wrong as a thousand.
const SEATS_READ: usize = 5;

/// The person who shall have a seat; `None` for a bot.
fn person(index: usize, seat: &v1::PlatformSeat) -> Result<Option<Seat>, Invalid> {
    use v1::platform_seat::Occupant;
    let field = |name: &str| format!("seats[{index}].{name}");
    match &seat.occupant {
        None => Err(Invalid::missing(field("occupant"))),
        Some(Occupant::PlayerId(id)) => parsed(&field("player_id"), id).map(|id| Some(Seat::Player(id))),
        Some(Occupant::Identity(identity)) => {
            let name = optional_name(&field("identity.display_name"), &identity.display_name);
            let subject = match identity.subject.as_str() {
                "" => Err(Invalid::missing(field("identity.subject"))),
                subject => Ok(subject.to_owned()),
            };
            let (subject, name) = both(subject, name)?;
            let issuer = Some(identity.issuer.clone()).filter(|issuer| !issuer.is_empty());
            Ok(Some(Seat::Identity { subject, issuer, name }))
        }
        Some(Occupant::Bot(_)) => Ok(None),
    }
}

/// An identity that cannot be: of an issuer that is not known here, or of a subject that none has.
#[must_use]
pub fn no_identity(index: usize, field: &str, why: &str) -> Invalid {
    Invalid::field(format!("seats[{index}].identity.{field}"), why)
}

/// A match that a platform wants to look at.
///
/// # Errors
/// The field at fault.
pub fn get_match(request: &v1::PlatformServiceGetMatchRequest) -> Result<MatchId, Invalid> {
    match_id(&request.match_id)
}

/// A match to end without a result, and why.
///
/// # Errors
/// The fields at fault.
pub fn void_match(request: &v1::PlatformServiceVoidMatchRequest) -> Result<(MatchId, Intervention, Why), Invalid> {
    let (id, why) = both(match_id(&request.match_id), why(&request.reason))?;
    Ok((id, Intervention::Void, why))
}

/// A player who has to give up, and why.
///
/// # Errors
/// The fields at fault.
pub fn forfeit_seat(request: &v1::PlatformServiceForfeitSeatRequest) -> Result<(MatchId, Intervention, Why), Invalid> {
    let place = both(match_id(&request.match_id), seat(request.seat));
    let ((id, seat), why) = both(place, why(&request.reason))?;
    Ok((id, Intervention::Forfeit(seat), why))
}
