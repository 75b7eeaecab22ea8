//! Parties of two.

use fives_client::v1;

use super::{bots, leave, line, matched, waiting};
use crate::harness::{Server, in_time, until, view_of};

pub(crate) async fn id(client: &fives_client::Client) -> String {
    let player = client.get_player(v1::GetPlayerRequest::default()).await;
    player.expect("an answer").player.expect("a player").player_id
}

#[tokio::test(flavor = "multi_thread")]
async fn two_who_name_each_other_sit_opposite() {
    let server = Server::start_with(|config| bots(config, None)).await;
    let [anna, bela, cleo, dora] = server.guests().await;
    let (anna_id, bela_id) = (id(&anna).await, id(&bela).await);
    let mut first = anna.join_queue("partners", &bela_id);
    let told = waiting(&mut first).await;
    assert_eq!((told.partner_player_id, told.partner_is_here), (bela_id.clone(), false));
    let mut second = bela.join_queue("partners", &anna_id);
    in_time("the partner", async {
        while !waiting(&mut second).await.partner_is_here {}
        while !waiting(&mut first).await.partner_is_here {}
    })
    .await;
    let (mut third, mut fourth) = (cleo.join_queue("partners", ""), dora.join_queue("partners", ""));
    waiting(&mut third).await;
    let all = tokio::join!(
        matched(&mut first),
        matched(&mut second),
        matched(&mut third),
        matched(&mut fourth)
    );
    let match_id = all.0.clone();
    assert!([all.1, all.2, all.3].iter().all(|other| *other == match_id));
    let seat = |of: &v1::MatchView, player: &str| of.seats.iter().position(|seat| seat.player_id == player);
    let view = view_of(&anna, &match_id).await;
    let (anna_seat, bela_seat) = (seat(&view, &anna_id), seat(&view, &bela_id));
    assert_eq!(anna_seat.map(|seat| (seat + 2) % 4), bela_seat, "partners sit opposite");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_named_a_partner_plays_with_nobody_else() {
    let server = Server::start_with(|config| bots(config, Some(0))).await;
    let [anna, bela, cleo] = server.guests().await;
    let (anna_id, bela_id) = (id(&anna).await, id(&bela).await);
    let mut first = anna.join_queue("partners", &bela_id);
    waiting(&mut first).await;
    // Bots come at once for who is alone, and not for who waits for somebody.
    let other = matched(&mut cleo.join_queue("partners", "")).await;
    assert!(
        view_of(&cleo, &other)
            .await
            .seats
            .iter()
            .all(|seat| seat.player_id != anna_id)
    );
    assert_eq!(line(&anna, "partners").await, 1);
    // The partner leaves before the other one is there: nothing has happened. Then both are.
    assert_eq!(leave(&bela, "partners").await, "");
    let mut second = bela.join_queue("partners", &anna_id);
    let match_id = matched(&mut second).await;
    assert_eq!(matched(&mut first).await, match_id);
    until("the line is empty", async || line(&anna, "partners").await == 0).await;
}
