//! Who reaches which server over which connection.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use clap::ValueEnum;
use fives_client::{Client, Error, RetryPolicy, Tls};

/// How many clients one connection carries. Each has a stream and at times a call open, and a server takes 1024 of both together
/// on one connection if nobody told it otherwise: with more, plays would wait for streams to end.
const CLIENTS_PER_CONNECTION: usize = 500;

/// Who has a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum Sharing {
    /// One a server for everybody, and a further one for every 500 clients
    Shared,
    /// One for each client
    Each,
}

/// Gives out clients, dealt round the servers.
pub(super) struct Connections<'a> {
    urls: &'a [String],
    tls: Tls,
    sharing: Sharing,
    policy: RetryPolicy,
    retries: Arc<AtomicU64>,
    /// The newest connection to each server.
    newest: Vec<Option<Client>>,
    given: usize,
}

impl<'a> Connections<'a> {
    pub(super) fn new(
        urls: &'a [String],
        tls: Tls,
        sharing: Sharing,
        policy: RetryPolicy,
        retries: Arc<AtomicU64>,
    ) -> Self {
        Self {
            urls,
            tls,
            sharing,
            policy,
            retries,
            newest: vec![None; urls.len()],
            given: 0,
        }
    }

    /// A client that has not signed in.
    pub(super) fn client(&mut self) -> Result<Client, Error> {
        let servers = self.urls.len().max(1);
        let (server, of_server) = (self.given % servers, self.given / servers);
        self.given += 1;
        let url = self.urls.get(server).map(String::as_str).unwrap_or_default();
        let is_full = self.sharing == Sharing::Each || of_server.is_multiple_of(CLIENTS_PER_CONNECTION);
        if let Some(Some(newest)) = self.newest.get(server)
            && !is_full
        {
            return Ok(newest.another_player());
        }
        let client = Client::connect_lazy_over(url, &self.tls)?
            .with_policy(self.policy)
            .with_retry_count(Arc::clone(&self.retries));
        if let Some(newest) = self.newest.get_mut(server) {
            *newest = Some(client.clone());
        }
        Ok(client)
    }
}
