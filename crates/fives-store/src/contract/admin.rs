//! What administrators need: rows about what they do, a walk over all matches, indexes that are right.

use std::collections::BTreeSet;

use fives_referee::audit::{Act, AuditEntry, FilterText, Operator, Why};
use fives_referee::id::MatchId;
use fives_referee::store::{Bookmark, SharedStore};
use fives_referee::table::Occupant;
use fives_rules::seat::Seat;

use super::Outcome;
use super::finding::check_lists;
use super::matches::keep;
use super::sample::{self, Terms};

fn entry(operator: &str, act: Act, why: Option<&str>) -> Result<AuditEntry, Box<dyn std::error::Error + Send + Sync>> {
    Ok(AuditEntry {
        operator: Operator::new(operator)?,
        act,
        why: why.map(Why::new).transpose()?,
    })
}

pub(super) async fn audit(store: SharedStore) -> Outcome {
    assert_eq!(store.audit(None, 10).await?, []);
    let id = sample::match_id(1);
    let entries = [
        entry("anna", Act::Reveal(id), Some("a complaint"))?,
        entry("žofie", Act::Void(id), Some("both asked for it"))?,
        entry("anna", Act::Forfeit(id, Seat::ALL[1]), Some("abuse"))?,
        entry("anna", Act::RepairIndexes, None)?,
        entry(
            "cron job",
            Act::SetLogFilter(FilterText::new("info,fives_referee=debug")?),
            None,
        )?,
        entry("anna", Act::Drain, Some("a new release"))?,
    ];
    let began = store.now().await?;
    for entry in &entries {
        store.append_audit(entry).await?;
    }
    let rows = store.audit(None, 100).await?;
    let kept: Vec<&AuditEntry> = rows.iter().map(|row| &row.entry).collect();
    assert_eq!(kept, entries.iter().rev().collect::<Vec<_>>(), "newest first");
    let ended = store.now().await?;
    assert!(rows.iter().all(|row| (began..=ended).contains(&row.at)), "{rows:?}");

    let mut pages = Vec::new();
    let mut before: Option<Bookmark> = None;
    loop {
        let page = store.audit(before, 4).await?;
        let Some(last) = page.last() else { break };
        before = Some(last.bookmark);
        pages.push(page);
    }
    assert_eq!(pages.iter().map(Vec::len).collect::<Vec<_>>(), [4, 2]);
    assert_eq!(pages.concat(), rows);
    Ok(())
}

/// Rows that come together are all kept.
pub(super) async fn audit_together(store: SharedStore) -> Outcome {
    let many = (0..32).map(|number| {
        let store = SharedStore::clone(&store);
        tokio::spawn(async move {
            let entry = entry(&format!("operator {number}"), Act::Drain, None)?;
            Ok::<(), Box<dyn std::error::Error + Send + Sync>>(store.append_audit(&entry).await?)
        })
    });
    for one in many.collect::<Vec<_>>() {
        one.await??;
    }
    let rows = store.audit(None, 100).await?;
    let operators: BTreeSet<&str> = rows.iter().map(|row| row.entry.operator.as_str()).collect();
    assert_eq!((rows.len(), operators.len()), (32, 32));
    Ok(())
}

/// Matches in every state; their ids.
async fn some_matches(store: &SharedStore) -> Result<BTreeSet<MatchId>, Box<dyn std::error::Error + Send + Sync>> {
    let open = Terms::of(&[sample::person(1), Occupant::Open]);
    let live = Terms::of(&[sample::person(1), sample::person(2)]);
    for number in 0..10 {
        keep(store, [sample::create(number, &open)]).await?;
        keep(store, [sample::create(100 + number, &open.clone().private(number))]).await?;
    }
    for number in 200..205 {
        keep(store, sample::whole(number, &live).take(20)).await?;
    }
    keep(store, sample::whole(300, &live)).await?;
    let numbers = (0..10).chain(100..110).chain(200..205).chain([300]);
    Ok(numbers.map(sample::match_id).collect())
}

/// Everything that a walk meets.
async fn walked(store: &SharedStore, limit: usize) -> Result<Vec<MatchId>, Box<dyn std::error::Error + Send + Sync>> {
    let (mut ids, mut after) = (Vec::new(), None);
    loop {
        let page = store.walk(after, limit).await?;
        for (id, table) in page.matches {
            assert_eq!(table?.id, id);
            ids.push(id);
        }
        after = page.next;
        if after.is_none() {
            return Ok(ids);
        }
    }
}

pub(super) async fn walk(store: SharedStore) -> Outcome {
    assert_eq!(walked(&store, 10).await?, []);
    let all = some_matches(&store).await?;
    for limit in [1, 7, 1000] {
        let met: BTreeSet<MatchId> = walked(&store, limit).await?.into_iter().collect();
        assert_eq!(met, all, "{limit} at a time");
    }
    Ok(())
}

/// What commits leave behind is right: nothing is repaired, and nothing is broken by looking.
pub(super) async fn repair(store: SharedStore) -> Outcome {
    let all: Vec<MatchId> = some_matches(&store).await?.into_iter().collect();
    for _ in 0..2 {
        assert_eq!(store.repair_indexes(&all).await?, []);
    }
    for id in &all {
        let table = store.load(id).await?.ok_or("it was kept")?;
        check_lists(&store, &table).await?;
    }
    assert_eq!(
        store.repair_indexes(&[sample::match_id(999)]).await?,
        [],
        "it is not there"
    );
    Ok(())
}
