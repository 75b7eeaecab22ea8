//! Ratings: once a match, nothing lost, and a leaderboard that follows.

use std::collections::BTreeMap;
use std::sync::Arc;

use fives_bots::BotKind;
use fives_lobby::rating::{
    CHANGES_MAX, Contest, LISTED_AFTER, Place, Pool, Rating, RatingBook, SettledRow, Settlement, Standing, rate,
};
use fives_lobby::store::{Settled, SharedLobbyStore};
use fives_referee::command::Intervention;
use fives_referee::id::{MatchId, PlayerId};
use fives_referee::store::{Created, StoreError};
use fives_referee::table::{Occupant, Table};
use fives_referee::time::UnixMillis;
use fives_rules::options::OptionChoices;
use fives_rules::seat::Players;
use tokio::task::JoinSet;

use super::Outcome;
use super::sample::{self, Made, Terms};

type Failure = Box<dyn std::error::Error + Send + Sync>;

fn people(numbers: &[u64]) -> Terms {
    let occupants: Vec<Occupant> = numbers.iter().map(|number| sample::person(*number)).collect();
    Terms::of(&occupants).ranked()
}

/// Keeps people, as far as they are not there yet.
async fn enrol(store: &SharedLobbyStore, numbers: impl IntoIterator<Item = u64>) -> Result<(), StoreError> {
    for number in numbers {
        store.create_player(&sample::player(number)).await?;
    }
    Ok(())
}

/// Keeps the last state of a match.
async fn put(store: &SharedLobbyStore, made: &Made) -> Result<MatchId, StoreError> {
    assert_eq!(store.create(&made.table, &made.batch).await?, Created::New);
    Ok(made.table.id)
}

/// Keeps a match that was played to its end.
async fn finished(store: &SharedLobbyStore, number: u64, terms: &Terms) -> Result<Arc<Table>, Failure> {
    let last = sample::whole(number, terms).last().ok_or("it has an end")?;
    put(store, &last).await?;
    Ok(last.table)
}

/// Settles matches with the plain rules, one after the other as their players' numbers say, and compares.
#[derive(Default)]
struct Replay(BTreeMap<(Pool, PlayerId), Standing>);

impl Replay {
    fn of(settled: &[(Arc<Table>, Settlement)]) -> Result<Self, Failure> {
        let mut replay = Self::default();
        let mut waiting: Vec<_> = settled.iter().collect();
        while !waiting.is_empty() {
            let is_next = |(_, settlement): &&(Arc<Table>, Settlement)| {
                let mut rows = settlement.rows.iter();
                rows.all(|row| replay.standing(settlement.pool, row.player).matches == row.before.matches)
            };
            let next = waiting.iter().position(is_next).ok_or("they happened in no order")?;
            let (table, settlement) = waiting.swap_remove(next);
            replay.settle(table, settlement)?;
        }
        Ok(replay)
    }

    fn standing(&self, pool: Pool, player: PlayerId) -> Standing {
        self.0.get(&(pool, player)).copied().unwrap_or(Standing::NEWCOMER)
    }

    fn settle(&mut self, table: &Table, settlement: &Settlement) -> Outcome {
        let contest = Contest::of(table).ok_or("it is rated")?;
        let players: Vec<PlayerId> = contest.entrants().map(|entrant| entrant.player).collect();
        let before: Vec<Standing> = players
            .iter()
            .map(|player| self.standing(contest.pool, *player))
            .collect();
        let ratings: Vec<Rating> = before.iter().map(|standing| standing.rating).collect();
        let each = players.iter().zip(before).zip(rate(&contest, &ratings));
        let rows: Vec<SettledRow> = each
            .map(|((player, before), rating)| SettledRow {
                player: *player,
                before,
                after: before.next(rating, settlement.at),
            })
            .collect();
        assert_eq!(settlement.rows, rows, "{}", table.id);
        for row in rows {
            self.0.insert((contest.pool, row.player), row.after);
        }
        Ok(())
    }

    /// Whether the store has come to the same, and tells how.
    async fn check(&self, store: &SharedLobbyStore) -> Outcome {
        for ((pool, player), standing) in &self.0 {
            assert_eq!(store.standings(*pool, &[*player]).await?, [Some(*standing)]);
            let changes = store.rating_changes(*pool, player).await?;
            let numbers: Vec<u64> = changes.iter().map(|change| change.number).collect();
            assert_eq!(numbers, (1..=standing.matches).rev().collect::<Vec<_>>());
            assert_eq!(changes.first().map(|change| change.after), Some(standing.rating));
            for pair in changes.windows(2) {
                if let [newer, older] = pair {
                    assert_eq!(newer.before, older.after, "nothing is lost in between");
                }
            }
        }
        Ok(())
    }
}

