//! Two people who play match after match, as fast as they are answered. What they play they work out from the snapshot in the
//! store, so that the driver costs as little as possible.

use std::time::{Duration, Instant};

use fives_client::{Client, v1};
use fives_referee::id::MatchId;
use fives_referee::store::SharedStore;
use fives_rules::game::{Action, Game};
use fives_rules::play::{End, Play};
use tonic::transport::Channel;

use crate::measuring::Calling;

/// Two people at a table.
pub(crate) struct Duel {
    players: [Client; 2],
    store: SharedStore,
    target_points: Option<u32>,
    pub(crate) match_id: String,
    pub(crate) game: Game,
}

impl Duel {
    /// Signs two people in and has them sit down. They play for so many points, or for as many as usual.
    pub(crate) async fn sit_down(channel: Channel, store: SharedStore, target_points: Option<u32>) -> Self {
        let first = Client::over(channel);
        let second = first.another_player();
        for client in [&first, &second] {
            client.sign_in("bench", None).await.unwrap();
        }
        Self::between([first, second], store, target_points).await
    }

    /// Has two people sit down who have signed in.
    pub(crate) async fn between(players: [Client; 2], store: SharedStore, target_points: Option<u32>) -> Self {
        let (match_id, game) = begin(&players, &store, target_points).await;
        Self {
            players,
            store,
            target_points,
            match_id,
            game,
        }
    }

    /// Has the same two begin another match.
    pub(crate) async fn begin_another(&mut self) {
        (self.match_id, self.game) = begin(&self.players, &self.store, self.target_points).await;
    }
}

impl Calling for Duel {
    async fn call(&mut self) -> Duration {
        if self.game.outcome().is_some() {
            self.begin_another().await;
        }
        let turn = self.game.turn().unwrap();
        let play = self.game.legal().nth(0).unwrap();
        let request = v1::PlayTileRequest {
            match_id: self.match_id.clone(),
            round: Some(self.game.round_number()),
            play: Some(message(play)),
            ..Default::default()
        };
        let sent = Instant::now();
        self.players[turn.index()].play_tile(request).await.unwrap();
        let latency = sent.elapsed();
        self.game = self.game.apply(turn, Action::Play(play), &mut ()).unwrap();
        latency
    }
}

async fn begin(players: &[Client; 2], store: &SharedStore, target_points: Option<u32>) -> (String, Game) {
    let me = v1::seat_request::Occupant::Me(v1::seat_request::Me {});
    let open = v1::seat_request::Occupant::Open(v1::seat_request::Open {});
    let request = v1::CreateMatchRequest {
        seats: [me, open]
            .map(|occupant| v1::SeatRequest {
                occupant: Some(occupant),
            })
            .to_vec(),
        visibility: v1::MatchVisibility::Public.into(),
        spectators_allowed: true,
        options: target_points.map(|target_points| v1::MatchOptions {
            target_points: Some(target_points),
            ..Default::default()
        }),
        ..Default::default()
    };
    let match_id = players[0].create_match(request).await.unwrap().view.unwrap().match_id;
    let target = Some(v1::join_match_request::Target::MatchId(match_id.clone()));
    players[1]
        .join_match(v1::JoinMatchRequest {
            target,
            ..Default::default()
        })
        .await
        .unwrap();
    let id: MatchId = match_id.parse().unwrap();
    let game = *store.load(&id).await.unwrap().unwrap().game().unwrap();
    (match_id, game)
}

fn message(play: Play) -> v1::Play {
    let end = match play.end {
        None => v1::End::Unspecified,
        Some(End::Left) => v1::End::Left,
        Some(End::Right) => v1::End::Right,
        Some(End::North) => v1::End::North,
        Some(End::South) => v1::End::South,
    };
    let (high, low) = (play.tile.high().get().into(), play.tile.low().get().into());
    v1::Play {
        tile: Some(v1::Tile { high, low }),
        end: end.into(),
    }
}
