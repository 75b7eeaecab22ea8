//! Real Redis: a node, a primary with replicas, a cluster; each on free ports, gone when it is dropped.

use std::net::TcpListener;
use std::ops::Range;
use std::process::Stdio;
use std::sync::atomic::{AtomicU32, Ordering};

use redis::aio::MultiplexedConnection;
use redis::{Client, FromRedisValue, Value, cmd};
use tempfile::TempDir;
use tokio::process::{Child, Command};

use super::until;

/// Ports that the system gives to no connection by itself: a server that is killed finds its port free again.
const PORTS: Range<u16> = 10_240..30_000;

/// A port that nobody uses. Somebody else could take it before it is used, though nobody here does.
pub(crate) fn free_port() -> u16 {
    static ASKED: AtomicU32 = AtomicU32::new(0);
    // Several test programs may run at once.
    let first = std::process::id().wrapping_mul(101);
    for _ in 0..PORTS.len() {
        let asked = ASKED.fetch_add(1, Ordering::Relaxed);
        let port = PORTS.start + (first.wrapping_add(asked) % PORTS.len() as u32) as u16;
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
    panic!("none of the ports {PORTS:?} is free");
}

/// A `redis-server` with an empty folder.
pub(crate) struct RedisNode {
    child: Option<Child>,
    folder: TempDir,
    port: u16,
    options: Vec<String>,
}

impl RedisNode {
    /// One node that keeps its data over a restart.
    pub(crate) async fn start() -> Self {
        Self::start_with(&[]).await
    }

    /// One node with more options, as on the command line.
    pub(crate) async fn start_with(options: &[&str]) -> Self {
        let mut node = Self {
            child: None,
            folder: tempfile::tempdir().expect("a folder"),
            port: free_port(),
            options: options.iter().map(|&option| option.to_owned()).collect(),
        };
        node.restart().await;
        node
    }

    /// Starts it, again if it was stopped, with the data that it had.
    pub(crate) async fn restart(&mut self) {
        let child = Command::new("redis-server")
            .args(["--port", &self.port.to_string(), "--bind", "127.0.0.1"])
            .args(["--appendonly", "yes", "--save", "", "--loglevel", "warning", "--dir"])
            .arg(self.folder.path())
            .args(&self.options)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .expect("redis-server is installed: `make servers`");
        self.child = Some(child);
        until("it answers", async || {
            self.try_ask::<String>("PING", &[]).await.is_some()
        })
        .await;
    }

    /// `kill -9`.
    pub(crate) async fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().await.expect("it was running");
        }
    }

    pub(crate) const fn port(&self) -> u16 {
        self.port
    }

    pub(crate) fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    /// Sends a command, which must be answered.
    pub(crate) async fn ask<T: FromRedisValue>(&self, name: &str, arguments: &[&str]) -> T {
        let answer = self.try_ask(name, arguments).await;
        answer.unwrap_or_else(|| panic!("{name} {arguments:?} is answered"))
    }

    /// Sends a command; nothing if it is not answered.
    pub(crate) async fn try_ask<T: FromRedisValue>(&self, name: &str, arguments: &[&str]) -> Option<T> {
        let mut connection = self.connection().await?;
        cmd(name).arg(arguments).query_async(&mut connection).await.ok()
    }

    /// Every key and every value that it holds, as bytes.
    pub(crate) async fn everything(&self) -> Vec<Vec<u8>> {
        let mut connection = self.connection().await.expect("it answers");
        let keys: Vec<Vec<u8>> = cmd("KEYS").arg("*").query_async(&mut connection).await.expect("keys");
        let mut held = Vec::new();
        for key in keys {
            let kind: String = cmd("TYPE")
                .arg(&key)
                .query_async(&mut connection)
                .await
                .expect("a type");
            let read = match kind.as_str() {
                "string" => cmd("GET").arg(&key).to_owned(),
                "hash" => cmd("HGETALL").arg(&key).to_owned(),
                "set" => cmd("SMEMBERS").arg(&key).to_owned(),
                "list" => cmd("LRANGE").arg(&key).arg(0).arg(-1).to_owned(),
                "zset" => cmd("ZRANGE").arg(&key).arg(0).arg(-1).to_owned(),
                "stream" => cmd("XRANGE").arg(&key).arg("-").arg("+").to_owned(),
                // It has expired between the two.
                "none" => continue,
                other => panic!("nothing here is a {other}"),
            };
            let value: Value = read.query_async(&mut connection).await.expect("a value");
            held.push(key);
            texts(&value, &mut held);
        }
        held
    }

    async fn connection(&self) -> Option<MultiplexedConnection> {
        let client = Client::open(self.url()).expect("an address");
        client.get_multiplexed_async_connection().await.ok()
    }

    /// Makes it a replica of what listens on this port, and waits until it has everything.
    pub(crate) async fn replicate(&self, port: u16) {
        self.ask::<()>("REPLICAOF", &["127.0.0.1", &port.to_string()]).await;
        self.until_it_is_a_replica().await;
    }

    /// Waits until it has everything that its primary had.
    async fn until_it_is_a_replica(&self) {
        self.until_says("INFO", &["replication"], "master_link_status:up").await;
    }

    /// Waits until its answer to a command has these words in it.
    pub(crate) async fn until_says(&self, name: &str, arguments: &[&str], words: &str) {
        until(words, async || {
            self.ask::<String>(name, arguments).await.contains(words)
        })
        .await;
    }

    /// Waits until a replica has everything that this node has now.
    pub(crate) async fn until_replicated(&self) {
        until("a replica has it", async || {
            let mut connection = self.connection().await.expect("it answers");
            // WAIT counts what its own connection did: without a command before it, any replica has all of that.
            let mut waiting = redis::pipe();
            waiting.cmd("PING").ignore().cmd("WAIT").arg(1).arg(1000);
            let replicas: (u64,) = waiting.query_async(&mut connection).await.expect("it answers");
            replicas == (1,)
        })
        .await;
    }
}