pub(super) async fn once(store: SharedLobbyStore) -> Outcome {
    enrol(&store, 1..=4).await?;
    let four = OptionChoices {
        partners: Some(true),
        ..OptionChoices::default()
    };
    let partners = Terms {
        options: four.resolve(Players::Four)?,
        ..people(&[1, 2, 3, 4])
    };
    for (number, terms) in [(1, people(&[1, 2])), (2, people(&[1, 2, 3])), (3, partners)] {
        let table = finished(&store, number, &terms).await?;
        let mut tasks = JoinSet::new();
        for _ in 0..8 {
            let (book, id) = (RatingBook::new(Arc::clone(&store)), table.id);
            tasks.spawn(async move { book.settle(&id).await });
        }
        let mut answers = Vec::new();
        while let Some(answer) = tasks.join_next().await {
            answers.push(answer??.ok_or("it is rated")?);
        }
        let first = answers.first().ok_or("there are eight")?;
        assert!(answers.iter().all(|answer| answer == first), "all are told the same");
        assert_eq!(first.rows.len(), terms.occupants.len());
        for row in &first.rows {
            assert_eq!(row.after.matches, row.before.matches + 1);
            let kept = store.standings(first.pool, &[row.player]).await?;
            assert_eq!(kept, [Some(row.after)], "{number}");
            let changes = store.rating_changes(first.pool, &row.player).await?;
            let of_this = changes.iter().filter(|change| change.match_id == table.id);
            assert_eq!(of_this.count(), 1, "{number}");
        }
    }
    Ok(())
}

/// Twelve matches of five people, as everybody meets everybody.
async fn season(store: &SharedLobbyStore) -> Result<Vec<Arc<Table>>, Failure> {
    enrol(store, 1..=5).await?;
    let mut tables = Vec::new();
    for one in 1..=5 {
        for other in one + 1..=5 {
            tables.push(finished(store, 100 + 10 * one + other, &people(&[one, other])).await?);
        }
    }
    tables.push(finished(store, 200, &people(&[1, 2, 3])).await?);
    tables.push(finished(store, 201, &people(&[5, 4, 3, 2])).await?);
    Ok(tables)
}

pub(super) async fn together(store: SharedLobbyStore) -> Outcome {
    let tables = season(&store).await?;
    let mut tasks = JoinSet::new();
    for table in tables.iter().flat_map(|table| [table, table]) {
        let (book, table) = (RatingBook::new(Arc::clone(&store)), Arc::clone(table));
        tasks.spawn(async move { book.settle(&table.id).await.map(|settled| (table, settled)) });
    }
    let mut settled: Vec<(Arc<Table>, Settlement)> = Vec::new();
    while let Some(answer) = tasks.join_next().await {
        let (table, settlement) = answer??;
        let settlement = settlement.ok_or("it is rated")?;
        match settled.iter().find(|(known, _)| known.id == table.id) {
            Some((_, first)) => assert_eq!(first, &settlement),
            None => settled.push((table, settlement)),
        }
    }
    assert_eq!(settled.len(), tables.len());
    Replay::of(&settled)?.check(&store).await
}

/// A replica that dies on its way leaves the match for another one to settle, whichever step it has come to.
pub(super) async fn given_up(store: SharedLobbyStore) -> Outcome {
    let tables = season(&store).await?;
    let book = RatingBook::new(Arc::clone(&store));
    for (steps, table) in tables.iter().enumerate() {
        let (dying, id) = (book.clone(), table.id);
        let task = tokio::spawn(async move { dying.settle(&id).await });
        for _ in 0..steps * steps {
            tokio::task::yield_now().await;
        }
        task.abort();
        // Cancelled or done, it does not go on.
        let _ = task.await;
    }
    let mut settled = Vec::new();
    for table in &tables {
        let settlement = book.settle(&table.id).await?.ok_or("it is rated")?;
        settled.push((Arc::clone(table), settlement));
    }
    Replay::of(&settled)?.check(&store).await
}

