//! What is to be told of matches, and what could not be delivered.

use std::collections::HashMap;

use fives_bots::BotKind;
use fives_lobby::store::{DeadLetter, Errand, Parcel, SharedLobbyStore};
use fives_referee::command::{Command, Intervention};
use fives_referee::notice::{Departure, Lane, Notice, NoticeEvent};
use fives_referee::store::{Committed, StoreError};
use fives_referee::table::Occupant;
use fives_referee::time::UnixMillis;
use fives_rules::seat::Seat;
use futures::future::{join_all, try_join_all};

use super::Outcome;
use super::sample::{self, Made, Terms};

const BOT: Occupant = Occupant::Bot(BotKind::Greedy);

/// When everything that is made here is due, and when it is not any more.
const LATER: UnixMillis = UnixMillis(u64::MAX >> 16);
const LATEST: UnixMillis = UnixMillis((u64::MAX >> 16) + 1_000);

/// A person and a bot, who begin at once.
fn begun(number: u64) -> Made {
    sample::create(number, &Terms::of(&[sample::person(1), BOT]))
}

async fn keep(store: &SharedLobbyStore, before: Option<&Made>, made: &Made) -> Outcome {
    match before {
        None => _ = store.create(&made.table, &made.batch).await?,
        Some(before) => {
            let committed = store.commit(before.table.cursor, &made.table, &made.batch).await?;
            assert_eq!(committed, Committed::Done);
        }
    }
    Ok(())
}

async fn take(store: &SharedLobbyStore, lane: Lane, errand: Errand) -> Result<Option<Parcel>, StoreError> {
    store.take_errand(lane, errand, LATER).await
}

/// Tells all that there is, in the order in which it comes; whatever was taken over is let go of first.
async fn tell_all(store: &SharedLobbyStore, lane: Lane) -> Result<Vec<Notice>, StoreError> {
    let mut told = Vec::new();
    loop {
        let errands = store.errands(lane, LATEST, 3).await?;
        if errands.is_empty() {
            return Ok(told);
        }
        for errand in errands {
            while let Some(parcel) = store.take_errand(lane, errand, errand.at).await? {
                assert!(store.settle_notice(lane, &parcel.notice.id).await?);
                told.push(parcel.notice);
            }
        }
    }
}

pub(super) async fn kept(store: SharedLobbyStore) -> Outcome {
    let mut made = begun(1);
    keep(&store, None, &made).await?;
    let mut expected = Notice::of(&made.table, &made.batch);
    assert!(matches!(expected[0].event, NoticeEvent::MatchStarted));
    while let Some(next) = sample::play(&made.table) {
        keep(&store, Some(&made), &next).await?;
        expected.extend(Notice::of(&next.table, &next.batch));
        made = next;
    }
    let last = expected.last().ok_or("a match that began has ended")?.clone();
    assert!(matches!(last.event, NoticeEvent::MatchFinished { .. }));

    // Another one, of which everything else is told.
    let one = begun(2);
    keep(&store, None, &one).await?;
    let resigned = sample::command(&one.table, 1, &Command::Resign)?;
    keep(&store, Some(&one), &resigned).await?;
    let mut of_two = Notice::of(&one.table, &one.batch);
    of_two.extend(Notice::of(&resigned.table, &resigned.batch));
    let seat = Seat::ALL[0];
    let player = sample::player_id(1);
    let how = Departure::Resigned;
    assert_eq!(of_two[1].event, NoticeEvent::PlayerAbandoned { seat, player, how });
    assert_eq!(of_two[2].id.index, 1, "two of one commit");
    let three = begun(3);
    keep(&store, None, &three).await?;
    let voided = sample::intervene(&three.table, Intervention::Void)?;
    keep(&store, Some(&three), &voided).await?;
    let mut of_three = Notice::of(&three.table, &three.batch);
    of_three.extend(Notice::of(&voided.table, &voided.batch));

    let since = store.backlog(Lane::Hooks).await?;
    assert_eq!((since.matches, since.since), (3, Some(expected[0].at)));
    let results: Vec<Notice> = [&last, &of_two[2], &of_three[1]].map(Clone::clone).into();
    for (lane, all) in [
        (Lane::Hooks, [expected, of_two, of_three].concat()),
        (Lane::Results, results),
    ] {
        let mut of_match: HashMap<_, Vec<Notice>> = HashMap::new();
        for notice in tell_all(&store, lane).await? {
            of_match.entry(notice.id.match_id).or_default().push(notice);
        }
        for number in 1..=3 {
            let id = sample::match_id(number);
            let expected: Vec<Notice> = all.iter().filter(|notice| notice.id.match_id == id).cloned().collect();
            assert_eq!(of_match.remove(&id), Some(expected), "{lane:?} of match {number}");
        }
        assert_eq!(store.backlog(lane).await?, Default::default(), "{lane:?}");
    }
    Ok(())
}

