//! Queues.

use fives_lobby::queue::QueueName;
use fives_referee::id::PlayerId;

use super::field::optional;
use super::invalid::{Invalid, both};
use crate::v1;

/// A place that somebody wants in a queue.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JoinQueue {
    /// Which queue.
    pub queue: QueueName,
    /// With whom.
    pub partner: Option<PlayerId>,
}

/// A place in a queue.
///
/// # Errors
/// The fields at fault.
pub fn join_queue(request: &v1::JoinQueueRequest) -> Result<JoinQueue, Invalid> {
    let partner = optional("partner_player_id", &request.partner_player_id);
    let (queue, partner) = both(queue(&request.queue), partner)?;
    Ok(JoinQueue { queue, partner })
}

/// The queue that somebody leaves.
///
/// # Errors
/// The field at fault.
pub fn leave_queue(request: &v1::LeaveQueueRequest) -> Result<QueueName, Invalid> {
    queue(&request.queue)
}

fn queue(text: &str) -> Result<QueueName, Invalid> {
    QueueName::new(text).map_err(|error| Invalid::field("queue", error))
}
