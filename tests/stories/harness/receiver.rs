//! Somebody whom the service tells of matches: a small web server that does as it is told, and remembers what came.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

/// What signs what is posted here.
pub(crate) const HOOK_SECRET: &str = "a-secret-of-the-webhooks-0123456789";

/// What came.
#[derive(Clone, Debug)]
pub(crate) struct Delivery {
    /// `fives-delivery`.
    pub(crate) id: String,
    /// `fives-timestamp`.
    pub(crate) timestamp: String,
    /// `fives-signature`.
    pub(crate) signature: String,
    /// As it was posted.
    pub(crate) text: String,
    /// The same, parsed.
    pub(crate) body: Value,
}

/// What the receiver does with what comes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reply {
    /// Answers with this status.
    Status(u16),
    /// Takes it, and says nothing for as long as anybody waits.
    Hang,
}

/// The server. Dropping it ends it.
pub(crate) struct Receiver {
    address: String,
    came: Arc<Mutex<Vec<Delivery>>>,
    _serving: JoinSet<()>,
}

impl Receiver {
    /// Starts one; `reply` is asked what to do with each delivery, and which of all it is, from 0.
    pub(crate) async fn start(reply: impl Fn(usize, &Delivery) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address").to_string();
        let came: Arc<Mutex<Vec<Delivery>>> = Arc::default();
        let mut serving = JoinSet::new();
        let (kept, reply) = (Arc::clone(&came), Arc::new(reply));
        serving.spawn(async move {
            let mut connections = JoinSet::new();
            while let Ok((connection, _)) = listener.accept().await {
                let (kept, reply) = (Arc::clone(&kept), Arc::clone(&reply));
                connections.spawn(async move {
                    // Whoever breaks off is no delivery.
                    let _ = answer(connection, &kept, &*reply).await;
                });
            }
        });
        Self {
            address,
            came,
            _serving: serving,
        }
    }

    /// What came so far, in order.
    pub(crate) fn came(&self) -> Vec<Delivery> {
        self.came.lock().expect("no panic").clone()
    }

    /// What happened according to what came, each once.
    pub(crate) fn events(&self) -> Vec<String> {
        let mut deliveries = self.came();
        let mut seen = std::collections::HashSet::new();
        deliveries.retain(|delivery| seen.insert(delivery.id.clone()));
        let name = |delivery: &Delivery| delivery.body["event"].as_str().expect("an event").to_owned();
        deliveries.iter().map(name).collect()
    }

    /// Settings of webhooks that lead here, in this folder; `more` goes over them.
    pub(crate) fn hooks(&self, folder: &Path, more: Value) -> PathBuf {
        hooks(folder, &format!("http://{}/fives", self.address), more)
    }
}

/// Settings of webhooks that lead there, in this folder, patient for as short as can be; `more` goes over them.
pub(crate) fn hooks(folder: &Path, url: &str, more: Value) -> PathBuf {
    std::fs::write(folder.join("hook-secret"), HOOK_SECRET).expect("written");
    let mut settings = json!({
        "url": url,
        "secret_file": "hook-secret",
        "allow_private": true,
        "backoff_ms": 10,
        "timeout_ms": 500,
    });
    for (name, value) in more.as_object().expect("settings") {
        settings[name] = value.clone();
    }
    let path = folder.join("hooks.json");
    std::fs::write(&path, settings.to_string()).expect("written");
    path
}

async fn answer(
    connection: TcpStream,
    came: &Mutex<Vec<Delivery>>,
    reply: &(dyn Fn(usize, &Delivery) -> Reply + Send + Sync),
) -> std::io::Result<()> {
    let mut connection = BufReader::new(connection);
    let mut headers = std::collections::HashMap::new();
    loop {
        let mut line = String::new();
        connection.read_line(&mut line).await?;
        let Some((name, value)) = line.trim_end().split_once(": ") else {
            if line.trim_end().is_empty() {
                break;
            }
            continue;
        };
        headers.insert(name.to_ascii_lowercase(), value.to_owned());
    }
    let header = |name: &str| headers.get(name).cloned().unwrap_or_default();
    let mut bytes = vec![0; header("content-length").parse().unwrap_or(0)];
    connection.read_exact(&mut bytes).await?;
    let text = String::from_utf8(bytes).expect("JSON is text");
    let delivery = Delivery {
        id: header("fives-delivery"),
        timestamp: header("fives-timestamp"),
        signature: header("fives-signature"),
        body: serde_json::from_str(&text).expect("JSON"),
        text,
    };
    let reply = {
        let mut came = came.lock().expect("no panic");
        let reply = reply(came.len(), &delivery);
        came.push(delivery);
        reply
    };
    match reply {
        Reply::Hang => std::future::pending().await,
        Reply::Status(status) => {
            let head = format!("HTTP/1.1 {status} Said\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok");
            connection.write_all(head.as_bytes()).await
        }
    }
}