pub(super) async fn refused(store: SharedLobbyStore) -> Outcome {
    let made = begun(1);
    keep(&store, None, &made).await?;
    // The same creation again, and a commit on a state that is not there.
    store.create(&made.table, &made.batch).await?;
    let voided = sample::intervene(&made.table, Intervention::Void)?;
    keep(&store, Some(&made), &voided).await?;
    let again = store.commit(made.table.cursor, &voided.table, &voided.batch).await?;
    assert_eq!(again, Committed::Conflict);
    let missing = begun(2);
    let voided_there = sample::intervene(&missing.table, Intervention::Void)?;
    let nowhere = store
        .commit(missing.table.cursor, &voided_there.table, &voided_there.batch)
        .await?;
    assert_eq!(nowhere, Committed::Missing);
    let told = tell_all(&store, Lane::Hooks).await?;
    let events: Vec<NoticeEvent> = told.iter().map(|notice| notice.event).collect();
    assert_eq!(events, [NoticeEvent::MatchStarted, NoticeEvent::MatchVoided]);
    Ok(())
}

pub(super) async fn taken_once(store: SharedLobbyStore) -> Outcome {
    let made = begun(1);
    keep(&store, None, &made).await?;
    let before = UnixMillis(made.batch.at.0 - 1);
    assert_eq!(store.errands(Lane::Hooks, before, 10).await?, [], "not yet");
    assert_eq!(store.errands(Lane::Hooks, made.batch.at, 0).await?, []);
    let found = store.errands(Lane::Hooks, made.batch.at, 10).await?;
    let [errand] = found[..] else {
        return Err(format!("one match is to be told of: {found:?}").into());
    };
    let taken = join_all((0..8).map(|_| take(&store, Lane::Hooks, errand))).await;
    let taken: Vec<Option<Parcel>> = taken.into_iter().collect::<Result<_, _>>()?;
    assert_eq!(taken.iter().flatten().count(), 1);
    assert_eq!(
        store.errands(Lane::Hooks, made.batch.at, 10).await?,
        [],
        "somebody has it"
    );
    // Something more happens meanwhile: it stays with whoever has the match.
    let voided = sample::intervene(&made.table, Intervention::Void)?;
    keep(&store, Some(&made), &voided).await?;
    assert_eq!(store.errands(Lane::Hooks, voided.batch.at, 10).await?, []);
    // That process has died: after its time somebody else finds the match, and both notices.
    let [again] = store.errands(Lane::Hooks, LATER, 10).await?[..] else {
        return Err("it is not found again".into());
    };
    assert_eq!(again.at, LATER);
    assert_eq!(tell_all(&store, Lane::Hooks).await?.len(), 2);
    assert_eq!(take(&store, Lane::Hooks, again).await?, None, "nothing is left");
    Ok(())
}

pub(super) async fn postponed(store: SharedLobbyStore) -> Outcome {
    let lane = Lane::Hooks;
    let (made, other) = (begun(1), begun(2));
    keep(&store, None, &made).await?;
    keep(&store, None, &other).await?;
    let voided = sample::intervene(&made.table, Intervention::Void)?;
    keep(&store, Some(&made), &voided).await?;
    let first = &Notice::of(&made.table, &made.batch)[0];
    let second = &Notice::of(&voided.table, &voided.batch)[0];
    let wait = other.batch.at.plus_ms(60_000);
    assert!(
        !store.postpone_notice(lane, &second.id, wait, 1).await?,
        "it is not its turn"
    );
    assert!(!store.settle_notice(lane, &second.id).await?, "nor is it told before");
    assert!(store.postpone_notice(lane, &first.id, wait, 3).await?);
    let due = store.errands(lane, wait, 10).await?;
    assert_eq!(due.len(), 2);
    let due = store.errands(lane, UnixMillis(wait.0 - 1), 10).await?;
    assert_eq!(due.iter().map(|errand| errand.id).collect::<Vec<_>>(), [other.table.id]);
    let id = made.table.id;
    let parcel = take(&store, lane, Errand { id, at: wait })
        .await?
        .ok_or("it is not there")?;
    assert_eq!((&parcel.notice, parcel.tries), (first, 3));
    assert!(store.settle_notice(lane, &first.id).await?);
    assert!(!store.settle_notice(lane, &first.id).await?, "once");
    let parcel = take(&store, lane, Errand { id, at: LATER })
        .await?
        .ok_or("the next one is not there")?;
    assert_eq!((&parcel.notice, parcel.tries), (second, 0), "it was never tried");
    let backlog = store.backlog(lane).await?;
    let since = second.at.min(other.batch.at);
    assert_eq!((backlog.matches, backlog.since), (2, Some(since)));
    Ok(())
}

