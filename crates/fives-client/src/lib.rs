//! The Rust client of Fives, made for bad networks.
//!
//! - A call that may have been lost is sent again, with the same request id, until it is answered or its time is over: a
//!   play is never made twice, and a play that was acknowledged is never lost.
//! - A stream that breaks is resumed from the last cursor: nothing is missed, or a snapshot says so.
//! - A refusal is an [`Error::Refused`] with its reason, not a text.
//!
//! ```no_run
//! # async fn example() -> Result<(), fives_client::Error> {
//! use fives_client::{Client, v1};
//!
//! let client = Client::connect_lazy("http://127.0.0.1:7400")?;
//! client.sign_in("anna", None).await?;
//! let mine = v1::seat_request::Occupant::Me(v1::seat_request::Me {});
//! let bot = v1::seat_request::Occupant::Bot(v1::BotKind::Greedy.into());
//! let created = client
//!     .create_match(v1::CreateMatchRequest {
//!         seats: [mine, bot].map(|occupant| v1::SeatRequest { occupant: Some(occupant) }).to_vec(),
//!         visibility: v1::MatchVisibility::Public.into(),
//!         ..Default::default()
//!     })
//!     .await?;
//! let mut updates = client.follow(&created.view.unwrap_or_default().match_id, None);
//! while let Some(update) = updates.next().await? {
//!     // Draw `update`, and play when it is your turn.
//! }
//! # Ok(())
//! # }
//! ```

mod admin;
mod client;
mod error;
mod follow;
mod follow_player;
mod lasting;
mod queue;
mod retry;
mod tls;

pub use admin::AdminClient;
pub use client::Client;
pub use error::{Error, Refused};
pub use fives_wire::admin::v1 as admin_v1;
pub use fives_wire::v1;
pub use follow::Updates;
pub use follow_player::PlayerUpdates;
pub use queue::Queued;
pub use retry::RetryPolicy;
pub use tls::Tls;
