//! A new match.

use fives_bots::BotKind;
use fives_referee::batch::Spectators;
use fives_referee::command::{CreateMatch, SeatWish};
use fives_referee::request::RequestId;
use fives_rules::options::{
    DeadLayout, HandRule, MatchOptions, OptionChoices, OptionsError, RoundCap, Rounding, WinCheck,
};
use fives_rules::seat::Players;

use super::{Invalid, InvalidKind, known, request_id};
use crate::encode::ALL_FIVES;
use crate::v1;

/// A match that somebody wants to make.
///
/// # Errors
/// The field or the option at fault.
pub fn create_match(request: &v1::CreateMatchRequest) -> Result<(RequestId, CreateMatch), Invalid> {
    let players = Players::new(request.seats.len()).ok_or_else(|| Invalid::field("seats", "two to four are needed"))?;
    let seats = request
        .seats
        .iter()
        .enumerate()
        .map(|(index, seat)| seat_wish(index, seat))
        .collect::<Result<_, _>>()?;
    let private = match known("visibility", request.visibility)? {
        v1::MatchVisibility::Unspecified => return Err(Invalid::missing("visibility")),
        v1::MatchVisibility::Public => false,
        v1::MatchVisibility::Private => true,
    };
    let wish = CreateMatch {
        options: options(request.options.as_ref(), players)?,
        seats,
        private,
        spectators: spectators(request)?,
    };
    Ok((request_id(&request.request_id)?, wish))
}

fn spectators(request: &v1::CreateMatchRequest) -> Result<Spectators, Invalid> {
    let field = "spectator_delay_revisions";
    let delay = u16::try_from(request.spectator_delay_revisions).ok();
    match (
        request.spectators_allowed,
        delay.filter(|delay| *delay <= Spectators::MAX_DELAY_REVISIONS),
    ) {
        (_, None) => Err(Invalid::field(
            field,
            format!("at most {}", Spectators::MAX_DELAY_REVISIONS),
        )),
        (true, Some(delay_revisions)) => Ok(Spectators::Allowed { delay_revisions }),
        (false, Some(0)) => Ok(Spectators::Forbidden),
        (false, Some(_)) => Err(Invalid::field(field, "there are no spectators to hold back")),
    }
}

fn seat_wish(index: usize, seat: &v1::SeatRequest) -> Result<SeatWish, Invalid> {
    use v1::seat_request::Occupant;
    let field = |name: &str| format!("seats[{index}].{name}");
    match &seat.occupant {
        None => Err(Invalid::missing(field("occupant"))),
        Some(Occupant::Open(_)) => Ok(SeatWish::Open),
        Some(Occupant::Me(_)) => Ok(SeatWish::Me),
        Some(Occupant::Bot(kind)) => match known(&field("bot"), *kind)? {
            v1::BotKind::Unspecified => Err(Invalid::missing(field("bot"))),
            v1::BotKind::Random => Ok(SeatWish::Bot(BotKind::Random)),
            v1::BotKind::Greedy => Ok(SeatWish::Bot(BotKind::Greedy)),
        },
    }
}

/// The options of a match for `players`; what is left out is the preset's, which the rules know.
fn options(given: Option<&v1::MatchOptions>, players: Players) -> Result<MatchOptions, Invalid> {
    let Some(given) = given else {
        return Ok(MatchOptions::all_fives(players));
    };
    if !given.preset.is_empty() && given.preset != ALL_FIVES {
        return Err(impossible("preset", "there is no such preset"));
    }
    let choices = OptionChoices {
        partners: given.partners,
        hand_rule: match known("options.hand_rule", given.hand_rule)? {
            v1::HandRule::Unspecified => None,
            v1::HandRule::NineSevenFive => Some(HandRule::NineSevenFive),
            v1::HandRule::FiveFiveFive => Some(HandRule::FiveEach),
            v1::HandRule::SevenFiveFive => Some(HandRule::SevenFiveFive),
        },
        target_points: given.target_points,
        win_check: match known("options.win_check", given.win_check)? {
            v1::WinCheck::Unspecified => None,
            v1::WinCheck::Immediate => Some(WinCheck::Immediate),
            v1::WinCheck::RoundEnd => Some(WinCheck::RoundEnd),
        },
        rounding: match known("options.rounding", given.rounding)? {
            v1::Rounding::Unspecified => None,
            v1::Rounding::PerHand => Some(Rounding::PerHand),
            v1::Rounding::PerSide => Some(Rounding::PerSide),
        },
        floor_zero: given.floor_zero,
        dead_layout: match known("options.dead_layout", given.dead_layout)? {
            v1::DeadLayout::Unspecified => None,
            v1::DeadLayout::Drain => Some(DeadLayout::Drain),
            v1::DeadLayout::End => Some(DeadLayout::End),
        },
        boneyard_reserve: given.boneyard_reserve,
        max_rounds: given.max_rounds.map_or(RoundCap::Preset, RoundCap::After),
    };
    choices
        .resolve(players)
        .map_err(|error: OptionsError| impossible(error.option(), &error.to_string()))
}

fn impossible(option: &str, description: &str) -> Invalid {
    Invalid {
        kind: InvalidKind::Options,
        field: format!("options.{option}"),
        description: description.to_owned(),
    }
}
