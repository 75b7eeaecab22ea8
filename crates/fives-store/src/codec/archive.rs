//! What stays of matches that are over, their records, and erasures under way.

use std::io::{Read, Write};

use fives_lobby::archive::{Archived, Ending, Seated, Sitter};
use fives_lobby::store::Unfinished;
use fives_referee::batch::Spectators;
use fives_referee::id::MatchId;
use fives_referee::store::StoreError;
use fives_referee::table::Occupant;
use fives_referee::time::UnixMillis;
use fives_rules::record::Record;
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use prost::Message;

use super::{Damage, SCHEMA, field, message, terms, whole};
use crate::storage;

/// The longest record that is read, in bytes before it was compressed: some 16,000 rounds. What is longer was not written here.
const RECORD_MAX_BYTES: u64 = 64 * 1024 * 1024;

/// What a compressed record begins with, so that another way to compress can be told from this one.
const DEFLATED_JSON: u8 = 1;

/// The bytes of an archived match, but for its record.
#[must_use]
pub fn encode_archived(archived: &Archived) -> Vec<u8> {
    let (outcome, scores) = match &archived.ending {
        Ending::Finished { outcome, scores } => (Some(field::stored_outcome(outcome)), scores.0.to_vec()),
        Ending::Voided => (None, Vec::new()),
    };
    let creator = archived.creator.map(|creator| creator.as_bytes().to_vec());
    let stored = storage::StoredArchive {
        schema: SCHEMA,
        match_id: archived.id.as_bytes().to_vec(),
        creator: creator.unwrap_or_default(),
        created_at_ms: archived.created_at.0,
        ended_at_ms: archived.ended_at.0,
        options: Some(terms::stored_options(&archived.options)),
        invite_code: terms::stored_visibility(&archived.visibility),
        spectators_allowed: archived.spectators != Spectators::Forbidden,
        seats: archived.seats.iter().map(stored_seat).collect(),
        outcome,
        scores,
        ranked: archived.ranked,
    };
    stored.encode_to_vec()
}

fn stored_seat(seated: &Seated) -> storage::ArchivedSeat {
    let occupant = match &seated.sitter {
        Sitter::Erased => None,
        Sitter::Person { player, name } => Some(Occupant::Person {
            player: *player,
            name: name.clone(),
        }),
        Sitter::Bot(kind) => Some(Occupant::Bot(*kind)),
    };
    storage::ArchivedSeat {
        occupant: occupant.as_ref().map(terms::stored_occupant),
        resigned: seated.resigned,
    }
}

/// The archived match behind these bytes.
///
/// # Errors
/// [`StoreError::NewerSchema`], [`StoreError::Damaged`].
pub fn decode_archived(bytes: &[u8]) -> Result<Archived, StoreError> {
    let stored = message(bytes)?;
    whole(archived(&stored))
}

fn archived(stored: &storage::StoredArchive) -> Result<Archived, Damage> {
    let options = terms::options(stored.options.as_ref().ok_or("an archived match has no options")?)?;
    if stored.seats.len() != options.players().count() {
        return Err("an archived match has not as many seats as players");
    }
    Ok(Archived {
        id: field::bytes(&stored.match_id).map(MatchId::from_bytes)?,
        creator: match stored.creator.as_slice() {
            [] => None,
            creator => Some(field::player_id(creator)?),
        },
        created_at: UnixMillis(stored.created_at_ms),
        ended_at: UnixMillis(stored.ended_at_ms),
        options,
        visibility: terms::visibility(&stored.invite_code)?,
        // How far they were behind does not matter any more.
        spectators: if stored.spectators_allowed {
            Spectators::UNDELAYED
        } else {
            Spectators::Forbidden
        },
        seats: stored.seats.iter().map(seat).collect::<Result<_, _>>()?,
        ending: match &stored.outcome {
            Some(outcome) => Ending::Finished {
                outcome: field::outcome(outcome)?,
                scores: field::by_side(&stored.scores)?,
            },
            None if stored.scores.is_empty() => Ending::Voided,
            None => return Err("a match without a result has scores"),
        },
        ranked: stored.ranked,
    })
}

