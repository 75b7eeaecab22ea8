//! How many watch a match, by process; gone with its last sharer.

use fives_referee::id::MatchId;
use fives_referee::store::{MatchStore, StoreError};
use fives_referee::watchers::{ProcessId, SHARED_FOR_MS};
use futures::future::try_join_all;
use redis::cmd;

use super::failure::unread;
use super::{RedisStore, keys};

impl RedisStore {
    pub(super) async fn tell_watchers(&self, process: ProcessId, counts: &[(MatchId, u64)]) -> Result<(), StoreError> {
        let until_ms = self.now().await?.plus_ms(SHARED_FOR_MS).0;
        try_join_all(counts.iter().map(async |(id, count)| {
            let key = keys::of_match('w', id);
            let mut tell = cmd("HSET");
            tell.arg(&key).arg(process.0).arg(format!("{count}:{until_ms}"));
            self.link.run::<()>(&tell).await.map_err(unread)?;
            let mut expire = cmd("PEXPIRE");
            expire.arg(&key).arg(SHARED_FOR_MS);
            self.link.run::<()>(&expire).await.map_err(unread)
        }))
        .await
        .map(drop)
    }

    pub(super) async fn watchers_told(&self, process: ProcessId, ids: &[MatchId]) -> Result<Vec<u64>, StoreError> {
        let now_ms = self.now().await?.0;
        try_join_all(ids.iter().map(async |id| {
            let mut told = cmd("HGETALL");
            told.arg(keys::of_match('w', id));
            let told: Vec<(u64, String)> = self.link.run(&told).await.map_err(unread)?;
            let others = told.iter().filter(|(by, _)| *by != process.0);
            Ok(others.filter_map(|(_, told)| still_counts(told, now_ms)).sum())
        }))
        .await
    }
}

/// The count in `count:until`, unless it is too old or no count.
fn still_counts(told: &str, now_ms: u64) -> Option<u64> {
    let (count, until_ms) = told.split_once(':')?;
    let until_ms: u64 = until_ms.parse().ok()?;
    count.parse().ok().filter(|_| now_ms < until_ms)
}

#[cfg(test)]
mod tests {
    use super::still_counts;

    #[test]
    fn what_was_told_too_long_ago_does_not_count() {
        assert_eq!(still_counts("7:100", 99), Some(7));
        assert_eq!(still_counts("7:100", 100), None);
        for garbage in ["", "7", "x:100", "7:x"] {
            assert_eq!(still_counts(garbage, 0), None, "{garbage}");
        }
    }
}
