//! Matches that are over, and who played them.

use fives_lobby::archive::{Archived, Ending, Sitter};
use fives_lobby::store::SharedLobbyStore;
use fives_referee::store::Created;
use fives_referee::table::Table;
use fives_rules::game::Game;
use fives_rules::record::{Record, Recorder, SeedLabel};
use tokio::task::JoinSet;

use super::sample::{self, Terms};
use super::{DEADLINE, Outcome};

/// The match of this number between two persons, as the archive has it, and its record.
fn over(number: u64, people: [u64; 2]) -> Result<(Archived, Record), &'static str> {
    let terms = Terms::of(&people.map(sample::person)).private(number);
    let mut made = sample::whole(number, &terms);
    let first = made.next().ok_or("a match begins")?;
    let mut recorder = Recorder::new(Game::undealt(first.table.options, first.table.fairness()));
    let mut last = first;
    loop {
        for event in &last.batch.events {
            if let fives_referee::batch::TableEvent::Game(event) = event {
                recorder.push(event);
            }
        }
        match made.next() {
            Some(next) => last = next,
            None => break,
        }
    }
    let archived = archived(&last.table)?;
    let record = recorder.finish(SeedLabel::Text(archived.id.to_string()), "person,person".to_owned());
    Ok((archived, record.ok_or("a match ends")?))
}

fn archived(table: &Table) -> Result<Archived, &'static str> {
    Archived::of(table).ok_or("the match is over")
}

pub(super) async fn kept(store: SharedLobbyStore) -> Outcome {
    let (archived, record) = over(1, [1, 2])?;
    assert_eq!(store.archived(&archived.id).await?, None);
    assert_eq!(store.archived_record(&archived.id).await?, None);
    assert_eq!(store.archive(&archived, Some(&record)).await?, Created::New);
    assert_eq!(store.archived(&archived.id).await?.as_ref(), Some(&archived));
    assert_eq!(store.archived_record(&archived.id).await?.as_ref(), Some(&record));

    let other = Archived {
        ending: Ending::Voided,
        ..archived.clone()
    };
    assert_eq!(store.archive(&other, None).await?, Created::Exists);
    assert_eq!(store.archived(&archived.id).await?.as_ref(), Some(&archived));
    assert_eq!(store.archived_record(&archived.id).await?, Some(record));
    // The sample's creator did not sit there, and is led to all the same.
    for player in [0, 1, 2].map(sample::player_id) {
        let played = store.played(&player, None, 10).await?;
        assert_eq!(played, [(archived.position(), Some(archived.clone()))]);
    }
    assert_eq!(store.played(&sample::player_id(3), None, 10).await?, []);

    let voided = Archived {
        id: sample::match_id(2),
        ..other
    };
    assert_eq!(store.archive(&voided, None).await?, Created::New);
    assert_eq!(store.archived(&voided.id).await?, Some(voided.clone()));
    assert_eq!(store.archived_record(&voided.id).await?, None);
    Ok(())
}

pub(super) async fn pages(store: SharedLobbyStore) -> Outcome {
    const MATCHES: u64 = 7;
    let (first, record) = over(1, [1, 2])?;
    let mut expected = Vec::new();
    for number in 0..MATCHES {
        let archived = Archived {
            id: sample::match_id(number),
            created_at: first.created_at.plus_ms(number / 2),
            ..first.clone()
        };
        store.archive(&archived, Some(&record)).await?;
        expected.push(archived.position());
    }
    expected.sort_by_key(|position| (std::cmp::Reverse(position.created_at), position.id));
    let (mut after, mut read) = (None, Vec::new());
    loop {
        let page = store.played(&sample::player_id(1), after, 3).await?;
        after = page.last().map(|(position, _)| *position);
        let is_end = page.len() < 3;
        for (position, archived) in page {
            assert_eq!(archived.map(|archived| archived.position()), Some(position));
            read.push(position);
        }
        if is_end {
            break;
        }
    }
    assert_eq!(read, expected);
    Ok(())
}

pub(super) async fn changed_together(store: SharedLobbyStore) -> Outcome {
    let (archived, record) = over(1, [1, 2])?;
    store.archive(&archived, Some(&record)).await?;
    let mut changes = JoinSet::new();
    for player in [0, 1, 2].map(sample::player_id) {
        let (store, id) = (SharedLobbyStore::clone(&store), archived.id);
        changes.spawn(async move {
            let without = |archived: Archived| archived.without(&player);
            store.change_archived(&id, &without).await
        });
    }
    let all = tokio::time::timeout(DEADLINE, changes.join_all()).await?;
    for changed in all {
        assert!(changed?);
    }
    let nobody = store.archived(&archived.id).await?.ok_or("it stays")?;
    assert_eq!(nobody.everybody(), []);
    assert!(nobody.seats.iter().all(|seated| seated.sitter == Sitter::Erased));
    assert_eq!(store.archived_record(&archived.id).await?, Some(record));
    let without = |archived: Archived| archived;
    assert!(!store.change_archived(&sample::match_id(9), &without).await?);
    Ok(())
}
