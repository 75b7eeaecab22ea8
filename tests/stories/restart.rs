//! The server goes away in the middle of a match and comes back: by `kill -9`, and gracefully.

use fives_client::{Client, v1};

use crate::harness::{Seated, ServerProcess, Witness, in_time, join, me, open, public_match, verified_replay, view_of};

/// Plays until `plays` tiles were acknowledged in all, or to the end; gives what was acknowledged.
async fn play_some(clients: &[Client], match_id: &str, plays: usize) -> Vec<v1::Batch> {
    let mut acknowledged = Vec::new();
    while acknowledged.len() < plays {
        for client in clients {
            let view = view_of(client, match_id).await;
            if view.state() != v1::MatchState::Live {
                return acknowledged;
            }
            let round = view.round.expect("a live match has a round");
            let Some(best) = round.legal_plays.iter().max_by_key(|scored| scored.points) else {
                continue;
            };
            let play = v1::PlayTileRequest {
                match_id: match_id.to_owned(),
                round: Some(round.round),
                play: best.play,
                ..Default::default()
            };
            acknowledged.extend(client.play_tile(play).await.expect("a legal play").batch);
        }
    }
    acknowledged
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_goes_on_after_kill_9_and_after_a_graceful_stop() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut server = ServerProcess::start(folder.path()).await;
    let anna = server.client();
    let bela = anna.another_player();
    anna.sign_in("anna", Some("device-of-anna-0001"))
        .await
        .expect("signed in");
    bela.sign_in("bela", Some("device-of-bela-0001"))
        .await
        .expect("signed in");
    let created = anna
        .create_match(public_match(vec![
            me(),
            open(),
            crate::harness::bot(v1::BotKind::Random),
        ]))
        .await;
    let match_id = created.expect("created").view.expect("a view").match_id;
    bela.join_match(join(&match_id, b"bela".to_vec()))
        .await
        .expect("joined");
    let clients = [anna, bela];
    let watching = Witness::see_all_from_now(server.client().watch(&match_id, "", None)).await;

    let mut acknowledged = play_some(&clients, &match_id, 3).await;
    let address = server.kill().await;
    server = ServerProcess::start_at(folder.path(), address).await;
    acknowledged.extend(play_some(&clients, &match_id, 3).await);
    let address = server.terminate().await;
    server = ServerProcess::start_at(folder.path(), address).await;
    let [anna, bela] = clients;
    let others = tokio::spawn(Seated::new(&bela, &match_id).play_to_the_end());
    let seen = in_time("the rest of the match", Seated::new(&anna, &match_id).play_to_the_end()).await;
    in_time("the other player", others).await.expect("the end was seen");

    let spectator = in_time("the spectator", watching).await.expect("the end was seen");
    assert_eq!(spectator.cursor(), seen.cursor());
    assert_eq!(
        spectator.snapshots(),
        1,
        "the spectator's stream was resumed, not begun anew"
    );
    for batch in acknowledged {
        let cursor = batch.cursor.expect("a cursor");
        let kept = spectator.batches().get(&cursor.revision).and_then(|batch| batch.cursor);
        assert_eq!(kept, Some(cursor), "what was acknowledged is kept");
    }
    verified_replay(&anna, &match_id).await;

    let again = anna.another_player();
    let same = again
        .sign_in("somebody", Some("device-of-anna-0001"))
        .await
        .expect("signed in");
    assert_eq!(same.display_name, "anna", "the device finds the same player");
    drop(server);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_serves_one_process() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = ServerProcess::start(folder.path()).await;
    let second = tokio::process::Command::new(crate::harness::program())
        .args(["serve", "--listen", "127.0.0.1:0", "--admin-listen", "off", "--data"])
        .arg(folder.path())
        .output();
    let second = in_time("the second process", second).await.expect("the program starts");
    assert_eq!(second.status.code(), Some(2));
    let said = String::from_utf8_lossy(&second.stderr).into_owned();
    assert!(said.contains("another process"), "it says why: {said}");
    server.terminate().await;
}
