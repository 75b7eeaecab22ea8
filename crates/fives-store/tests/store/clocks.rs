//! Turn clocks by a clock that the test sets: when a deadline is due, and what moves it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use fives_bots::BotKind;
use fives_referee::batch::{Author, Batch, Spectators, TableEvent};
use fives_referee::clock::{AfterMisses, TurnClock};
use fives_referee::command::{Command, CreateMatch, SeatWish};
use fives_referee::id::{MatchId, PlayerId};
use fives_referee::referee::{Caller, NextDue, Policy, Referee, SILENCE_MAX_MS};
use fives_referee::request::RequestId;
use fives_referee::store::{MatchStore, SharedStore};
use fives_referee::table::Table;
use fives_referee::time::{Outage, UnixMillis};
use fives_rules::options::MatchOptions;
use fives_rules::seat::{Players, Seat};
use fives_store::contract::sample;
use fives_store::embedded::EmbeddedStore;

const START: u64 = 1_800_000_000_000;
const TURN_MS: u64 = 4_000;

/// A referee over a store whose clock stands still unless it is moved.
struct House {
    referee: Referee,
    now: Arc<AtomicU64>,
    id: MatchId,
}

impl House {
    /// With a match of three people, dealt at [`START`].
    async fn open(after_misses: AfterMisses) -> Self {
        let now = Arc::new(AtomicU64::new(START));
        let clock = Arc::clone(&now);
        let store = EmbeddedStore::temporary().expect("a store");
        let store: SharedStore = Arc::new(store.with_clock(move || clock.load(Ordering::SeqCst)));
        let (referee, _hints) = Referee::new(
            store,
            Policy {
                bot_delay_ms: 700,
                ..Policy::default()
            },
        );
        let wish = CreateMatch {
            options: MatchOptions::all_fives(Players::Three),
            seats: vec![SeatWish::Me, SeatWish::Open, SeatWish::Open],
            private: false,
            spectators: Spectators::Forbidden,
            clock: Some(TurnClock {
                turn_time_ms: TURN_MS as u32,
                missed_turns_max: 2,
                after_misses,
            }),
        };
        let created = referee.create(&caller(1, "r"), &sample::player(1).name, &wish).await;
        let house = Self {
            id: created.expect("a match").view.id,
            referee,
            now,
        };
        for number in [2, 3] {
            house.does(number, "r", &sample::join(number)).await;
        }
        house.referee.renew_alive().await.expect("a sign of life");
        house
    }

    async fn does(&self, number: u64, request: &str, command: &Command) {
        let done = self
            .referee
            .carry_out(self.id, &caller(number, request), command, None)
            .await;
        done.unwrap_or_else(|error| panic!("{command:?} of {number}: {error}"));
    }

    async fn table(&self) -> Arc<Table> {
        self.referee.load(&self.id).await.expect("the match is there")
    }

    async fn fire(&self) -> NextDue {
        self.referee.fire(self.id).await.expect("the store works")
    }

    async fn last(&self) -> Batch {
        let revision = self.table().await.cursor.revision;
        let mut log = self
            .referee
            .store()
            .batches(&self.id, revision, 1)
            .await
            .expect("a log");
        log.remove(0)
    }

    /// Moves the clock, without the service being away.
    async fn pass(&self, ms: u64) {
        for step in std::iter::repeat_n(SILENCE_MAX_MS, (ms / SILENCE_MAX_MS) as usize).chain([ms % SILENCE_MAX_MS]) {
            self.now.fetch_add(step, Ordering::SeqCst);
            self.referee.renew_alive().await.expect("a sign of life");
        }
    }

    /// What a greedy bot would play for the seat on turn.
    async fn play(&self) -> (u64, Command) {
        let table = self.table().await;
        let game = table.game().expect("a game");
        let turn = game.turn().expect("somebody is on turn");
        let view = fives_rules::view::View::of(game, fives_rules::view::Viewer::Seat(turn));
        let play = view.own.expect("a hand").legal[0].play;
        let round = game.round_number();
        (turn.index() as u64 + 1, Command::Play { round, play })
    }
}

fn caller(number: u64, request: &str) -> Caller {
    Caller {
        player: sample::player_id(number),
        request: RequestId::new(request).expect("an id"),
    }
}

fn timed_out(seat: Seat, missed_turns: u8) -> TableEvent {
    TableEvent::TurnTimedOut { seat, missed_turns }
}

fn at(ms: u64) -> UnixMillis {
    UnixMillis(START + ms)
}

#[tokio::test]
async fn a_turn_lasts_as_long_as_the_clock_says() {
    let house = House::open(AfterMisses::BotKeepsSeat).await;
    let first = house.table().await.timed_turn().expect("a clock runs");
    assert_eq!((first.began_at, first.deadline), (at(0), at(TURN_MS)));
    assert_eq!(house.table().await.next_due, Some(at(TURN_MS)));
    house.pass(TURN_MS - 1).await;
    assert_eq!(house.fire().await, NextDue::At(at(TURN_MS)));
    house.pass(1).await;
    assert_eq!(house.fire().await, NextDue::At(at(2 * TURN_MS)));
    let batch = house.last().await;
    assert_eq!((batch.author, batch.at), (Author::Clock(first.seat), at(TURN_MS)));
    assert_eq!(batch.events[0], timed_out(first.seat, 1));
    assert_eq!(house.fire().await, NextDue::At(at(2 * TURN_MS)), "it is fired once");
    assert_ne!(house.table().await.timed_seat(), Some(first.seat));
}

