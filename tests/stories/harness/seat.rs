//! People who play by themselves, and check what they are shown while they do.

use fives_client::v1::match_update::Update;
use fives_client::{Client, v1};

use super::{Witness, in_time, view_of};

/// Somebody at a table.
pub(crate) struct Seated {
    pub(crate) client: Client,
    pub(crate) match_id: String,
}

impl Seated {
    pub(crate) fn new(client: &Client, match_id: &str) -> Self {
        Self {
            client: client.clone(),
            match_id: match_id.to_owned(),
        }
    }

    /// Plays the match to its end, greedily, and gives everything that was seen.
    pub(crate) async fn play_to_the_end(self) -> Witness {
        let mut updates = self.client.follow(&self.match_id, None);
        let mut witness = Witness::default();
        while let Some(update) = in_time("the next update", updates.next())
            .await
            .expect("the stream goes on")
        {
            witness.see(&update);
            if let (Some(request), false) = (self.greedy_play(&witness), matches!(update, Update::Heartbeat(_))) {
                let played = self.client.play_tile(request).await.expect("a legal play is accepted");
                assert!(
                    played.batch.is_some_and(|batch| !batch.events.is_empty()),
                    "a play is answered with its events"
                );
            }
        }
        witness
    }

    /// The request that a greedy player would send now, if it is the player's turn.
    pub(crate) fn greedy_play(&self, witness: &Witness) -> Option<v1::PlayTileRequest> {
        let round = witness.view()?.round.as_ref()?;
        let best = round.legal_plays.iter().max_by_key(|scored| scored.points)?;
        Some(v1::PlayTileRequest {
            match_id: self.match_id.clone(),
            round: Some(round.round),
            play: best.play,
            ..Default::default()
        })
    }
}

/// The next play of whoever is on turn.
pub(crate) async fn next_play(clients: &[Client; 2], match_id: &str) -> (usize, v1::PlayTileRequest) {
    for (seat, client) in clients.iter().enumerate() {
        let round = view_of(client, match_id).await.round.expect("it has begun");
        if let Some(best) = round.legal_plays.first() {
            let request = v1::PlayTileRequest {
                request_id: format!("{match_id}-{}-{}", round.round, round.layout.len()),
                match_id: match_id.to_owned(),
                round: Some(round.round),
                play: best.play,
                ..Default::default()
            };
            return (seat, request);
        }
    }
    panic!("somebody is on turn in a match that was just begun");
}

/// Has all of them play the match to its end; gives what each saw, in their order.
pub(crate) async fn play_out(clients: &[Client], match_id: &str) -> Vec<Witness> {
    let playing = clients
        .iter()
        .map(|client| tokio::spawn(Seated::new(client, match_id).play_to_the_end()));
    let mut seen = Vec::with_capacity(clients.len());
    for player in playing.collect::<Vec<_>>() {
        seen.push(in_time("a whole match", player).await.expect("a player finished"));
    }
    seen
}
