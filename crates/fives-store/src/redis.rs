//! Many processes, one Redis: any of them serves any match, and none holds anything that another would need.
//!
//! ```text
//! commit ─▶ one script: compare, write, append, announce ─▶ answer        (replicated: ─▶ WAIT 1 ─▶ answer)
//! hint   ─▶ who watches goes on with the commit that it brings, or reads the log from where they are
//! ```
//!
//! What the script does is one step for everybody. What lies in other slots of a cluster (lists of players, codes) is written
//! before it, so that nothing is ever missing there; what is there too much is noticed when it is read, since the table
//! itself says what it belongs to.

mod address;
mod admin;
mod alive;
mod announcement;
mod archive;
mod clock;
mod config;
mod erasure;
mod failure;
mod hints;
mod identity;
mod keys;
mod link;
mod lists;
mod news;
mod outbox;
mod people;
mod presence;
mod queue;
mod rating;
mod rematch;
mod replicated;
mod script;
mod watchers;

use std::sync::Arc;

use async_trait::async_trait;
use fives_referee::batch::Batch;
use fives_referee::cursor::Cursor;
use fives_referee::id::{InviteCode, MatchId};
use fives_referee::listing::{ListPosition, Listing};
use fives_referee::store::{Committed, Created, Hint, MatchStore, StoreError};
use fives_referee::table::Table;
use fives_referee::time::{Outage, UnixMillis};
use fives_referee::watchers::ProcessId;
use redis::{Cmd, FromRedisValue, RedisError, Value, cmd, from_redis_value};
use tokio::sync::watch;

pub use redis::RedisError as Error;

pub use address::{Address, AddressError};
pub use config::{Config, Durability};

use crate::recent::Recent;
use crate::{codec, place, told};
use clock::Clock;
use failure::{unread, unwritten};
use hints::Hints;
use keys::Topic;
use link::{Dialer, Failure, Link};
use replicated::Replicated;
use script::{Call, Instead};

/// Keeps everything in Redis. Connects when it is first used, and again whenever it must.
pub struct RedisStore {
    link: Link,
    /// Only where commits wait for a replica.
    replicated: Option<Replicated>,
    hints: Hints,
    clock: Clock,
    /// What this process has read or committed last. Anybody may have gone on since; the commit's compare tells.
    recent: Recent,
    config: Config,
}

impl RedisStore {
    /// A store at `address`. Does not connect yet; must be called within a Tokio runtime.
    ///
    /// # Errors
    /// If the library cannot use such an address.
    pub fn new(address: &Address, config: Config) -> Result<Self, RedisError> {
        let dialer = Arc::new(Dialer::new(address, &config)?);
        Ok(Self {
            link: Link::new(Arc::clone(&dialer), &config, config.response_timeout),
            replicated: (config.durability == Durability::Replicated).then(|| Replicated::new(&dialer, &config)),
            hints: Hints::new(dialer, config.connect_timeout + config.response_timeout),
            clock: Clock::default(),
            recent: Recent::new(config.recent_tables),
            config,
        })
    }

    /// Writes a state; says what is there instead, if it is not the expected one.
    async fn write(&self, expected: Option<Cursor>, table: &Arc<Table>, batch: &Batch) -> Result<Instead, StoreError> {
        let call = {
            let told = told::of(table, batch, self.config.tells_platform);
            script::commit(expected, table, batch, &told, self.config.retention.of(table))
        };
        let instead: Instead = match &self.replicated {
            None => self.link.invoke(&call).await.map_err(unwritten)?,
            Some(replicated) => parsed(replicated.write(call.command, keys::slot(&table.id)).await?)?,
        };
        if instead.is_none() {
            self.recent.remember([Arc::clone(table)]);
        }
        Ok(instead)
    }

    /// Runs a command that writes one key; it counts when a commit would.
    async fn set<T: FromRedisValue>(&self, command: Cmd, key: &[u8]) -> Result<T, StoreError> {
        match &self.replicated {
            None => self.link.run(&command).await.map_err(unwritten),
            Some(replicated) => parsed(replicated.write(command, key.to_vec()).await?),
        }
    }

    /// Runs a script that writes to the slot of `key`; it counts when a commit would.
    async fn invoke<T: FromRedisValue>(&self, call: Call, key: &[u8]) -> Result<T, StoreError> {
        match &self.replicated {
            None => self.link.invoke(&call).await.map_err(unwritten),
            Some(replicated) => parsed(replicated.write(call.command, key.to_vec()).await?),
        }
    }
}

/// An answer to a write; another one than it gives is no answer.
fn parsed<T: redis::FromRedisValue>(value: Value) -> Result<T, StoreError> {
    from_redis_value(value).map_err(|error| unwritten(Failure::Sent(error.into())))
}

