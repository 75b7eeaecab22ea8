//! What is to be told of matches. It lies in the folder, an entry a match and lane; when each is looked at is held in memory as
//! well and found there, like what is due.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::Mutex;

use async_trait::async_trait;
use fives_lobby::store::{Backlog, DEAD_LETTERS_MAX, DeadLetter, Errand, OutboxStore, Parcel};
use fives_referee::id::MatchId;
use fives_referee::notice::{Lane, Notice, NoticeId};
use fives_referee::store::StoreError;
use fives_referee::time::UnixMillis;

use super::folder::Folder;
use super::writer::{Answer, Group, Write};
use super::{EmbeddedStore, Kept, keys};
use crate::codec::Outbox;
use crate::unpoisoned;

/// A match and a lane.
pub(super) type Place = (Lane, MatchId);

/// Something to do with what is to be told, and who waits for it.
pub(super) enum Work {
    Take {
        lane: Lane,
        errand: Errand,
        until: UnixMillis,
        answer: Answer<Option<Parcel>>,
    },
    Settle {
        lane: Lane,
        id: NoticeId,
        answer: Answer<bool>,
    },
    Postpone {
        lane: Lane,
        id: NoticeId,
        at: UnixMillis,
        tries: u32,
        answer: Answer<bool>,
    },
    Bury {
        letter: Box<DeadLetter>,
        answer: Answer<bool>,
    },
    Revive {
        id: NoticeId,
        now: UnixMillis,
        answer: Answer<bool>,
    },
    Drop {
        id: NoticeId,
        answer: Answer<()>,
    },
}

/// What a group is about to change.
#[derive(Default)]
pub(super) struct Changes {
    outboxes: HashMap<Place, Option<Outbox>>,
    dead: HashMap<keys::NoticeKey, Option<DeadLetter>>,
}

/// What is held in memory.
#[derive(Default)]
pub(super) struct Outboxes(Mutex<Held>);

#[derive(Default)]
struct Held {
    /// When each match is looked at, and since when its first notice waits.
    times: HashMap<Place, (UnixMillis, UnixMillis)>,
    in_order: BTreeSet<(Lane, UnixMillis, MatchId)>,
    /// Dead letters, by when they were buried.
    dead: BTreeSet<(UnixMillis, keys::NoticeKey)>,
}

impl Held {
    fn set(&mut self, (lane, id): Place, times: Option<(UnixMillis, UnixMillis)>) {
        let old = match times {
            Some(times) => self.times.insert((lane, id), times),
            None => self.times.remove(&(lane, id)),
        };
        if let Some((at, _)) = old {
            self.in_order.remove(&(lane, at, id));
        }
        if let Some((at, _)) = times {
            self.in_order.insert((lane, at, id));
        }
    }
}

fn times(outbox: &Outbox) -> Option<(UnixMillis, UnixMillis)> {
    let first = outbox.notices.front()?;
    Some((outbox.attempt_at, first.at))
}

impl Outboxes {
    /// As the folder has them.
    pub(super) fn read(folder: &Folder) -> Result<Self, StoreError> {
        let mut held = Held::default();
        for entry in folder.outboxes() {
            let (place, outbox) = entry?;
            held.set(place, times(&outbox));
        }
        for letter in folder.all_dead_letters() {
            let letter = letter?;
            held.dead.insert((letter.buried_at, keys::notice(&letter.notice.id)));
        }
        Ok(Self(Mutex::new(held)))
    }

    /// Takes over what a synced group has changed.
    pub(super) fn change(&self, changes: Changes) {
        if changes.outboxes.is_empty() && changes.dead.is_empty() {
            return;
        }
        let mut held = unpoisoned(self.0.lock());
        for (place, outbox) in changes.outboxes {
            held.set(place, outbox.as_ref().and_then(times));
        }
        for (key, letter) in changes.dead {
            held.dead.retain(|(_, dead)| *dead != key);
            if let Some(letter) = letter {
                held.dead.insert((letter.buried_at, key));
            }
        }
    }

    fn has(&self, place: &Place) -> bool {
        unpoisoned(self.0.lock()).times.contains_key(place)
    }

    /// The keys of dead letters, oldest first.
    fn dead(&self) -> Vec<keys::NoticeKey> {
        unpoisoned(self.0.lock()).dead.iter().map(|(_, key)| *key).collect()
    }
}