fn seat(stored: &storage::ArchivedSeat) -> Result<Seated, Damage> {
    let sitter = match stored.occupant.as_ref().map(terms::occupant).transpose()? {
        None => Sitter::Erased,
        Some(Occupant::Person { player, name }) => Sitter::Person { player, name },
        Some(Occupant::Bot(kind)) => Sitter::Bot(kind),
        Some(Occupant::Open) => return Err("a match that is over has an open seat"),
    };
    let resigned = stored.resigned;
    Ok(Seated { sitter, resigned })
}

/// The bytes of a record, compressed to about a tenth.
///
/// # Errors
/// Never for a record that the rules wrote.
pub fn encode_record(record: &Record) -> Result<Vec<u8>, StoreError> {
    let unwritten = |error: std::io::Error| StoreError::Damaged(format!("a record cannot be written: {error}"));
    let mut encoder = DeflateEncoder::new(vec![DEFLATED_JSON], Compression::default());
    serde_json::to_writer(&mut encoder, record).map_err(|error| unwritten(error.into()))?;
    encoder.flush().map_err(unwritten)?;
    encoder.finish().map_err(unwritten)
}

/// The record behind these bytes; however they swell, no more than so much of them is read.
///
/// # Errors
/// [`StoreError::Damaged`].
pub fn decode_record(bytes: &[u8]) -> Result<Record, StoreError> {
    let damaged = |what: &str| StoreError::Damaged(format!("an archived record is none: {what}"));
    let deflated = match bytes.split_first() {
        Some((&DEFLATED_JSON, deflated)) => deflated,
        _ => return Err(damaged("it is compressed in no known way")),
    };
    let mut json = Vec::new();
    let mut decoder = DeflateDecoder::new(deflated).take(RECORD_MAX_BYTES);
    decoder
        .read_to_end(&mut json)
        .map_err(|error| damaged(&error.to_string()))?;
    serde_json::from_slice(&json).map_err(|error| damaged(&error.to_string()))
}

/// The bytes of an erasure that somebody may carry on with at this time.
#[must_use]
pub fn encode_erasure(unfinished: &Unfinished, due_at: UnixMillis) -> Vec<u8> {
    let stored = storage::StoredErasure {
        schema: SCHEMA,
        player: unfinished.player.as_bytes().to_vec(),
        begun_at_ms: unfinished.begun_at.0,
        due_at_ms: due_at.0,
    };
    stored.encode_to_vec()
}

/// The erasure behind these bytes, and when somebody may carry on with it.
///
/// # Errors
/// [`StoreError::NewerSchema`], [`StoreError::Damaged`].
pub fn decode_erasure(bytes: &[u8]) -> Result<(Unfinished, UnixMillis), StoreError> {
    let stored: storage::StoredErasure = message(bytes)?;
    let unfinished = Unfinished {
        player: whole(field::player_id(&stored.player))?,
        begun_at: UnixMillis(stored.begun_at_ms),
    };
    Ok((unfinished, UnixMillis(stored.due_at_ms)))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    /// A megabyte of zeros is a kilobyte deflated: what swells beyond all records is cut off, and is no record then.
    #[test]
    fn what_swells_is_read_within_bounds() {
        let mut encoder = DeflateEncoder::new(vec![DEFLATED_JSON], Compression::best());
        let chunk = vec![b' '; 1024 * 1024];
        for _ in 0..=RECORD_MAX_BYTES / chunk.len() as u64 {
            encoder.write_all(&chunk).unwrap();
        }
        encoder.write_all(b"{}").unwrap();
        let bomb = encoder.finish().unwrap();
        assert!(bomb.len() < 1024 * 1024);
        assert!(matches!(decode_record(&bomb), Err(StoreError::Damaged(_))));
        for garbage in [&[][..], &[0], &[DEFLATED_JSON], &[DEFLATED_JSON, 255, 255]] {
            assert!(
                matches!(decode_record(garbage), Err(StoreError::Damaged(_))),
                "{garbage:?}"
            );
        }
    }
}
