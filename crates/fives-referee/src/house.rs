//! The house's own table: four bots, for whoever looks while nobody plays.
//!
//! Made like any other, when somebody asks for it, and only if the last one is over: nobody looks, nothing is played. Its id follows
//! from the one before, so processes that are asked at once make one table (law 5).

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use fives_bots::BotKind;
use fives_rules::options::MatchOptions;
use fives_rules::seat::Players;
use futures::FutureExt;
use futures::future::{BoxFuture, Shared};
use tokio::time::Instant;

use crate::batch::Spectators;
use crate::command::{CreateMatch, SeatWish};
use crate::error::Error;
use crate::id::{MatchId, PlayerId};
use crate::listing::Listing;
use crate::player::DisplayName;
use crate::referee::{Caller, Referee};
use crate::request::RequestId;
use crate::table::MatchState;

/// For how long the answer is given again without a look at the store.
const KNOWN_FOR: Duration = Duration::from_secs(1);

/// Whose tables they are. Players' ids are drawn at random, and nobody signs in as this one.
const HOUSE: PlayerId = PlayerId::from_bytes(*b"fives, the house");

/// A look for the table, that all who ask meanwhile wait for together.
type Look = Shared<BoxFuture<'static, Result<MatchId, Arc<Error>>>>;

/// Keeps the house's table.
pub struct House {
    referee: Referee,
    last_look: Mutex<Option<(Instant, Look)>>,
}

impl House {
    /// A house whose table `referee` looks after.
    #[must_use]
    pub fn new(referee: Referee) -> Self {
        let last_look = Mutex::default();
        Self { referee, last_look }
    }

    /// The table that is being played; a new one if there is none.
    ///
    /// # Errors
    /// The store's errors.
    pub async fn table(&self) -> Result<MatchId, Arc<Error>> {
        self.look().await
    }

    /// However many ask at once, the store is asked once.
    fn look(&self) -> Look {
        let mut last = self.last_look.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, look)) = last.as_ref().filter(|(at, _)| at.elapsed() < KNOWN_FOR) {
            return look.clone();
        }
        let look = find(self.referee.clone())
            .map(|found| found.map_err(Arc::new))
            .boxed()
            .shared();
        *last = Some((Instant::now(), look.clone()));
        look
    }
}

async fn find(referee: Referee) -> Result<MatchId, Error> {
    let newest = referee.list(Listing::Of(HOUSE), None, None, 1).await?.matches.pop();
    if let Some(table) = newest.as_ref().filter(|table| table.state == MatchState::Live) {
        return Ok(table.id);
    }
    let request = match newest {
        Some(over) => RequestId::after(over.id),
        None => RequestId::first(referee.store().now().await?),
    };
    let caller = Caller { player: HOUSE, request };
    let made = referee.create(&caller, &DisplayName::house(), &four_bots()).await?;
    Ok(made.view.id)
}

fn four_bots() -> CreateMatch {
    CreateMatch {
        options: MatchOptions::all_fives(Players::Four),
        seats: vec![SeatWish::Bot(BotKind::Greedy); 4],
        private: false,
        spectators: Spectators::Allowed {
            delay_revisions: 0,
            delay_ms: 0,
        },
        clock: None,
    }
}
