//! Ratings as players see them: a ranked match changes them once, the leaderboard follows, and every refusal has its reason.

use std::sync::Arc;

use fives_client::{Client, v1};
use fives_lobby::rating::{LISTED_AFTER, Pool, Rating, RatingBook, SettledRow, Settlement, Standing};
use fives_lobby::store::{Settled, SharedLobbyStore};
use fives_referee::id::PlayerId;
use fives_referee::player::DisplayName;
use fives_referee::table::{Occupant, Table};
use fives_referee::time::UnixMillis;
use fives_store::contract::sample::{self, Terms};
use fives_store::redis::{Config, RedisStore};
use tonic::Code;

use crate::harness::{Fleet, RedisNode, Server, until};
use crate::refusals::{refused, resign};

const SINGLES: i32 = v1::RatingPool::Singles as i32;
const PARTNERS: i32 = v1::RatingPool::Partners as i32;

async fn id_of(client: &Client) -> PlayerId {
    let answer = client
        .get_player(v1::GetPlayerRequest::default())
        .await
        .expect("oneself");
    let player = answer.player.expect("a player");
    player.player_id.parse().expect("an id")
}

/// A ranked match of these people that was played to its end; a queue would have made it.
async fn ranked_match(store: &SharedLobbyStore, number: u64, people: &[PlayerId]) -> Arc<Table> {
    let last = sample::whole(number, &ranked_terms(people)).last().expect("it ends");
    store.create(&last.table, &last.batch).await.expect("kept");
    last.table
}

fn ranked_terms(people: &[PlayerId]) -> Terms {
    let occupants: Vec<Occupant> = people
        .iter()
        .map(|player| Occupant::Person {
            player: *player,
            name: DisplayName::new("anna").expect("a name"),
        })
        .collect();
    Terms::of(&occupants).ranked()
}

fn changes_in(pool: i32) -> v1::ListRatingChangesRequest {
    v1::ListRatingChangesRequest {
        pool,
        ..Default::default()
    }
}

fn board(page_size: u32) -> v1::ListLeaderboardRequest {
    v1::ListLeaderboardRequest {
        pool: SINGLES,
        page_size,
        ..Default::default()
    }
}

