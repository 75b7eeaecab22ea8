//! All matches of a player in one stream.

use std::collections::BTreeMap;
use std::slice::from_ref;

use fives_client::v1::follow_player_response::Update;
use fives_client::{Client, PlayerUpdates, v1};
use fives_wire::v1::AgendaNews as News;
use fives_wire::v1::AgendaStanding as Standing;

use crate::harness::{Pair, Server, hasty, in_time, join, me, next_play, open, public_match, seat_all};
use crate::refusals::{leave, resign};

/// What a player's stream has shown so far.
struct Follower {
    updates: PlayerUpdates,
    items: BTreeMap<String, v1::AgendaItem>,
    agendas: usize,
    news: Vec<(String, News)>,
}

impl Follower {
    /// From the first message on, which is all there is.
    async fn of(client: &Client) -> Self {
        let mut follower = Self {
            updates: client.follow_player(),
            items: BTreeMap::new(),
            agendas: 0,
            news: Vec::new(),
        };
        follower.see_one().await;
        assert_eq!(follower.agendas, 1, "all there is comes first");
        follower
    }

    async fn see_one(&mut self) {
        let update = in_time("the next update", self.updates.next()).await;
        let id = |item: &v1::AgendaItem| item.r#match.as_ref().expect("a match").match_id.clone();
        match update.expect("the stream goes on") {
            Update::Agenda(agenda) => {
                self.agendas += 1;
                self.items = agenda.items.into_iter().map(|item| (id(&item), item)).collect();
            }
            Update::Changes(changes) => {
                assert!(!changes.changes.is_empty(), "changes bring something");
                for change in changes.changes {
                    let item = change.item.clone().expect("an item");
                    assert!(!change.news.is_empty(), "and say what");
                    self.news.extend(change.news().map(|news| (id(&item), news)));
                    if change.news().any(|news| news == News::Gone) {
                        self.items.remove(&id(&item));
                    } else {
                        self.items.insert(id(&item), item);
                    }
                }
            }
            Update::Heartbeat(_) => {}
            Update::Reconnect(_) => panic!("the client deals with this by itself"),
        }
    }

    /// Sees on until the news of this match were told.
    async fn until_told(&mut self, match_id: &str, news: News) {
        let wanted = (match_id.to_owned(), news);
        in_time("the news", async {
            while !self.news.contains(&wanted) {
                self.see_one().await;
            }
        })
        .await;
    }

    fn standing(&self, match_id: &str) -> Standing {
        self.items[match_id].standing()
    }
}

fn yes(match_id: &str) -> v1::AnswerRematchRequest {
    v1::AnswerRematchRequest {
        match_id: match_id.to_owned(),
        ..Default::default()
    }
}

