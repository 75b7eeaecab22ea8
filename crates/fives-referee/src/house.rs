//! The house's own table: four bots, for whoever looks while nobody plays.
//!
//! Made like any other, when somebody asks for it, and only if the last one is over: nobody looks, nothing is played. Its id follows
//! from the one before, so processes that are asked at once make one table (law 5).

use std::time::Duration;

use fives_bots::BotKind;
use fives_rules::options::MatchOptions;
use fives_rules::seat::Players;
use tokio::sync::Mutex;
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

/// Keeps the house's table.
pub struct House {
    referee: Referee,
    known: Mutex<Option<(Instant, MatchId)>>,
}

impl House {
    /// A house whose table `referee` looks after.
    #[must_use]
    pub fn new(referee: Referee) -> Self {
        let known = Mutex::default();
        Self { referee, known }
    }

    /// The table that is being played; a new one if there is none.
    ///
    /// # Errors
    /// The store's errors.
    pub async fn table(&self) -> Result<MatchId, Error> {
        // Held while it is looked for: many who ask at once ask the store once.
        let mut known = self.known.lock().await;
        if let Some((_, id)) = known.filter(|(at, _)| at.elapsed() < KNOWN_FOR) {
            return Ok(id);
        }
        let id = self.find().await?;
        *known = Some((Instant::now(), id));
        Ok(id)
    }

    async fn find(&self) -> Result<MatchId, Error> {
        let newest = self
            .referee
            .list(Listing::Of(HOUSE), None, None, 1)
            .await?
            .matches
            .pop();
        if let Some(table) = newest.as_ref().filter(|table| table.state == MatchState::Live) {
            return Ok(table.id);
        }
        let caller = Caller {
            player: HOUSE,
            request: RequestId::after(newest.map(|table| table.id)),
        };
        let made = self
            .referee
            .create(&caller, &DisplayName::house(), &four_bots())
            .await?;
        Ok(made.view.id)
    }
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