fn rank_in(pool: i32) -> v1::GetRankRequest {
    v1::GetRankRequest {
        pool,
        ..Default::default()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ranked_match_changes_ratings_once() {
    let server = Server::start().await;
    let [anna, bela] = server.guests::<2>().await;
    let people = [id_of(&anna).await, id_of(&bela).await];
    let before = anna
        .get_ratings(v1::GetRatingsRequest::default())
        .await
        .expect("ratings");
    let newcomer = |pool| v1::Rating {
        pool,
        rating: 1500.0,
        deviation: 350.0,
        points: 800,
        matches: 0,
        matches_until_ranked: 10,
    };
    assert_eq!(before.ratings, [newcomer(SINGLES), newcomer(PARTNERS)]);

    let table = ranked_match(server.store(), 1, &people).await;
    let book = RatingBook::new(Arc::clone(server.store()));
    for _ in 0..3 {
        assert!(
            book.settle(&table.id).await.expect("an answer").is_some(),
            "it is rated"
        );
    }
    let ranks = table
        .game()
        .and_then(|game| game.outcome())
        .expect("it is over")
        .ranks
        .0;
    let (winner, loser) = if ranks[0] < ranks[1] { (0, 1) } else { (1, 0) };
    let mut ratings = Vec::new();
    for player in people {
        let request = v1::GetRatingsRequest {
            player_id: player.to_string(),
        };
        let answer = bela.get_ratings(request).await.expect("anybody's can be seen");
        assert_eq!(answer.ratings[1], newcomer(PARTNERS), "the other pool is another one");
        assert_eq!(
            (answer.ratings[0].matches, answer.ratings[0].matches_until_ranked),
            (1, 9)
        );
        ratings.push(answer.ratings[0]);
    }
    assert!(
        ratings[winner].rating > 1600.0 && ratings[loser].rating < 1400.0,
        "{ratings:?}"
    );
    for (client, rating) in [&anna, &bela].into_iter().zip(&ratings) {
        let told = client
            .list_rating_changes(changes_in(SINGLES))
            .await
            .expect("changes")
            .changes;
        let [change] = told.as_slice() else {
            panic!("one match, one change: {told:?}")
        };
        assert_eq!(
            (change.match_id.as_str(), change.number),
            (table.id.to_string().as_str(), 1)
        );
        assert_eq!((change.rating_before, change.deviation_before), (1500.0, 350.0));
        assert_eq!(
            (change.rating_after, change.deviation_after),
            (rating.rating, rating.deviation)
        );
        let others = client.list_rating_changes(changes_in(PARTNERS)).await.expect("none");
        assert_eq!(others.changes, []);
    }
}

/// A ranked match of these people that has just begun; a queue would have made it.
async fn begun(store: &SharedLobbyStore, number: u64, people: &[PlayerId]) -> String {
    let made = sample::create(number, &ranked_terms(people));
    store.create(&made.table, &made.batch).await.expect("kept");
    made.table.id.to_string()
}

/// Three replicas over one Redis, of which one is killed while results come in: each counts once, by whoever is there.
#[tokio::test(flavor = "multi_thread")]
async fn each_result_counts_once_through_any_replica() {
    let node = RedisNode::start().await;
    let mut fleet = Fleet::start(&node.url()).await;
    let address = node.url().parse().expect("an address");
    let store: SharedLobbyStore = Arc::new(RedisStore::new(&address, Config::default()).expect("a store"));
    let (mut guests, mut people) = (Vec::new(), Vec::new());
    for name in ["anna", "bela", "cleo"] {
        // A device finds them again on replicas that do not know each other's keys.
        let device = format!("{name}-0123456789abcdef");
        let guest = fleet.replicas[2].client();
        guest.sign_in(name, Some(&device)).await.expect("guests are welcome");
        people.push(id_of(&guest).await);
        guests.push(guest);
    }
    let (mut tables, mut number) = (Vec::new(), 0);
    for (one, other) in [(0, 1), (1, 2), (2, 0)] {
        for _ in 0..4 {
            number += 1;
            tables.push((one, begun(&store, number, &[people[one], people[other]]).await));
        }
    }
    // Whoever has the first seat gives up, and so loses: four times each, and wins four times.
    for (index, (loser, match_id)) in tables.iter().enumerate() {
        if index == 6 {
            fleet.replicas.remove(0).kill().await;
        }
        guests[*loser].resign(resign(match_id)).await.expect("one may give up");
    }
    until("every result is rated", async || {
        let standings = store.standings(Pool::Singles, &people).await.expect("an answer");
        standings
            .iter()
            .all(|standing| standing.is_some_and(|standing| standing.matches == 8))
    })
    .await;
    // The list of changes follows a moment later.
    until("every change is listed", async || {
        let listed = people.iter().map(|player| store.rating_changes(Pool::Singles, player));
        let listed = futures::future::try_join_all(listed).await.expect("an answer");
        listed.iter().all(|changes| changes.len() == 8)
    })
    .await;
    let mut rated = Vec::new();
    for player in &people {
        let changes = store.rating_changes(Pool::Singles, player).await.expect("an answer");
        let numbers: Vec<u64> = changes.iter().map(|change| change.number).collect();
        assert_eq!(numbers, [8, 7, 6, 5, 4, 3, 2, 1]);
        for pair in changes.windows(2) {
            assert_eq!(pair[0].before, pair[1].after, "nothing was lost in between");
        }
        let mut matches: Vec<String> = changes.iter().map(|change| change.match_id.to_string()).collect();
        matches.sort();
        matches.dedup();
        assert_eq!(matches.len(), 8, "no match counts twice");
        rated.extend(matches);
    }
    assert_eq!(rated.len(), 2 * tables.len());
}

/// Guests with so many points each, as if they had played for them.
async fn listed(server: &Server, points: &[i32]) -> Vec<(PlayerId, Client)> {
    let mut people = Vec::new();
    for (number, points) in (0..).zip(points) {
        let client = server.guest(&format!("guest {number}")).await;
        let player = id_of(&client).await;
        let after = Standing {
            rating: Rating::new(f64::from(points + 100), 50.0, 0.06).expect("a rating"),
            matches: LISTED_AFTER,
            reached_at: UnixMillis(1_790_000_000_000 + number),
        };
        let settlement = Settlement {
            match_id: sample::match_id(number),
            pool: Pool::Singles,
            at: after.reached_at,
            rows: vec![SettledRow {
                player,
                before: Standing::NEWCOMER,
                after,
            }],
        };
        let settled = server.store().settle_ratings(&settlement).await.expect("kept");
        assert_eq!(settled, Settled::Done);
        people.push((player, client));
    }
    people
}

fn shown(answer: &v1::ListLeaderboardResponse) -> Vec<(u64, String)> {
    let named = |ranked: &v1::RankedPlayer| {
        let player = ranked.player.as_ref().expect("everybody has a name");
        (ranked.rank, player.display_name.clone())
    };
    answer.players.iter().map(named).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_leaderboard_has_pages_neighbours_and_ranks() {
    let server = Server::start().await;
    let stranger = server.stranger();
    let nobody = stranger.list_leaderboard(board(0)).await.expect("an empty one");
    assert_eq!((nobody.players.len(), nobody.total), (0, 0));

    // 1 and 3 are equal, and 1 was there first.
    let people = listed(&server, &[1200, 1500, 1900, 1500, 1700, 900, 1000]).await;
    let order = [
        "guest 2", "guest 4", "guest 1", "guest 3", "guest 0", "guest 6", "guest 5",
    ];
    let expected: Vec<(u64, String)> = (1..).zip(order.map(str::to_owned)).collect();
    let (mut all, mut request) = (Vec::new(), board(3));
    loop {
        let page = stranger.list_leaderboard(request.clone()).await.expect("a page");
        assert_eq!(page.total, 7);
        assert!(page.players.len() <= 3);
        all.extend(shown(&page));
        if page.next_page_token.is_empty() {
            break;
        }
        request.page_token = page.next_page_token;
    }
    assert_eq!(all, expected);

    let around = |index: usize, page_size| v1::ListLeaderboardRequest {
        around_player_id: people[index].0.to_string(),
        ..board(page_size)
    };
    let middle = stranger.list_leaderboard(around(3, 3)).await.expect("neighbours");
    assert_eq!(shown(&middle), expected[2..5]);
    let below = v1::ListLeaderboardRequest {
        page_token: middle.next_page_token.clone(),
        ..around(3, 3)
    };
    assert_eq!(
        shown(&stranger.list_leaderboard(below).await.expect("those below")),
        expected[5..]
    );
    let top = stranger.list_leaderboard(around(2, 3)).await.expect("neighbours");
    assert_eq!(shown(&top), expected[..3], "nobody is above the first");
    let bottom = stranger.list_leaderboard(around(5, 3)).await.expect("neighbours");
    assert_eq!(shown(&bottom), expected[4..], "nobody is below the last");

    let (_, third) = &people[3];
    let own = third.get_rank(rank_in(SINGLES)).await.expect("a rank");
    let ranked = own.player.expect("oneself");
    assert_eq!((ranked.rank, own.total), (4, 7));
    assert_eq!(ranked.rating.expect("a rating").points, 1500);

    // A token turns the pages of its own list only.
    let token = stranger
        .list_leaderboard(board(3))
        .await
        .expect("a page")
        .next_page_token;
    let live = stranger.list_live_matches(v1::ListLiveMatchesRequest {
        page_token: token.clone(),
        ..Default::default()
    });
    refused(live.await, Code::InvalidArgument, v1::ErrorReason::InvalidField);
    let others = [
        v1::ListLeaderboardRequest {
            pool: PARTNERS,
            page_token: token.clone(),
            ..board(3)
        },
        v1::ListLeaderboardRequest {
            page_token: token.clone(),
            ..around(3, 3)
        },
        v1::ListLeaderboardRequest {
            page_token: middle.next_page_token,
            ..board(3)
        },
        v1::ListLeaderboardRequest {
            page_token: token.to_ascii_lowercase(),
            ..board(3)
        },
    ];
    for request in others {
        let refusal = refused(
            stranger.list_leaderboard(request).await,
            Code::InvalidArgument,
            v1::ErrorReason::InvalidField,
        );
        assert!(refusal.message.contains("page_token"), "{refusal:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_refused() {
    let server = Server::start().await;
    let (anna, stranger) = (server.guest("anna").await, server.stranger());
    let refusal = refused(
        anna.get_rank(rank_in(SINGLES)).await,
        Code::NotFound,
        v1::ErrorReason::NotRanked,
    );
    assert!(refusal.message.contains("10"), "it says what is missing: {refusal:?}");
    let around = v1::ListLeaderboardRequest {
        around_player_id: id_of(&anna).await.to_string(),
        ..board(3)
    };
    refused(
        stranger.list_leaderboard(around).await,
        Code::NotFound,
        v1::ErrorReason::NotRanked,
    );
    let unknown = sample::player_id(1).to_string();
    let whose = v1::GetRatingsRequest {
        player_id: unknown.clone(),
    };
    refused(
        anna.get_ratings(whose).await,
        Code::NotFound,
        v1::ErrorReason::PlayerNotFound,
    );
    let whose = v1::ListRatingChangesRequest {
        player_id: unknown.clone(),
        ..changes_in(SINGLES)
    };
    refused(
        anna.list_rating_changes(whose).await,
        Code::NotFound,
        v1::ErrorReason::PlayerNotFound,
    );
    let whose = v1::GetRankRequest {
        player_id: unknown,
        ..rank_in(SINGLES)
    };
    refused(
        anna.get_rank(whose).await,
        Code::NotFound,
        v1::ErrorReason::PlayerNotFound,
    );
    for pool in [0, 9] {
        refused(
            anna.get_rank(rank_in(pool)).await,
            Code::InvalidArgument,
            v1::ErrorReason::InvalidField,
        );
        refused(
            anna.list_rating_changes(changes_in(pool)).await,
            Code::InvalidArgument,
            v1::ErrorReason::InvalidField,
        );
        let request = v1::ListLeaderboardRequest { pool, ..board(3) };
        refused(
            stranger.list_leaderboard(request).await,
            Code::InvalidArgument,
            v1::ErrorReason::InvalidField,
        );
    }
    let nonsense = v1::GetRatingsRequest {
        player_id: "nonsense".to_owned(),
    };
    refused(
        anna.get_ratings(nonsense).await,
        Code::InvalidArgument,
        v1::ErrorReason::InvalidField,
    );
    refused(
        stranger.get_ratings(v1::GetRatingsRequest::default()).await,
        Code::Unauthenticated,
        v1::ErrorReason::TokenMissing,
    );
    refused(
        stranger.get_rank(rank_in(SINGLES)).await,
        Code::Unauthenticated,
        v1::ErrorReason::TokenMissing,
    );
    refused(
        stranger.list_rating_changes(changes_in(SINGLES)).await,
        Code::Unauthenticated,
        v1::ErrorReason::TokenMissing,
    );
}

/// In Redis a match is settled by one script, and the lists of changes are written after it. Whoever dies in between leaves the
/// rest for the next one, on any replica.
#[tokio::test(flavor = "multi_thread")]
async fn what_a_replica_has_left_half_done_another_one_finishes() {
    let node = RedisNode::start().await;
    let address = node.url().parse().expect("an address");
    let replica = || -> SharedLobbyStore { Arc::new(RedisStore::new(&address, Config::default()).expect("a store")) };
    let [first, second] = [replica(), replica()];
    let people = [1, 2].map(sample::player_id);
    for number in [1, 2] {
        first.create_player(&sample::player(number)).await.expect("kept");
    }
    let table = ranked_match(&first, 1, &people).await;
    let settled = RatingBook::new(Arc::clone(&first)).settle(&table.id).await;
    let settled = settled.expect("an answer").expect("it is rated");
    // As if it had died before it came to one list, or to any.
    for dead_before in [&people[1..], &people[..]] {
        for player in dead_before {
            let list = format!("f1:{{p:{player}}}:r:singles");
            assert_eq!(node.ask::<u64>("DEL", &[&list]).await, 1);
            assert_eq!(
                second.rating_changes(Pool::Singles, player).await.expect("an answer"),
                []
            );
        }
        let again = RatingBook::new(Arc::clone(&second)).settle(&table.id).await;
        assert_eq!(again.expect("an answer"), Some(settled.clone()));
        for (player, change) in settled.changes() {
            let changes = second.rating_changes(Pool::Singles, &player).await.expect("an answer");
            assert_eq!(changes, [change]);
        }
        let standings = first.standings(Pool::Singles, &people).await.expect("an answer");
        let after: Vec<_> = settled.rows.iter().map(|row| Some(row.after)).collect();
        assert_eq!(standings, after, "they have not been rated twice");
    }
}