pub(super) async fn unrated(store: SharedLobbyStore) -> Outcome {
    enrol(&store, 1..=2).await?;
    let book = RatingBook::new(Arc::clone(&store));
    let bot = Terms::of(&[sample::person(1), Occupant::Bot(BotKind::Greedy)]).ranked();
    let casual = Terms::of(&[sample::person(1), sample::person(2)]);
    let mut ids = vec![
        finished(&store, 1, &bot).await?.id,
        finished(&store, 2, &casual).await?.id,
        sample::match_id(99),
    ];
    let begun = sample::whole(3, &people(&[1, 2])).nth(5).ok_or("it goes on")?;
    ids.push(put(&store, &begun).await?);
    let begun = sample::whole(4, &people(&[1, 2])).nth(5).ok_or("it goes on")?;
    ids.push(put(&store, &sample::intervene(&begun.table, Intervention::Void)?).await?);
    for id in ids {
        assert_eq!(book.settle(&id).await?, None, "{id}");
    }
    let players = [1, 2].map(sample::player_id);
    assert_eq!(store.standings(Pool::Singles, &players).await?, [None, None]);

    // Of somebody who is no player any more nothing is kept; the others are rated all the same.
    let table = finished(&store, 5, &people(&[1, 77])).await?;
    let settled = book.settle(&table.id).await?.ok_or("it is rated")?;
    let rated: Vec<PlayerId> = settled.rows.iter().map(|row| row.player).collect();
    assert_eq!(rated, [sample::player_id(1)]);
    let gone = sample::player_id(77);
    assert_eq!(store.standings(Pool::Singles, &[gone]).await?, [None]);
    assert_eq!(store.rating_changes(Pool::Singles, &gone).await?, []);
    Ok(())
}

fn standing(points: i32, matches: u64, reached_at: u64) -> Result<Standing, Failure> {
    let rating = Rating::new(f64::from(points) + 100.0, 50.0, 0.06).ok_or("a rating")?;
    Ok(Standing {
        rating,
        matches,
        reached_at: UnixMillis(reached_at),
    })
}

/// The person of this number comes to a standing, whatever they had before.
async fn come_to(store: &SharedLobbyStore, number: u64, after: Standing) -> Result<Settlement, Failure> {
    let player = sample::player_id(number);
    let before = store.standings(Pool::Singles, &[player]).await?;
    let before = before.into_iter().flatten().next().unwrap_or(Standing::NEWCOMER);
    let settlement = Settlement {
        match_id: sample::match_id(1_000_000 * (number + 1) + after.matches),
        pool: Pool::Singles,
        at: after.reached_at,
        rows: vec![SettledRow { player, before, after }],
    };
    assert_eq!(store.settle_ratings(&settlement).await?, Settled::Done);
    Ok(settlement)
}

pub(super) async fn conflict(store: SharedLobbyStore) -> Outcome {
    let first = come_to(&store, 1, standing(1500, LISTED_AFTER, 1)?).await?;
    let one = first.rows.first().copied().ok_or("it has a row")?;
    let other = SettledRow {
        player: sample::player_id(2),
        before: Standing::NEWCOMER,
        after: standing(1400, LISTED_AFTER, 2)?,
    };
    // The second of the two has moved on, so nothing happens to the first either.
    let stale = Settlement {
        match_id: sample::match_id(7),
        rows: vec![other, one],
        ..first.clone()
    };
    assert_eq!(store.settle_ratings(&stale).await?, Settled::Conflict);
    assert_eq!(store.standings(Pool::Singles, &[other.player]).await?, [None]);
    assert_eq!(store.rating_changes(Pool::Singles, &other.player).await?, []);
    assert_eq!(store.count_listed(Pool::Singles).await?, 1);
    assert_eq!(
        store.standings(Pool::Partners, &[one.player]).await?,
        [None],
        "the other pool is another one"
    );
    // What is told again differently stays as it was.
    let again = Settlement {
        rows: vec![other],
        ..first.clone()
    };
    assert_eq!(store.settle_ratings(&again).await?, Settled::Already(first));
    assert_eq!(store.standings(Pool::Singles, &[other.player]).await?, [None]);
    Ok(())
}

pub(super) async fn changes(store: SharedLobbyStore) -> Outcome {
    let player = sample::player_id(1);
    let mut settled = Vec::new();
    for number in 1..=CHANGES_MAX + 7 {
        settled.push(come_to(&store, 1, standing(1000 + number as i32, number, number)?).await?);
    }
    // The oldest one comes late, once more.
    let first = settled.first().ok_or("there are many")?;
    assert_eq!(store.settle_ratings(first).await?, Settled::Already(first.clone()));
    let all = settled.iter().rev().flat_map(Settlement::changes);
    let expected: Vec<_> = all
        .map(|(_, change)| change)
        .take(usize::try_from(CHANGES_MAX)?)
        .collect();
    assert_eq!(store.rating_changes(Pool::Singles, &player).await?, expected);
    assert_eq!(store.rating_changes(Pool::Partners, &player).await?, []);
    Ok(())
}

