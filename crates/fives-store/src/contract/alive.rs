//! Signs of life, and the outages between them. With a silence of 0 ms allowed, an outage is recorded as soon as the store's clock
//! has moved: so nothing here waits for time to pass.

use std::collections::BTreeSet;

use fives_referee::store::{OUTAGES_MAX, SharedStore, StoreError};
use fives_referee::time::{Outage, UnixMillis};

use super::Outcome;

const ALWAYS: UnixMillis = UnixMillis(0);

/// Gives signs of life until one ends an outage that ended after `since`; gives that outage.
async fn await_outage(store: &SharedStore, since: UnixMillis) -> Result<Outage, StoreError> {
    loop {
        store.renew_alive(0).await?;
        if let Some(newest) = store.outages(since).await?.last() {
            return Ok(*newest);
        }
        tokio::task::yield_now().await;
    }
}

fn check_order(outages: &[Outage]) {
    assert!(outages.iter().all(|outage| outage.from < outage.to), "{outages:?}");
    let follows = |pair: &[Outage]| matches!(pair, [first, second] if first.to <= second.from);
    assert!(outages.windows(2).all(follows), "{outages:?}");
}

pub(super) async fn silence(store: SharedStore) -> Outcome {
    assert_eq!(store.outages(ALWAYS).await?, []);
    let before = store.now().await?;
    store.renew_alive(0).await?;
    assert_eq!(
        store.outages(ALWAYS).await?,
        [],
        "the first sign of life ends no outage"
    );
    let outage = await_outage(&store, ALWAYS).await?;
    assert!(
        before <= outage.from && outage.from < outage.to,
        "{outage:?} after {before:?}"
    );
    assert!(outage.to <= store.now().await?, "{outage:?}");

    // No silence is as long as this one.
    let known = store.outages(ALWAYS).await?;
    while store.now().await? <= outage.to {
        tokio::task::yield_now().await;
    }
    store.renew_alive(u64::MAX).await?;
    assert_eq!(store.outages(ALWAYS).await?, known);
    assert_eq!(store.outages(UnixMillis(outage.to.0 - 1)).await?, [outage]);
    assert_eq!(store.outages(outage.to).await?, []);

    // The signs of life since then count: the next outage begins after them.
    let next = await_outage(&store, outage.to).await?;
    assert!(next.from > outage.to, "{next:?} after {outage:?}");
    Ok(())
}

pub(super) async fn newest(store: SharedStore) -> Outcome {
    let mut all: Vec<Outage> = Vec::new();
    while all.len() < OUTAGES_MAX + 6 {
        let since = all.last().map_or(ALWAYS, |last| last.to);
        all.push(await_outage(&store, since).await?);
    }
    let kept = store.outages(ALWAYS).await?;
    check_order(&kept);
    assert_eq!(kept, all.get(all.len() - OUTAGES_MAX..).unwrap_or_default());
    let [.., before_last, last] = kept.as_slice() else {
        return Err("many are kept".into());
    };
    assert_eq!(store.outages(before_last.to).await?, [*last]);
    Ok(())
}

pub(super) async fn together(store: SharedStore) -> Outcome {
    store.renew_alive(0).await?;
    let many = (0..16).map(|_| {
        let store = SharedStore::clone(&store);
        tokio::spawn(async move {
            for _ in 0..8 {
                await_outage(&store, ALWAYS).await?;
            }
            Ok::<(), StoreError>(())
        })
    });
    for one in many.collect::<Vec<_>>() {
        one.await??;
    }
    let outages = store.outages(ALWAYS).await?;
    check_order(&outages);
    let ends: BTreeSet<u64> = outages.iter().map(|outage| outage.to.0).collect();
    assert_eq!(ends.len(), outages.len(), "no outage is recorded twice");
    Ok(())
}
