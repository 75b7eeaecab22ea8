//! What people at a table say: heard through every replica, by nobody who must not, and never so often.

use std::time::Duration;

use fives_client::{Updates, v1};
use fives_wire::v1::ErrorReason as Reason;
use tokio::task::JoinHandle;
use tonic::Code;

use crate::harness::{Pair, Server, Witness, hasty, in_time, me, open, public_match, seat_all};
use crate::refusals::{leave, refused, resign};

fn emote(match_id: &str, kind: v1::EmoteKind) -> v1::SendEmoteRequest {
    v1::SendEmoteRequest {
        match_id: match_id.to_owned(),
        kind: kind.into(),
    }
}

/// Waits until a stream brings an emote, and then sees it to its end.
async fn once_it_hears(mut updates: Updates) -> (JoinHandle<Witness>, tokio::sync::oneshot::Receiver<()>) {
    let mut witness = Witness::default();
    let first = in_time("a snapshot", updates.next()).await.expect("the stream goes on");
    witness.see(&first.expect("a snapshot"));
    let (heard, hears) = tokio::sync::oneshot::channel();
    let seeing = tokio::spawn(async move {
        let mut heard = Some(heard);
        while let Some(update) = in_time("the next update", updates.next())
            .await
            .expect("the stream goes on")
        {
            witness.see(&update);
            if !witness.emotes().is_empty()
                && let Some(heard) = heard.take()
            {
                let _ = heard.send(());
            }
        }
        witness
    });
    (seeing, hears)
}

#[tokio::test(flavor = "multi_thread")]
async fn an_emote_is_heard_through_every_replica_and_not_by_who_does_not_want_to() {
    let pair = Pair::start().await;
    let (anna, bela) = (pair.guest("anna").await, pair.guest("bela").await);
    let match_id = seat_all(&[anna[0].clone(), bela[1].clone()], public_match(vec![me(), open()])).await;
    let (hers, she_hears) = once_it_hears(anna[0].follow(&match_id, None)).await;
    let (a_strangers, they_hear) = once_it_hears(pair.replicas[1].client().watch(&match_id, "", None)).await;
    let muted = Witness::see_all_from_now(bela[1].follow(&match_id, None).without_emotes()).await;
    // Any may be lost, so it is said until both have heard it.
    let hearing = async { tokio::try_join!(she_hears, they_hear) };
    let saying = async {
        loop {
            bela[1]
                .send_emote(emote(&match_id, v1::EmoteKind::GoodPlay))
                .await
                .expect("said");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    in_time("hearing it", async {
        tokio::select! {
            heard = hearing => drop(heard.expect("the streams are open")),
            () = saying => {}
        }
    })
    .await;
    anna[1].resign(resign(&match_id)).await.expect("it ends");
    for witness in [hers, a_strangers] {
        let witness = in_time("the end", witness).await.expect("no panic");
        assert!(
            witness
                .emotes()
                .iter()
                .all(|heard| *heard == (1, v1::EmoteKind::GoodPlay))
        );
        assert!(!witness.emotes().is_empty());
        assert_eq!(witness.snapshots(), 1, "an emote is no reason to begin anew");
    }
    let muted = in_time("the end", muted).await.expect("no panic");
    assert_eq!(muted.emotes(), []);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_held_back_hears_nothing() {
    let server = Server::start().await;
    let clients = server.guests::<2>().await;
    let delayed = v1::CreateMatchRequest {
        spectator_delay_revisions: 1,
        ..public_match(vec![me(), open()])
    };
    let match_id = seat_all(&clients, delayed).await;
    let (seated, hears) = once_it_hears(clients[0].follow(&match_id, None)).await;
    let watching = Witness::see_all_from_now(server.stranger().watch(&match_id, "", None)).await;
    // In one process none is lost once the stream has begun.
    clients[1]
        .send_emote(emote(&match_id, v1::EmoteKind::Hurry))
        .await
        .expect("said");
    in_time("hearing it", hears).await.expect("the stream is open");
    clients[1].resign(resign(&match_id)).await.expect("it ends");
    let seated = in_time("the end", seated).await.expect("no panic");
    assert_eq!(seated.emotes(), [(1, v1::EmoteKind::Hurry)]);
    let watching = in_time("the end", watching).await.expect("no panic");
    assert_eq!(watching.emotes(), []);
}

#[tokio::test(flavor = "multi_thread")]
async fn only_who_sits_there_speaks_and_not_too_often() {
    let server = Server::start_with(|config| config.limits.player_emotes_per_min = 20).await;
    let [anna, bela, cleo] = server.guests::<3>().await;
    let pair = [anna.clone(), bela.clone()];
    let match_id = seat_all(&pair, public_match(vec![me(), open()])).await;
    let hello = |match_id: &str| emote(match_id, v1::EmoteKind::Hello);
    refused(
        cleo.send_emote(hello(&match_id)).await,
        Code::PermissionDenied,
        Reason::NotSeated,
    );
    let nothing = emote(&match_id, v1::EmoteKind::Unspecified);
    refused(
        anna.send_emote(nothing).await,
        Code::InvalidArgument,
        Reason::InvalidField,
    );
    let unknown = v1::SendEmoteRequest {
        kind: 99,
        ..hello(&match_id)
    };
    refused(
        anna.send_emote(unknown).await,
        Code::InvalidArgument,
        Reason::InvalidField,
    );
    refused(
        anna.send_emote(hello("m-aaaaaaaaaaaaaaaaaaaaaaaaaa")).await,
        Code::NotFound,
        Reason::MatchNotFound,
    );
    let mut answers = Vec::new();
    for _ in 0..10 {
        answers.push(hasty(&anna).send_emote(hello(&match_id)).await);
    }
    let first_refused = answers
        .into_iter()
        .find(Result::is_err)
        .expect("ten at once are too many");
    let refusal = refused(first_refused, Code::ResourceExhausted, Reason::RateLimited);
    assert!(refusal.retry_after.is_some_and(|wait| wait > Duration::ZERO));
    bela.send_emote(hello(&match_id))
        .await
        .expect("another player's share is whole");
    let other = seat_all(&pair, public_match(vec![me(), open(), open()])).await;
    anna.send_emote(hello(&other))
        .await
        .expect("and so is that at another match, before its start, too");
    anna.leave_match(leave(&other)).await.expect("the creator closes it");
    refused(
        bela.send_emote(hello(&other)).await,
        Code::FailedPrecondition,
        Reason::MatchClosed,
    );
    anna.resign(resign(&match_id)).await.expect("it ends");
    refused(
        bela.send_emote(hello(&match_id)).await,
        Code::FailedPrecondition,
        Reason::MatchOver,
    );
}
