//! Waiting in a queue, over connections that break.

use std::time::Duration;

use fives_wire::v1;
use fives_wire::v1::join_queue_response::Update;
use fives_wire::v1::queue_service_client::QueueServiceClient;
use tokio::time::{sleep, timeout};
use tonic::{Status, Streaming};

use crate::client::Client;
use crate::error::Error;
use crate::retry::Tries;

/// A player who waits in a queue. The place is kept while the connection is broken, for as long as the service says; dropping this
/// gives it up after that time.
pub struct Queued {
    client: Client,
    request: v1::JoinQueueRequest,
    stream: Option<Streaming<v1::JoinQueueResponse>>,
    /// Those since the stream broke; none while all is well.
    tries: Option<Tries>,
    is_over: bool,
}

impl Queued {
    pub(crate) fn new(client: Client, queue: String, partner_player_id: String) -> Self {
        Self {
            client,
            request: v1::JoinQueueRequest {
                queue,
                partner_player_id,
            },
            stream: None,
            tries: None,
            is_over: false,
        }
    }

    /// What is new; `None` after the match was told, or that the player has left. A process that stops sends its players away: that
    /// is dealt with here, and not shown.
    ///
    /// # Errors
    /// Why the service refused, or that the connection was lost for too long. Call it again to try again.
    pub async fn next(&mut self) -> Result<Option<Update>, Error> {
        while !self.is_over {
            let error = match self.try_next().await {
                Ok(Some(Update::Reconnect(reconnect))) => {
                    self.stream = None;
                    // Never longer than for anything else, whatever the service says.
                    let told = Duration::from_millis(reconnect.after_ms.into());
                    sleep(told.min(self.client.policy.longest_wait)).await;
                    continue;
                }
                Ok(Some(update)) => {
                    self.tries = None;
                    self.is_over = matches!(update, Update::Matched(_) | Update::Left(_));
                    return Ok(Some(update));
                }
                Ok(None) => Status::unavailable("the stream ended early"),
                Err(status) => status,
            };
            self.stream = None;
            let tries = self.tries.get_or_insert_with(|| self.client.tries());
            let waited = tries.wait_after(error.into()).await;
            if waited.is_err() {
                self.tries = None;
            }
            waited?;
        }
        Ok(None)
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

    async fn try_next(&mut self) -> Result<Option<Update>, Status> {
        let stream = match &mut self.stream {
            Some(stream) => stream,
            None => {
                let tries = self.tries.as_ref().map(Tries::try_timeout);
                let patience = tries.unwrap_or_else(|| self.client.tries().try_timeout());
                let mut service = QueueServiceClient::new(self.client.channel());
                let opening = service.join_queue(self.client.request(self.request.clone()));
                let opened = timeout(patience, opening).await;
                let late = || Status::deadline_exceeded("the stream did not open in time");
                self.stream.insert(opened.unwrap_or_else(|_| Err(late()))?.into_inner())
            }
        };
        // A message of a kind that a newer service has is passed over.
        while let Some(message) = stream.message().await? {
            if let Some(update) = message.update {
                return Ok(Some(update));
            }
        }
        Ok(None)
    }
}
