//! A Redis that loses its newest revisions: in `replicated` mode nothing that was acknowledged is among them, in `primary` mode
//! everybody is told.

use fives_client::v1::match_update::Update;
use fives_client::{Client, RetryPolicy, v1};

use crate::harness::{
    DEADLINE, Fleet, Proxy, RedisNode, Witness, in_time, me, next_play, open, public_match, seat_all,
};

/// A primary whose replica can be cut off, and the address that leads to whichever of the two is the primary.
struct Pair {
    primary: RedisNode,
    replica: RedisNode,
    cable: Proxy,
    address: Proxy,
}

impl Pair {
    async fn start() -> Self {
        let (primary, replica) = (RedisNode::start().await, RedisNode::start().await);
        let cable = Proxy::to(primary.port()).await;
        replica.replicate(cable.port()).await;
        let address = Proxy::to(primary.port()).await;
        Self {
            primary,
            replica,
            cable,
            address,
        }
    }

    /// The replica misses whatever happens from now on.
    async fn cut_off(&self) {
        self.cable.cut();
        self.primary
            .until_says("INFO", &["replication"], "connected_slaves:0")
            .await;
    }

    /// The replica becomes the primary, and the address leads to it.
    async fn promote(&self) {
        self.replica.ask::<()>("REPLICAOF", &["NO", "ONE"]).await;
        self.address.turn_to(self.replica.port());
    }
}

/// A match of two people that has begun.
async fn begun(fleet: &Fleet) -> ([Client; 2], String) {
    let clients = [fleet.guest("anna").await, fleet.guest("bela").await];
    let match_id = seat_all(&clients, public_match(vec![me(), open()])).await;
    (clients, match_id)
}

async fn play(clients: &[Client; 2], match_id: &str) -> v1::Cursor {
    let (seat, request) = next_play(clients, match_id).await;
    let played = clients[seat].play_tile(request).await.expect("a legal play");
    played.cursor.expect("a cursor")
}

#[tokio::test(flavor = "multi_thread")]
async fn replicated_commits_survive_the_promotion_of_the_replica() {
    let pair = Pair::start().await;
    let replicated = ["--durability", "replicated", "--replica-timeout-ms", "200"];
    let fleet = Fleet::start_with(&pair.address.url(), &replicated).await;
    let (clients, match_id) = begun(&fleet).await;
    play(&clients, &match_id).await;
    let acknowledged = play(&clients, &match_id).await;

    // Without a replica nothing is acknowledged, neither at first nor on a retry; it is said that it is perhaps written.
    pair.cut_off().await;
    let (seat, request) = next_play(&clients, &match_id).await;
    let impatient = RetryPolicy {
        give_up_after: std::time::Duration::from_secs(4),
        ..RetryPolicy::default()
    };
    let refused = clients[seat]
        .clone()
        .with_policy(impatient)
        .play_tile(request.clone())
        .await;
    let reason = refused.expect_err("no replica has it").reason();
    assert_eq!(reason, Some(v1::ErrorReason::CommitUnconfirmed));
    let refused = fleet.stranger().with_policy(impatient).sign_in("cili", None).await;
    let reason = refused.expect_err("no replica knows the player").reason();
    assert_eq!(reason, Some(v1::ErrorReason::CommitUnconfirmed));

    // With the replica back, the same request is settled, and was played once.
    pair.cable.turn_to(pair.primary.port());
    let patient = RetryPolicy {
        give_up_after: DEADLINE,
        ..RetryPolicy::default()
    };
    let settled = clients[seat].clone().with_policy(patient).play_tile(request).await;
    let settled = settled.expect("a replica has it now").cursor.expect("a cursor");
    assert_eq!(settled.revision, acknowledged.revision + 1);

    pair.promote().await;
    let after = in_time("the new primary", async {
        loop {
            match clients[0].get_match(get(&match_id)).await {
                Ok(answer) => return answer.view.expect("a view"),
                Err(error) => assert!(error.is_passing(), "{error}"),
            }
        }
    })
    .await;
    assert_eq!(after.cursor, Some(settled), "what was acknowledged is there");
    // The old primary comes back as a replica, so that there is one to confirm.
    pair.primary.replicate(pair.replica.port()).await;
    play(&clients, &match_id).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_loss_is_announced_and_what_a_replica_remembers_of_it_is_never_written() {
    let pair = Pair::start().await;
    let fleet = Fleet::start(&pair.address.url()).await;
    let (clients, match_id) = begun(&fleet).await;
    let kept = play(&clients, &match_id).await;
    pair.primary.until_replicated().await;
    pair.cut_off().await;

    let mut watching: Vec<_> = fleet
        .replicas
        .iter()
        .map(|replica| replica.client().watch(&match_id, "", None))
        .collect();
    let mut witnesses = Vec::new();
    for updates in &mut watching {
        let mut witness = Witness::default();
        witness.see(
            &in_time("a snapshot", updates.next())
                .await
                .expect("a stream")
                .expect("a snapshot"),
        );
        witnesses.push(witness);
    }
    let lost = play(&clients, &match_id).await;
    assert_eq!(lost.revision, kept.revision + 1);
    for (updates, witness) in watching.iter_mut().zip(&mut witnesses) {
        while witness.cursor() != Some(lost) {
            witness.see(
                &in_time("the move", updates.next())
                    .await
                    .expect("a stream")
                    .expect("more"),
            );
        }
    }

    pair.promote().await;
    for updates in &mut watching {
        let reset = in_time("the announcement", async {
            loop {
                match updates.next().await.expect("a stream").expect("more") {
                    Update::Snapshot(snapshot) => return snapshot,
                    Update::Heartbeat(_) | Update::Emote(_) => {}
                    other => panic!("{other:?} follows on what is lost"),
                }
            }
        })
        .await;
        assert!(reset.reset, "it is said that what was shown did not happen");
        assert_eq!(reset.view.expect("a view").cursor, Some(kept));
    }
    // Every replica remembers the lost state; the play goes on from the kept one all the same.
    let next = play(&clients, &match_id).await;
    assert_eq!(next.revision, lost.revision);
    assert_ne!(next.stamp, lost.stamp);
}

fn get(match_id: &str) -> v1::GetMatchRequest {
    v1::GetMatchRequest {
        match_id: match_id.to_owned(),
        ..Default::default()
    }
}
