//! The bytes that are kept. Coming back they pass a door: a newer format is refused, and what no table could be is
//! damage.
//!
//! Prost drops fields that it does not know, so a release that met a newer format would write it back with something
//! lost. Every message therefore begins with the number of its format, and `tests/golden/` has some of each format that
//! was ever written.

mod archive;
mod audit;
mod batch;
mod check;
mod field;
mod invites;
mod outbox;
mod player;
mod queue;
mod rating;
mod rematch;
mod requests;
mod snapshot;
mod terms;

use fives_referee::store::StoreError;
use prost::{DecodeError, Message};

use crate::storage::Format;

pub use archive::{decode_archived, decode_erasure, decode_record, encode_archived, encode_erasure, encode_record};
pub use audit::{decode_audit, encode_audit};
pub use batch::{decode_batch, encode_batch};
pub(crate) use outbox::{Outbox, decode_outbox, encode_outbox};
pub use outbox::{decode_dead_letter, decode_notice, encode_dead_letter, encode_notice};
pub use player::{decode_player, encode_player};
pub use queue::{decode_claim, decode_ticket, encode_claim, encode_ticket};
pub use rating::{
    decode_rating_change, decode_settlement, decode_standing, encode_rating_change, encode_settlement, encode_standing,
};
pub use rematch::{decode_rematch, encode_rematch};
pub use snapshot::{decode_table, encode_table};

/// The newest format that this release reads, and the one that it writes.
pub const SCHEMA: u32 = 3;

/// What is damaged; becomes [`StoreError::Damaged`].
type Damage = &'static str;

fn message<M: Message + Default>(bytes: &[u8]) -> Result<M, StoreError> {
    let garbled = |error: DecodeError| StoreError::Damaged(error.to_string());
    match Format::decode(bytes).map_err(garbled)?.schema {
        0 => Err(StoreError::Damaged("it has no format".to_owned())),
        1..=SCHEMA => M::decode(bytes).map_err(garbled),
        found => Err(StoreError::NewerSchema { found, known: SCHEMA }),
    }
}

fn whole<T>(decoded: Result<T, Damage>) -> Result<T, StoreError> {
    decoded.map_err(|damage| StoreError::Damaged(damage.to_owned()))
}
