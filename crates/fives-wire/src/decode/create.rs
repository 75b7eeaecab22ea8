//! A new match.

use fives_bots::BotKind;
use fives_referee::batch::Spectators;
use fives_referee::command::{CreateMatch, SeatWish};
use fives_referee::request::RequestId;
use fives_rules::options::{DeadLayout, HandRule, MatchOptions, OptionChoices, RoundCap, Rounding, WinCheck};
use fives_rules::seat::Players;

use super::clock::turn_clock;
use super::field::{known, request_id};
use super::invalid::{Invalid, all, both};
use crate::encode::ALL_FIVES;
use crate::v1;

const MS_PER_S: u32 = 1000;

/// A match that somebody wants to make.
///
/// # Errors
/// The fields or the options at fault.
pub fn create_match(request: &v1::CreateMatchRequest) -> Result<(RequestId, CreateMatch), Invalid> {
    let named = both(request_id(&request.request_id), private(request.visibility));
    let terms = both(spectators(request), turn_clock(request.turn_clock.as_ref()));
    let table = both(seating(request), terms);
    let ((id, private), ((seats, options), (spectators, clock))) = both(named, table)?;
    let wish = CreateMatch {
        options,
        seats,
        private,
        spectators,
        clock,
    };
    Ok((id, wish))
}

/// The seats, and the options for so many: without the number there is nothing to check either against.
fn seating(request: &v1::CreateMatchRequest) -> Result<(Vec<SeatWish>, MatchOptions), Invalid> {
    let players = Players::new(request.seats.len()).ok_or_else(|| Invalid::field("seats", "two to four are needed"))?;
    let seats = request.seats.iter().enumerate();
    both(
        all(seats.map(|(index, seat)| seat_wish(index, seat))),
        options(request.options.as_ref(), players),
    )
}

fn private(visibility: i32) -> Result<bool, Invalid> {
    match known("visibility", visibility)? {
        v1::MatchVisibility::Unspecified => Err(Invalid::missing("visibility")),
        v1::MatchVisibility::Public => Ok(false),
        v1::MatchVisibility::Private => Ok(true),
    }
}

fn spectators(request: &v1::CreateMatchRequest) -> Result<Spectators, Invalid> {
    let revisions = delay(
        "spectator_delay_revisions",
        request,
        request.spectator_delay_revisions,
        Spectators::MAX_DELAY_REVISIONS.into(),
    );
    let seconds = delay(
        "spectator_delay_s",
        request,
        request.spectator_delay_s,
        Spectators::MAX_DELAY_MS / MS_PER_S,
    );
    let (revisions, seconds) = both(revisions, seconds)?;
    Ok(match request.spectators_allowed {
        true => Spectators::Allowed {
            delay_revisions: u16::try_from(revisions).unwrap_or(Spectators::MAX_DELAY_REVISIONS),
            delay_ms: seconds * MS_PER_S,
        },
        false => Spectators::Forbidden,
    })
}

/// A delay of spectators, of `most` at most, and none where there are no spectators.
fn delay(field: &str, request: &v1::CreateMatchRequest, delay: u32, most: u32) -> Result<u32, Invalid> {
    if delay > most {
        Err(Invalid::field(field, format!("at most {most}")))
    } else if delay > 0 && !request.spectators_allowed {
        Err(Invalid::field(field, "there are no spectators to hold back"))
    } else {
        Ok(delay)
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
    let tiles = both(hand_rule(given.hand_rule), dead_layout(given.dead_layout));
    let points = both(win_check(given.win_check), rounding(given.rounding));
    let (((hand_rule, dead_layout), (win_check, rounding)), ()) = both(both(tiles, points), preset(&given.preset))?;
    let choices = OptionChoices {
        partners: given.partners,
        hand_rule,
        target_points: given.target_points,
        win_check,
        rounding,
        floor_zero: given.floor_zero,
        dead_layout,
        boneyard_reserve: given.boneyard_reserve,
        max_rounds: given.max_rounds.map_or(RoundCap::Preset, RoundCap::After),
    };
    choices
        .resolve(players)
        .map_err(|error| Invalid::option(error.option(), error))
}

fn preset(name: &str) -> Result<(), Invalid> {
    match name {
        "" | ALL_FIVES => Ok(()),
        _ => Err(Invalid::option("preset", "there is no such preset")),
    }
}

fn hand_rule(value: i32) -> Result<Option<HandRule>, Invalid> {
    Ok(match known("options.hand_rule", value)? {
        v1::HandRule::Unspecified => None,
        v1::HandRule::NineSevenFive => Some(HandRule::NineSevenFive),
        v1::HandRule::FiveFiveFive => Some(HandRule::FiveEach),
        v1::HandRule::SevenFiveFive => Some(HandRule::SevenFiveFive),
    })
}

fn win_check(value: i32) -> Result<Option<WinCheck>, Invalid> {
    Ok(match known("options.win_check", value)? {
        v1::WinCheck::Unspecified => None,
        v1::WinCheck::Immediate => Some(WinCheck::Immediate),
        v1::WinCheck::RoundEnd => Some(WinCheck::RoundEnd),
    })
}

fn rounding(value: i32) -> Result<Option<Rounding>, Invalid> {
    Ok(match known("options.rounding", value)? {
        v1::Rounding::Unspecified => None,
        v1::Rounding::PerHand => Some(Rounding::PerHand),
        v1::Rounding::PerSide => Some(Rounding::PerSide),
    })
}

fn dead_layout(value: i32) -> Result<Option<DeadLayout>, Invalid> {
    Ok(match known("options.dead_layout", value)? {
        v1::DeadLayout::Unspecified => None,
        v1::DeadLayout::Drain => Some(DeadLayout::Drain),
        v1::DeadLayout::End => Some(DeadLayout::End),
    })
}
