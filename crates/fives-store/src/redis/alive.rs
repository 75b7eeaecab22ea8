//! Signs of life of the service, and its outages.

use fives_referee::store::{MatchStore, OUTAGES_MAX, StoreError};
use fives_referee::time::{Outage, UnixMillis};
use redis::{Value, cmd};

use super::failure::{unread, unwritten};
use super::script::Call;
use super::{RedisStore, keys, script};

impl RedisStore {
    pub(super) async fn give_sign_of_life(&self, silence_max_ms: u64) -> Result<(), StoreError> {
        let now = self.now().await?;
        let call = Call::new(&script::ALIVE, 2).arg(keys::CLOCK).arg(keys::OUTAGES);
        let call = call.arg(now.0).arg(silence_max_ms).arg(OUTAGES_MAX);
        self.link.invoke::<Value>(&call).await.map(drop).map_err(unwritten)
    }

    pub(super) async fn outages_after(&self, since: UnixMillis) -> Result<Vec<Outage>, StoreError> {
        let mut command = cmd("LRANGE");
        command.arg(keys::OUTAGES).arg(0).arg(-1);
        let kept: Vec<String> = self.link.run(&command).await.map_err(unread)?;
        let outages = kept.iter().map(|text| parsed(text));
        let outages: Vec<Outage> = outages.collect::<Result<_, _>>()?;
        Ok(outages.into_iter().filter(|outage| outage.to > since).collect())
    }
}

/// An outage as the script writes it: `from:to`, in milliseconds.
fn parsed(text: &str) -> Result<Outage, StoreError> {
    let damaged = || StoreError::Damaged("an outage is not what Fives writes".to_owned());
    let (from, to) = text.split_once(':').ok_or_else(damaged)?;
    let at = |text: &str| text.parse().map(UnixMillis).map_err(|_| damaged());
    let outage = Outage {
        from: at(from)?,
        to: at(to)?,
    };
    if outage.from < outage.to {
        Ok(outage)
    } else {
        Err(damaged())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outage_is_read_as_it_is_written() {
        let outage = parsed("1790000000000:1790000006000").unwrap();
        assert_eq!((outage.from.0, outage.to.0), (1_790_000_000_000, 1_790_000_006_000));
        for garbage in ["", "1", "1:", ":1", "1:x", "2:1", "1:1", "-1:5"] {
            assert!(parsed(garbage).is_err(), "{garbage}");
        }
    }
}
