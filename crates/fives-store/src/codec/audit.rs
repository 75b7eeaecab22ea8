//! Rows about what administrators have done.

use fives_referee::audit::{Act, AuditEntry, FilterText, Why};
use fives_referee::erased::ErasedMark;
use fives_referee::id::MatchId;
use fives_referee::store::StoreError;
use fives_referee::time::UnixMillis;
use prost::Message;

use super::{Damage, SCHEMA, field, message, whole};
use crate::storage;
use crate::storage::stored_audit::Act as StoredAct;

/// The bytes of a row.
#[must_use]
pub fn encode_audit(at: UnixMillis, entry: &AuditEntry) -> Vec<u8> {
    let bytes = |id: &MatchId| id.as_bytes().to_vec();
    let act = match &entry.act {
        Act::Reveal(id) => StoredAct::Reveal(bytes(id)),
        Act::Void(id) => StoredAct::Void(bytes(id)),
        Act::Forfeit(id, seat) => StoredAct::Forfeit(storage::AuditForfeit {
            r#match: bytes(id),
            seat: field::seat_index(*seat),
        }),
        Act::RepairIndexes => StoredAct::RepairIndexes(storage::AuditRepairIndexes {}),
        Act::SetLogFilter(filter) => StoredAct::SetLogFilter(filter.as_str().to_owned()),
        Act::Drain => StoredAct::Drain(storage::AuditDrain {}),
        Act::RetryDeadLetter(id) => StoredAct::RetryDeadLetter(id.to_string()),
        Act::ErasePlayer(mark) => StoredAct::ErasePlayer(mark.as_bytes().to_vec()),
    };
    let stored = storage::StoredAudit {
        schema: SCHEMA,
        at_ms: at.0,
        operator: entry.operator.as_str().to_owned(),
        why: entry
            .why
            .as_ref()
            .map(|why| why.as_str().to_owned())
            .unwrap_or_default(),
        act: Some(act),
    };
    stored.encode_to_vec()
}

/// The row behind these bytes.
///
/// # Errors
/// [`StoreError::NewerSchema`], [`StoreError::Damaged`].
pub fn decode_audit(bytes: &[u8]) -> Result<(UnixMillis, AuditEntry), StoreError> {
    let stored = message(bytes)?;
    whole(row(&stored))
}

fn row(stored: &storage::StoredAudit) -> Result<(UnixMillis, AuditEntry), Damage> {
    let id = |bytes: &[u8]| field::bytes(bytes).map(MatchId::from_bytes);
    let act = match stored.act.as_ref().ok_or("an audit row has no known act")? {
        StoredAct::Reveal(bytes) => Act::Reveal(id(bytes)?),
        StoredAct::Void(bytes) => Act::Void(id(bytes)?),
        StoredAct::Forfeit(forfeit) => Act::Forfeit(id(&forfeit.r#match)?, field::seat(forfeit.seat)?),
        StoredAct::RepairIndexes(_) => Act::RepairIndexes,
        StoredAct::SetLogFilter(filter) => {
            Act::SetLogFilter(FilterText::new(filter).map_err(|_| "a log filter is none")?)
        }
        StoredAct::Drain(_) => Act::Drain,
        StoredAct::RetryDeadLetter(id) => Act::RetryDeadLetter(id.parse().map_err(|_| "a delivery is none")?),
        StoredAct::ErasePlayer(mark) => Act::ErasePlayer(field::bytes(mark).map(ErasedMark::from_bytes)?),
    };
    let entry = AuditEntry {
        operator: field::operator(&stored.operator)?,
        act,
        why: match stored.why.as_str() {
            "" => None,
            why => Some(Why::new(why).map_err(|_| "a reason is none")?),
        },
    };
    Ok((UnixMillis(stored.at_ms), entry))
}
