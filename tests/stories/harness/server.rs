//! A server in this process, on a free port, over a store of its own.

use std::sync::Arc;
use std::time::Duration;

use fives_client::{Client, RetryPolicy};
use fives_lobby::store::SharedLobbyStore;
use fives_server::config::{Config, Limits, ServeArgs};
use fives_store::embedded::EmbeddedStore;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use super::in_time;

/// A running server. Dropping it ends it at once.
pub(crate) struct Server {
    url: String,
    store: SharedLobbyStore,
    stop: Option<oneshot::Sender<()>>,
    serving: JoinHandle<Result<(), fives_server::ServeError>>,
}

impl Server {
    /// With bots that do not think, and everything else as it comes.
    pub(crate) async fn start() -> Self {
        Self::start_with(|_| {}).await
    }

    /// With other settings.
    pub(crate) async fn start_with(change: impl FnOnce(&mut Config)) -> Self {
        let store = EmbeddedStore::temporary().expect("a store in a temporary folder");
        Self::start_over(Arc::new(store), change).await
    }

    /// Over a store that holds something already.
    pub(crate) async fn start_over(store: SharedLobbyStore, change: impl FnOnce(&mut Config)) -> Self {
        let mut config = Config::try_from(ServeArgs::default()).expect("the defaults are possible");
        config.bot_delay_ms = 0;
        config.limits = Limits::none(Vec::new());
        change(&mut config);
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let scheme = if config.tls.is_some() { "https" } else { "http" };
        let url = format!("{scheme}://{}", listener.local_addr().expect("a bound port"));
        let (stop, stopped) = oneshot::channel::<()>();
        let shutdown = async move {
            // A dropped sender stops the server as well.
            let _ = stopped.await;
        };
        let serving = tokio::spawn(fives_server::serve(config, listener, Arc::clone(&store), shutdown));
        Self {
            url,
            store,
            stop: Some(stop),
            serving,
        }
    }

    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    pub(crate) fn store(&self) -> &SharedLobbyStore {
        &self.store
    }

    /// A client that gives up within a story's deadline and has not signed in.
    pub(crate) fn stranger(&self) -> Client {
        let policy = RetryPolicy {
            give_up_after: Duration::from_secs(20),
            ..RetryPolicy::default()
        };
        Client::connect_lazy(&self.url).expect("an address").with_policy(policy)
    }

    /// A client that has signed in under this name.
    pub(crate) async fn guest(&self, name: &str) -> Client {
        let client = self.stranger();
        client.sign_in(name, None).await.expect("guests are welcome");
        client
    }

    /// As many guests.
    pub(crate) async fn guests<const N: usize>(&self) -> [Client; N] {
        let names = ["anna", "bela", "cleo", "dora", "emil"];
        let mut clients = Vec::with_capacity(N);
        for name in names.iter().take(N) {
            clients.push(self.guest(name).await);
        }
        clients
            .try_into()
            .unwrap_or_else(|_| panic!("no more than {} guests have names", names.len()))
    }

    /// Stops gracefully and waits for it.
    pub(crate) async fn stop(mut self) {
        drop(self.stop.take());
        let served = in_time("a graceful stop", &mut self.serving).await;
        served
            .expect("the server did not panic")
            .expect("the server stopped cleanly");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.serving.abort();
    }
}
