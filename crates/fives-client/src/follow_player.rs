//! The stream of all matches of a player.

use fives_wire::v1;
use fives_wire::v1::follow_player_response::Update;
use fives_wire::v1::player_service_client::PlayerServiceClient;

use crate::client::Client;
use crate::error::Error;
use crate::lasting::{self, Lasting};

/// What is new in the player's matches. After the connection broke it begins with all there is again.
pub struct PlayerUpdates {
    stream: Lasting<Update>,
}

impl lasting::Update for Update {
    type Message = v1::FollowPlayerResponse;

    fn read(message: v1::FollowPlayerResponse) -> Option<Self> {
        message.update
    }

    fn come_again_ms(&self) -> Option<u32> {
        match self {
            Self::Reconnect(reconnect) => Some(reconnect.after_ms),
            _ => None,
        }
    }
}

impl PlayerUpdates {
    pub(crate) const fn new(client: Client) -> Self {
        Self {
            stream: Lasting::new(client),
        }
    }

    /// The next update, heartbeats included. A process that stops sends its players away: that is dealt with here, and not shown.
    ///
    /// # Errors
    /// Why the service refused, or that the connection was lost for too long. Call it again to try again.
    pub async fn next(&mut self) -> Result<Update, Error> {
        let open = async |client: Client| {
            let mut service = PlayerServiceClient::new(client.channel());
            service.follow_player(client.request(v1::FollowPlayerRequest {})).await
        };
        self.stream.next(open).await
    }
}
