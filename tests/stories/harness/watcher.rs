//! Somebody who sees a stream, and insists that it is complete.

use std::collections::BTreeMap;

use fives_client::v1::match_update::Update;
use fives_client::{Updates, v1};

use tokio::task::JoinHandle;

use super::in_time;

/// What a stream has shown so far.
#[derive(Clone, Default, Debug)]
pub(crate) struct Witness {
    view: Option<v1::MatchView>,
    cursor: Option<v1::Cursor>,
    batches: BTreeMap<u64, v1::Batch>,
    snapshots: usize,
    emotes: Vec<Update>,
}

impl Witness {
    /// Takes an update, which must follow on what was seen before.
    pub(crate) fn see(&mut self, update: &Update) {
        match update {
            Update::Snapshot(snapshot) => {
                self.snapshots += 1;
                self.arrive_at(snapshot.view.as_ref());
            }
            Update::Revisions(revisions) => {
                let mut expected = self.cursor.expect("revisions follow on something").revision;
                assert!(!revisions.batches.is_empty(), "an update brings something");
                for batch in &revisions.batches {
                    expected += 1;
                    let revision = batch.cursor.expect("a batch has a cursor").revision;
                    assert_eq!(revision, expected, "no revision is missing and none comes twice");
                    assert!(!batch.events.is_empty(), "a batch brings something");
                    self.batches.insert(revision, batch.clone());
                }
                let last = revisions.batches.last().and_then(|batch| batch.cursor);
                assert_eq!(
                    revisions.view.as_ref().and_then(|view| view.cursor),
                    last,
                    "the view is of the last batch"
                );
                self.arrive_at(revisions.view.as_ref());
            }
            Update::Heartbeat(heartbeat) => assert_eq!(heartbeat.cursor, self.cursor.or(heartbeat.cursor)),
            Update::Emote(_) => self.emotes.push(update.clone()),
            Update::Reconnect(_) => panic!("the client deals with this by itself"),
        }
    }

    fn arrive_at(&mut self, view: Option<&v1::MatchView>) {
        let view = view.expect("an update brings a view").clone();
        self.cursor = view.cursor;
        self.view = Some(view);
    }

    /// Sees what a stream shows first, and then everything to the end; what comes after this call is not missed.
    pub(crate) async fn see_all_from_now(mut updates: Updates) -> JoinHandle<Self> {
        let mut witness = Self::default();
        let first = in_time("a snapshot", updates.next()).await.expect("the stream goes on");
        witness.see(&first.expect("a snapshot"));
        tokio::spawn(witness.see_all(updates))
    }

    /// Sees the match as a stream shows it first.
    pub(crate) async fn at_first(mut updates: Updates) -> Self {
        let mut witness = Self::default();
        let first = in_time("a snapshot", updates.next()).await.expect("the stream goes on");
        witness.see(&first.expect("a snapshot"));
        witness
    }

    /// Sees all that a stream brings, to its end.
    pub(crate) async fn see_all(mut self, mut updates: Updates) -> Self {
        while let Some(update) = in_time("the next update", updates.next())
            .await
            .expect("the stream goes on")
        {
            self.see(&update);
        }
        self
    }

    /// The match as it was shown last.
    pub(crate) fn view(&self) -> Option<&v1::MatchView> {
        self.view.as_ref()
    }

    /// Where the stream is.
    pub(crate) fn cursor(&self) -> Option<v1::Cursor> {
        self.cursor
    }

    /// The batches that were seen, by revision.
    pub(crate) fn batches(&self) -> &BTreeMap<u64, v1::Batch> {
        &self.batches
    }

    /// How many snapshots were needed.
    pub(crate) fn snapshots(&self) -> usize {
        self.snapshots
    }

    /// Every emote that was heard: which seat, and what.
    pub(crate) fn emotes(&self) -> Vec<(u32, v1::EmoteKind)> {
        let said = self.emotes.iter().filter_map(|update| match update {
            Update::Emote(emote) => Some((emote.seat, emote.kind())),
            _ => None,
        });
        said.collect()
    }

    /// Every event that was seen.
    pub(crate) fn events(&self) -> impl Iterator<Item = &v1::event::Kind> {
        self.batches
            .values()
            .flat_map(|batch| &batch.events)
            .filter_map(|event| event.kind.as_ref())
    }
}
