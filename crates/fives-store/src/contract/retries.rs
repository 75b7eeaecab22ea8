//! Law 5 over this store: a retried request gets the first answer.

use fives_bots::BotKind;
use fives_referee::batch::Spectators;
use fives_referee::command::{Command, CreateMatch, SeatWish};
use fives_referee::error::{Error, Refusal};
use fives_referee::referee::{Caller, Policy, Referee};
use fives_referee::request::RequestId;
use fives_referee::store::SharedStore;
use fives_referee::table::MatchState;
use fives_referee::view::MatchView;
use fives_rules::options::MatchOptions;
use fives_rules::seat::Players;

use super::{Outcome, sample};

const POLICY: Policy = Policy {
    bot_delay_ms: 0,
    max_open_tables: None,
    away_after_ms: None,
};

fn caller(request: &str) -> Result<Caller, Box<dyn std::error::Error + Send + Sync>> {
    Ok(Caller {
        player: sample::player_id(1),
        request: RequestId::new(request)?,
    })
}

fn wish() -> CreateMatch {
    CreateMatch {
        options: MatchOptions::all_fives(Players::Two),
        seats: vec![SeatWish::Me, SeatWish::Bot(BotKind::Greedy)],
        private: false,
        spectators: Spectators::UNDELAYED,
        clock: None,
    }
}

/// The first legal play of the viewer on turn.
fn first_play(view: &MatchView) -> Option<Command> {
    let game = view.game.as_ref()?;
    let legal = &game.own.as_ref()?.legal;
    Some(Command::Play {
        round: game.table.round,
        play: legal.first()?.play,
    })
}

pub(super) async fn repeated(store: SharedStore) -> Outcome {
    let (referee, _hints) = Referee::new(SharedStore::clone(&store), POLICY);
    // Another process over the same store: retries go anywhere.
    let (elsewhere, _hints) = Referee::new(SharedStore::clone(&store), POLICY);
    let name = sample::player(1).name;
    let created = referee.create(&caller("create")?, &name, &wish()).await?;
    let again = elsewhere.create(&caller("create")?, &name, &wish()).await?;
    assert_eq!(created, again);
    let id = created.view.id;

    let mut view = created.view;
    for number in 0..12 {
        while let Some(_due) = store.load(&id).await?.and_then(|table| table.next_due) {
            referee.fire(id).await?;
        }
        view = referee.look(&id, Some(&sample::player_id(1)), None).await?;
        let Some(play) = first_play(&view) else { break };
        let caller = caller(&format!("play-{number}"))?;
        let first = referee.carry_out(id, &caller, &play, Some(view.cursor)).await?;
        for referee in [&referee, &elsewhere] {
            let again = referee.carry_out(id, &caller, &play, Some(view.cursor)).await?;
            assert_eq!(first, again);
        }
        assert_eq!(first.cursor.revision, view.cursor.revision + 1);
    }
    assert_ne!(view.state, MatchState::Open);
    let newest = store.load(&id).await?.ok_or("it was created")?;
    assert_eq!(
        store.batches(&id, 1, usize::MAX).await?.len() as u64,
        newest.cursor.revision
    );
    Ok(())
}

pub(super) async fn reused(store: SharedStore) -> Outcome {
    let (referee, _hints) = Referee::new(SharedStore::clone(&store), POLICY);
    let name = sample::player(1).name;
    let created = referee.create(&caller("create")?, &name, &wish()).await?;
    let other = CreateMatch {
        private: true,
        ..wish()
    };
    let refused = referee.create(&caller("create")?, &name, &other).await;
    assert!(matches!(refused, Err(Error::Refused(Refusal::RequestIdReused))));

    let id = created.view.id;
    let before = store.load(&id).await?;
    let refused = referee.carry_out(id, &caller("create")?, &Command::Resign, None).await;
    assert!(matches!(refused, Err(Error::Refused(Refusal::RequestIdReused))));
    assert_eq!(store.load(&id).await?, before);
    Ok(())
}
