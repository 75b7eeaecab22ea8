//! What one stream has shown of a match: small enough to keep until the match is over, exact enough to compare.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hasher};
use std::ops::RangeInclusive;

use fives_client::v1;
use fives_client::v1::event::Kind;
use fives_client::v1::match_update::Update;
use prost::Message;

use super::finding::{Fault, Viewer};
use super::placed::Placed;

/// A revision as one viewer was shown it.
#[derive(Clone, Debug)]
pub(super) struct Sight {
    pub(super) stamp: u64,
    /// Of the batch as it came.
    pub(super) whole: u64,
    /// Of what everybody may know of the batch.
    pub(super) public: u64,
    /// Of what everybody may know of the view after it; only the last batch of an update has a view.
    pub(super) view: Option<u64>,
    /// Empty unless the viewer sent it.
    pub(super) request_id: String,
    pub(super) plays: Vec<Placed>,
}

/// What one stream has shown, and what was wrong with it taken by itself.
#[derive(Debug)]
pub(super) struct Seen {
    pub(super) viewer: Viewer,
    pub(super) sights: BTreeMap<u64, Sight>,
    pub(super) faults: Vec<(u64, Fault)>,
    /// Without the one that a stream begins with.
    pub(super) snapshots: u64,
    /// Batches.
    pub(super) deliveries: u64,
    /// The stream ended with an error that is counted by itself: what came after its last revision was not to be seen.
    pub(super) broke_off: bool,
    last: Option<v1::Cursor>,
    /// Revisions that a snapshot stands for.
    bridged: Vec<RangeInclusive<u64>>,
    over: bool,
}

impl Seen {
    pub(super) fn new(viewer: Viewer) -> Self {
        Self {
            viewer,
            sights: BTreeMap::new(),
            faults: Vec::new(),
            snapshots: 0,
            deliveries: 0,
            broke_off: false,
            last: None,
            bridged: Vec::new(),
            over: false,
        }
    }

    /// The newest revision that was shown; 0 before the first.
    pub(super) fn last_revision(&self) -> u64 {
        self.last.map_or(0, |cursor| cursor.revision)
    }

    /// Whether the last state shown is the end of the match.
    pub(super) fn is_over(&self) -> bool {
        self.over
    }

    /// Whether `revision` had to be shown as a batch.
    pub(super) fn owes(&self, revision: u64) -> bool {
        let begun = self.last.is_some() || !self.broke_off;
        let beyond = self.broke_off && revision > self.last_revision();
        begun && !beyond && !self.bridged.iter().any(|range| range.contains(&revision))
    }

    /// Takes what the stream brings next.
    pub(super) fn see(&mut self, update: &Update) {
        match update {
            Update::Snapshot(snapshot) => self.begin_from(snapshot),
            Update::Revisions(revisions) => {
                if revisions.batches.is_empty() {
                    self.note(self.last_revision(), self.malformed("batches"));
                }
                for batch in &revisions.batches {
                    self.take(batch);
                }
                self.arrive_at(revisions.view.as_ref());
            }
            // The client deals with the one by itself, and the other is no part of the match.
            Update::Reconnect(_) | Update::Emote(_) => {}
            Update::Heartbeat(heartbeat) => {
                let (viewer, last) = (self.viewer, self.last_revision());
                let revision = heartbeat.cursor.unwrap_or_default().revision;
                if self.last.is_some() && revision > last {
                    let last_missing = revision;
                    self.note(last + 1, Fault::Gap { viewer, last_missing });
                } else if self.last.is_some() && heartbeat.cursor != self.last {
                    self.note(revision, Fault::WentBack { viewer });
                }
            }
        }
    }

    fn begin_from(&mut self, snapshot: &v1::Snapshot) {
        let Some(cursor) = snapshot.view.as_ref().and_then(|view| view.cursor) else {
            self.note(self.last_revision(), self.malformed("a cursor"));
            return;
        };
        let (viewer, revision) = (self.viewer, cursor.revision);
        let from = match self.last {
            None => 0,
            Some(_) if snapshot.reset => {
                self.note(revision, Fault::Reset { viewer });
                // What was shown before may not have happened: nothing of it can be held against the new history.
                self.sights.clear();
                self.bridged.clear();
                0
            }
            Some(last) => {
                if revision < last.revision || (revision == last.revision && cursor != last) {
                    self.note(revision, Fault::WentBack { viewer });
                }
                last.revision + 1
            }
        };
        self.snapshots += u64::from(self.last.is_some());
        if from <= revision {
            self.bridged.push(from..=revision);
        }
        self.last = Some(cursor);
        self.look_at(snapshot.view.as_ref());
    }

