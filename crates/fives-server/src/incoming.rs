//! Connections on their way in: plain or over TLS, each with the address that it comes from.

use std::io::{self, IoSlice};
use std::net::IpAddr;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use futures::stream::{self, Stream, StreamExt};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::sleep;
use tokio_rustls::server::TlsStream;
use tokio_util::either::Either;
use tonic::transport::server::{Connected, TcpIncoming};
use tracing::warn;

use crate::tls::Handshakes;

/// How long nothing is accepted after that has failed: most likely there are no descriptors left, and trying at once would fail
/// again.
const PAUSE_AFTER_FAILURE: Duration = Duration::from_millis(100);

/// Where the connection of a call comes from, which is in the call's extensions. It may be a load balancer's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Peer(pub(crate) Option<IpAddr>);

/// A connection that can be served.
pub(crate) struct Connection {
    io: Either<TcpStream, Box<TlsStream<TcpStream>>>,
    peer: Peer,
}

/// What connects to `listener`, after its handshake if there is to be one.
pub(crate) fn incoming(
    listener: TcpListener,
    keepalive_interval: Duration,
    handshakes: Option<Handshakes>,
) -> impl Stream<Item = io::Result<Connection>> {
    let tcp = TcpIncoming::from(listener)
        .with_nodelay(Some(true))
        .with_keepalive(Some(keepalive_interval));
    stream::unfold((tcp, handshakes), async |(mut tcp, mut handshakes)| {
        let next = next(&mut tcp, handshakes.as_mut()).await?;
        Some((Ok(next), (tcp, handshakes)))
    })
}

async fn next(tcp: &mut TcpIncoming, mut handshakes: Option<&mut Handshakes>) -> Option<Connection> {
    loop {
        let accepted = match &mut handshakes {
            None => tcp.next().await?,
            Some(handshakes) => tokio::select! {
                (tls, peer) = handshakes.next() => return Some(Connection { io: Either::Right(Box::new(tls)), peer: Peer(peer) }),
                accepted = tcp.next() => accepted?,
            },
        };
        match accepted {
            Ok(tcp) => {
                // One address, whether it is written as IPv4 or as that within IPv6.
                let peer = tcp.peer_addr().ok().map(|peer| peer.ip().to_canonical());
                match &mut handshakes {
                    None => {
                        let (io, peer) = (Either::Left(tcp), Peer(peer));
                        return Some(Connection { io, peer });
                    }
                    Some(handshakes) => handshakes.begin(tcp, peer),
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
        Pin::new(&mut self.get_mut().io).poll_read(context, buffer)
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
