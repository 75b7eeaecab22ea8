//! Whether what was acknowledged, what was shown and what is on record are the same match. Pure: it is given all of them, and
//! names what does not agree.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use fives_client::v1;

use super::finding::{Fault, Finding, Viewer};
use super::placed::Placed;
use super::seen::{Seen, Sight, digest};

/// A play that the service has answered for.
#[derive(Clone, Debug)]
pub(super) struct Acknowledged {
    pub(super) seat: u32,
    pub(super) request_id: String,
    pub(super) cursor: v1::Cursor,
    /// Of the batch in the answer.
    pub(super) whole: u64,
    /// As the answer tells of it; `None` if the answer is about anything but the play that was asked for.
    pub(super) placed: Option<Placed>,
}

impl Acknowledged {
    /// What the answer to `request` acknowledges to the person in `seat`.
    pub(super) fn new(seat: u32, request: &v1::PlayTileRequest, answer: &v1::PlayTileResponse) -> Self {
        let batch = answer.batch.clone().unwrap_or_default();
        let mut plays = Placed::all_of(&batch);
        let placed = plays.pop().filter(|placed| {
            plays.is_empty()
                && placed.seat == seat
                && Some(placed.play) == request.play
                && batch.request_id == request.request_id
                && batch.cursor == answer.cursor
        });
        Self {
            seat,
            request_id: request.request_id.clone(),
            cursor: answer.cursor.unwrap_or_default(),
            whole: digest(&batch),
            placed,
        }
    }
}

/// The one with the highest revision.
pub(super) fn newest(acknowledged: &[Acknowledged]) -> Option<&Acknowledged> {
    acknowledged
        .iter()
        .max_by_key(|acknowledged| acknowledged.cursor.revision)
}

/// Everything known of one match, once nobody plays it any more.
pub(super) struct Account {
    pub(super) match_id: String,
    /// The revision with which it started: each one after it is a play, because every seat is a person's.
    pub(super) started_at: u64,
    pub(super) acknowledged: Vec<Acknowledged>,
    /// The streams of the seats, then those of the watchers.
    pub(super) streams: Vec<Seen>,
    /// The plays on record, or why the record is not true; `None` for a match that was not played to its end.
    pub(super) record: Option<Result<Vec<Placed>, String>>,
    /// Whether the service can go on from the newest acknowledged revision; `None` if it was not asked.
    pub(super) newest_is_known: Option<bool>,
}

impl Account {
    /// Everything that does not agree.
    pub(super) fn audit(mut self) -> Vec<Finding> {
        let mut findings = Findings {
            match_id: self.match_id.clone(),
            found: Vec::new(),
        };
        for stream in &mut self.streams {
            for (revision, fault) in stream.faults.drain(..) {
                findings.add(revision, fault);
            }
        }
        if let (Some(false), Some(newest)) = (self.newest_is_known, newest(&self.acknowledged)) {
            let acknowledged_to = newest.seat;
            findings.add(newest.cursor.revision, Fault::NotKept { acknowledged_to });
        }
        self.check_answers(&mut findings);
        self.check_requests(&mut findings);
        let seen = self.check_sights(&mut findings);
        match &self.record {
            None => {}
            Some(Err(reason)) => findings.add(0, Fault::RecordUntrue { reason: reason.clone() }),
            Some(Ok(recorded)) => self.check_record(recorded, &seen, &mut findings),
        }
        findings.found
    }

    /// Every acknowledged revision was shown to everybody, with its stamp, and as it was answered.
    fn check_answers(&self, findings: &mut Findings) {
        for acknowledged in &self.acknowledged {
            let (revision, seat) = (acknowledged.cursor.revision, acknowledged.seat);
            if acknowledged.placed.is_none() {
                findings.add(revision, Fault::AnswerOfAnotherPlay { seat });
            }
            for stream in &self.streams {
                let viewer = stream.viewer;
                let Some(sight) = stream.sights.get(&revision) else {
                    if stream.owes(revision) {
                        let acknowledged_to = seat;
                        findings.add(
                            revision,
                            Fault::Lost {
                                acknowledged_to,
                                viewer,
                            },
                        );
                    }
                    continue;
                };
                if sight.stamp != acknowledged.cursor.stamp {
                    let acknowledged_to = seat;
                    findings.add(
                        revision,
                        Fault::AcknowledgedOtherwise {
                            acknowledged_to,
                            viewer,
                        },
                    );
                } else if viewer == Viewer::Seat(seat) && sight.whole != acknowledged.whole {
                    findings.add(revision, Fault::AnswerDiffers { seat });
                }
            }
        }
    }