/// The texts in an answer, at whatever depth.
fn texts(value: &Value, found: &mut Vec<Vec<u8>>) {
    match value {
        Value::BulkString(bytes) => found.push(bytes.clone()),
        Value::SimpleString(text) => found.push(text.as_bytes().to_vec()),
        Value::Array(values) | Value::Set(values) => values.iter().for_each(|value| texts(value, found)),
        Value::Map(pairs) => pairs.iter().for_each(|(key, value)| {
            texts(key, found);
            texts(value, found);
        }),
        _ => {}
    }
}

/// A Redis Cluster of three primaries, the first of which has a replica.
pub(crate) struct RedisCluster {
    /// Three primaries, then the replica.
    pub(crate) nodes: Vec<RedisNode>,
}

impl RedisCluster {
    pub(crate) async fn start() -> Self {
        let mut nodes = Vec::new();
        for _ in 0..4 {
            let bus = free_port().to_string();
            let options = [
                "--cluster-enabled",
                "yes",
                "--cluster-port",
                &bus,
                "--cluster-node-timeout",
                "1000",
            ];
            nodes.push(RedisNode::start_with(&options).await);
        }
        let [first, others @ ..] = nodes.as_slice() else {
            unreachable!("there are four nodes")
        };
        for other in others {
            let bus: String = other.options[3].clone();
            let meet = ["MEET", "127.0.0.1", &other.port.to_string(), &bus];
            first.ask::<()>("CLUSTER", &meet).await;
        }
        for (node, (from, to)) in nodes.iter().zip([(0, 5460), (5461, 10922), (10923, 16383)]) {
            let range = ["ADDSLOTSRANGE", &from.to_string(), &to.to_string()];
            node.ask::<()>("CLUSTER", &range).await;
        }
        let cluster = Self { nodes };
        cluster.until_all_know("cluster_known_nodes:4").await;
        let primary: String = cluster.nodes[0].ask("CLUSTER", &["MYID"]).await;
        cluster.nodes[3].ask::<()>("CLUSTER", &["REPLICATE", &primary]).await;
        cluster.until_all_know("cluster_state:ok").await;
        cluster.nodes[3].until_it_is_a_replica().await;
        cluster
    }

    async fn until_all_know(&self, line: &str) {
        for node in &self.nodes {
            node.until_says("CLUSTER", &["INFO"], line).await;
        }
    }

    pub(crate) fn url(&self) -> String {
        let hosts = self.nodes.iter().map(|node| format!("127.0.0.1:{}", node.port));
        format!("redis+cluster://{}", hosts.collect::<Vec<_>>().join(","))
    }
}

/// One Sentinel, which decides alone.
pub(crate) struct Sentinel {
    _child: Child,
    _folder: TempDir,
    port: u16,
}

impl Sentinel {
    /// Watches over this primary and whatever replicates it.
    pub(crate) async fn over(primary: &RedisNode) -> Self {
        let (folder, port) = (tempfile::tempdir().expect("a folder"), free_port());
        let settings = format!(
            "port {port}\nbind 127.0.0.1\nsentinel monitor fives 127.0.0.1 {} 1\n\
             sentinel down-after-milliseconds fives 500\nsentinel failover-timeout fives 5000\n",
            primary.port
        );
        let file = folder.path().join("sentinel.conf");
        std::fs::write(&file, settings).expect("written");
        let child = Command::new("redis-server")
            .arg(&file)
            .arg("--sentinel")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .expect("redis-server is installed: `make servers`");
        let client = Client::open(format!("redis://127.0.0.1:{port}")).expect("an address");
        until("Sentinel knows the replica", async || {
            let Ok(mut connection) = client.get_multiplexed_async_connection().await else {
                return false;
            };
            let replicas: Result<Vec<redis::Value>, _> = cmd("SENTINEL")
                .arg("REPLICAS")
                .arg("fives")
                .query_async(&mut connection)
                .await;
            replicas.is_ok_and(|replicas| !replicas.is_empty())
        })
        .await;
        Self {
            _child: child,
            _folder: folder,
            port,
        }
    }

    pub(crate) fn url(&self) -> String {
        format!("redis+sentinel://127.0.0.1:{}/fives", self.port)
    }
}
