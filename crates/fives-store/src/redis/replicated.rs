//! Commits that count once a replica has them.
//!
//! ```text
//! commit ─▶ bounded queue ─▶ one of a few connections: all that is ready, then one WAIT ─▶ answers
//! ```
//!
//! WAIT holds up its connection and counts what the same connection wrote before, so these connections carry nothing else,
//! and the commits of a group and their WAIT go out as one pipeline: a connection that breaks in between answers neither.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use fives_referee::store::StoreError;
use futures::future::join_all;
use redis::aio::ConnectionLike;
use redis::cluster_routing::{Route, SingleNodeRoutingInfo, SlotAddr};
use redis::{Cmd, Pipeline, RedisError, RedisResult, Script, Value, from_redis_value};
use thiserror::Error;
use tokio::sync::{mpsc, oneshot};

use super::config::Config;
use super::failure::unwritten;
use super::link::{Connection, Dialer, Failure, Link};
use super::{queue, script};

/// How many connections there are; while one waits, the others gather.
const CONNECTIONS: usize = 4;

/// How many writes can wait for a connection; more wait in front of the queue.
const QUEUED_WRITES: usize = 1024;

/// How many writes share one WAIT at most.
const GROUP_WRITES: usize = 256;

/// What says to which node of a cluster a command goes.
pub(super) type Key = Vec<u8>;

/// No replica confirmed in time. The primary has it, and perhaps a replica will.
#[derive(Debug, Error)]
#[error("no replica has confirmed the write within {} ms", .0.as_millis())]
struct NoReplica(Duration);

/// A command that writes, and who waits for its answer and for a replica.
struct Write {
    command: Cmd,
    /// Any key of the slot that it writes to.
    key: Key,
    answer: oneshot::Sender<Result<Value, StoreError>>,
}

/// The connections. Dropping it ends them.
pub(super) struct Replicated {
    writes: mpsc::Sender<Write>,
}

impl Replicated {
    pub(super) fn new(dialer: &Arc<Dialer>, config: &Config) -> Self {
        let (writes, queue) = mpsc::channel(QUEUED_WRITES);
        let queue = Arc::new(tokio::sync::Mutex::new(queue));
        for _ in 0..CONNECTIONS {
            let patience = config.response_timeout + config.replica_timeout;
            let writer = Writer {
                link: Link::new(Arc::clone(dialer), config, patience),
                replica_timeout: config.replica_timeout,
            };
            tokio::spawn(writer.run(Arc::clone(&queue)));
        }
        Self { writes }
    }

    /// Runs a command that writes to the slot of `key`, and waits until a replica has what it wrote.
    pub(super) async fn write(&self, command: Cmd, key: Key) -> Result<Value, StoreError> {
        let (answer, answered) = oneshot::channel();
        let gone = || StoreError::Unavailable("the connections have ended".into());
        let write = Write { command, key, answer };
        self.writes.send(write).await.map_err(|_| gone())?;
        answered.await.map_err(|error| StoreError::Unconfirmed(error.into()))?
    }
}

struct Writer {
    link: Link,
    replica_timeout: Duration,
}

impl Writer {
    async fn run(self, queue: Arc<tokio::sync::Mutex<mpsc::Receiver<Write>>>) {
        let mut group = Vec::with_capacity(GROUP_WRITES);
        // Whoever has the queue takes all that is ready; the next one gathers while this one waits.
        while queue.lock().await.recv_many(&mut group, GROUP_WRITES).await > 0 {
            let mut by_key: HashMap<Key, Vec<Write>> = HashMap::new();
            for write in group.drain(..) {
                by_key.entry(write.key.clone()).or_default().push(write);
            }
            join_all(self.together(by_key).into_iter().map(|writes| self.write(writes))).await;
        }
    }

    /// Everything is of one node, unless there is a cluster: then each slot may be of another.
    fn together(&self, by_key: HashMap<Key, Vec<Write>>) -> Vec<Vec<Write>> {
        if self.link.is_cluster() {
            by_key.into_values().collect()
        } else {
            vec![by_key.into_values().flatten().collect()]
        }
    }

