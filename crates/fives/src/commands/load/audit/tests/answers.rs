//! Answers, request ids and records that do not agree with what was shown.

use super::*;

#[test]
fn an_acknowledged_play_that_a_stream_never_showed_is_lost() {
    for viewer in VIEWERS {
        let cut = account_with(viewer, |updates| {
            updates.pop();
        });
        let acknowledged_to = 0;
        assert_eq!(
            found(cut),
            [(
                6,
                Fault::Lost {
                    acknowledged_to,
                    viewer
                }
            )]
        );
    }
}

#[test]
fn a_match_that_went_back_and_played_on_lost_what_was_acknowledged() {
    let mut account = account();
    account.acknowledged.push(Acknowledged {
        cursor: v1::Cursor { revision: 7, stamp: 1 },
        ..acknowledged(7)
    });
    let found = found(account);
    for viewer in VIEWERS {
        let acknowledged_to = 1;
        assert!(
            found.contains(&(
                7,
                Fault::Lost {
                    acknowledged_to,
                    viewer
                }
            )),
            "{found:?}"
        );
    }
    let missing = found.iter().any(|(revision, fault)| {
        *revision == 7
            && matches!(
                fault,
                Fault::RecordDiffers {
                    seen: "acknowledged",
                    recorded: None,
                    ..
                }
            )
    });
    assert!(missing, "{found:?}");
}

#[test]
fn what_came_before_a_stream_and_after_it_broke_off_is_not_owed() {
    let late = account_with(WATCHER, |updates| {
        updates.drain(..3);
        updates.insert(0, snapshot(4, WATCHER));
    });
    assert_eq!(found(late), []);
    let mut broken = account_with(WATCHER, |updates| {
        updates.pop();
    });
    broken.streams[2].broke_off = true;
    assert_eq!(found(broken), []);
    let mut never_opened = account_with(WATCHER, Vec::clear);
    never_opened.streams[2].broke_off = true;
    assert_eq!(found(never_opened), []);
    assert_eq!(
        found(account_with(WATCHER, Vec::clear)).len(),
        PLAYS as usize,
        "all are lost"
    );
}

#[test]
fn a_match_that_was_called_off_must_still_be_where_it_was() {
    let called_off = |newest_is_known| Account {
        record: None,
        newest_is_known: Some(newest_is_known),
        ..account()
    };
    assert_eq!(found(called_off(true)), []);
    let acknowledged_to = 0;
    assert_eq!(found(called_off(false)), [(6, Fault::NotKept { acknowledged_to })]);
}

#[test]
fn an_answer_must_be_what_the_players_own_stream_showed() {
    let mut account = account();
    account.acknowledged[1].whole ^= 1;
    assert_eq!(found(account), [(4, Fault::AnswerDiffers { seat: 0 })]);
}

#[test]
fn an_answer_about_another_play_is_named() {
    let request = v1::PlayTileRequest {
        request_id: request_id(4),
        play: tile_played(5).play,
        ..Default::default()
    };
    let answer = v1::PlayTileResponse {
        cursor: Some(cursor(4)),
        batch: Some(batch(4, Viewer::Seat(0))),
    };
    let mut account = account();
    account.acknowledged[1] = Acknowledged::new(0, &request, &answer);
    assert_eq!(found(account), [(4, Fault::AnswerOfAnotherPlay { seat: 0 })]);
}

#[test]
fn a_request_that_made_two_revisions_is_named_wherever_it_shows() {
    let twice = (
        6,
        Fault::RequestTwice {
            seat: 0,
            request_id: request_id(4),
            also_revision: 4,
        },
    );
    let mut answered = account();
    answered.acknowledged[3].request_id = request_id(4);
    assert!(found(answered).contains(&twice));
    let shown = account_with(Viewer::Seat(0), |updates| {
        change_batch(&mut updates[4], |batch| batch.request_id = request_id(4));
    });
    assert!(found(shown).contains(&twice));
}

#[test]
fn a_revision_that_answers_two_requests_is_named() {
    let mut account = account();
    let mut again = account.acknowledged[1].clone();
    again.request_id = "another".to_owned();
    account.acknowledged.push(again);
    let acknowledged_to = [0, 0];
    assert_eq!(found(account), [(4, Fault::RevisionTwice { acknowledged_to })]);
}

#[test]
fn a_record_must_be_true_and_have_every_play_in_its_place() {
    let with_record = |change: fn(&mut Vec<Placed>)| {
        let mut account = account();
        if let Some(Ok(recorded)) = &mut account.record {
            change(recorded);
        }
        found(account)
    };
    let untrue = Account {
        record: Some(Err("round 0, deal".to_owned())),
        ..account()
    };
    let reason = "round 0, deal".to_owned();
    assert_eq!(found(untrue), [(0, Fault::RecordUntrue { reason })]);

    let longer = with_record(|recorded| recorded.push(recorded[0].clone()));
    let fault = Fault::RecordLength {
        seen_plays: 4,
        recorded_plays: 5,
    };
    assert_eq!(longer, [(0, fault)]);

    let scored = with_record(|recorded| recorded[1].scores[0] += 1);
    assert_eq!(scored.len(), 2, "shown and acknowledged otherwise: {scored:?}");
    assert!(
        scored
            .iter()
            .all(|(revision, fault)| *revision == 4 && matches!(fault, Fault::RecordDiffers { recorded: Some(_), .. }))
    );

    let shorter = with_record(|recorded| recorded.truncate(3));
    assert!(shorter.iter().any(|(revision, fault)| *revision == 6
        && matches!(
            fault,
            Fault::RecordDiffers {
                seen: "acknowledged",
                recorded: None,
                ..
            }
        )));
}

#[test]
fn findings_name_match_and_revision() {
    let cut = account_with(WATCHER, |updates| {
        updates.pop();
    });
    let text = cut.audit()[0].to_string();
    assert_eq!(
        text,
        "m-audited: revision 6: lost: acknowledged to seat 0, never shown to watcher 0"
    );
}
