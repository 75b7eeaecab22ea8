//! Indexes that were damaged by hand, and made right again.

use std::sync::Arc;

use fives_bots::BotKind;
use fives_client::{admin_v1, v1};
use fives_referee::store::{Created, MatchStore};
use fives_referee::table::Occupant;
use fives_referee::time::UnixMillis;
use fives_store::contract::sample::{self, Terms};
use fives_store::redis::{Config, RedisStore};

use crate::harness::{Administered, RedisNode, until, view_of};

const BOT: Occupant = Occupant::Bot(BotKind::Greedy);

#[tokio::test(flavor = "multi_thread")]
async fn a_match_that_nobody_would_fire_is_found_repaired_and_goes_on() {
    let redis = RedisNode::start().await;
    let mut made = sample::create(1, &Terms::of(&[BOT, BOT]));
    // Due since long ago, by any clock.
    Arc::make_mut(&mut made.table).next_due = Some(UnixMillis(1_000));
    made.batch.next_due = made.table.next_due;
    let store = RedisStore::new(&redis.url().parse().expect("an address"), Config::default()).expect("a store");
    let created = store.create(&made.table, &made.batch).await.expect("kept");
    assert_eq!(created, Created::New);
    let (id, shard) = (made.table.id, made.table.id.as_bytes()[0] % 32);
    let key = |name: &str| format!("f1:{{{shard}}}:{name}");
    // By hand: it is listed as open, though it is live; and it is neither listed as live nor due.
    redis
        .ask::<u64>("ZUNIONSTORE", &[&key("open"), "1", &key("live")])
        .await;
    for name in ["due", "live"] {
        let removed: u64 = redis.ask("ZREMRANGEBYRANK", &[&key(name), "0", "-1"]).await;
        assert_eq!(removed, 1, "{name}");
    }

    let server = Administered::over_redis(&redis.url()).await;
    let admin = server.administrator();
    let stuck = async || {
        let page = admin.list_stuck_matches(Default::default()).await.expect("a page");
        assert_eq!(page.next_page_token, "");
        page.matches
    };
    let found = stuck().await;
    assert_eq!(found.len(), 1, "{found:?}");
    let due = found[0].due_time.as_ref().expect("it should have acted");
    assert_eq!((due.seconds, due.nanos), (1, 0));
    assert_eq!(found[0].r#match.as_ref().expect("a match").match_id, id.to_string());

    let repair = async || {
        let request = admin_v1::RepairIndexesRequest {
            operator: "anna".to_owned(),
            ..Default::default()
        };
        admin.repair_indexes(request).await.expect("repaired")
    };
    let repaired = repair().await;
    assert_eq!((repaired.checked, repaired.unreadable.len()), (1, 0));
    let [first] = repaired.repaired.as_slice() else {
        panic!("{repaired:?}")
    };
    assert_eq!(first.match_id, id.to_string());
    assert_eq!(
        first.added().collect::<Vec<_>>(),
        [admin_v1::Index::Due, admin_v1::Index::Live]
    );
    assert_eq!(first.removed().collect::<Vec<_>>(), [admin_v1::Index::Open]);

    let client = server.process.client();
    until("the match is played to its end", async || {
        view_of(&client, &id.to_string()).await.state() == v1::MatchState::Finished
    })
    .await;
    assert_eq!(stuck().await, []);
    assert_eq!(repair().await.repaired, [], "what is right stays as it is");
    let rows = admin.list_audit(Default::default()).await.expect("rows").rows;
    assert_eq!(
        rows.iter().map(admin_v1::AuditRow::act).collect::<Vec<_>>(),
        [admin_v1::AuditAct::RepairIndexes; 2]
    );
}

/// A snapshot that cannot be read is told of, and stops nobody from looking after the others.
#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_match_is_named_and_passed_over() {
    let redis = RedisNode::start().await;
    let store = RedisStore::new(&redis.url().parse().expect("an address"), Config::default()).expect("a store");
    let people = Terms::of(&[sample::person(1), Occupant::Open]).private(1);
    for number in 1..=3 {
        let made = sample::create(number, &people);
        store.create(&made.table, &made.batch).await.expect("kept");
    }
    let damaged = sample::match_id(2);
    let key = format!("f1:{{{}}}:m:{damaged}", damaged.as_bytes()[0] % 32);
    redis.ask::<u64>("HSET", &[&key, "table", "garbage"]).await;
    for key in ["f1:{i:", "f1:{p:"] {
        let keys: Vec<String> = redis.ask("KEYS", &[&format!("{key}*")]).await;
        assert!(!keys.is_empty(), "{key}");
        redis
            .ask::<u64>("DEL", &keys.iter().map(String::as_str).collect::<Vec<_>>())
            .await;
    }

    let server = Administered::over_redis(&redis.url()).await;
    let request = admin_v1::RepairIndexesRequest {
        operator: "anna".to_owned(),
        ..Default::default()
    };
    let repaired = server.administrator().repair_indexes(request).await.expect("repaired");
    assert_eq!(repaired.checked, 2);
    let unreadable: Vec<&str> = repaired
        .unreadable
        .iter()
        .map(|found| found.match_id.as_str())
        .collect();
    assert_eq!(unreadable, [damaged.to_string()]);
    let mut again: Vec<admin_v1::Index> = repaired.repaired.iter().flat_map(|repaired| repaired.added()).collect();
    again.sort_by_key(|index| *index as i32);
    let player = [admin_v1::Index::Player; 4];
    assert_eq!(
        again,
        [&player[..], &[admin_v1::Index::Invite]].concat(),
        "creator and player of both, and their code"
    );
}
