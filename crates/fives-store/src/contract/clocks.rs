//! Turn clocks over this store: what is kept of those who are absent, and that a clock runs out once.

use fives_referee::batch::{Author, Spectators, TableEvent};
use fives_referee::clock::{AfterMisses, TurnClock};
use fives_referee::command::{Command, CreateMatch, SeatWish};
use fives_referee::referee::{Caller, NextDue, Policy, Referee};
use fives_referee::request::RequestId;
use fives_referee::store::{Committed, SharedStore};
use fives_referee::table::MatchState;
use fives_referee::time::UnixMillis;
use fives_rules::options::MatchOptions;
use fives_rules::seat::Players;

use super::matches::{folded, keep};
use super::sample::{self, Terms};
use super::{Outcome, finding};

const CLOCK: TurnClock = TurnClock {
    turn_time_ms: TurnClock::MIN_TURN_TIME_MS,
    missed_turns_max: 2,
    after_misses: AfterMisses::BotKeepsSeat,
};

/// A match of somebody who plays and somebody who does not, and comes back whenever a bot has the seat.
pub(super) async fn absence(store: SharedStore) -> Outcome {
    for (number, after_misses) in [(1, AfterMisses::BotKeepsSeat), (2, AfterMisses::Forfeit)] {
        let clock = TurnClock { after_misses, ..CLOCK };
        let terms = Terms::of(&[sample::person(1), sample::person(2), sample::person(3)]).timed(clock);
        let first = sample::create(number, &terms);
        let mut table = keep(&store, [first.clone()]).await?.remove(0).table;
        let (mut kept, mut resigned) = (0, 0);
        while table.state() == MatchState::Live {
            let absent = table.seat_of(&sample::player_id(2)).ok_or("the seat stays hers")?;
            let made = if table.timed_seat() == Some(absent) {
                sample::time_out(&table)
            } else if table.is_kept(absent) && table.waits_for_bot() && kept % 2 == 0 {
                Some(sample::command(&table, 2, &Command::ReclaimSeat)?)
            } else {
                sample::play(&table)
            };
            let made = made.ok_or("somebody is on turn")?;
            assert_eq!(made.table.next_due.is_some(), made.table.state() == MatchState::Live);
            let committed = store.commit(table.cursor, &made.table, &made.batch).await?;
            assert_eq!(committed, Committed::Done);
            assert_eq!(store.load(&made.table.id).await?.as_ref(), Some(&made.table));
            for event in &made.batch.events {
                kept += usize::from(matches!(event, TableEvent::SeatKeptByBot { .. }));
            }
            resigned += usize::from(made.table.has_resigned(absent));
            table = made.table;
        }
        assert_eq!(folded(&store, &table).await?.as_ref(), Some(&table));
        assert_eq!(
            (kept > 0, resigned > 0),
            match after_misses {
                AfterMisses::BotKeepsSeat => (true, false),
                AfterMisses::Forfeit => (false, true),
            }
        );
        finding::check_lists(&store, &table).await?;
    }
    Ok(())
}

/// Many processes find the same clock run out.
pub(super) async fn fired_once(store: SharedStore) -> Outcome {
    let policy = Policy::default();
    let (referee, _hints) = Referee::new(SharedStore::clone(&store), policy);
    let wish = CreateMatch {
        options: MatchOptions::all_fives(Players::Two),
        seats: vec![SeatWish::Me, SeatWish::Open],
        private: false,
        spectators: Spectators::Forbidden,
        clock: Some(CLOCK),
    };
    let caller = |number| -> Result<Caller, Box<dyn std::error::Error + Send + Sync>> {
        Ok(Caller {
            player: sample::player_id(number),
            request: RequestId::new("r")?,
        })
    };
    let created = referee.create(&caller(1)?, &sample::player(1).name, &wish).await?;
    let id = created.view.id;
    assert_eq!(referee.fire(id).await?, NextDue::Never, "nobody is on turn yet");
    let joined = referee.carry_out_and_show(id, &caller(2)?, &sample::join(2)).await?;
    let timer = joined.view.timer.ok_or("a clock runs")?;
    assert!(timer.remaining_ms() <= CLOCK.turn_time_ms.into(), "{timer:?}");

    let mut firing = Vec::new();
    for _ in 0..8 {
        let (elsewhere, _hints) = Referee::new(SharedStore::clone(&store), policy);
        firing.push(tokio::spawn(async move {
            // As a timekeeper does: until somebody has fired it.
            while elsewhere.load(&id).await?.cursor == joined.batch.cursor {
                elsewhere.fire(id).await?;
                tokio::task::yield_now().await;
            }
            Ok::<(), fives_referee::error::Error>(())
        }));
    }
    for one in firing {
        one.await??;
    }
    let log = store.batches(&id, joined.batch.cursor.revision + 1, usize::MAX).await?;
    let first = log.first().ok_or("it was fired")?;
    assert_eq!(first.author, Author::Clock(timer.seat));
    assert!(first.at >= timer.deadline, "{:?} before {:?}", first.at, timer.deadline);
    let timed_out = |seat| TableEvent::TurnTimedOut { seat, missed_turns: 1 };
    assert_eq!(first.events.first(), Some(&timed_out(timer.seat)));
    // Meanwhile the clock of the other person may have run out, but nobody's did twice.
    let times: Vec<_> = log.iter().map(|batch| batch.at).collect();
    let apart = |pair: &[UnixMillis]| matches!(pair, [a, b] if *b >= a.plus_ms(CLOCK.turn_time_ms.into()));
    assert!(times.windows(2).all(apart), "{times:?}");
    Ok(())
}
