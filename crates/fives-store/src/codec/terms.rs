//! What a table begins with.

use fives_bots::BotKind;
use fives_referee::batch::{NewTable, Spectators, Visibility};
use fives_referee::clock::{AfterMisses, TurnClock};
use fives_referee::id::MatchId;
use fives_referee::table::Occupant;
use fives_rules::deal::Master;
use fives_rules::options::{DeadLayout, HandRule, MatchOptions, OptionChoices, RoundCap, Rounding, WinCheck};
use fives_rules::seat::{Players, Seating};

use super::{Damage, field, invites};
use crate::storage;

pub(super) fn stored(terms: &NewTable) -> storage::TableTerms {
    storage::TableTerms {
        match_id: terms.id.as_bytes().to_vec(),
        creator: terms.creator.as_bytes().to_vec(),
        options: Some(stored_options(&terms.options)),
        invite_code: stored_visibility(&terms.visibility),
        spectator_delay_revisions: match terms.spectators {
            Spectators::Forbidden => None,
            Spectators::Allowed { delay_revisions, .. } => Some(delay_revisions.into()),
        },
        spectator_delay_ms: match terms.spectators {
            Spectators::Forbidden => 0,
            Spectators::Allowed { delay_ms, .. } => delay_ms,
        },
        master: terms.master.reveal().to_vec(),
        occupants: terms.occupants.iter().map(stored_occupant).collect(),
        turn_clock: terms.clock.map(stored_clock),
        ranked: terms.ranked,
    }
}

pub(super) fn decoded(stored: &storage::TableTerms) -> Result<NewTable, Damage> {
    let options = options(stored.options.as_ref().ok_or("a table has no options")?)?;
    if stored.occupants.len() != options.players().count() {
        return Err("a table has not as many seats as players");
    }
    Ok(NewTable {
        id: field::bytes(&stored.match_id).map(MatchId::from_bytes)?,
        creator: field::player_id(&stored.creator)?,
        options,
        visibility: visibility(&stored.invite_code)?,
        spectators: match stored.spectator_delay_revisions {
            None if stored.spectator_delay_ms > 0 => return Err("spectators are held back where there are none"),
            None => Spectators::Forbidden,
            Some(_) if stored.spectator_delay_ms > Spectators::MAX_DELAY_MS => return Err("a delay is too long"),
            Some(delay) => {
                let delay = u16::try_from(delay)
                    .ok()
                    .filter(|delay| *delay <= Spectators::MAX_DELAY_REVISIONS);
                Spectators::Allowed {
                    delay_revisions: delay.ok_or("a delay is too long")?,
                    delay_ms: stored.spectator_delay_ms,
                }
            }
        },
        clock: stored.turn_clock.as_ref().map(turn_clock).transpose()?,
        ranked: stored.ranked,
        master: Master::new(field::bytes(&stored.master)?),
        occupants: stored.occupants.iter().map(occupant).collect::<Result<_, _>>()?,
    })
}

pub(super) fn stored_clock(clock: TurnClock) -> storage::TurnClock {
    storage::TurnClock {
        turn_time_ms: clock.turn_time_ms,
        missed_turns_max: clock.missed_turns_max.into(),
        forfeit: clock.after_misses == AfterMisses::Forfeit,
    }
}

pub(super) fn stored_visibility(visibility: &Visibility) -> Vec<u8> {
    match visibility {
        Visibility::Public => Vec::new(),
        Visibility::Private(code) => code.as_bytes().to_vec(),
    }
}

pub(super) fn visibility(code: &[u8]) -> Result<Visibility, Damage> {
    match code {
        [] => Ok(Visibility::Public),
        code => invites::code(code).map(Visibility::Private),
    }
}

