//! The updates of one match.

use fives_wire::envelope::Envelope;
use fives_wire::v1;
use fives_wire::v1::match_service_client::MatchServiceClient;
use fives_wire::v1::match_update::Update;
use fives_wire::v1::spectate_service_client::SpectateServiceClient;
use tonic::{Response, Status, Streaming};

use crate::client::Client;
use crate::error::Error;
use crate::lasting::{self, Lasting};

/// The updates of one match, complete and in order however often the connection breaks.
pub struct Updates {
    subject: Subject,
    stream: Lasting<Update>,
    /// The last cursor that was received.
    after: Option<v1::Cursor>,
    is_over: bool,
    is_muted: bool,
}

enum Subject {
    Followed { match_id: String },
    Watched { match_id: String, invite_code: String },
}

impl lasting::Update for Update {
    type Message = Envelope;

    fn read(message: Envelope) -> Option<Self> {
        // The view of one that is passed over comes again with the next.
        match message {
            Envelope::Open(message) => message?.update,
            _ => None,
        }
    }

    fn come_again_ms(&self) -> Option<u32> {
        match self {
            Self::Reconnect(reconnect) => Some(reconnect.after_ms),
            _ => None,
        }
    }
}

impl Updates {
    pub(crate) fn follow(client: Client, match_id: String, after: Option<v1::Cursor>) -> Self {
        Self::new(client, Subject::Followed { match_id }, after)
    }

    pub(crate) fn watch(client: Client, match_id: String, invite_code: String, after: Option<v1::Cursor>) -> Self {
        Self::new(client, Subject::Watched { match_id, invite_code }, after)
    }

    const fn new(client: Client, subject: Subject, after: Option<v1::Cursor>) -> Self {
        Self {
            subject,
            stream: Lasting::new(client),
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
        if self.is_over {
            return Ok(None);
        }
        let (subject, after, no_emotes) = (&self.subject, self.after, self.is_muted);
        let update = self
            .stream
            .next(|client| subject.open(client, after, no_emotes))
            .await?;
        self.take_over(&update);
        Ok(Some(update))
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
}

impl Subject {
    async fn open(
        &self,
        client: Client,
        after: Option<v1::Cursor>,
        no_emotes: bool,
    ) -> Result<Response<Streaming<Envelope>>, Status> {
        match self {
            Self::Followed { match_id } => {
                let request = v1::FollowMatchRequest {
                    match_id: match_id.clone(),
                    after,
                    no_emotes,
                };
                let mut service = MatchServiceClient::new(client.channel());
                service.follow_match(client.request(request)).await
            }
            Self::Watched { match_id, invite_code } => {
                let request = v1::WatchMatchRequest {
                    match_id: match_id.clone(),
                    after,
                    invite_code: invite_code.clone(),
                    no_emotes,
                };
                let mut service = SpectateServiceClient::new(client.channel());
                service.watch_match(client.request(request)).await
            }
        }
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
