//! Who is there: asked at any replica, and over after a while when a replica has died.

use fives_client::v1::SeatConnection as Connection;
use fives_client::v1::match_update::Update;
use fives_client::{Client, Updates, v1};
use tonic::Code;

use crate::harness::{RedisNode, Server, ServerProcess, in_time, me, open, public_match, seat_all, until};
use crate::refusals::refused;

async fn presence(client: &Client, player_id: &str) -> v1::PlayerPresence {
    let request = v1::GetPresenceRequest {
        player_ids: vec![player_id.to_owned()],
    };
    let answer = client.get_presence(request).await.expect("an answer");
    answer.players.into_iter().next().expect("one was asked for")
}

async fn own_id(client: &Client) -> String {
    let answer = client.get_player(v1::GetPlayerRequest::default()).await;
    answer.expect("an answer").player.expect("a player").player_id
}

/// Waits until a stream tells this of the seats.
async fn until_connected(updates: &mut Updates, wanted: [Connection; 2]) {
    in_time("who is there", async {
        loop {
            let update = updates.next().await.expect("an update").expect("the match goes on");
            let Update::Heartbeat(beat) = update else { continue };
            if beat.connections == wanted.map(i32::from) {
                return;
            }
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_is_there_for_every_replica_until_the_stream_is_gone() {
    let redis = RedisNode::start().await;
    let [first, second] = [(); 2].map(|()| ServerProcess::replica(&redis.url(), &[]));
    first.until_ready().await;
    second.until_ready().await;
    let clients = [first.client(), second.client()];
    for (client, name) in clients.iter().zip(["anna", "bela"]) {
        client.sign_in(name, None).await.expect("guests are welcome");
    }
    let [anna, bela] = &clients;
    let anna_id = own_id(anna).await;
    let there = presence(bela, &anna_id).await;
    assert_eq!(
        (there.online, there.in_match, there.last_seen_time),
        (false, false, None)
    );

    let match_id = seat_all(&clients, public_match(vec![me(), open()])).await;
    let mut updates = anna.follow(&match_id, None);
    in_time("a snapshot", updates.next()).await.expect("an update");
    until("she is there", async || presence(bela, &anna_id).await.online).await;
    let there = presence(bela, &anna_id).await;
    assert_eq!((there.in_match, there.match_id.as_str()), (true, match_id.as_str()));
    assert!(there.last_seen_time.is_some());

    // Who sits there hears of who is there.
    let mut of_bela = bela.follow(&match_id, None);
    until_connected(&mut of_bela, [Connection::Connected, Connection::Connected]).await;

    first.kill().await;
    until_connected(&mut of_bela, [Connection::Dropped, Connection::Connected]).await;
    until("she is not there any more", async || {
        !presence(bela, &anna_id).await.online
    })
    .await;
    let gone = presence(bela, &anna_id).await;
    assert!(gone.last_seen_time.is_some() && gone.in_match, "{gone:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_asked_is_refused() {
    let server = Server::start().await;
    let stranger = server.stranger();
    let ask = |ids: Vec<String>| v1::GetPresenceRequest { player_ids: ids };
    let nobody = "p-aaaaaaaaaaaaaaaaaaaaaaaaaa".to_owned();
    let unknown = stranger.get_presence(ask(vec![nobody.clone()])).await;
    refused(unknown, Code::Unauthenticated, v1::ErrorReason::TokenMissing);
    let anna = server.guest("anna").await;
    for ids in [vec![], vec![nobody.clone(); 101], vec!["anna".to_owned()]] {
        refused(
            anna.get_presence(ask(ids)).await,
            Code::InvalidArgument,
            v1::ErrorReason::InvalidField,
        );
    }
    let answer = anna.get_presence(ask(vec![nobody; 2])).await.expect("nobody is there");
    assert_eq!(answer.players.len(), 2);
}