pub(super) fn turn_clock(stored: &storage::TurnClock) -> Result<TurnClock, Damage> {
    let clock = TurnClock {
        turn_time_ms: stored.turn_time_ms,
        missed_turns_max: u8::try_from(stored.missed_turns_max).unwrap_or(u8::MAX),
        after_misses: if stored.forfeit {
            AfterMisses::Forfeit
        } else {
            AfterMisses::BotKeepsSeat
        },
    };
    Some(clock)
        .filter(TurnClock::is_possible)
        .ok_or("a turn clock is out of its bounds")
}

pub(super) fn stored_occupant(occupant: &Occupant) -> storage::Occupant {
    match occupant {
        Occupant::Open => storage::Occupant::default(),
        Occupant::Person { player, name } => storage::Occupant {
            player: player.as_bytes().to_vec(),
            name: name.as_str().to_owned(),
            ..Default::default()
        },
        Occupant::Bot(kind) => storage::Occupant {
            bot: bot_number(*kind),
            ..Default::default()
        },
    }
}

/// The number of a kind of bot; 0 is none.
pub(super) const fn bot_number(kind: BotKind) -> u32 {
    match kind {
        BotKind::Random => 1,
        BotKind::Greedy => 2,
    }
}

pub(super) fn bot_kind(number: u32) -> Result<BotKind, Damage> {
    match number {
        1 => Ok(BotKind::Random),
        2 => Ok(BotKind::Greedy),
        _ => Err("there is no such bot"),
    }
}

pub(super) fn occupant(stored: &storage::Occupant) -> Result<Occupant, Damage> {
    match (stored.player.as_slice(), stored.name.as_str(), stored.bot) {
        ([], "", 0) => Ok(Occupant::Open),
        ([], "", bot) => bot_kind(bot).map(Occupant::Bot),
        (player, name, 0) => Ok(Occupant::Person {
            player: field::player_id(player)?,
            name: field::name(name)?,
        }),
        _ => Err("a seat is neither open nor a person's nor a known bot's"),
    }
}

pub(super) fn stored_options(options: &MatchOptions) -> storage::Options {
    storage::Options {
        players: options.players().count() as u32,
        partners: options.seating() == Seating::Partners,
        hand_rule: match options.hand_rule() {
            HandRule::NineSevenFive => 0,
            HandRule::FiveEach => 1,
            HandRule::SevenFiveFive => 2,
        },
        target_points: options.target_points().unsigned_abs(),
        win_at_round_end: options.win_check() == WinCheck::RoundEnd,
        round_per_side: options.rounding() == Rounding::PerSide,
        floor_zero: options.floor_zero(),
        dead_layout_ends: options.dead_layout() == DeadLayout::End,
        boneyard_reserve: options.boneyard_reserve().into(),
        max_rounds: options.max_rounds().map_or(0, |cap| cap.get()),
    }
}

pub(super) fn options(stored: &storage::Options) -> Result<MatchOptions, Damage> {
    let players = usize::try_from(stored.players)
        .ok()
        .and_then(Players::new)
        .ok_or("a match has 2 to 4 players")?;
    let choices = OptionChoices {
        partners: Some(stored.partners),
        hand_rule: Some(match stored.hand_rule {
            0 => HandRule::NineSevenFive,
            1 => HandRule::FiveEach,
            2 => HandRule::SevenFiveFive,
            _ => return Err("a hand rule is unknown"),
        }),
        target_points: Some(stored.target_points),
        win_check: Some(if stored.win_at_round_end {
            WinCheck::RoundEnd
        } else {
            WinCheck::Immediate
        }),
        rounding: Some(if stored.round_per_side {
            Rounding::PerSide
        } else {
            Rounding::PerHand
        }),
        floor_zero: Some(stored.floor_zero),
        dead_layout: Some(if stored.dead_layout_ends {
            DeadLayout::End
        } else {
            DeadLayout::Drain
        }),
        boneyard_reserve: Some(stored.boneyard_reserve),
        max_rounds: match stored.max_rounds {
            0 => RoundCap::Never,
            rounds => RoundCap::After(rounds),
        },
    };
    choices.resolve(players).map_err(|_| "the options are impossible")
}
