//! Rematches.

use std::collections::HashSet;

use fives_lobby::rematch::{Answer, Rematch, Stage};
use fives_referee::id::MatchId;
use fives_referee::request::RequestDigest;
use fives_referee::store::StoreError;
use fives_referee::time::UnixMillis;
use fives_rules::seat::Seat;
use prost::Message;

use super::{Damage, SCHEMA, field, message, whole};
use crate::storage;

/// The bytes of a rematch.
#[must_use]
pub fn encode_rematch(rematch: &Rematch) -> Vec<u8> {
    let stored = storage::StoredRematch {
        schema: SCHEMA,
        of: rematch.of.as_bytes().to_vec(),
        version: rematch.version,
        offered_at_ms: rematch.offered_at.0,
        expires_at_ms: rematch.expires_at.0,
        declined_by: match rematch.stage {
            Stage::Declined { by } => Some(field::seat_index(by)),
            Stage::Offered | Stage::Agreed => None,
        },
        agreed: rematch.stage == Stage::Agreed,
        answers: rematch
            .answers
            .iter()
            .map(|answer| storage::RematchAnswer {
                seat: field::seat_index(answer.seat),
                request: answer.request.0.to_vec(),
                is_yes: answer.is_yes,
                is_current: answer.is_current,
            })
            .collect(),
    };
    stored.encode_to_vec()
}

/// The rematch behind these bytes.
///
/// # Errors
/// [`StoreError::NewerSchema`], [`StoreError::Damaged`].
pub fn decode_rematch(bytes: &[u8]) -> Result<Rematch, StoreError> {
    let stored = message(bytes)?;
    whole(rematch(&stored))
}

fn rematch(stored: &storage::StoredRematch) -> Result<Rematch, Damage> {
    let answers: Vec<Answer> = stored.answers.iter().map(answer).collect::<Result<_, _>>()?;
    let seats: HashSet<Seat> = answers.iter().map(|answer| answer.seat).collect();
    if answers.is_empty() || seats.len() < answers.len() {
        return Err("nobody, or a seat twice, has answered to a rematch");
    }
    if stored.version == 0 {
        return Err("a rematch has no version");
    }
    Ok(Rematch {
        of: field::bytes(&stored.of).map(MatchId::from_bytes)?,
        version: stored.version,
        offered_at: UnixMillis(stored.offered_at_ms),
        expires_at: UnixMillis(stored.expires_at_ms),
        stage: match (stored.declined_by, stored.agreed) {
            (None, false) => Stage::Offered,
            (None, true) => Stage::Agreed,
            (Some(by), false) => Stage::Declined { by: field::seat(by)? },
            (Some(_), true) => return Err("a rematch is declined and agreed on"),
        },
        answers,
    })
}

fn answer(stored: &storage::RematchAnswer) -> Result<Answer, Damage> {
    Ok(Answer {
        seat: field::seat(stored.seat)?,
        request: field::bytes(&stored.request).map(RequestDigest)?,
        is_yes: stored.is_yes,
        is_current: stored.is_current,
    })
}