    fn take(&mut self, batch: &v1::Batch) {
        self.deliveries += 1;
        let Some(cursor) = batch.cursor else {
            self.note(self.last_revision(), self.malformed("a cursor"));
            return;
        };
        let (viewer, revision) = (self.viewer, cursor.revision);
        if let Some(what) = secret_in(batch, viewer) {
            self.note(revision, Fault::SecretShown { viewer, what });
        }
        let sight = Sight {
            stamp: cursor.stamp,
            whole: digest(batch),
            public: digest(&public_part(batch)),
            view: None,
            request_id: batch.request_id.clone(),
            plays: Placed::all_of(batch),
        };
        let expected = self.last_revision() + 1;
        if revision < expected {
            let fault = match self.sights.get(&revision) {
                Some(before) if before.whole != sight.whole => Fault::Changed { viewer },
                _ => Fault::Repeated { viewer },
            };
            self.note(revision, fault);
            return;
        }
        if revision > expected {
            let last_missing = revision - 1;
            self.note(expected, Fault::Gap { viewer, last_missing });
        }
        self.sights.insert(revision, sight);
        self.last = Some(cursor);
    }

    /// The view of an update: that of its newest batch.
    fn arrive_at(&mut self, view: Option<&v1::MatchView>) {
        let cursor = view.and_then(|view| view.cursor);
        if cursor.is_none() || cursor != self.last {
            self.note(self.last_revision(), self.malformed("the view of its newest batch"));
            return;
        }
        self.look_at(view);
    }

    fn look_at(&mut self, view: Option<&v1::MatchView>) {
        let Some(view) = view else { return };
        let (viewer, revision) = (self.viewer, self.last_revision());
        self.over = matches!(view.state(), v1::MatchState::Finished | v1::MatchState::Closed);
        let seat = match viewer {
            Viewer::Seat(seat) => Some(seat),
            Viewer::Watcher(_) => None,
        };
        let holds_tiles = view
            .round
            .as_ref()
            .is_some_and(|round| !round.hand.is_empty() || !round.legal_plays.is_empty());
        if seat != view.viewer_seat || (seat.is_none() && holds_tiles) {
            let what = "the view of a seat that is not its own";
            self.note(revision, Fault::SecretShown { viewer, what });
        }
        if let Some(sight) = self.sights.get_mut(&revision) {
            sight.view = Some(digest(&public_view(view)));
        }
    }

    fn note(&mut self, revision: u64, fault: Fault) {
        self.faults.push((revision, fault));
    }

    fn malformed(&self, missing: &'static str) -> Fault {
        let viewer = self.viewer;
        Fault::Malformed { viewer, missing }
    }
}

/// What stands for a message: equal messages have equal digests, and nobody here tries to find others that do.
pub(super) fn digest(message: &impl Message) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(&message.encode_to_vec());
    hasher.finish()
}

/// What everybody may know of a batch.
fn public_part(batch: &v1::Batch) -> v1::Batch {
    let mut public = batch.clone();
    public.request_id.clear();
    for event in &mut public.events {
        match &mut event.kind {
            Some(Kind::TilesDrawn(drawn)) => drawn.tiles.clear(),
            Some(Kind::RoundStarted(round)) => round.hand.clear(),
            _ => {}
        }
    }
    public
}

/// What everybody may know of a view.
fn public_view(view: &v1::MatchView) -> v1::MatchView {
    let mut public = view.clone();
    public.viewer_seat = None;
    public.invite_code.clear();
    if let Some(round) = &mut public.round {
        round.hand.clear();
        round.legal_plays.clear();
    }
    public
}

/// What `viewer` may not know, and this batch tells.
fn secret_in(batch: &v1::Batch, viewer: Viewer) -> Option<&'static str> {
    let own = |seat: u32| viewer == Viewer::Seat(seat);
    if !batch.request_id.is_empty() && !batch.seat.is_some_and(own) {
        return Some("the request id of somebody else");
    }
    batch
        .events
        .iter()
        .filter_map(|event| event.kind.as_ref())
        .find_map(|kind| match kind {
            Kind::TilesDrawn(drawn) if !drawn.tiles.is_empty() && !own(drawn.seat) => {
                Some("tiles that another seat drew")
            }
            Kind::RoundStarted(round) if !round.hand.is_empty() && matches!(viewer, Viewer::Watcher(_)) => {
                Some("a hand")
            }
            _ => None,
        })
}
