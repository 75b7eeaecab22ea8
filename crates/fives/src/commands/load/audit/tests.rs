//! Each kind of fault, put into a match that is otherwise right.

mod answers;
mod streams;

use fives_client::v1::event::Kind;
use fives_client::v1::match_update::Update;

use super::*;

const MATCH: &str = "m-audited";
/// Made with revision 1, started with revision 2; the plays follow.
const STARTED_AT: u64 = 2;
const PLAYS: u64 = 4;

fn cursor(revision: u64) -> v1::Cursor {
    v1::Cursor {
        revision,
        stamp: 1000 + revision,
    }
}

/// The play that made this revision.
fn tile_played(revision: u64) -> v1::TilePlayed {
    v1::TilePlayed {
        seat: (revision % 2) as u32,
        play: Some(v1::Play {
            tile: Some(v1::Tile {
                high: 6,
                low: (revision % 7) as u32,
            }),
            end: v1::End::Left.into(),
        }),
        points: 5,
        scores: vec![5 * revision as i32, 0],
        ..Default::default()
    }
}

fn request_id(revision: u64) -> String {
    format!("play-{revision}")
}

fn batch(revision: u64, viewer: Viewer) -> v1::Batch {
    let played = tile_played(revision);
    let is_own = viewer == Viewer::Seat(played.seat);
    v1::Batch {
        cursor: Some(cursor(revision)),
        seat: Some(played.seat),
        request_id: if is_own { request_id(revision) } else { String::new() },
        events: vec![v1::Event {
            kind: Some(Kind::TilePlayed(played)),
        }],
        ..Default::default()
    }
}

fn view(revision: u64, viewer: Viewer) -> v1::MatchView {
    v1::MatchView {
        cursor: Some(cursor(revision)),
        viewer_seat: match viewer {
            Viewer::Seat(seat) => Some(seat),
            Viewer::Watcher(_) => None,
        },
        scores: vec![5 * revision as i32, 0],
        ..Default::default()
    }
}

fn snapshot(revision: u64, viewer: Viewer) -> Update {
    Update::Snapshot(v1::Snapshot {
        view: Some(view(revision, viewer)),
        reset: false,
    })
}

fn revision(revision: u64, viewer: Viewer) -> Update {
    Update::Revisions(v1::Revisions {
        batches: vec![batch(revision, viewer)],
        view: Some(view(revision, viewer)),
    })
}

/// What one stream of a match brings that nothing is wrong with.
fn stream(viewer: Viewer) -> Vec<Update> {
    let revisions = STARTED_AT + 1..=STARTED_AT + PLAYS;
    let mut updates = vec![snapshot(STARTED_AT, viewer)];
    updates.extend(revisions.map(|number| revision(number, viewer)));
    updates
}

fn seen(viewer: Viewer, updates: &[Update]) -> Seen {
    let mut seen = Seen::new(viewer);
    updates.iter().for_each(|update| seen.see(update));
    seen
}

fn acknowledged(revision: u64) -> Acknowledged {
    let played = tile_played(revision);
    let request = v1::PlayTileRequest {
        request_id: request_id(revision),
        play: played.play,
        ..Default::default()
    };
    let answer = v1::PlayTileResponse {
        cursor: Some(cursor(revision)),
        batch: Some(batch(revision, Viewer::Seat(played.seat))),
    };
    Acknowledged::new(played.seat, &request, &answer)
}

const WATCHER: Viewer = Viewer::Watcher(0);
const VIEWERS: [Viewer; 3] = [Viewer::Seat(0), Viewer::Seat(1), WATCHER];

/// A finished match that nothing is wrong with, seen by two seats and a watcher.
fn account() -> Account {
    account_with(WATCHER, |_| {})
}

/// The same, but for what the stream of `viewer` brought.
fn account_with(viewer: Viewer, change: impl Fn(&mut Vec<Update>)) -> Account {
    let plays = STARTED_AT + 1..=STARTED_AT + PLAYS;
    let streams = VIEWERS.map(|each| {
        let mut updates = stream(each);
        if each == viewer {
            change(&mut updates);
        }
        seen(each, &updates)
    });
    Account {
        match_id: MATCH.to_owned(),
        started_at: STARTED_AT,
        acknowledged: plays.clone().map(acknowledged).collect(),
        streams: streams.into(),
        record: Some(Ok(plays
            .flat_map(|number| Placed::all_of(&batch(number, WATCHER)))
            .collect())),
        newest_is_known: None,
    }
}

/// What the audit names, without the match.
fn found(account: Account) -> Vec<(u64, Fault)> {
    let findings = account.audit();
    assert!(findings.iter().all(|finding| finding.match_id == MATCH));
    findings
        .into_iter()
        .map(|finding| (finding.revision, finding.fault))
        .collect()
}

/// Changes the batches of an update, and its view along with the last of them.
fn change_batch(update: &mut Update, change: impl Fn(&mut v1::Batch)) {
    let Update::Revisions(revisions) = update else {
        panic!("{update:?} brings no revisions");
    };
    revisions.batches.iter_mut().for_each(change);
    let last = revisions.batches.last().and_then(|batch| batch.cursor);
    if let Some(view) = &mut revisions.view {
        view.cursor = last;
    }
}

fn change_play(update: &mut Update, change: impl Fn(&mut v1::TilePlayed)) {
    change_batch(update, |batch| {
        for event in &mut batch.events {
            if let Some(Kind::TilePlayed(played)) = &mut event.kind {
                change(played);
            }
        }
    });
}

#[test]
fn a_match_that_is_right_has_no_findings() {
    assert_eq!(found(account()), []);
}
