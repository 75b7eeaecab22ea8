//! How long a person may think.

use fives_referee::clock::{AfterMisses, TurnClock};

use super::field::known;
use super::invalid::{Invalid, both};
use crate::v1;

/// What follows is said with the count of misses: without either there is no clock, so that left out they can mean the usual.
const DEFAULT_MISSED_TURNS_MAX: u8 = 3;

pub(super) fn turn_clock(given: Option<&v1::TurnClock>) -> Result<Option<TurnClock>, Invalid> {
    let Some(given) = given else { return Ok(None) };
    let times = both(
        turn_time_ms(given.turn_time_ms),
        missed_turns_max(given.missed_turns_max),
    );
    let ((turn_time_ms, missed_turns_max), after_misses) = both(times, after_misses(given.missed_turns_policy))?;
    Ok(Some(TurnClock {
        turn_time_ms,
        missed_turns_max,
        after_misses,
    }))
}

fn turn_time_ms(ms: u32) -> Result<u32, Invalid> {
    let (least, most) = (TurnClock::MIN_TURN_TIME_MS, TurnClock::MAX_TURN_TIME_MS);
    if (least..=most).contains(&ms) {
        Ok(ms)
    } else {
        Err(Invalid::field("turn_clock.turn_time_ms", format!("{least} to {most}")))
    }
}

fn missed_turns_max(turns: u32) -> Result<u8, Invalid> {
    match u8::try_from(turns) {
        Ok(0) => Ok(DEFAULT_MISSED_TURNS_MAX),
        Ok(turns) if turns <= TurnClock::MAX_MISSED_TURNS => Ok(turns),
        _ => Err(Invalid::field(
            "turn_clock.missed_turns_max",
            format!(
                "1 to {}, or 0 for {DEFAULT_MISSED_TURNS_MAX}",
                TurnClock::MAX_MISSED_TURNS
            ),
        )),
    }
}

fn after_misses(policy: i32) -> Result<AfterMisses, Invalid> {
    Ok(match known("turn_clock.missed_turns_policy", policy)? {
        v1::MissedTurnsPolicy::Unspecified | v1::MissedTurnsPolicy::BotKeepsSeat => AfterMisses::BotKeepsSeat,
        v1::MissedTurnsPolicy::Forfeit => AfterMisses::Forfeit,
    })
}
