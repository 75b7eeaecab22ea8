//! Turns that wait for somebody who is not there: told once a turn, and not of who thinks.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use fives_bots::BotKind;
use fives_referee::batch::{Spectators, TableEvent};
use fives_referee::clock::{AfterMisses, TurnClock};
use fives_referee::command::{Command, CreateMatch, SeatWish};
use fives_referee::id::MatchId;
use fives_referee::notice::{Notice, NoticeEvent};
use fives_referee::presence::PRESENT_FOR_MS;
use fives_referee::referee::{Caller, NextDue, Policy, Referee};
use fives_referee::request::RequestId;
use fives_referee::store::SharedStore;
use fives_referee::time::UnixMillis;
use fives_rules::options::MatchOptions;
use fives_rules::seat::Players;
use fives_store::contract::sample;
use fives_store::embedded::EmbeddedStore;

const START: u64 = 1_800_000_000_000;
const AWAY_AFTER_MS: u64 = 10_000;

/// A match of two people over a store whose clock stands still unless it is moved.
struct House {
    referee: Referee,
    now: Arc<AtomicU64>,
    id: MatchId,
}

impl House {
    async fn open(clock: Option<TurnClock>) -> Self {
        let now = Arc::new(AtomicU64::new(START));
        let time = Arc::clone(&now);
        let store = EmbeddedStore::temporary().expect("a store");
        let store: SharedStore = Arc::new(store.with_clock(move || time.load(Ordering::SeqCst)));
        let (referee, _hints) = Referee::new(
            store,
            Policy {
                away_after_ms: Some(AWAY_AFTER_MS),
                ..Policy::default()
            },
        );
        let wish = CreateMatch {
            options: MatchOptions::all_fives(Players::Two),
            seats: vec![SeatWish::Me, SeatWish::Open],
            private: false,
            spectators: Spectators::Forbidden,
            clock,
        };
        let caller = |number| Caller {
            player: sample::player_id(number),
            request: RequestId::new("r").expect("an id"),
        };
        let created = referee.create(&caller(1), &sample::player(1).name, &wish).await;
        let id = created.expect("a match").view.id;
        let joined = referee.carry_out(id, &caller(2), &sample::join(2), None).await;
        joined.expect("there is room");
        referee.renew_alive().await.expect("a sign of life");
        Self { referee, now, id }
    }

    fn at(&self, ms: u64) {
        self.now.store(START + ms, Ordering::SeqCst);
    }

    async fn fire(&self) -> NextDue {
        self.referee.fire(self.id).await.expect("the store works")
    }

    /// What was told by the last commit.
    async fn told(&self) -> Vec<NoticeEvent> {
        let table = self.referee.load(&self.id).await.expect("the match is there");
        let store = self.referee.store();
        let log = store.batches(&self.id, table.cursor.revision, 1).await.expect("a log");
        Notice::of(&table, &log[0]).iter().map(|notice| notice.event).collect()
    }

    async fn revision(&self) -> u64 {
        self.referee
            .load(&self.id)
            .await
            .expect("the match is there")
            .cursor
            .revision
    }
}

#[tokio::test]
async fn a_turn_that_waits_is_told_once() {
    let house = House::open(None).await;
    let table = house.referee.load(&house.id).await.expect("the match is there");
    let (seat, player) = table.awaited().expect("a person is on turn");
    assert_eq!(table.next_due, Some(UnixMillis(START + AWAY_AFTER_MS)));
    let due = house.referee.store().due(UnixMillis(START + AWAY_AFTER_MS), 10).await;
    assert_eq!(due.expect("a list"), [house.id]);
    house.at(AWAY_AFTER_MS - 1);
    assert_eq!(house.fire().await, NextDue::At(UnixMillis(START + AWAY_AFTER_MS)));
    house.at(AWAY_AFTER_MS);
    let before = house.revision().await;
    assert_eq!(
        house.fire().await,
        NextDue::Never,
        "nothing more comes of this turn by itself"
    );
    let deadline = None;
    assert_eq!(
        house.told().await,
        [NoticeEvent::TurnWaiting { seat, player, deadline }]
    );
    house.at(5 * AWAY_AFTER_MS);
    assert_eq!(house.fire().await, NextDue::Never);
    assert_eq!(house.revision().await, before + 1, "once");

    // The next turn is another one.
    let table = house.referee.load(&house.id).await.expect("the match is there");
    let game = table.game().expect("a game");
    let view = fives_rules::view::View::of(game, fives_rules::view::Viewer::Seat(seat));
    let mut stream = game.fairness().bot_stream(seat, 1);
    let play = BotKind::Greedy.decide(&view, &mut stream).expect("a play");
    let round = game.round_number();
    let caller = Caller {
        player,
        request: RequestId::new("play").expect("an id"),
    };
    let played = house
        .referee
        .carry_out(house.id, &caller, &Command::Play { round, play }, None)
        .await;
    played.expect("it is legal");
    house.at(7 * AWAY_AFTER_MS);
    house.fire().await;
    assert!(matches!(house.told().await[..], [NoticeEvent::TurnWaiting { .. }]));
}

#[tokio::test]
async fn nobody_is_told_of_who_thinks() {
    let house = House::open(None).await;
    let table = house.referee.load(&house.id).await.expect("the match is there");
    let (_, player) = table.awaited().expect("a person is on turn");
    let before = house.revision().await;
    let present = house.referee.presence().enter(player);
    house.at(AWAY_AFTER_MS);
    assert_eq!(
        house.fire().await,
        NextDue::Moved(UnixMillis(START + 2 * AWAY_AFTER_MS))
    );
    drop(present);
    // With another process: as long as that counts.
    house.referee.store().renew_presence(&[player]).await.expect("kept");
    assert_eq!(
        house.fire().await,
        NextDue::Moved(UnixMillis(START + 2 * AWAY_AFTER_MS))
    );
    assert_eq!(house.revision().await, before, "nothing was written");
    house.at(AWAY_AFTER_MS + PRESENT_FOR_MS);
    house.fire().await;
    assert_eq!(house.revision().await, before + 1);
}

#[tokio::test]
async fn the_clock_runs_all_the_same() {
    let clock = TurnClock {
        turn_time_ms: 15_000,
        missed_turns_max: 2,
        after_misses: AfterMisses::BotKeepsSeat,
    };
    let house = House::open(Some(clock)).await;
    let deadline = UnixMillis(START + 15_000);
    for ms in [5_000, AWAY_AFTER_MS] {
        house.at(ms);
        house.referee.renew_alive().await.expect("a sign of life");
    }
    assert_eq!(house.fire().await, NextDue::At(deadline));
    assert!(matches!(house.told().await[..], [NoticeEvent::TurnWaiting { deadline: Some(at), .. }] if at == deadline));
    house.at(15_000);
    house.fire().await;
    let table = house.referee.load(&house.id).await.expect("the match is there");
    let log = house
        .referee
        .store()
        .batches(&house.id, table.cursor.revision, 1)
        .await
        .expect("a log");
    assert!(matches!(
        log[0].events[0],
        TableEvent::TurnTimedOut { missed_turns: 1, .. }
    ));
}
