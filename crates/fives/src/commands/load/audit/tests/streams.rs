//! Streams that are wrong by themselves, or differ from each other.

use super::*;

#[test]
fn a_heartbeat_of_the_last_cursor_is_nothing_to_note() {
    let beat = Update::Heartbeat(v1::Heartbeat {
        cursor: Some(cursor(3)),
        ..Default::default()
    });
    let right = account_with(WATCHER, |updates| updates.insert(2, beat.clone()));
    assert_eq!(found(right), []);
    let ahead = account_with(WATCHER, |updates| updates.insert(1, beat.clone()));
    let viewer = WATCHER;
    let gap = Fault::Gap {
        viewer,
        last_missing: 3,
    };
    assert_eq!(found(ahead), [(3, gap)]);
}

#[test]
fn a_gap_is_named_with_all_that_is_missing() {
    let viewer = WATCHER;
    let gap = account_with(viewer, |updates| {
        updates.drain(2..4);
    });
    let found = found(gap);
    let fault = Fault::Gap {
        viewer,
        last_missing: 5,
    };
    assert_eq!(found[0], (4, fault));
    assert!(matches!(found[1], (4, Fault::Lost { .. })), "{found:?}");
    assert!(matches!(found[2], (5, Fault::Lost { .. })), "{found:?}");
}

#[test]
fn a_snapshot_bridges_a_gap_and_is_counted() {
    let bridged = account_with(WATCHER, |updates| {
        updates.drain(2..4);
        updates.insert(2, snapshot(5, WATCHER));
    });
    assert_eq!(bridged.streams[2].snapshots, 1);
    assert_eq!(bridged.streams[1].snapshots, 0);
    assert_eq!(found(bridged), []);
}

#[test]
fn a_reset_is_a_finding_of_its_own() {
    let viewer = WATCHER;
    let reset = account_with(viewer, |updates| {
        let reset = v1::Snapshot {
            view: Some(view(4, viewer)),
            reset: true,
        };
        updates.insert(4, Update::Snapshot(reset));
    });
    assert_eq!(found(reset)[0], (4, Fault::Reset { viewer }));
}

#[test]
fn going_back_without_a_word_is_a_finding() {
    let viewer = WATCHER;
    let back = account_with(viewer, |updates| updates.insert(4, snapshot(4, viewer)));
    assert_eq!(found(back)[0], (4, Fault::WentBack { viewer }));
    let beaten_back = account_with(viewer, |updates| {
        updates.push(Update::Heartbeat(v1::Heartbeat {
            cursor: Some(cursor(5)),
            ..Default::default()
        }));
    });
    assert_eq!(found(beaten_back), [(5, Fault::WentBack { viewer })]);
}

#[test]
fn a_revision_that_comes_again_is_a_duplicate_and_another_one_in_its_place_is_told_apart() {
    let viewer = WATCHER;
    let again = account_with(viewer, |updates| {
        change_again(updates, |_| {});
    });
    assert!(found(again).contains(&(4, Fault::Repeated { viewer })));
    let changed = account_with(viewer, |updates| {
        change_again(updates, |played| played.points = 10);
    });
    assert!(found(changed).contains(&(4, Fault::Changed { viewer })));
}

/// Brings revision 4 again, together with revision 5.
fn change_again(updates: &mut [Update], change: impl Fn(&mut v1::TilePlayed)) {
    let mut again = updates[2].clone();
    change_play(&mut again, change);
    if let (Update::Revisions(next), Update::Revisions(again)) = (&mut updates[3], again) {
        next.batches.splice(0..0, again.batches);
    }
}

#[test]
fn a_wrong_stamp_is_named() {
    let viewer = WATCHER;
    let stamped = account_with(viewer, |updates| {
        change_batch(&mut updates[2], |batch| {
            batch.cursor = Some(v1::Cursor { revision: 4, stamp: 7 });
        });
    });
    let acknowledged_to = 0;
    let viewers = [Viewer::Seat(0), viewer];
    let expected = [
        (
            4,
            Fault::AcknowledgedOtherwise {
                acknowledged_to,
                viewer,
            },
        ),
        (4, Fault::StampsDiffer { viewers }),
    ];
    assert_eq!(found(stamped), expected);
}

#[test]
fn a_difference_between_viewers_is_named() {
    let viewers = [Viewer::Seat(0), WATCHER];
    let points = account_with(WATCHER, |updates| {
        change_play(&mut updates[2], |played| played.points = 10);
    });
    let what = "events";
    assert_eq!(found(points), [(4, Fault::SightsDiffer { viewers, what })]);
    let scores = account_with(WATCHER, |updates| {
        if let Update::Revisions(revisions) = &mut updates[2] {
            revisions.view.as_mut().expect("a view").scores = vec![1, 2];
        }
    });
    let what = "states";
    assert_eq!(found(scores), [(4, Fault::SightsDiffer { viewers, what })]);
}

#[test]
fn secrets_are_no_difference_unless_they_are_shown() {
    let drawn = |updates: &mut Vec<Update>, tiles: Vec<v1::Tile>| {
        change_batch(&mut updates[2], |batch| {
            batch.events.push(v1::Event {
                kind: Some(Kind::TilesDrawn(v1::TilesDrawn {
                    seat: 1,
                    count: 1,
                    tiles: tiles.clone(),
                })),
            });
        });
    };
    let tile = v1::Tile { high: 3, low: 2 };
    let shown_to = |knowing: &[Viewer]| {
        let mut account = account();
        account
            .acknowledged
            .retain(|acknowledged| acknowledged.cursor.revision != 4);
        account.streams = VIEWERS
            .map(|viewer| {
                let mut updates = stream(viewer);
                let tiles = if knowing.contains(&viewer) {
                    vec![tile]
                } else {
                    Vec::new()
                };
                drawn(&mut updates, tiles);
                seen(viewer, &updates)
            })
            .into();
        found(account)
    };
    assert_eq!(shown_to(&[Viewer::Seat(1)]), []);
    for viewer in [Viewer::Seat(0), WATCHER] {
        let what = "tiles that another seat drew";
        assert_eq!(shown_to(&[viewer]), [(4, Fault::SecretShown { viewer, what })]);
    }
}

#[test]
fn a_watcher_with_a_hand_has_the_view_of_somebody_else() {
    let viewer = WATCHER;
    let dealt = account_with(viewer, |updates| {
        if let Update::Revisions(revisions) = &mut updates[2] {
            let hand = vec![v1::Tile { high: 3, low: 2 }];
            let round = v1::RoundView {
                hand,
                ..Default::default()
            };
            revisions.view.as_mut().expect("a view").round = Some(round);
        }
    });
    let what = "the view of a seat that is not its own";
    assert_eq!(found(dealt)[0], (4, Fault::SecretShown { viewer, what }));
}

#[test]
fn an_update_without_what_it_must_have_is_named() {
    type Change = fn(&mut v1::Revisions);
    let viewer = WATCHER;
    let changes: [(Change, &str); 3] = [
        (|revisions| revisions.view = None, "the view of its newest batch"),
        (|revisions| revisions.batches.clear(), "batches"),
        (|revisions| revisions.batches[0].cursor = None, "a cursor"),
    ];
    for (change, missing) in changes {
        let malformed = account_with(viewer, |updates| {
            if let Update::Revisions(revisions) = &mut updates[2] {
                change(revisions);
            }
        });
        let found = found(malformed);
        assert!(
            found
                .iter()
                .any(|(_, fault)| *fault == Fault::Malformed { viewer, missing }),
            "{found:?}"
        );
    }
}
