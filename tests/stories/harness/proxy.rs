//! A TCP proxy that can be cut and turned elsewhere: a broken cable, a virtual address that moves.

use std::sync::Arc;

use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// Forwards a port of its own. Dropping it breaks everything.
pub(crate) struct Proxy {
    port: u16,
    target: Arc<watch::Sender<Option<u16>>>,
    accepting: JoinHandle<()>,
}

impl Proxy {
    /// A proxy to this port.
    pub(crate) async fn to(target: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let port = listener.local_addr().expect("a bound port").port();
        let target = Arc::new(watch::Sender::new(Some(target)));
        let targets = Arc::clone(&target);
        let accepting = tokio::spawn(async move {
            while let Ok((mut inside, _)) = listener.accept().await {
                let mut turned = targets.subscribe();
                let Some(port) = *turned.borrow_and_update() else {
                    continue;
                };
                tokio::spawn(async move {
                    let Ok(mut outside) = TcpStream::connect(("127.0.0.1", port)).await else {
                        return;
                    };
                    tokio::select! {
                        _ = copy_bidirectional(&mut inside, &mut outside) => {}
                        _ = turned.changed() => {}
                    }
                });
            }
        });
        Self {
            port,
            target,
            accepting,
        }
    }

    pub(crate) const fn port(&self) -> u16 {
        self.port
    }

    pub(crate) fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    /// Breaks all connections, and lets none through any more.
    pub(crate) fn cut(&self) {
        self.target.send_replace(None);
    }

    /// Breaks all connections; new ones lead to this port.
    pub(crate) fn turn_to(&self, port: u16) {
        self.target.send_replace(Some(port));
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.accepting.abort();
        self.cut();
    }
}