#[async_trait]
impl MatchStore for RedisStore {
    fn durability(&self) -> &'static str {
        match self.config.durability {
            Durability::Primary => "primary",
            Durability::Replicated => "replicated",
        }
    }

    async fn now(&self) -> Result<UnixMillis, StoreError> {
        self.clock.now(&self.link).await
    }

    async fn create(&self, table: &Arc<Table>, batch: &Batch) -> Result<Created, StoreError> {
        self.add_to_lists(None, table).await?;
        match self.write(None, table, batch).await? {
            None => {
                self.tell_newcomers(None, table).await;
                Ok(Created::New)
            }
            Some(_) => Ok(Created::Exists),
        }
    }

    async fn load(&self, id: &MatchId) -> Result<Option<Arc<Table>>, StoreError> {
        let mut command = cmd("HGET");
        command.arg(keys::of_match('m', id)).arg("table");
        let Some(bytes) = self.link.run::<Option<Vec<u8>>>(&command).await.map_err(unread)? else {
            return Ok(None);
        };
        let table = Arc::new(codec::decode_table(&bytes)?);
        if table.id != *id {
            let place = format!("{} is kept in the place of {id}", table.id);
            return Err(StoreError::Damaged(place));
        }
        self.recent.remember([Arc::clone(&table)]);
        Ok(Some(table))
    }

    fn recall(&self, id: &MatchId) -> Option<Arc<Table>> {
        self.recent.get(id)
    }

    async fn commit(&self, expected: Cursor, table: &Arc<Table>, batch: &Batch) -> Result<Committed, StoreError> {
        let people_have_changed = self.add_to_lists(Some(expected), table).await?;
        let committed = script::committed(self.write(Some(expected), table, batch).await?);
        if committed == Committed::Done
            && let Some(before) = people_have_changed
        {
            self.remove_from_lists(&before, table).await;
            self.tell_newcomers(Some(&before), table).await;
        }
        Ok(committed)
    }

    async fn confirm(&self, id: &MatchId, at: Cursor) -> Result<bool, StoreError> {
        match &self.replicated {
            None => Ok(true),
            Some(replicated) => parsed(
                replicated
                    .write(script::confirm(id, at).command, keys::slot(id))
                    .await?,
            ),
        }
    }

    async fn batches(&self, id: &MatchId, from: u64, limit: usize) -> Result<Vec<Batch>, StoreError> {
        if limit == 0 {
            return Ok(Vec::new());
        }
        let from = from.max(1);
        let mut command = cmd("XRANGE");
        command.arg(keys::of_match('x', id)).arg(format!("{from}-0")).arg("+");
        command.arg("COUNT").arg(i64::try_from(limit).unwrap_or(i64::MAX));
        type Entry = (String, (String, Vec<u8>));
        let entries: Vec<Entry> = self.link.run(&command).await.map_err(unread)?;
        let mut batches = Vec::with_capacity(entries.len());
        for ((_, (_, bytes)), revision) in entries.into_iter().zip(from..) {
            let batch = codec::decode_batch(&bytes)?;
            if batch.cursor.revision != revision {
                let hole = format!("revision {revision} of {id} is not in its log");
                return Err(StoreError::Damaged(hole));
            }
            batches.push(batch);
        }
        Ok(batches)
    }

    async fn watch(&self, id: &MatchId) -> Result<watch::Receiver<Hint>, StoreError> {
        self.hints.watch(&Topic::Match(*id)).await
    }

    async fn due(&self, now: UnixMillis, limit: usize) -> Result<Vec<MatchId>, StoreError> {
        self.due_in_all_shards(now, limit).await
    }

    async fn find_invite(&self, code: &InviteCode) -> Result<Option<MatchId>, StoreError> {
        let mut command = cmd("GET");
        command.arg(keys::invite(code));
        let Some(id) = self.link.run::<Option<Vec<u8>>>(&command).await.map_err(unread)? else {
            return Ok(None);
        };
        let id = place::match_id(&id)?;
        // It was written before the match was; only the match tells whether that came about.
        let table = self.load(&id).await?;
        Ok(table
            .filter(|table| table.codes().any(|known| known == *code))
            .map(|_| id))
    }

    async fn list(
        &self,
        listing: &Listing,
        after: Option<ListPosition>,
        limit: usize,
    ) -> Result<Vec<ListPosition>, StoreError> {
        self.page(listing, after, limit).await
    }

    async fn live_count(&self) -> Result<u64, StoreError> {
        self.live_in_all_shards().await
    }

    async fn share_watchers(&self, process: ProcessId, counts: &[(MatchId, u64)]) -> Result<(), StoreError> {
        self.tell_watchers(process, counts).await
    }

    async fn watchers_elsewhere(&self, process: ProcessId, ids: &[MatchId]) -> Result<Vec<u64>, StoreError> {
        self.watchers_told(process, ids).await
    }

    async fn renew_alive(&self, silence_max_ms: u64) -> Result<(), StoreError> {
        self.give_sign_of_life(silence_max_ms).await
    }

    async fn outages(&self, since: UnixMillis) -> Result<Vec<Outage>, StoreError> {
        self.outages_after(since).await
    }
}