    async fn write(&self, writes: Vec<Write>) {
        let Some(key) = writes.first().map(|write| &write.key) else {
            return;
        };
        let commands: Vec<&Cmd> = writes.iter().map(|write| &write.command).collect();
        let mut answered = self.send(&commands, key).await;
        if let Ok((values, _)) = &answered
            && values.iter().any(is_unknown_script)
        {
            answered = self.send_with_scripts(&commands, key).await;
        }
        match answered {
            Ok((values, replicas)) => {
                for (write, value) in writes.into_iter().zip(values) {
                    // Who asked may have gone; what is written stays written.
                    let _ = write.answer.send(self.outcome(value, &replicas));
                }
            }
            Err(failure) => {
                for write in writes {
                    let _ = write.answer.send(Err(unwritten(failure.clone())));
                }
            }
        }
    }

    fn outcome(&self, value: Value, replicas: &RedisResult<u64>) -> Result<Value, StoreError> {
        let value = value.extract_error().map_err(|error| unwritten(Failure::Sent(error)))?;
        match replicas {
            Ok(0) => Err(StoreError::Unconfirmed(NoReplica(self.replica_timeout).into())),
            Ok(_) => Ok(value),
            Err(error) => Err(StoreError::Unconfirmed(error.clone().into())),
        }
    }

    /// The answers of the commands, and how many replicas have what they wrote.
    async fn send(&self, commands: &[&Cmd], key: &Key) -> Result<(Vec<Value>, RedisResult<u64>), Failure> {
        let (mut connection, generation) = self.link.connection().await.map_err(Failure::NotSent)?;
        let mut pipeline = Pipeline::with_capacity(commands.len() + 1);
        for command in commands {
            pipeline.add_command((*command).clone());
        }
        let timeout_ms = self.replica_timeout.as_millis() as u64;
        pipeline.cmd("WAIT").arg(1).arg(timeout_ms);
        let count = pipeline.len();
        let answers = match &mut connection {
            Connection::Node(node) => node.req_packed_commands(&pipeline, 0, count).await,
            Connection::Cluster(cluster) => {
                let route = Route::with_key(key, SlotAddr::Master);
                let route = SingleNodeRoutingInfo::SpecificNode(route);
                cluster.route_pipeline(pipeline, 0, count, route).await
            }
        };
        let mut answers = answers.map_err(|error| self.link.failed(error, generation))?;
        let replicas = answers.pop().unwrap_or(Value::Nil).extract_error();
        let replicas = replicas.and_then(|value| Ok(from_redis_value(value)?));
        for answer in &answers {
            if let Value::ServerError(error) = answer {
                // A primary that is none any more is given up.
                self.link.failed(RedisError::from(error.clone()), generation);
            }
        }
        Ok((answers, replicas))
    }

    async fn send_with_scripts(&self, commands: &[&Cmd], key: &Key) -> Result<(Vec<Value>, RedisResult<u64>), Failure> {
        let all: [&Script; 14] = [
            &script::COMMIT,
            &script::CONFIRM,
            &script::ARCHIVE,
            &script::CHANGE_ARCHIVED,
            &script::ERASE,
            &script::END_ERASURE,
            &script::RELEASE_DEVICE,
            &script::REWRITE,
            &script::SETTLE_RATINGS,
            &script::NOTE_CHANGE,
            &script::FORGET_STANDING,
            &script::LINK,
            &script::UNLINK,
            &script::REMATCH,
        ];
        for script in all.into_iter().chain(queue::DURABLE.map(|script| &**script)) {
            self.link.load(script).await?;
        }
        self.send(commands, key).await
    }
}

fn is_unknown_script(value: &Value) -> bool {
    matches!(value, Value::ServerError(error) if script::is_unknown(&error.clone().into()))
}