    /// No request id made two revisions, and no revision answers two requests.
    fn check_requests(&self, findings: &mut Findings) {
        let mut by_request: BTreeMap<(u32, &str), u64> = BTreeMap::new();
        let mut by_revision: BTreeMap<u64, &Acknowledged> = BTreeMap::new();
        let answered = self.acknowledged.iter().map(|acknowledged| {
            (
                acknowledged.seat,
                acknowledged.request_id.as_str(),
                acknowledged.cursor.revision,
            )
        });
        let shown = self.streams.iter().filter_map(|stream| match stream.viewer {
            Viewer::Seat(seat) => Some((seat, stream)),
            Viewer::Watcher(_) => None,
        });
        let shown = shown.flat_map(|(seat, stream)| {
            let sights = stream.sights.iter().filter(|(_, sight)| !sight.request_id.is_empty());
            sights.map(move |(revision, sight)| (seat, sight.request_id.as_str(), *revision))
        });
        for (seat, request_id, revision) in answered.chain(shown) {
            let also_revision = *by_request.entry((seat, request_id)).or_insert(revision);
            if also_revision != revision {
                let request_id = request_id.to_owned();
                let fault = Fault::RequestTwice {
                    seat,
                    request_id,
                    also_revision,
                };
                findings.add(revision, fault);
            }
        }
        for acknowledged in &self.acknowledged {
            let revision = acknowledged.cursor.revision;
            match by_revision.entry(revision) {
                Entry::Vacant(entry) => {
                    entry.insert(acknowledged);
                }
                Entry::Occupied(entry) => {
                    let acknowledged_to = [entry.get().seat, acknowledged.seat];
                    findings.add(revision, Fault::RevisionTwice { acknowledged_to });
                }
            }
        }
    }

    /// Whoever saw a revision saw the same as everybody else, secrets apart. Gives the first sight of each.
    fn check_sights(&self, findings: &mut Findings) -> BTreeMap<u64, &Sight> {
        let mut first: BTreeMap<u64, (Viewer, &Sight)> = BTreeMap::new();
        let mut first_views: BTreeMap<u64, (Viewer, u64)> = BTreeMap::new();
        for stream in &self.streams {
            let viewer = stream.viewer;
            for (&revision, sight) in &stream.sights {
                let &mut (other, before) = first.entry(revision).or_insert((viewer, sight));
                let viewers = [other, viewer];
                if before.stamp != sight.stamp {
                    findings.add(revision, Fault::StampsDiffer { viewers });
                    continue;
                }
                if before.public != sight.public {
                    let what = "events";
                    findings.add(revision, Fault::SightsDiffer { viewers, what });
                }
                let Some(view) = sight.view else { continue };
                let &mut (other, before) = first_views.entry(revision).or_insert((viewer, view));
                if before != view {
                    let (viewers, what) = ([other, viewer], "states");
                    findings.add(revision, Fault::SightsDiffer { viewers, what });
                }
            }
        }
        first
            .into_iter()
            .map(|(revision, (_, sight))| (revision, sight))
            .collect()
    }

    /// The record has every play that was acknowledged or shown, each in its place, and no other.
    fn check_record(&self, recorded: &[Placed], seen: &BTreeMap<u64, &Sight>, findings: &mut Findings) {
        let mut compare = |told: &'static str, revision: u64, placed: &Placed| {
            let index = revision.checked_sub(self.started_at + 1);
            let found = index.and_then(|index| recorded.get(usize::try_from(index).ok()?));
            if found != Some(placed) {
                let fault = Fault::RecordDiffers {
                    seen: told,
                    play: placed.to_string(),
                    recorded: found.map(ToString::to_string),
                };
                findings.add(revision, fault);
            }
        };
        for (&revision, sight) in seen {
            for placed in &sight.plays {
                compare("shown", revision, placed);
            }
        }
        for acknowledged in &self.acknowledged {
            if let Some(placed) = &acknowledged.placed {
                compare("acknowledged", acknowledged.cursor.revision, placed);
            }
        }
        let newest = self.streams.iter().map(Seen::last_revision).max().unwrap_or_default();
        let seen_plays = newest.saturating_sub(self.started_at);
        if recorded.len() as u64 != seen_plays {
            let fault = Fault::RecordLength {
                seen_plays,
                recorded_plays: recorded.len(),
            };
            findings.add(0, fault);
        }
    }
}

struct Findings {
    match_id: String,
    found: Vec<Finding>,
}

impl Findings {
    fn add(&mut self, revision: u64, fault: Fault) {
        self.found.push(Finding {
            match_id: self.match_id.clone(),
            revision,
            fault,
        });
    }
}

#[cfg(test)]
mod tests;
