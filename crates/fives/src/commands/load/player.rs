//! A person at a table, who plays at random.

use std::time::Duration;

use fives_client::v1::match_update::Update;
use fives_client::{Client, v1};
use fives_rules::deal::Stream;
use sha2::{Digest, Sha256};
use tokio::time::{Instant, sleep};

use super::audit::Acknowledged;
use super::finding::Viewer;
use super::seen::Seen;
use super::tally::Tally;
use super::viewing::{Course, Viewing};

/// Somebody in a seat of one match.
pub(super) struct Player<'a> {
    pub(super) client: &'a Client,
    pub(super) match_id: &'a str,
    pub(super) seat: u32,
    /// Begins every request id; no two players of a run share it.
    pub(super) request_prefix: String,
    pub(super) chance: Stream,
    pub(super) think: Duration,
    pub(super) course: &'a Course,
    pub(super) tally: &'a Tally,
}

/// What a person has seen, and what the service has answered.
pub(super) struct Played {
    pub(super) seen: Seen,
    pub(super) acknowledged: Vec<Acknowledged>,
}

/// What the choices of a seat follow from.
pub(super) fn chance(seed: u64, match_number: u64, seat: u32) -> Stream {
    let key = Sha256::new()
        .chain_update("fives load")
        .chain_update(seed.to_be_bytes())
        .chain_update(match_number.to_be_bytes())
        .chain_update(seat.to_be_bytes())
        .finalize();
    Stream::new(key.into())
}

impl Player<'_> {
    /// Plays the match to its end, or until it is called off.
    pub(super) async fn play(mut self) -> Played {
        let updates = self.client.follow(self.match_id, None);
        let mut viewing = Viewing::new(updates, Viewer::Seat(self.seat), self.course, self.tally);
        let mut acknowledged = Vec::new();
        let mut next_request = 0_u64;
        let mut newest = v1::Cursor::default();
        while let Some(update) = viewing.next().await {
            let (view, reset) = match &update {
                Update::Snapshot(snapshot) => (snapshot.view.as_ref(), snapshot.reset),
                Update::Revisions(revisions) => (revisions.view.as_ref(), false),
                Update::Heartbeat(_) | Update::Reconnect(_) | Update::Emote(_) => continue,
            };
            let Some(view) = view else { continue };
            let shown = view.cursor.unwrap_or_default();
            // A stream may still show what was there before the last play, which it did not wait for.
            if !reset && shown.revision < newest.revision {
                continue;
            }
            newest = shown;
            let Some(request) = self.choose(view, next_request) else {
                continue;
            };
            next_request += 1;
            let answer = self.course.unless_called_off(self.send(&request)).await;
            if let Some(answer) = answer {
                let answered = Acknowledged::new(self.seat, &request, &answer);
                newest = answered.cursor;
                self.course.acknowledge(newest.revision);
                acknowledged.push(answered);
            }
        }
        let seen = viewing.into_seen();
        Played { seen, acknowledged }
    }

    /// The play for the turn that `view` shows, if it is the player's. Its request id is chosen here, once: however often the
    /// client sends the request, it is the same one.
    fn choose(&mut self, view: &v1::MatchView, number: u64) -> Option<v1::PlayTileRequest> {
        let round = view.round.as_ref()?;
        let choices = u32::try_from(round.legal_plays.len())
            .ok()
            .filter(|&choices| choices > 0)?;
        let scored = round.legal_plays.get(self.chance.below(choices) as usize)?;
        Some(v1::PlayTileRequest {
            request_id: format!("{}-{number}", self.request_prefix),
            match_id: self.match_id.to_owned(),
            round: Some(round.round),
            play: scored.play,
            ..Default::default()
        })
    }

    /// Sends the request until it is answered. What cannot be had is counted, and calls the match off.
    async fn send(&self, request: &v1::PlayTileRequest) -> Option<v1::PlayTileResponse> {
        if !self.think.is_zero() {
            sleep(self.think).await;
        }
        let sent = Instant::now();
        match self.client.play_tile(request.clone()).await {
            Ok(answer) => {
                self.tally.moved(sent.elapsed());
                Some(answer)
            }
            Err(error) => {
                let what = format!("PlayTile {} of {}", request.request_id, self.match_id);
                self.tally.fail(what, &error);
                self.course.call_off();
                None
            }
        }
    }
}
