//! Connections on their way in: plain or over TLS, each with the address that it comes from, not more than there is room for, and
//! none that says nothing.

use std::io::{self, IoSlice};
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use futures::stream::{self, Stream, StreamExt};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Sleep, sleep};
use tokio_rustls::server::TlsStream;
use tokio_util::either::Either;
use tonic::transport::server::{Connected, TcpIncoming};
use tracing::{debug, warn};

use crate::tls::Handshakes;

/// How long nothing is accepted after that has failed: most likely there are no descriptors left, and trying at once would fail
/// again.
const PAUSE_AFTER_FAILURE: Duration = Duration::from_millis(100);

/// How long a connection may take to say its first word: until then it holds a place for nothing.
const FIRST_WORD_WITHIN: Duration = Duration::from_secs(5);

/// Where the connection of a call comes from, which is in the call's extensions. It may be a load balancer's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Peer(pub(crate) Option<IpAddr>);

/// A connection that can be served.
pub(crate) struct Connection {
    io: Either<TcpStream, Box<TlsStream<TcpStream>>>,
    peer: Peer,
    /// When it is given up, unless it has said something.
    silent_until: Option<Pin<Box<Sleep>>>,
    _place: OwnedSemaphorePermit,
}

impl Connection {
    fn new(
        io: Either<TcpStream, Box<TlsStream<TcpStream>>>,
        peer: Option<IpAddr>,
        place: OwnedSemaphorePermit,
    ) -> Self {
        Self {
            io,
            peer: Peer(peer),
            silent_until: Some(Box::pin(sleep(FIRST_WORD_WITHIN))),
            _place: place,
        }
    }
}

/// What connects to `listener`, after its handshake if there is to be one. Of more than `max_connections` at once the newest is
/// closed at once: its client had better try elsewhere.
pub(crate) fn incoming(
    listener: TcpListener,
    keepalive_interval: Duration,
    max_connections: usize,
    handshakes: Option<Handshakes>,
) -> impl Stream<Item = io::Result<Connection>> {
    let places = Arc::new(Semaphore::new(max_connections));
    let tcp = TcpIncoming::from(listener)
        .with_nodelay(Some(true))
        .with_keepalive(Some(keepalive_interval));
    stream::unfold((tcp, handshakes, places), async |(mut tcp, mut handshakes, places)| {
        let next = next(&mut tcp, handshakes.as_mut(), &places).await?;
        Some((Ok(next), (tcp, handshakes, places)))
    })
}

async fn next(
    tcp: &mut TcpIncoming,
    mut handshakes: Option<&mut Handshakes>,
    places: &Arc<Semaphore>,
) -> Option<Connection> {
    loop {
        let accepted = match &mut handshakes {
            None => tcp.next().await?,
            Some(handshakes) => tokio::select! {
                (tls, peer, place) = handshakes.next() => return Some(Connection::new(Either::Right(Box::new(tls)), peer, place)),
                accepted = tcp.next() => accepted?,
            },
        };
        match accepted {
            Ok(tcp) => {
                // One address, whether it is written as IPv4 or as that within IPv6.
                let peer = tcp.peer_addr().ok().map(|peer| peer.ip().to_canonical());
                let Ok(place) = Arc::clone(places).try_acquire_owned() else {
                    debug!(?peer, "there is no room for another connection");
                    continue;
                };
                match &mut handshakes {
                    None => return Some(Connection::new(Either::Left(tcp), peer, place)),
                    Some(handshakes) => handshakes.begin(tcp, peer, place),
                }
            }
            Err(error) => {
                warn!(%error, "no connection can be accepted");
                sleep(PAUSE_AFTER_FAILURE).await;
            }
        }
    }
}

impl Connected for Connection {
    type ConnectInfo = Peer;

    fn connect_info(&self) -> Peer {
        self.peer
    }
}

impl AsyncRead for Connection {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let connection = self.get_mut();
        let before = buffer.filled().len();
        let read = Pin::new(&mut connection.io).poll_read(context, buffer);
        if let Some(silent_until) = &mut connection.silent_until {
            if buffer.filled().len() > before {
                connection.silent_until = None;
            } else if read.is_pending() && silent_until.as_mut().poll(context).is_ready() {
                return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
            }
        }
        read
    }
}

impl AsyncWrite for Connection {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().io).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().io).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().io).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().io).poll_shutdown(context)
    }
}
