//! Snapshots: the newest state of a table.

use fives_referee::batch::NewTable;
use fives_referee::cursor::Cursor;
use fives_referee::store::StoreError;
use fives_referee::table::{Chair, Stage, Table};
use fives_referee::time::UnixMillis;
use fives_rules::event::StarterReason;
use fives_rules::game::Game;
use fives_rules::seat::BySeat;
use fives_rules::setup::Setup;
use prost::Message;

use super::{Damage, SCHEMA, check, field, invites, message, requests, terms, whole};
use crate::storage;

/// The bytes of a table.
#[must_use]
pub fn encode_table(table: &Table) -> Vec<u8> {
    let (started_at_revision, game) = match &table.stage {
        Stage::Started { at_revision, game } => (*at_revision, Some(stored_game(game))),
        Stage::Open | Stage::Closed | Stage::Voided => (0, None),
    };
    let timed = table.chairs.iter().filter(|_| table.clock.is_some());
    let snapshot = storage::Snapshot {
        schema: SCHEMA,
        revision: table.cursor.revision,
        stamp: table.cursor.stamp,
        terms: Some(terms::stored(&NewTable {
            id: table.id,
            creator: table.creator,
            options: table.options,
            visibility: table.visibility,
            spectators: table.spectators,
            clock: table.clock,
            ranked: table.ranked,
            master: table.master,
            occupants: table.chairs.iter().map(|chair| chair.occupant.clone()).collect(),
        })),
        created_at_ms: table.created_at.0,
        changed_at_ms: table.changed_at.0,
        entropies: table
            .chairs
            .iter()
            .map(|chair| chair.entropy.as_bytes().to_vec())
            .collect(),
        closed: table.stage == Stage::Closed,
        voided: table.stage == Stage::Voided,
        started_at_revision,
        game,
        next_due_ms: table.next_due.map(|at| at.0),
        requests: Some(requests::stored(&table.requests)),
        turn_began_at_ms: table.turn_began_at.map(|at| at.0),
        missed_turns: timed.clone().map(|chair| chair.missed_turns.into()).collect(),
        kept_by_bot: timed.map(|chair| chair.kept_by_bot).collect(),
        turn_waits: table.turn_waits,
        invites: table.invites.iter().map(invites::stored).collect(),
    };
    snapshot.encode_to_vec()
}

/// The table behind these bytes.
///
/// # Errors
/// [`StoreError::NewerSchema`], [`StoreError::Damaged`].
pub fn decode_table(bytes: &[u8]) -> Result<Table, StoreError> {
    let snapshot = message(bytes)?;
    whole(table(&snapshot))
}

fn table(stored: &storage::Snapshot) -> Result<Table, Damage> {
    let NewTable {
        id,
        creator,
        options,
        visibility,
        spectators,
        clock,
        ranked,
        master,
        occupants,
    } = terms::decoded(stored.terms.as_ref().ok_or("a table has no terms")?)?;
    if stored.entropies.len() != occupants.len() {
        return Err("there is not one entropy for each seat");
    }
    let timed_seats = if clock.is_some() { occupants.len() } else { 0 };
    if [stored.missed_turns.len(), stored.kept_by_bot.len()] != [timed_seats; 2] {
        return Err("there is not one count of missed turns for each seat that a clock is for");
    }
    let mut chairs = Vec::with_capacity(occupants.len());
    for (occupant, entropy) in occupants.into_iter().zip(&stored.entropies) {
        chairs.push(Chair::new(occupant, field::entropy(entropy)?));
    }
    for (chair, (missed_turns, kept_by_bot)) in chairs
        .iter_mut()
        .zip(stored.missed_turns.iter().zip(&stored.kept_by_bot))
    {
        chair.missed_turns = u8::try_from(*missed_turns).map_err(|_| "too many turns were missed")?;
        chair.kept_by_bot = *kept_by_bot;
    }
    let requests = requests::decoded(stored.requests.as_ref().ok_or("a table has no memory")?)?;
    let mut table = Table {
        id,
        cursor: Cursor {
            revision: stored.revision,
            stamp: stored.stamp,
        },
        creator,
        created_at: UnixMillis(stored.created_at_ms),
        changed_at: UnixMillis(stored.changed_at_ms),
        options,
        visibility,
        spectators,
        clock,
        ranked,
        master,
        chairs,
        stage: Stage::Open,
        invites: invites::decoded(&stored.invites)?,
        turn_began_at: stored.turn_began_at_ms.map(UnixMillis),
        turn_waits: stored.turn_waits,
        next_due: stored.next_due_ms.map(UnixMillis),
        requests,
    };
    table.stage = match (&stored.game, stored.closed, stored.voided) {
        (None, false, false) => Stage::Open,
        (None, true, false) => Stage::Closed,
        (None, false, true) => Stage::Voided,
        (Some(stored_game), false, false) => {
            let game = Box::new(game(stored_game, &table)?);
            Stage::Started {
                at_revision: stored.started_at_revision,
                game,
            }
        }
        (Some(_), ..) => return Err("a closed table has a game"),
        (None, true, true) => return Err("a table was closed in two ways"),
    };
    check::table(&table)?;
    Ok(table)
}

fn stored_game(game: &Game) -> storage::Game {
    let setup = Setup::from(game);
    storage::Game {
        round: setup.round_number,
        starter: field::seat_index(setup.starter),
        starter_was_out: setup.starter_reason == StarterReason::Out,
        scores: setup.scores.0.to_vec(),
        resigned: setup.resigned.0.to_vec(),
        plays: setup.plays.iter().flat_map(|play| field::play_bytes(*play)).collect(),
        hands: field::hand_bits(&setup.hands),
        boneyard: field::tile_numbers(&setup.boneyard),
        turn: field::seat_index(setup.turn),
        outcome: setup.outcome.as_ref().map(field::stored_outcome),
    }
}

fn game(stored: &storage::Game, table: &Table) -> Result<Game, Damage> {
    let (plays, rest) = stored.plays.as_chunks::<2>();
    if !rest.is_empty() {
        return Err("a play is cut off");
    }
    let setup = Setup {
        options: table.options,
        fairness: table.fairness(),
        round_number: stored.round,
        starter: field::seat(stored.starter)?,
        starter_reason: if stored.starter_was_out {
            StarterReason::Out
        } else {
            StarterReason::Random
        },
        scores: field::by_side(&stored.scores)?,
        resigned: BySeat(field::four(&stored.resigned)?),
        plays: plays.iter().map(|play| field::play(*play)).collect::<Result<_, _>>()?,
        hands: field::hands(&stored.hands)?,
        boneyard: field::tiles(&stored.boneyard)?,
        turn: field::seat(stored.turn)?,
        outcome: stored.outcome.as_ref().map(field::outcome).transpose()?,
    };
    Game::try_from(&setup).map_err(|_| "a game is in an impossible state")
}
