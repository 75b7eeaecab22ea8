//! One connection that hears of commits and emotes, for all matches that are watched here, and of players' news.
//!
//! A hint is only that: it may be late or missing, the log is the truth. After the connection was lost, every watcher is woken
//! once the channels are subscribed to again, because nobody knows what was announced meanwhile.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use fives_lobby::store::EMOTES_BEHIND;
use fives_referee::emote::Emote;
use fives_referee::id::MatchId;
use fives_referee::store::{Hint, StoreError};
use futures::StreamExt;
use redis::RedisResult;
use redis::aio::{PubSubSink, PubSubStream};
use tokio::sync::{Notify, broadcast, watch};
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};
use tracing::{info, warn};

use super::announcement::Announced;
use super::keys::Topic;
use super::link::Dialer;
use super::{announcement, keys};
use crate::unpoisoned;

/// How long to wait before connecting again.
const RECONNECT_AFTER: Duration = Duration::from_millis(200);

/// How often the connection is asked whether it lives, and what nobody watches any more are looked for.
const CHECK_INTERVAL: Duration = Duration::from_secs(2);

/// How many channels one command names.
const CHANNELS_AT_ONCE: usize = 256;

/// Who waits to hear of what.
#[derive(Clone)]
pub(super) struct Hints {
    watched: Arc<Mutex<HashMap<Topic, Watched>>>,
    changed: Arc<Notify>,
    patience: Duration,
}

struct Watched {
    newest: watch::Sender<Hint>,
    is_subscribed: watch::Sender<bool>,
    /// Made for the first who wants to hear what is said at a match.
    emotes: Option<broadcast::Sender<Emote>>,
    /// Whether the connection was lost since it was subscribed to.
    may_have_missed: bool,
}

impl Hints {
    /// Hints over a connection that `dialer` makes; it ends when nobody holds them any more.
    pub(super) fn new(dialer: Arc<Dialer>, patience: Duration) -> Self {
        let hints = Self {
            watched: Arc::default(),
            changed: Arc::default(),
            patience,
        };
        tokio::spawn(
            Listener {
                watched: Arc::clone(&hints.watched),
                changed: Arc::clone(&hints.changed),
                patience,
            }
            .run(dialer),
        );
        hints
    }

    /// What is said at a match that is watched; nothing at another one.
    pub(super) fn emotes(&self, id: &MatchId) -> broadcast::Receiver<Emote> {
        let silence = || broadcast::channel(1).0;
        match unpoisoned(self.watched.lock()).get_mut(&Topic::Match(*id)) {
            None => silence().subscribe(),
            Some(entry) => entry
                .emotes
                .get_or_insert_with(|| broadcast::channel(EMOTES_BEHIND).0)
                .subscribe(),
        }
    }

    /// Hints about a match or a player, from now on.
    pub(super) async fn watch(&self, topic: &Topic) -> Result<watch::Receiver<Hint>, StoreError> {
        let (newest, mut is_subscribed) = {
            let mut watched = unpoisoned(self.watched.lock());
            let entry = watched.entry(*topic).or_insert_with(|| Watched {
                newest: watch::Sender::new(Hint::default()),
                is_subscribed: watch::Sender::new(false),
                emotes: None,
                may_have_missed: false,
            });
            (entry.newest.subscribe(), entry.is_subscribed.subscribe())
        };
        if !*is_subscribed.borrow() {
            self.changed.notify_one();
            let subscribed = timeout(self.patience, is_subscribed.wait_for(|subscribed| *subscribed)).await;
            match subscribed {
                Ok(Ok(_)) => {}
                _ => return Err(StoreError::Unavailable("Redis did not confirm a subscription".into())),
            }
        }
        Ok(newest)
    }
}

struct Listener {
    watched: Arc<Mutex<HashMap<Topic, Watched>>>,
    changed: Arc<Notify>,
    patience: Duration,
}

impl Listener {
    async fn run(self, dialer: Arc<Dialer>) {
        let mut was_lost = false;
        // The listener itself holds one of each.
        while Arc::strong_count(&self.changed) > 1 {
            if unpoisoned(self.watched.lock()).is_empty() {
                let _ = timeout(CHECK_INTERVAL, self.changed.notified()).await;
                continue;
            }
            let subscriber = match timeout(self.patience, dialer.subscriber()).await {
                Ok(subscriber) => subscriber,
                Err(_) => Err(std::io::Error::from(std::io::ErrorKind::TimedOut).into()),
            };
            match subscriber {
                Ok(subscriber) => {
                    if was_lost {
                        info!("hears of commits again");
                    }
                    let (sink, stream) = subscriber.split();
                    let lost = self.listen(sink, stream).await;
                    self.forget_subscriptions();
                    match lost {
                        Ok(()) => return,
                        Err(error) => self.lost(&error, &mut was_lost),
                    }
                }
                Err(error) => self.lost(&error, &mut was_lost),
            }
            sleep(RECONNECT_AFTER).await;
        }
    }