/// A match of the two is followed from its making to the next one.
async fn whole_story(anna: &Client, bela: &Client, follower: &mut Follower) {
    let match_id = seat_all(from_ref(anna), public_match(vec![me(), open()])).await;
    follower.until_told(&match_id, News::Seated).await;
    assert_eq!(follower.standing(&match_id), Standing::Open);
    bela.join_match(join(&match_id, vec![])).await.expect("a seat");
    follower.until_told(&match_id, News::Started).await;
    assert!(follower.news.contains(&(match_id.clone(), News::SeatsChanged)));

    // Whose turn it is hangs on the deal, so others play until it is hers, and it stays hers until she was told.
    loop {
        let (seat, play) = next_play(&[anna.clone(), bela.clone()], &match_id).await;
        if seat == 0 {
            break;
        }
        bela.play_tile(play).await.expect("a legal play");
    }
    follower.until_told(&match_id, News::YourTurn).await;
    assert!(follower.items[&match_id].turn_start_time.is_some());

    bela.resign(resign(&match_id)).await.expect("it ends");
    follower.until_told(&match_id, News::Finished).await;
    assert_eq!(follower.standing(&match_id), Standing::Finished);
    bela.answer_rematch(yes(&match_id)).await.expect("offered");
    follower.until_told(&match_id, News::RematchOffered).await;
    let offered = follower.items[&match_id].rematch.clone().expect("a rematch");
    assert_eq!(
        (offered.state(), offered.accepted_seats),
        (v1::RematchState::Offered, vec![1])
    );
    let agreed = anna
        .answer_rematch(yes(&match_id))
        .await
        .expect("agreed")
        .rematch
        .expect("a rematch");
    follower.until_told(&match_id, News::RematchAgreed).await;
    follower.until_told(&agreed.next_match_id, News::Seated).await;
    assert!(matches!(
        follower.standing(&agreed.next_match_id),
        Standing::YourTurn | Standing::Waiting
    ));
    assert_eq!(follower.agendas, 1, "nothing had to begin anew");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_hears_of_everything_in_one_stream() {
    let server = Server::start().await;
    let [anna, bela] = server.guests::<2>().await;
    let mut follower = Follower::of(&anna).await;
    assert!(follower.items.is_empty());
    whole_story(&anna, &bela, &mut follower).await;

    // What she leaves is gone, and comes back with her.
    let theirs = seat_all(&[bela.clone(), anna.clone()], public_match(vec![me(), open(), open()])).await;
    follower.until_told(&theirs, News::Seated).await;
    anna.leave_match(leave(&theirs)).await.expect("she stands up");
    follower.until_told(&theirs, News::Gone).await;
    follower.news.clear();
    anna.join_match(join(&theirs, vec![])).await.expect("she comes back");
    follower.until_told(&theirs, News::Seated).await;
    bela.leave_match(leave(&theirs)).await.expect("the creator closes it");
    follower.until_told(&theirs, News::Closed).await;

    // Another stream begins with the same.
    let fresh = Follower::of(&anna).await;
    let standings = |follower: &Follower| -> BTreeMap<String, Standing> {
        follower
            .items
            .iter()
            .map(|(id, item)| (id.clone(), item.standing()))
            .collect()
    };
    assert_eq!(standings(&fresh), standings(&follower));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_happens_at_one_replica_is_heard_at_the_other_and_after_its_restart() {
    let mut pair = Pair::start().await;
    let (anna, bela) = (pair.guest("anna").await, pair.guest("bela").await);
    let mut follower = Follower::of(&anna[1]).await;
    whole_story(&anna[0], &bela[0], &mut follower).await;

    // The stream comes back complete after its replica was killed, and misses nothing of what the other one did meanwhile.
    pair.replicas[1].kill_for_now().await;
    let meanwhile = seat_all(&[anna[0].clone(), bela[0].clone()], public_match(vec![me(), open()])).await;
    pair.replicas[1].start_again();
    while follower.agendas == 1 {
        follower.see_one().await;
    }
    assert!(matches!(
        follower.standing(&meanwhile),
        Standing::YourTurn | Standing::Waiting
    ));
    // And hears of what is new again.
    let last = seat_all(&[bela[0].clone(), anna[0].clone()], public_match(vec![me(), open()])).await;
    follower.until_told(&last, News::Seated).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_that_is_sent_away_comes_back_and_too_many_are_refused() {
    let server = Server::start_with(|config| config.limits.max_streams_per_player = 1).await;
    let [anna] = server.guests::<1>().await;
    let first = Follower::of(&anna).await;
    let refusal = in_time("a refusal", hasty(&anna).follow_player().next())
        .await
        .expect_err("one is enough");
    assert_eq!(refusal.reason(), Some(v1::ErrorReason::TooManyStreams));
    drop(first);
    Follower::of(&anna).await;
    // With a stream open the server stops all the same.
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agenda_is_bounded() {
    let server = Server::start().await;
    let [anna] = server.guests::<1>().await;
    let mut newest = String::new();
    for _ in 0..70 {
        newest = seat_all(from_ref(&anna), public_match(vec![me(), open()])).await;
    }
    let follower = Follower::of(&anna).await;
    assert_eq!(follower.items.len(), 60);
    assert!(follower.items.contains_key(&newest));
}
