//! A stream that survives its connection: opened again until it is well, or until the patience is at its end.

use std::time::Duration;

use tokio::time::{sleep, timeout};
use tonic::{Response, Status, Streaming};

use crate::client::Client;
use crate::error::Error;
use crate::retry::Tries;

/// What a stream brings.
pub(crate) trait Update: Sized {
    /// What it comes in.
    type Message;

    /// What is in a message; `None` if it is of a kind that only a newer service has.
    fn read(message: Self::Message) -> Option<Self>;

    /// After how many milliseconds a process that stops wants its clients to come again, if that is what it says.
    fn come_again_ms(&self) -> Option<u32>;
}

/// The updates of a stream, across its connections.
pub(crate) struct Lasting<U: Update> {
    client: Client,
    stream: Option<Streaming<U::Message>>,
    /// Those since the stream broke; none while all is well, however long it is silent.
    tries: Option<Tries>,
}

impl<U: Update> Lasting<U> {
    pub(crate) const fn new(client: Client) -> Self {
        Self {
            client,
            stream: None,
            tries: None,
        }
    }

    /// The next update; `open` opens the stream where it has to be opened. That a process stops is dealt with here, and not shown.
    pub(crate) async fn next<Opening>(&mut self, open: impl Fn(Client) -> Opening) -> Result<U, Error>
    where
        Opening: Future<Output = Result<Response<Streaming<U::Message>>, Status>>,
    {
        loop {
            let error = match self.try_next(&open).await {
                Ok(Some(update)) => {
                    let Some(after_ms) = update.come_again_ms() else {
                        self.tries = None;
                        return Ok(update);
                    };
                    self.stream = None;
                    // Never longer than for anything else, whatever the service says.
                    let told = Duration::from_millis(after_ms.into());
                    sleep(told.min(self.client.policy.longest_wait)).await;
                    continue;
                }
                // Whatever stands between may end a stream like this; the wait keeps it from being opened without a pause.
                Ok(None) => Status::unavailable("the stream ended early"),
                Err(status) => status,
            };
            self.wait_after(error.into()).await?;
        }
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

    async fn try_next<Opening>(&mut self, open: &impl Fn(Client) -> Opening) -> Result<Option<U>, Status>
    where
        Opening: Future<Output = Result<Response<Streaming<U::Message>>, Status>>,
    {
        let stream = match &mut self.stream {
            Some(stream) => stream,
            None => {
                let tries = self.tries.as_ref().map(Tries::try_timeout);
                let patience = tries.unwrap_or_else(|| self.client.tries().try_timeout());
                let opened = timeout(patience, open(self.client.clone())).await;
                let opened =
                    opened.unwrap_or_else(|_| Err(Status::deadline_exceeded("the stream did not open in time")));
                self.stream.insert(opened?.into_inner())
            }
        };
        while let Some(message) = stream.message().await? {
            if let Some(update) = U::read(message) {
                return Ok(Some(update));
            }
        }
        Ok(None)
    }
}
