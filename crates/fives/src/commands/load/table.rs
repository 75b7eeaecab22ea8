//! One place where matches are played, one after the other, always by the same people before the same public.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use fives_client::v1::match_update::Update;
use fives_client::{Client, Error, v1};
use futures::future::{join, join_all};
use tokio::time::{Instant, sleep, sleep_until};

use super::audit::{Account, Acknowledged, newest};
use super::finding::Finding;
use super::placed::{Placed, plays_of};
use super::player::{Player, chance};
use super::tally::Tally;
use super::viewing::Course;
use super::watcher::watch;

/// How long a table waits before the next match when one could not be played.
const PAUSE: Duration = Duration::from_secs(1);

/// How every table plays, and until when.
pub(super) struct Plan {
    pub(super) options: v1::MatchOptions,
    pub(super) think: Duration,
    pub(super) seed: u64,
    /// The number of the next match.
    pub(super) next_match: AtomicU64,
    /// No match begins after this.
    pub(super) last_start: Instant,
    /// What is still being played then is called off.
    pub(super) called_off: Instant,
    pub(super) tally: Arc<Tally>,
}

/// A table's people.
pub(super) struct Table {
    /// By seat; signed in.
    pub(super) players: Vec<Client>,
    pub(super) watchers: Vec<Client>,
}

/// A match that has been started.
struct Started {
    match_id: String,
    number: u64,
    revision: u64,
}

impl Table {
    /// Plays match after match.
    pub(super) async fn keep_playing(self, plan: Arc<Plan>) {
        while Instant::now() < plan.last_start {
            match self.start(&plan).await {
                Ok(started) => self.play(&plan, &started).await,
                Err((what, error)) => {
                    plan.tally.fail(what, &error);
                    sleep(PAUSE).await;
                }
            }
        }
    }

    /// Makes a match and has everybody sit down; an error comes with the call that it is of.
    async fn start(&self, plan: &Plan) -> Result<Started, (String, Error)> {
        let number = plan.next_match.fetch_add(1, Ordering::Relaxed);
        let mut match_id = String::new();
        let mut revision = 0;
        for (seat, client) in self.players.iter().enumerate() {
            let request_id = format!("load-{number}-sit-{seat}");
            let cursor = if seat == 0 {
                let request = self.creation(plan, request_id);
                let created = client.create_match(request).await;
                let created = created.map_err(|error| (format!("CreateMatch of match {number}"), error))?;
                match_id = created.view.unwrap_or_default().match_id;
                created.cursor
            } else {
                let request = v1::JoinMatchRequest {
                    request_id,
                    target: Some(v1::join_match_request::Target::MatchId(match_id.clone())),
                    seat: u32::try_from(seat).ok(),
                    ..Default::default()
                };
                let joined = client.join_match(request).await;
                joined
                    .map_err(|error| (format!("JoinMatch of {match_id}"), error))?
                    .cursor
            };
            revision = cursor.unwrap_or_default().revision;
        }
        plan.tally.started();
        Ok(Started {
            match_id,
            number,
            revision,
        })
    }

    fn creation(&self, plan: &Plan, request_id: String) -> v1::CreateMatchRequest {
        let me = v1::seat_request::Occupant::Me(v1::seat_request::Me {});
        let open = v1::seat_request::Occupant::Open(v1::seat_request::Open {});
        let others = self.players.len().saturating_sub(1);
        let seats = std::iter::once(me).chain(std::iter::repeat_n(open, others));
        v1::CreateMatchRequest {
            request_id,
            options: Some(plan.options.clone()),
            seats: seats
                .map(|occupant| v1::SeatRequest {
                    occupant: Some(occupant),
                })
                .collect(),
            visibility: v1::MatchVisibility::Public.into(),
            spectators_allowed: true,
            ..Default::default()
        }
    }

    /// Has a match played and watched, audits it, and keeps nothing of it but what was found.
    async fn play(&self, plan: &Plan, started: &Started) {
        let course = Course::new();
        let tally = &*plan.tally;
        let players = self.players.iter().zip(0..).map(|(client, seat)| {
            let player = Player {
                client,
                match_id: &started.match_id,
                seat,
                request_prefix: format!("load-{}-{seat}", started.number),
                chance: chance(plan.seed, started.number, seat),
                think: plan.think,
                course: &course,
                tally,
            };
            player.play()
        });
        let playing = async {
            let played = join_all(players).await;
            course.call_off();
            played
        };
        let watchers = self.watchers.iter().enumerate();
        let watching =
            join_all(watchers.map(|(number, client)| watch(client, &started.match_id, number, &course, tally)));
        let mut at_the_table = Box::pin(join(playing, watching));
        let (played, watched) = tokio::select! {
            seen = &mut at_the_table => seen,
            () = sleep_until(plan.called_off) => {
                course.call_off();
                at_the_table.await
            }
        };
        let mut acknowledged = Vec::new();
        let mut streams = Vec::new();
        for player in played {
            acknowledged.extend(player.acknowledged);
            streams.push(player.seen);
        }
        streams.extend(watched);
        let finished = streams.iter().any(|stream| stream.is_over());
        let snapshots = streams.iter().map(|stream| stream.snapshots).sum();
        let broke_off = streams.iter().any(|stream| stream.broke_off);
        let (record, newest_is_known) = match newest(&acknowledged) {
            _ if finished => (self.record(plan, started).await, None),
            Some(newest) => (None, self.is_known(plan, started, newest).await),
            None => (None, None),
        };
        let account = Account {
            match_id: started.match_id.clone(),
            started_at: started.revision,
            acknowledged,
            streams,
            record,
            newest_is_known,
        };
        let findings: Vec<Finding> = account.audit();
        tally.audited(finished, snapshots, findings);
        if broke_off {
            sleep(PAUSE).await;
        }
    }

    /// Whether the service can go on from what it acknowledged; `None` if it did not say, which is counted.
    async fn is_known(&self, plan: &Plan, started: &Started, newest: &Acknowledged) -> Option<bool> {
        let client = self.players.first()?;
        match client.follow(&started.match_id, Some(newest.cursor)).next().await {
            Ok(Some(Update::Snapshot(snapshot))) => Some(!snapshot.reset),
            Ok(_) => Some(true),
            Err(error) => {
                plan.tally.fail(format!("FollowMatch of {}", started.match_id), &error);
                None
            }
        }
    }

    /// The plays on record, or why the record is not true; `None` if it could not be fetched, which is counted.
    async fn record(&self, plan: &Plan, started: &Started) -> Option<Result<Vec<Placed>, String>> {
        let request = v1::GetReplayRequest {
            match_id: started.match_id.clone(),
            ..Default::default()
        };
        match self.players.first()?.get_replay(request).await {
            Ok(replay) => Some(plays_of(&replay.record_json)),
            Err(error) => {
                plan.tally.fail(format!("GetReplay of {}", started.match_id), &error);
                None
            }
        }
    }
}
