//! Streams that survive their connection.

use std::time::Duration;

use fives_wire::envelope::Envelope;
use fives_wire::v1;
use fives_wire::v1::match_service_client::MatchServiceClient;
use fives_wire::v1::match_update::Update;
use fives_wire::v1::spectate_service_client::SpectateServiceClient;
use tokio::time::sleep;
use tonic::{Status, Streaming};

use crate::client::Client;
use crate::error::Error;
use crate::retry::Tries;

/// The updates of one match, complete and in order however often the connection breaks.
pub struct Updates {
    client: Client,
    subject: Subject,
    stream: Option<Streaming<Envelope>>,
    /// Those since the stream broke; none while all is well, however long it is silent.
    tries: Option<Tries>,
    /// The last cursor that was received.
    after: Option<v1::Cursor>,
    is_over: bool,
    is_muted: bool,
}

enum Subject {
    Followed { match_id: String },
    Watched { match_id: String, invite_code: String },
}

impl Updates {
    pub(crate) fn follow(client: Client, match_id: String, after: Option<v1::Cursor>) -> Self {
        Self::new(client, Subject::Followed { match_id }, after)
    }

    pub(crate) fn watch(client: Client, match_id: String, invite_code: String, after: Option<v1::Cursor>) -> Self {
        Self::new(client, Subject::Watched { match_id, invite_code }, after)
    }

    fn new(client: Client, subject: Subject, after: Option<v1::Cursor>) -> Self {
        Self {
            client,
            subject,
            stream: None,
            tries: None,
            after,
            is_over: false,
            is_muted: false,
        }
    }

    /// The same without emotes.
    #[must_use]
    pub fn without_emotes(self) -> Self {
        Self { is_muted: true, ..self }
    }

    /// The next update, heartbeats included; `None` after the last of a match that is over. A process that stops sends its viewers
    /// away: that is dealt with here, and not shown.
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
                    self.take_over(&update);
                    return Ok(Some(update));
                }
                // Whatever stands between may end a stream like this; the wait keeps it from being opened without a pause.
                Ok(None) => Status::unavailable("the stream ended early"),
                Err(status) => status,
            };
            self.wait_after(error.into()).await?;
        }
        Ok(None)
    }

    /// Waits until it makes sense to open the stream again. Who gives up and calls again begins with the whole patience.
    async fn wait_after(&mut self, error: Error) -> Result<(), Error> {
        self.stream = None;
        let tries = self.tries.get_or_insert_with(|| self.client.tries());
        let waited = tries.wait_after(error).await;
        if waited.is_err() {
            self.tries = None;
        }
        waited
    }

    /// The last cursor that was received.
    #[must_use]
    pub fn cursor(&self) -> Option<v1::Cursor> {
        self.after
    }

    fn take_over(&mut self, update: &Update) {
        let view = match update {
            Update::Snapshot(snapshot) => snapshot.view.as_ref(),
            Update::Revisions(revisions) => revisions.view.as_ref(),
            Update::Heartbeat(heartbeat) => {
                self.after = heartbeat.cursor.or(self.after);
                None
            }
            Update::Reconnect(_) | Update::Emote(_) => None,
        };
        if let Some(view) = view {
            self.after = view.cursor;
            self.is_over = matches!(view.state(), v1::MatchState::Finished | v1::MatchState::Closed);
        }
    }

    async fn try_next(&mut self) -> Result<Option<Update>, Status> {
        let stream = match &mut self.stream {
            Some(stream) => stream,
            None => self.stream.insert(self.open().await?),
        };
        // A message of a kind that a newer service has is passed over: its view comes again with the next.
        while let Some(envelope) = stream.message().await? {
            if let Envelope::Open(Some(message)) = envelope
                && let Some(update) = message.update
            {
                return Ok(Some(update));
            }
        }
        Ok(None)
    }

    async fn open(&self) -> Result<Streaming<Envelope>, Status> {
        let after = self.after;
        let timeout = match &self.tries {
            Some(tries) => tries.try_timeout(),
            None => self.client.tries().try_timeout(),
        };
        let opening = async {
            match &self.subject {
                Subject::Followed { match_id } => {
                    let request = v1::FollowMatchRequest {
                        match_id: match_id.clone(),
                        after,
                        no_emotes: self.is_muted,
                    };
                    let mut client = MatchServiceClient::new(self.client.channel());
                    let stream = client.follow_match(self.client.request(request)).await?;
                    Ok(stream.into_inner())
                }
                Subject::Watched { match_id, invite_code } => {
                    let (match_id, invite_code) = (match_id.clone(), invite_code.clone());
                    let request = v1::WatchMatchRequest {
                        match_id,
                        after,
                        invite_code,
                        no_emotes: self.is_muted,
                    };
                    let mut client = SpectateServiceClient::new(self.client.channel());
                    let stream = client.watch_match(self.client.request(request)).await?;
                    Ok(stream.into_inner())
                }
            }
        };
        let opened = tokio::time::timeout(timeout, opening).await;
        opened.unwrap_or_else(|_| Err(Status::deadline_exceeded("the stream did not open in time")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    use tokio::time::{Instant, sleep};

    use crate::retry::RetryPolicy;

    /// A stream from a port that nobody listens at, given up after three seconds.
    fn to_nobody() -> Updates {
        let policy = RetryPolicy {
            give_up_after: Duration::from_secs(3),
            ..RetryPolicy::default()
        };
        let client = Client::connect_lazy("http://127.0.0.1:1").expect("an address");
        client.with_policy(policy).follow("m-aaaaaaaaaaaaaaaaaaaaaaaaaa", None)
    }

    /// How long `next` tries before it gives up.
    async fn patience(updates: &mut Updates) -> Duration {
        let started = Instant::now();
        assert!(matches!(updates.next().await, Err(Error::Lost(_))));
        started.elapsed()
    }

    #[tokio::test(start_paused = true)]
    async fn patience_begins_when_the_stream_breaks_not_when_it_was_last_well() {
        let mut updates = to_nobody();
        sleep(Duration::from_secs(60)).await;
        assert!(patience(&mut updates).await >= Duration::from_secs(1));
    }

    #[tokio::test(start_paused = true)]
    async fn who_calls_again_after_giving_up_gets_the_whole_patience_again() {
        let mut updates = to_nobody();
        for _ in 0..3 {
            assert!(patience(&mut updates).await >= Duration::from_secs(1));
        }
    }
}
