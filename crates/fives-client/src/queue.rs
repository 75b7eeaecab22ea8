//! Waiting in a queue, over connections that break.

use fives_wire::v1;
use fives_wire::v1::join_queue_response::Update;
use fives_wire::v1::queue_service_client::QueueServiceClient;

use crate::client::Client;
use crate::error::Error;
use crate::lasting::{self, Lasting};

/// A player who waits in a queue. The place is kept while the connection is broken, for as long as the service says; dropping this
/// gives it up after that time.
pub struct Queued {
    request: v1::JoinQueueRequest,
    stream: Lasting<Update>,
    is_over: bool,
}

impl lasting::Update for Update {
    type Message = v1::JoinQueueResponse;

    fn read(message: v1::JoinQueueResponse) -> Option<Self> {
        message.update
    }

    fn come_again_ms(&self) -> Option<u32> {
        match self {
            Self::Reconnect(reconnect) => Some(reconnect.after_ms),
            _ => None,
        }
    }
}

impl Queued {
    pub(crate) const fn new(client: Client, queue: String, partner_player_id: String) -> Self {
        Self {
            request: v1::JoinQueueRequest {
                queue,
                partner_player_id,
            },
            stream: Lasting::new(client),
            is_over: false,
        }
    }

    /// What is new; `None` after the match was told, or that the player has left. A process that stops sends its players away: that
    /// is dealt with here, and not shown.
    ///
    /// # Errors
    /// Why the service refused, or that the connection was lost for too long. Call it again to try again.
    pub async fn next(&mut self) -> Result<Option<Update>, Error> {
        if self.is_over {
            return Ok(None);
        }
        let request = &self.request;
        let open = async |client: Client| {
            let mut service = QueueServiceClient::new(client.channel());
            service.join_queue(client.request(request.clone())).await
        };
        let update = self.stream.next(open).await?;
        self.is_over = matches!(update, Update::Matched(_) | Update::Left(_));
        Ok(Some(update))
    }

    /// Waits for the match; `None` if the player has left.
    ///
    /// # Errors
    /// As [`Queued::next`].
    pub async fn matched(&mut self) -> Result<Option<String>, Error> {
        while let Some(update) = self.next().await? {
            if let Update::Matched(matched) = update {
                return Ok(Some(matched.match_id));
            }
        }
        Ok(None)
    }
}
