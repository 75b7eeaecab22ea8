//! How long a person may think, and how much of it is left.

use fives_referee::clock::{AfterMisses, TurnClock, TurnTimer};

use super::timestamp;
use super::view::seat_index;
use crate::v1;

pub(super) fn turn_clock(clock: TurnClock) -> v1::TurnClock {
    let policy = match clock.after_misses {
        AfterMisses::BotKeepsSeat => v1::MissedTurnsPolicy::BotKeepsSeat,
        AfterMisses::Forfeit => v1::MissedTurnsPolicy::Forfeit,
    };
    v1::TurnClock {
        turn_time_ms: clock.turn_time_ms,
        missed_turns_max: clock.missed_turns_max.into(),
        missed_turns_policy: policy.into(),
    }
}

pub(super) fn turn_timer(timer: TurnTimer) -> v1::TurnTimer {
    v1::TurnTimer {
        seat: seat_index(timer.seat),
        server_time: Some(timestamp(timer.now)),
        deadline: Some(timestamp(timer.deadline)),
        remaining_ms: u32::try_from(timer.remaining_ms()).unwrap_or(u32::MAX),
    }
}
