//! The house's own table: bots play for whoever looks while nobody plays.

use std::collections::BTreeSet;

use fives_client::v1;
use futures::future::join_all;

use crate::harness::{Pair, Server, http, until, view_of};

/// How many look at once.
const LOOKERS: usize = 12;

async fn table_at(address: &str) -> String {
    let (status, id) = http(address, "POST /house-table", &[], "").await;
    assert_eq!(status, 200, "{id}");
    id
}

/// What several who look at once, half of them at each replica, are all shown.
async fn table_for_all(pair: &Pair) -> String {
    let looks = (0..LOOKERS).map(|looker| table_at(pair.replicas[looker % 2].listen()));
    let ids: BTreeSet<String> = join_all(looks).await.into_iter().collect();
    assert_eq!(ids.len(), 1, "{ids:?}");
    ids.into_iter().next().expect("one table")
}

#[tokio::test(flavor = "multi_thread")]
async fn however_many_look_at_two_replicas_one_table_is_played_and_one_after_it() {
    let pair = Pair::start().await;
    let anna = pair.guest("anna").await;
    let live = |client: &fives_client::Client| {
        let client = client.clone();
        async move {
            let request = v1::ListLiveMatchesRequest::default();
            client.list_live_matches(request).await.expect("a list").matches
        }
    };
    assert_eq!(live(&anna[0]).await, [], "while nobody looks nothing is played");
    let first = table_for_all(&pair).await;
    let view = view_of(&anna[1], &first).await;
    assert_eq!(view.seats.len(), 4);
    assert!(
        view.seats
            .iter()
            .all(|seat| seat.bot_kind() != v1::BotKind::Unspecified)
    );
    until("the bots have played it to its end", async || {
        view_of(&anna[0], &first).await.state() == v1::MatchState::Finished
    })
    .await;
    // Both processes give their last answer again for a moment.
    for replica in &pair.replicas {
        until("there is another one", async || {
            table_at(replica.listen()).await != first
        })
        .await;
    }
    let next = table_for_all(&pair).await;
    assert_ne!(next, first);
    let players = view_of(&anna[0], &next).await.seats;
    assert!(
        players.iter().all(|seat| seat.player_id.is_empty()),
        "nobody is a player there"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_house_without_a_table_has_none() {
    let server = Server::start_with(|config| config.house_table = false).await;
    let address = server.url().trim_start_matches("http://");
    let (status, body) = http(address, "POST /house-table", &[], "").await;
    assert_eq!((status, body.as_str()), (204, ""));
}
