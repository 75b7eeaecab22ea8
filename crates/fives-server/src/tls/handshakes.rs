//! Handshakes: at the same time, so that nobody waits for somebody who says nothing; not too many, and not for ever.

use std::collections::VecDeque;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, watch};
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::server::TlsStream;
use tracing::debug;

use super::Certificate;
use crate::config::TlsSettings;

/// A connection whose handshake is done, where it comes from, and its place among all connections.
type Done = (TlsStream<TcpStream>, Option<IpAddr>, OwnedSemaphorePermit);

/// The handshakes that are under way.
pub(crate) struct Handshakes {
    current: watch::Receiver<Arc<ServerConfig>>,
    longest: Duration,
    max: usize,
    under_way: JoinSet<Option<Done>>,
    /// The same, the oldest first; some of them are over.
    by_age: VecDeque<AbortHandle>,
}

impl Handshakes {
    pub(crate) fn new(certificate: &Certificate, settings: &TlsSettings) -> Self {
        Self {
            current: certificate.current(),
            longest: settings.handshake_timeout,
            max: settings.max_handshakes,
            under_way: JoinSet::new(),
            by_age: VecDeque::new(),
        }
    }

    /// Begins one. If there are as many as there may be, the oldest is given up for it: honest clients are done in no time, so
    /// those who hold a place without a word push out each other.
    pub(crate) fn begin(&mut self, tcp: TcpStream, peer: Option<IpAddr>, place: OwnedSemaphorePermit) {
        if self.by_age.len() >= self.max {
            self.by_age.retain(|handshake| !handshake.is_finished());
        }
        if self.by_age.len() >= self.max
            && let Some(oldest) = self.by_age.pop_front()
        {
            oldest.abort();
        }
        let acceptor = TlsAcceptor::from(Arc::clone(&self.current.borrow()));
        let longest = self.longest;
        let handshake = self.under_way.spawn(async move {
            match timeout(longest, acceptor.accept(tcp)).await {
                Ok(Ok(tls)) => Some((tls, peer, place)),
                Ok(Err(error)) => {
                    debug!(?peer, %error, "a handshake failed");
                    None
                }
                Err(_) => {
                    debug!(?peer, "a handshake took too long");
                    None
                }
            }
        });
        self.by_age.push_back(handshake);
    }

    /// The next one that succeeds; never, if there is none under way.
    pub(crate) async fn next(&mut self) -> Done {
        loop {
            match self.under_way.join_next().await {
                Some(Ok(Some(done))) => return done,
                // It failed, or was given up.
                Some(_) => {}
                None => std::future::pending().await,
            }
        }
    }
}
