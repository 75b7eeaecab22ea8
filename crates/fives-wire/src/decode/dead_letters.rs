//! What administrators ask of dead letters.

use fives_referee::notice::NoticeId;

use super::admin::{Order, order};
use super::invalid::{Invalid, both};
use crate::admin::v1;

/// How many are told of if nothing else is asked for, and at most.
const LETTERS: usize = 50;
const MOST: usize = 1000;

/// How many dead letters to tell of.
#[must_use]
pub fn list_dead_letters(request: &v1::ListDeadLettersRequest) -> usize {
    match request.limit {
        0 => LETTERS,
        limit => usize::try_from(limit).unwrap_or(MOST).min(MOST),
    }
}

/// Which one to try again; who asks, and why if that is said.
///
/// # Errors
/// The fields at fault.
pub fn retry_dead_letter(request: &v1::RetryDeadLetterRequest) -> Result<(NoticeId, Order), Invalid> {
    let id = request.delivery.parse::<NoticeId>();
    let id = id.map_err(|_| Invalid::field("delivery", "it is not a delivery as this service names them"));
    both(id, order(&request.operator, &request.reason))
}
