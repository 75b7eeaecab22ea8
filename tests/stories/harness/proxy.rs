//! A TCP proxy that can be cut, turned elsewhere, or made to hold what goes one way: a broken cable, a virtual address that
//! moves, a moment between two steps that lasts as long as a story needs it.

use std::sync::Arc;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::in_time;

/// One of the two ways through a proxy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Way {
    /// From who connects.
    There,
    /// To who connects.
    Back,
}

#[derive(Clone, Default)]
struct State {
    /// Where it leads; nowhere if it is cut.
    target: Option<u16>,
    /// What goes this way and has these bytes in it is held, and all that follows it.
    held: Option<(Way, Vec<u8>)>,
    /// Whether something is.
    is_holding: bool,
}

/// Forwards a port of its own. Dropping it breaks everything.
pub(crate) struct Proxy {
    port: u16,
    state: Arc<watch::Sender<State>>,
    accepting: JoinHandle<()>,
}

impl Proxy {
    /// A proxy to this port.
    pub(crate) async fn to(target: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let port = listener.local_addr().expect("a bound port").port();
        let state = State {
            target: Some(target),
            ..State::default()
        };
        let state = Arc::new(watch::Sender::new(state));
        let shared = Arc::clone(&state);
        let accepting = tokio::spawn(async move {
            while let Ok((inside, _)) = listener.accept().await {
                let state = Arc::clone(&shared);
                tokio::spawn(async move { forward(inside, &state).await });
            }
        });
        Self { port, state, accepting }
    }

    pub(crate) const fn port(&self) -> u16 {
        self.port
    }

    pub(crate) fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    /// Breaks all connections, and lets none through any more.
    pub(crate) fn cut(&self) {
        self.state.send_modify(|state| state.target = None);
    }

    /// Breaks all connections; new ones lead to this port.
    pub(crate) fn turn_to(&self, port: u16) {
        self.state.send_modify(|state| state.target = Some(port));
    }

    /// Holds whatever goes this way from the first bytes on that have `marker` in them.
    pub(crate) fn hold(&self, way: Way, marker: &str) {
        self.state.send_modify(|state| state.held = Some((way, marker.into())));
    }

    /// Holds nothing from now on; what was held is lost with its connections.
    pub(crate) fn release(&self) {
        self.state.send_modify(|state| {
            state.held = None;
            state.is_holding = false;
        });
    }

    /// Waits until something is held.
    pub(crate) async fn until_holding(&self) {
        let mut state = self.state.subscribe();
        let held = in_time("something is held", state.wait_for(|state| state.is_holding)).await;
        held.expect("the proxy is there");
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.accepting.abort();
        self.cut();
    }
}

async fn forward(inside: TcpStream, state: &watch::Sender<State>) {
    let mut turned = state.subscribe();
    let target = turned.borrow_and_update().target;
    let Some(port) = target else { return };
    let Ok(outside) = TcpStream::connect(("127.0.0.1", port)).await else {
        return;
    };
    let (from_inside, to_inside) = inside.into_split();
    let (from_outside, to_outside) = outside.into_split();
    tokio::select! {
        () = pass(from_inside, to_outside, Way::There, state) => {}
        () = pass(from_outside, to_inside, Way::Back, state) => {}
        _ = turned.wait_for(|state| state.target != target) => {}
    }
}

async fn pass(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    way: Way,
    state: &watch::Sender<State>,
) {
    let mut bytes = vec![0; 64 * 1024];
    while let Ok(count @ 1..) = from.read(&mut bytes).await {
        let read = &bytes[..count];
        let has = |marker: &[u8]| read.windows(marker.len()).any(|window| window == marker);
        let is_held = matches!(&state.borrow().held, Some((held, marker)) if *held == way && has(marker));
        if is_held {
            state.send_modify(|state| state.is_holding = true);
            std::future::pending::<()>().await;
        }
        if to.write_all(read).await.is_err() {
            return;
        }
    }
}
