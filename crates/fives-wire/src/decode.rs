//! From messages to the domain: the door for everything that clients send (law 6).
//!
//! What comes out cannot be wrong any more; what cannot be taken is refused with each field at fault and the reason. Nothing
//! that is missing and matters is made up here.

pub mod admin;
mod cast;
mod clock;
mod create;
pub mod dead_letters;
mod emote;
mod field;
mod history;
mod invalid;
mod invite;
mod list;
pub mod platform;
mod play;
mod player;
pub mod presence;
mod queue;
mod rating;
mod rematch;
mod seat;
mod sight;

pub use cast::cast_match;
pub use create::create_match;
pub use emote::send_emote;
pub use history::{ListPlayed, delete_player, list_played_matches};
pub use invalid::{Invalid, InvalidKind, Violation};
pub use invite::{CreateInvite, create_invite, list_invites, revoke_invite};
pub use list::{ListMatches, ListPage, Scope, list_live_matches, list_matches};
pub use play::{PlayTile, play_tile, reclaim_seat, resign};
pub use player::{get_player, link_identity, sign_in_guest, update_player};
pub use queue::{JoinQueue, join_queue, leave_queue};
pub use rating::{LeaderboardBegin, LeaderboardPage, get_rank, get_ratings, list_leaderboard, list_rating_changes};
pub use rematch::{answer_rematch, get_rematch};
pub use seat::{JoinMatch, join_match, leave_match};
pub use sight::{Following, follow_match, get_match, get_replay, watch_match};