#[async_trait]
impl OutboxStore for EmbeddedStore {
    async fn errands(&self, lane: Lane, now: UnixMillis, limit: usize) -> Result<Vec<Errand>, StoreError> {
        let held = unpoisoned(self.kept.outboxes.0.lock());
        let first = (lane, UnixMillis::default(), MatchId::from_bytes([0; 16]));
        let last = (lane, now, MatchId::from_bytes([u8::MAX; 16]));
        let due = held.in_order.range(first..=last).take(limit);
        Ok(due.map(|(_, at, id)| Errand { id: *id, at: *at }).collect())
    }

    async fn take_errand(&self, lane: Lane, errand: Errand, until: UnixMillis) -> Result<Option<Parcel>, StoreError> {
        self.write(|answer| {
            Write::Outbox(Work::Take {
                lane,
                errand,
                until,
                answer,
            })
        })
        .await
    }

    async fn settle_notice(&self, lane: Lane, id: &NoticeId) -> Result<bool, StoreError> {
        let id = *id;
        self.write(|answer| Write::Outbox(Work::Settle { lane, id, answer }))
            .await
    }

    async fn postpone_notice(&self, lane: Lane, id: &NoticeId, at: UnixMillis, tries: u32) -> Result<bool, StoreError> {
        let id = *id;
        self.write(|answer| {
            Write::Outbox(Work::Postpone {
                lane,
                id,
                at,
                tries,
                answer,
            })
        })
        .await
    }

    async fn bury_notice(&self, letter: &DeadLetter) -> Result<bool, StoreError> {
        let letter = Box::new(letter.clone());
        self.write(|answer| Write::Outbox(Work::Bury { letter, answer })).await
    }

    async fn dead_letters(&self, limit: usize) -> Result<Vec<DeadLetter>, StoreError> {
        let keys = self.kept.outboxes.dead();
        let newest = keys.iter().rev().take(limit);
        let letters = newest.map(|key| self.kept.folder.dead_letter(key));
        letters.filter_map(Result::transpose).collect()
    }

    async fn dead_letter_count(&self) -> Result<u64, StoreError> {
        Ok(unpoisoned(self.kept.outboxes.0.lock()).dead.len() as u64)
    }

    async fn revive_dead_letter(&self, id: &NoticeId, now: UnixMillis) -> Result<bool, StoreError> {
        let id = *id;
        self.write(|answer| Write::Outbox(Work::Revive { id, now, answer }))
            .await
    }

    async fn drop_dead_letter(&self, id: &NoticeId) -> Result<(), StoreError> {
        let id = *id;
        self.write(|answer| Write::Outbox(Work::Drop { id, answer })).await
    }

    async fn backlog(&self, lane: Lane) -> Result<Backlog, StoreError> {
        let held = unpoisoned(self.kept.outboxes.0.lock());
        let of_lane = held.times.iter().filter(|((of, _), _)| *of == lane);
        let mut backlog = Backlog::default();
        for (_, (_, since)) in of_lane {
            backlog.matches += 1;
            backlog.since = backlog.since.into_iter().chain([*since]).min();
        }
        Ok(backlog)
    }
}

/// What the writer thread does of it.
impl Kept {
    pub(super) fn work(&self, group: &mut Group, work: Work) {
        match work {
            Work::Take {
                lane,
                errand,
                until,
                answer,
            } => {
                let taken = self.take(group, lane, errand, until);
                group.answer(answer, taken);
            }
            Work::Settle { lane, id, answer } => {
                let settled = self.pop_first(group, lane, &id).map(|first| first.is_some());
                group.answer(answer, settled);
            }
            Work::Postpone {
                lane,
                id,
                at,
                tries,
                answer,
            } => {
                let postponed = self.postpone(group, lane, &id, at, tries);
                group.answer(answer, postponed);
            }
            Work::Bury { letter, answer } => {
                let buried = self.bury(group, *letter);
                group.answer(answer, buried);
            }
            Work::Revive { id, now, answer } => {
                let revived = self.revive(group, &id, now);
                group.answer(answer, revived);
            }
            Work::Drop { id, answer } => {
                self.put_dead_letter(group, keys::notice(&id), None);
                group.answer(answer, Ok(()));
            }
        }
    }

    /// Adds what a commit has others told.
    pub(super) fn tell(&self, group: &mut Group, told: Vec<(Lane, Notice)>) -> Result<(), StoreError> {
        for (lane, notice) in told {
            let attempt_at = notice.at;
            self.append(group, lane, notice, attempt_at)?;
        }
        Ok(())
    }

    /// What is to be told of a match goes with it.
    pub(super) fn forget_outboxes(&self, group: &mut Group, id: &MatchId) {
        for lane in Lane::ALL {
            let place = (lane, *id);
            if self.outboxes.has(&place) || group.outbox.outboxes.contains_key(&place) {
                self.put_outbox(group, place, None);
            }
        }
    }