async fn players_on(store: &SharedLobbyStore, skip: u64, limit: usize) -> Result<Vec<PlayerId>, StoreError> {
    let places = store.places(Pool::Singles, skip, limit).await?;
    assert!(places.is_sorted(), "{places:?}");
    Ok(places.iter().map(|place| place.player).collect())
}

pub(super) async fn board(store: SharedLobbyStore) -> Outcome {
    assert_eq!(store.places(Pool::Singles, 0, 10).await?, []);
    let listed = LISTED_AFTER;
    for (number, points, at) in [(1, 1500, 9), (2, 1700, 9), (3, 1500, 8), (4, -40, 1), (5, 1500, 10)] {
        come_to(&store, number, standing(points, listed, at)?).await?;
    }
    come_to(&store, 6, standing(2500, listed - 1, 1)?).await?;
    let order = [2, 3, 1, 5, 4].map(sample::player_id);
    assert_eq!(
        players_on(&store, 0, 100).await?,
        order,
        "who is provisional is not listed"
    );
    let first = Place {
        points: 1700,
        reached_at: UnixMillis(9),
        player: sample::player_id(2),
    };
    assert_eq!(store.places(Pool::Singles, 0, 1).await?, [first]);
    assert_eq!(players_on(&store, 1, 2).await?, [3, 1].map(sample::player_id));
    assert_eq!(players_on(&store, 5, 2).await?, []);
    assert_eq!(players_on(&store, u64::MAX, 2).await?, []);
    assert_eq!(players_on(&store, 0, 0).await?, []);
    for (ahead, player) in (0..).zip(&order) {
        assert_eq!(store.count_ahead(Pool::Singles, player).await?, Some(ahead));
    }
    for nobody in [6, 7].map(sample::player_id) {
        assert_eq!(store.count_ahead(Pool::Singles, &nobody).await?, None);
    }
    assert_eq!(store.count_listed(Pool::Singles).await?, 5);
    assert_eq!(store.count_listed(Pool::Partners).await?, 0);

    // One comes, one falls, one stays where it was.
    come_to(&store, 6, standing(2500, listed, 11)?).await?;
    come_to(&store, 2, standing(1499, listed + 1, 12)?).await?;
    come_to(&store, 3, standing(1500, listed + 1, 8)?).await?;
    assert_eq!(
        players_on(&store, 0, 100).await?,
        [6, 3, 1, 5, 2, 4].map(sample::player_id)
    );
    assert_eq!(store.count_listed(Pool::Singles).await?, 6);
    Ok(())
}

pub(super) async fn forgotten(store: SharedLobbyStore) -> Outcome {
    let players = [1, 2].map(sample::player_id);
    let first = come_to(&store, 1, standing(1500, LISTED_AFTER, 1)?).await?;
    come_to(&store, 2, standing(1600, LISTED_AFTER, 1)?).await?;
    for _ in 0..2 {
        store.forget_ratings(&players[1]).await?;
        assert_eq!(store.places(Pool::Singles, 0, 10).await?.len(), 1);
        assert_eq!(store.count_ahead(Pool::Singles, &players[1]).await?, None);
        assert_eq!(store.count_ahead(Pool::Singles, &players[0]).await?, Some(0));
        assert_eq!(store.rating_changes(Pool::Singles, &players[1]).await?, []);
        let standings = store.standings(Pool::Singles, &players).await?;
        assert_eq!(standings, [first.rows.first().map(|row| row.after), None]);
    }
    store.forget_ratings(&players[0]).await?;
    assert_eq!(store.count_listed(Pool::Singles).await?, 0);
    // The note is still there: what comes late changes nothing, and brings nobody back who is not named.
    let late = Settlement {
        rows: Vec::new(),
        ..first.clone()
    };
    assert_eq!(store.settle_ratings(&late).await?, Settled::Already(first));
    assert_eq!(store.standings(Pool::Singles, &players).await?, [None, None]);
    assert_eq!(store.rating_changes(Pool::Singles, &players[0]).await?, []);
    // Whoever plays again begins anew.
    come_to(&store, 1, standing(1450, 1, 5)?).await?;
    assert_eq!(store.rating_changes(Pool::Singles, &players[0]).await?.len(), 1);
    Ok(())
}
