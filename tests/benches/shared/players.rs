//! Two people who play match after match, as fast as they are answered. What they play they work out from the snapshot in the
//! store, so that the driver costs as little as possible.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use fives_client::v1::match_service_client::MatchServiceClient;
use fives_client::v1::player_service_client::PlayerServiceClient;
use fives_client::{Client, v1};
use fives_referee::id::MatchId;
use fives_referee::store::SharedStore;
use fives_rules::game::{Action, Game};
use fives_rules::play::{End, Play};
use tonic::Request;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::transport::Channel;

use crate::measuring::Calling;

/// What a match goes to of which hardly one ends while it is measured: beginning another one is no play.
const TARGET_POINTS: u32 = 1000;

/// Somebody who has signed in. Plays are sent as plainly as those to a bare service, so that both cost this process the same.
#[derive(Clone)]
pub(crate) struct Person {
    pub(crate) client: Client,
    pub(crate) channel: Channel,
    pub(crate) token: MetadataValue<Ascii>,
}

impl Person {
    pub(crate) async fn sign_in(channel: Channel) -> Self {
        let request = v1::SignInGuestRequest {
            display_name: "bench".to_owned(),
            ..Default::default()
        };
        let answer = PlayerServiceClient::new(channel.clone()).sign_in_guest(request).await;
        let token = answer.unwrap().into_inner().access_token;
        let client = Client::over(channel.clone());
        client.set_token(&token).unwrap();
        Self {
            client,
            channel,
            token: format!("Bearer {token}").parse().unwrap(),
        }
    }

    async fn play(&self, message: v1::PlayTileRequest) {
        let mut request = Request::new(message);
        request.metadata_mut().insert("authorization", self.token.clone());
        MatchServiceClient::new(self.channel.clone())
            .play_tile(request)
            .await
            .unwrap();
    }
}

/// As long as an id that a client makes up.
fn another_request() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    format!("{:032x}", NEXT.fetch_add(1, Ordering::Relaxed))
}

/// Two people at a table.
pub(crate) struct Duel {
    players: [Person; 2],
    store: SharedStore,
    pub(crate) match_id: String,
    pub(crate) game: Game,
}

impl Duel {
    /// Signs two people in and has them sit down.
    pub(crate) async fn sit_down(channel: Channel, store: SharedStore) -> Self {
        let players = [Person::sign_in(channel.clone()).await, Person::sign_in(channel).await];
        Self::between(players, store).await
    }

    /// Has two people sit down who have signed in.
    pub(crate) async fn between(players: [Person; 2], store: SharedStore) -> Self {
        let (match_id, game) = begin(&players, &store).await;
        Self {
            players,
            store,
            match_id,
            game,
        }
    }

    /// Has the same two begin another match.
    pub(crate) async fn begin_another(&mut self) {
        (self.match_id, self.game) = begin(&self.players, &self.store).await;
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
            request_id: another_request(),
            match_id: self.match_id.clone(),
            round: Some(self.game.round_number()),
            play: Some(message(play)),
            ..Default::default()
        };
        let sent = Instant::now();
        self.players[turn.index()].play(request).await;
        let latency = sent.elapsed();
        self.game = self.game.apply(turn, Action::Play(play), &mut ()).unwrap();
        latency
    }
}

async fn begin(players: &[Person; 2], store: &SharedStore) -> (String, Game) {
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
        options: Some(v1::MatchOptions {
            target_points: Some(TARGET_POINTS),
            ..Default::default()
        }),
        ..Default::default()
    };
    let match_id = players[0]
        .client
        .create_match(request)
        .await
        .unwrap()
        .view
        .unwrap()
        .match_id;
    let target = Some(v1::join_match_request::Target::MatchId(match_id.clone()));
    players[1]
        .client
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
