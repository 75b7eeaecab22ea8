//! What must fit together in a table or a batch, beyond what each field by itself can say.

use std::collections::HashSet;

use fives_referee::batch::{Batch, TableEvent};
use fives_referee::table::{Occupant, Stage, Table};
use fives_rules::deal::Entropy;
use fives_rules::seat::Seat;

use super::Damage;

/// Whether these parts can be one table.
pub(super) fn table(table: &Table) -> Result<(), Damage> {
    let revision = table.cursor.revision;
    if revision == 0 {
        return Err("a table has no revision");
    }
    let has_open_seat = table.chairs.iter().any(|chair| chair.occupant == Occupant::Open);
    match &table.stage {
        Stage::Open if !has_open_seat => return Err("all seats are taken and nothing was dealt"),
        Stage::Started { .. } if has_open_seat => return Err("a game is played with an open seat"),
        Stage::Started { at_revision, .. } if !(1..=revision).contains(at_revision) => {
            return Err("a game started at a revision that is not there");
        }
        Stage::Open | Stage::Started { .. } | Stage::Closed | Stage::Voided => {}
    }
    let mut seated = HashSet::new();
    for chair in &table.chairs {
        match &chair.occupant {
            Occupant::Person { player, .. } if !seated.insert(*player) => return Err("a person sits at two seats"),
            Occupant::Open | Occupant::Bot(_) if chair.entropy != Entropy::NONE => {
                return Err("a seat without a person has an entropy");
            }
            Occupant::Open | Occupant::Person { .. } | Occupant::Bot(_) => {}
        }
    }
    clock(table)?;
    let has_seat = |seat: &Seat| seat.index() < table.chairs.len();
    if table
        .invites
        .iter()
        .filter_map(|invite| invite.seat.as_ref())
        .any(|seat| !has_seat(seat))
    {
        return Err("an invite is for a seat that is not there");
    }
    let made = |made: u64| (1..=revision).contains(&made);
    if table.requests.iter().all(|request| made(request.revision)) {
        Ok(())
    } else {
        Err("a request made a revision that is not there")
    }
}

/// Whether the clock runs where one can, and only there.
fn clock(table: &Table) -> Result<(), Damage> {
    if table.timed_seat().is_some() != table.turn_began_at.is_some() {
        return Err("a clock runs for nobody, or none for who is on turn");
    }
    let missed_turns_max = table.clock.map_or(0, |clock| clock.missed_turns_max);
    for chair in &table.chairs {
        let is_person = matches!(chair.occupant, Occupant::Person { .. });
        if !is_person && (chair.kept_by_bot || chair.missed_turns > 0) {
            return Err("a seat without a person has missed turns");
        }
        if chair.missed_turns > missed_turns_max {
            return Err("more turns were missed than can be");
        }
    }
    Ok(())
}

/// Whether these events can be one revision: a table is created by the first, and by no other.
pub(super) fn batch(batch: &Batch) -> Result<(), Damage> {
    let creates = |event: &TableEvent| matches!(event, TableEvent::Created(_));
    let (first, rest) = batch.events.split_first().ok_or("a batch has no events")?;
    if batch.cursor.revision == 0 {
        Err("a batch has no revision")
    } else if creates(first) != (batch.cursor.revision == 1) || rest.iter().any(creates) {
        Err("a table is created elsewhere than at its beginning")
    } else {
        Ok(())
    }
}