#[tokio::test]
async fn a_play_after_the_deadline_counts_if_nobody_has_fired_it() {
    let house = House::open(AfterMisses::BotKeepsSeat).await;
    house.pass(TURN_MS * 3).await;
    let (number, play) = house.play().await;
    house.does(number, "late", &play).await;
    let table = house.table().await;
    assert!(table.chairs.iter().all(|chair| chair.missed_turns == 0));
    assert_eq!(table.timed_turn().expect("a clock runs").began_at, at(TURN_MS * 3));
}

#[tokio::test]
async fn what_others_do_gives_no_more_time() {
    let house = House::open(AfterMisses::BotKeepsSeat).await;
    let turn = house.table().await.timed_turn().expect("a clock runs");
    house.pass(TURN_MS - 1).await;
    let other = (0..3)
        .find(|seat| *seat != turn.seat.index() as u64)
        .expect("another seat");
    house.does(other + 1, "resign", &Command::Resign).await;
    let table = house.table().await;
    assert_eq!(table.timed_turn(), Some(turn));
    assert_eq!(table.next_due, Some(turn.deadline));
}

#[tokio::test]
async fn no_clock_runs_for_who_has_resigned() {
    let house = House::open(AfterMisses::BotKeepsSeat).await;
    let turn = house.table().await.timed_turn().expect("a clock runs");
    house
        .does(turn.seat.index() as u64 + 1, "resign", &Command::Resign)
        .await;
    let table = house.table().await;
    assert_eq!(table.timed_turn(), None);
    assert_eq!(table.next_due, Some(at(700)), "a bot plays on");
}

#[tokio::test]
async fn a_play_of_ones_own_begins_the_count_anew() {
    let house = House::open(AfterMisses::Forfeit).await;
    let first = house.table().await.timed_seat().expect("a clock runs");
    let (mut missed, mut own_turns, mut plays) = (Vec::new(), 0, 0);
    // Whoever is on turn depends on the deal: somebody who must pass lets the other play twice.
    while !house.table().await.has_resigned(first) {
        let is_first = house.table().await.timed_seat() == Some(first);
        own_turns += usize::from(is_first);
        if is_first && own_turns != 2 {
            house.pass(TURN_MS).await;
            house.fire().await;
            missed.push(house.table().await.chairs[first.index()].missed_turns);
        } else {
            let (number, play) = house.play().await;
            house.does(number, &format!("play-{plays}"), &play).await;
            plays += 1;
        }
    }
    assert_eq!(missed, [1, 1, 2], "the play between the first two forgives the first");
    let table = house.table().await;
    assert!(table.has_resigned(first) && table.waits_for_bot());
    assert_eq!(house.last().await.events[0], timed_out(first, 2));
}

#[tokio::test]
async fn an_outage_moves_the_deadline_by_what_it_shares_with_the_turn() {
    const HOUR_MS: u64 = 3_600_000;
    let house = House::open(AfterMisses::BotKeepsSeat).await;
    house.pass(1_000).await;
    // Nobody is there for an hour; whoever fires first after that finds it out.
    house.now.fetch_add(HOUR_MS, Ordering::SeqCst);
    let moved = at(TURN_MS + HOUR_MS);
    assert_eq!(house.fire().await, NextDue::Moved(moved));
    let outage = Outage {
        from: at(1_000),
        to: at(1_000 + HOUR_MS),
    };
    let outages = house.referee.store().outages(UnixMillis(0)).await.expect("outages");
    assert_eq!(outages, [outage]);
    assert_eq!(house.table().await.cursor.revision, 3, "nothing was committed");

    house.referee.renew_alive().await.expect("a sign of life");
    let view = house
        .referee
        .look(&house.id, Some(&player(1)), None)
        .await
        .expect("a view");
    let timer = view.timer.expect("a clock runs");
    assert_eq!((timer.deadline, timer.remaining_ms()), (moved, TURN_MS - 1_000));
    house.pass(TURN_MS - 1_001).await;
    assert_eq!(house.fire().await, NextDue::Moved(moved));
    house.pass(1).await;
    assert_eq!(house.fire().await, NextDue::At(moved.plus_ms(TURN_MS)));
}

#[tokio::test]
async fn a_bot_that_keeps_a_seat_thinks_like_any_other() {
    let house = House::open(AfterMisses::BotKeepsSeat).await;
    let first = house.table().await.timed_seat().expect("a clock runs");
    while !house.table().await.is_kept(first) {
        house.pass(TURN_MS).await;
        house.fire().await;
    }
    while house.table().await.game().and_then(|game| game.turn()) != Some(first) {
        house.pass(TURN_MS).await;
        house.fire().await;
    }
    let table = house.table().await;
    assert_eq!(table.bot_of(first), Some(BotKind::Greedy));
    assert_eq!(table.next_due, Some(table.changed_at.plus_ms(700)));
    house
        .does(first.index() as u64 + 1, "back", &Command::ReclaimSeat)
        .await;
    let turn = house.table().await.timed_turn().expect("a clock runs");
    assert_eq!(turn.began_at, table.changed_at, "the whole time of a turn");
    assert_eq!(turn.seat, first);
}

#[test]
fn outages_survive_a_restart() {
    let folder = tempfile::tempdir().expect("a folder");
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("a runtime");
    runtime.block_on(async {
        for time in [START, START + 10_000, START + 11_000, START + 99_000] {
            let store = EmbeddedStore::open(folder.path())
                .expect("the folder opens")
                .with_clock(move || time);
            store.renew_alive(SILENCE_MAX_MS).await.expect("a sign of life");
        }
        let store = EmbeddedStore::open(folder.path()).expect("the folder opens");
        let outages = store.outages(UnixMillis(0)).await.expect("outages");
        let expected = [(0, 10_000), (11_000, 99_000)].map(|(from, to)| Outage {
            from: at(from),
            to: at(to),
        });
        assert_eq!(outages, expected);
    });
}

fn player(number: u64) -> PlayerId {
    sample::player_id(number)
}