/// A store that lost its newest revisions makes others under the same numbers.
pub(super) async fn other_stamp(store: SharedLobbyStore) -> Outcome {
    let made = begun(1);
    keep(&store, None, &made).await?;
    let mut id = Notice::of(&made.table, &made.batch)[0].id;
    id.cursor.stamp ^= 1;
    assert!(!store.settle_notice(Lane::Hooks, &id).await?);
    assert!(!store.postpone_notice(Lane::Hooks, &id, LATER, 1).await?);
    assert_eq!(tell_all(&store, Lane::Hooks).await?.len(), 1);
    Ok(())
}

pub(super) async fn buried(store: SharedLobbyStore) -> Outcome {
    let lane = Lane::Hooks;
    let mut letters = Vec::new();
    for number in 0..5 {
        let made = begun(number);
        keep(&store, None, &made).await?;
        let notice = Notice::of(&made.table, &made.batch).remove(0);
        let letter = DeadLetter {
            buried_at: UnixMillis(1_000 + number),
            tries: 7,
            why: format!("nobody is there: {number}"),
            notice,
        };
        assert!(store.bury_notice(&letter).await?);
        assert!(!store.bury_notice(&letter).await?, "once");
        letters.push(letter);
    }
    letters.reverse();
    assert_eq!(store.errands(lane, LATEST, 10).await?, [], "nobody tries them any more");
    assert_eq!(store.dead_letters(10).await?, letters);
    assert_eq!(store.dead_letters(2).await?, letters[..2]);
    assert_eq!(store.dead_letter_count().await?, 5);

    let revived = &letters[1].notice;
    // What happens next at that table comes first: the letter is late as it is.
    let made = begun(3);
    let voided = sample::intervene(&made.table, Intervention::Void)?;
    keep(&store, Some(&made), &voided).await?;
    let back = join_all((0..4).map(|_| store.revive_dead_letter(&revived.id, UnixMillis(5_000)))).await;
    let back: Vec<bool> = back.into_iter().collect::<Result<_, _>>()?;
    assert_eq!(back.iter().filter(|is_back| **is_back).count(), 1);
    assert_eq!(store.dead_letter_count().await?, 4);
    assert!(!store.dead_letters(10).await?.contains(&letters[1]));
    let told = tell_all(&store, lane).await?;
    assert_eq!(
        told,
        [Notice::of(&voided.table, &voided.batch).remove(0), revived.clone()]
    );

    let dropped = &letters[0].notice.id;
    store.drop_dead_letter(dropped).await?;
    store.drop_dead_letter(dropped).await?;
    assert!(
        !store.revive_dead_letter(dropped, UnixMillis(6_000)).await?,
        "it is gone for good"
    );
    assert_eq!(store.dead_letters(10).await?, letters[2..]);
    Ok(())
}

pub(super) async fn together(store: SharedLobbyStore) -> Outcome {
    const MATCHES: u64 = 12;
    let store = &store;
    let players = (0..MATCHES).map(|number| async move {
        let made = begun(number);
        keep(store, None, &made).await?;
        let voided = sample::intervene(&made.table, Intervention::Void)?;
        keep(store, Some(&made), &voided).await
    });
    let tellers = (0..3).map(|_| async move {
        let mut told = Vec::new();
        for _ in 0..20 {
            for errand in store.errands(Lane::Hooks, LATEST, 5).await? {
                // Everybody lets go at once: some is told twice, and nothing never.
                if let Some(parcel) = store.take_errand(Lane::Hooks, errand, errand.at).await? {
                    told.push(parcel.notice.clone());
                    store.settle_notice(Lane::Hooks, &parcel.notice.id).await?;
                }
            }
            tokio::task::yield_now().await;
        }
        Ok::<_, StoreError>(told)
    });
    let (played, told) = futures::join!(try_join_all(players), try_join_all(tellers));
    played?;
    let mut told: Vec<Notice> = told?.concat();
    told.extend(tell_all(store, Lane::Hooks).await?);
    for number in 0..MATCHES {
        let id = sample::match_id(number);
        let mut revisions: Vec<u64> = told
            .iter()
            .filter(|notice| notice.id.match_id == id)
            .map(|notice| notice.id.cursor.revision)
            .collect();
        revisions.sort_unstable();
        revisions.dedup();
        assert_eq!(revisions, [1, 2], "of match {number}");
    }
    assert_eq!(store.backlog(Lane::Hooks).await?.matches, 0);
    Ok(())
}