    fn append(&self, group: &mut Group, lane: Lane, notice: Notice, attempt_at: UnixMillis) -> Result<(), StoreError> {
        let place = (lane, notice.id.match_id);
        let mut outbox = self.outbox(group, &place)?.unwrap_or(Outbox {
            attempt_at,
            tries: 0,
            notices: VecDeque::new(),
        });
        outbox.notices.push_back(notice);
        self.put_outbox(group, place, Some(outbox));
        Ok(())
    }

    fn take(
        &self,
        group: &mut Group,
        lane: Lane,
        errand: Errand,
        until: UnixMillis,
    ) -> Result<Option<Parcel>, StoreError> {
        let place = (lane, errand.id);
        let Some(outbox) = self
            .outbox(group, &place)?
            .filter(|outbox| outbox.attempt_at == errand.at)
        else {
            return Ok(None);
        };
        let parcel = outbox.notices.front().map(|notice| Parcel {
            notice: notice.clone(),
            tries: outbox.tries,
        });
        let attempt_at = until;
        self.put_outbox(group, place, Some(Outbox { attempt_at, ..outbox }));
        Ok(parcel)
    }

    fn postpone(
        &self,
        group: &mut Group,
        lane: Lane,
        id: &NoticeId,
        attempt_at: UnixMillis,
        tries: u32,
    ) -> Result<bool, StoreError> {
        let place = (lane, id.match_id);
        let is_first = |outbox: &Outbox| outbox.notices.front().is_some_and(|first| first.id == *id);
        let Some(outbox) = self.outbox(group, &place)?.filter(is_first) else {
            return Ok(false);
        };
        let postponed = Outbox {
            attempt_at,
            tries,
            ..outbox
        };
        self.put_outbox(group, place, Some(postponed));
        Ok(true)
    }

    /// Takes a notice out, if it is the first.
    fn pop_first(&self, group: &mut Group, lane: Lane, id: &NoticeId) -> Result<Option<Notice>, StoreError> {
        let place = (lane, id.match_id);
        let Some(mut outbox) = self.outbox(group, &place)? else {
            return Ok(None);
        };
        let Some(first) = outbox.notices.pop_front_if(|first| first.id == *id) else {
            return Ok(None);
        };
        outbox.tries = 0;
        self.put_outbox(group, place, Some(outbox).filter(|outbox| !outbox.notices.is_empty()));
        Ok(Some(first))
    }

    fn bury(&self, group: &mut Group, letter: DeadLetter) -> Result<bool, StoreError> {
        if self.pop_first(group, Lane::Hooks, &letter.notice.id)?.is_none() {
            return Ok(false);
        }
        // Those that this group buries are not counted yet: a few more are kept for as long as that.
        let dead = self.outboxes.dead();
        let surplus = (dead.len() + 1).saturating_sub(DEAD_LETTERS_MAX);
        for key in dead.into_iter().take(surplus) {
            self.put_dead_letter(group, key, None);
        }
        let key = keys::notice(&letter.notice.id);
        self.put_dead_letter(group, key, Some(letter));
        Ok(true)
    }

    fn revive(&self, group: &mut Group, id: &NoticeId, now: UnixMillis) -> Result<bool, StoreError> {
        let key = keys::notice(id);
        let letter = match group.outbox.dead.get(&key) {
            Some(letter) => letter.clone(),
            None => self.folder.dead_letter(&key)?,
        };
        let Some(letter) = letter else { return Ok(false) };
        self.append(group, Lane::Hooks, letter.notice, now)?;
        self.put_dead_letter(group, key, None);
        Ok(true)
    }

    /// What is to be told, with what this group is about to change.
    fn outbox(&self, group: &Group, place: &Place) -> Result<Option<Outbox>, StoreError> {
        match group.outbox.outboxes.get(place) {
            Some(outbox) => Ok(outbox.clone()),
            None => self.folder.outbox(place),
        }
    }

    fn put_outbox(&self, group: &mut Group, place: Place, outbox: Option<Outbox>) {
        self.folder.put_outbox(&mut group.batch, &place, outbox.as_ref());
        group.outbox.outboxes.insert(place, outbox);
    }

    fn put_dead_letter(&self, group: &mut Group, key: keys::NoticeKey, letter: Option<DeadLetter>) {
        self.folder.put_dead_letter(&mut group.batch, &key, letter.as_ref());
        group.outbox.dead.insert(key, letter);
    }
}
