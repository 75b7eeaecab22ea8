//! The stream of all matches of a player, which survives its connection.

use std::time::Duration;

use fives_wire::v1;
use fives_wire::v1::follow_player_response::Update;
use fives_wire::v1::player_service_client::PlayerServiceClient;
use tokio::time::{sleep, timeout};
use tonic::{Status, Streaming};

use crate::client::Client;
use crate::error::Error;
use crate::retry::Tries;

/// What is new in the player's matches. After the connection broke it begins with all there is again.
pub struct PlayerUpdates {
    client: Client,
    stream: Option<Streaming<v1::FollowPlayerResponse>>,
    /// Those since the stream broke; none while all is well.
    tries: Option<Tries>,
}

impl PlayerUpdates {
    pub(crate) const fn new(client: Client) -> Self {
        Self {
            client,
            stream: None,
            tries: None,
        }
    }

    /// The next update, heartbeats included. A process that stops sends its players away: that is dealt with here, and not shown.
    ///
    /// # Errors
    /// Why the service refused, or that the connection was lost for too long. Call it again to try again.
    pub async fn next(&mut self) -> Result<Update, Error> {
        loop {
            let error = match self.try_next().await {
                Ok(Some(Update::Reconnect(reconnect))) => {
                    self.stream = None;
                    let told = Duration::from_millis(reconnect.after_ms.into());
                    sleep(told.min(self.client.policy.longest_wait)).await;
                    continue;
                }
                Ok(Some(update)) => {
                    self.tries = None;
                    return Ok(update);
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
    }

    async fn try_next(&mut self) -> Result<Option<Update>, Status> {
        let stream = match &mut self.stream {
            Some(stream) => stream,
            None => self.stream.insert(self.open().await?),
        };
        // A message of a kind that a newer service has is passed over.
        while let Some(message) = stream.message().await? {
            if message.update.is_some() {
                return Ok(message.update);
            }
        }
        Ok(None)
    }

    async fn open(&self) -> Result<Streaming<v1::FollowPlayerResponse>, Status> {
        let patience = match &self.tries {
            Some(tries) => tries.try_timeout(),
            None => self.client.tries().try_timeout(),
        };
        let mut service = PlayerServiceClient::new(self.client.channel());
        let opening = service.follow_player(self.client.request(v1::FollowPlayerRequest {}));
        let opened = timeout(patience, opening).await;
        let opened = opened.unwrap_or_else(|_| Err(Status::deadline_exceeded("the stream did not open in time")));
        Ok(opened?.into_inner())
    }
}