    fn lost(&self, error: &redis::RedisError, was_lost: &mut bool) {
        if !std::mem::replace(was_lost, true) {
            let error: &dyn std::error::Error = error;
            warn!(
                error,
                "does not hear of commits now: followed matches are looked at every few seconds"
            );
        }
    }

    fn forget_subscriptions(&self) {
        for entry in unpoisoned(self.watched.lock()).values_mut() {
            entry.may_have_missed |= entry.is_subscribed.send_replace(false);
        }
    }

    /// Passes hints on until the connection breaks, or ends because nobody holds the hints any more.
    async fn listen(&self, mut sink: PubSubSink, mut stream: PubSubStream) -> RedisResult<()> {
        let broken = || redis::RedisError::from(std::io::Error::from(std::io::ErrorKind::UnexpectedEof));
        let mut subscribed: HashSet<Topic> = HashSet::new();
        let mut check = interval(CHECK_INTERVAL);
        check.set_missed_tick_behavior(MissedTickBehavior::Delay);
        self.subscribe(&mut sink, &mut subscribed).await?;
        loop {
            tokio::select! {
                message = stream.next() => {
                    let message = message.ok_or_else(broken)?;
                    if let Some(topic) = keys::parse_channel(message.get_channel_name()) {
                        self.tell(&topic, message.get_payload_bytes());
                    }
                }
                () = self.changed.notified() => self.subscribe(&mut sink, &mut subscribed).await?,
                _ = check.tick() => {
                    if Arc::strong_count(&self.changed) == 1 {
                        return Ok(());
                    }
                    let pong = timeout(self.patience, sink.ping::<redis::Value>()).await;
                    pong.map_err(|_| broken())??;
                    self.unsubscribe(&mut sink, &mut subscribed).await?;
                }
            }
        }
    }

    fn tell(&self, topic: &Topic, announced: &[u8]) {
        let announced = match topic {
            Topic::Match(_) => announcement::parse(announced),
            Topic::Player(_) => Some(Announced::Commit(Hint::default())),
        };
        let watched = unpoisoned(self.watched.lock());
        let Some((entry, announced)) = watched.get(topic).zip(announced) else {
            return;
        };
        match announced {
            // Here and below: the last watcher may just have left.
            Announced::Commit(hint) => _ = entry.newest.send(hint),
            Announced::Emote(emote) => _ = entry.emotes.as_ref().map(|emotes| emotes.send(emote)),
        }
    }

    async fn subscribe(&self, sink: &mut PubSubSink, subscribed: &mut HashSet<Topic>) -> RedisResult<()> {
        let missing: Vec<Topic> = {
            let watched = unpoisoned(self.watched.lock());
            watched
                .keys()
                .filter(|topic| !subscribed.contains(topic))
                .copied()
                .collect()
        };
        for ids in missing.chunks(CHANNELS_AT_ONCE) {
            let channels: Vec<_> = ids.iter().map(keys::channel).collect();
            sink.subscribe(channels).await?;
            subscribed.extend(ids);
            let mut watched = unpoisoned(self.watched.lock());
            for id in ids {
                let Some(entry) = watched.get_mut(id) else { continue };
                entry.is_subscribed.send_replace(true);
                if std::mem::take(&mut entry.may_have_missed) {
                    entry.newest.send_replace(Hint::default());
                }
            }
        }
        Ok(())
    }

    async fn unsubscribe(&self, sink: &mut PubSubSink, subscribed: &mut HashSet<Topic>) -> RedisResult<()> {
        let left: Vec<Topic> = {
            let mut watched = unpoisoned(self.watched.lock());
            let left = watched.iter().filter(|(_, entry)| entry.newest.is_closed());
            let left: Vec<Topic> = left.map(|(id, _)| *id).collect();
            left.iter().for_each(|id| _ = watched.remove(id));
            left
        };
        for ids in left.chunks(CHANNELS_AT_ONCE) {
            let channels: Vec<_> = ids.iter().map(keys::channel).collect();
            sink.unsubscribe(channels).await?;
            ids.iter().for_each(|id| _ = subscribed.remove(id));
        }
        Ok(())
    }
}
