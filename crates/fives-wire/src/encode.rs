//! From the domain to messages. Whatever is encoded here was already cut to its viewer: nothing is hidden or added.

pub mod admin;
mod agenda;
mod cast;
mod clock;
pub mod dead_letters;
mod emote;
mod event;
mod history;
mod invite;
mod list;
mod options;
pub mod presence;
mod queue;
mod rating;
mod rematch;
mod view;

use fives_referee::cursor::Cursor as DomainCursor;
use fives_referee::feed::Update;
use fives_referee::player::Player;
use fives_referee::referee::Answer;
use fives_referee::time::UnixMillis;
use fives_referee::view::SeenBatch;
use fives_rules::play::{End, Play};
use fives_rules::record::Record;
use fives_rules::seat::{BySide, Seating};
use fives_rules::tile::{Tile, TileSet};
use fives_rules::view::ScoredPlay;
use prost::Message;
use prost_types::Timestamp;

pub use agenda::{agenda, agenda_reconnect};
pub use cast::cast_update;
pub use event::batch;
pub use history::list_played_matches;
pub use invite::{create_invite, list_invites};
pub use list::{match_summary, page_token};
pub(crate) use options::ALL_FIVES;
pub use options::{options, presets};
pub use queue::{leave_queue, list_queues, progress, reconnect_queue};
pub use rating::{leaderboard_token, ranked_player, rating, rating_change};
pub use rematch::rematch;
pub use view::match_view;

use crate::envelope::Envelope;
use crate::v1;

/// A cursor.
#[must_use]
pub const fn cursor(cursor: DomainCursor) -> v1::Cursor {
    v1::Cursor {
        revision: cursor.revision,
        stamp: cursor.stamp,
    }
}

/// A point in time.
#[must_use]
pub fn timestamp(at: UnixMillis) -> Timestamp {
    let seconds = i64::try_from(at.0 / 1000).unwrap_or(i64::MAX);
    Timestamp {
        seconds,
        nanos: (at.0 % 1000) as i32 * 1_000_000,
    }
}

/// A person.
#[must_use]
pub fn player(player: &Player) -> v1::Player {
    v1::Player {
        player_id: player.id.to_string(),
        display_name: player.name.to_string(),
    }
}

/// A tile.
#[must_use]
pub fn tile(tile: Tile) -> v1::Tile {
    v1::Tile {
        high: tile.high().get().into(),
        low: tile.low().get().into(),
    }
}

/// An end.
#[must_use]
pub const fn end(end: End) -> v1::End {
    match end {
        End::Left => v1::End::Left,
        End::Right => v1::End::Right,
        End::North => v1::End::North,
        End::South => v1::End::South,
    }
}

/// A play.
#[must_use]
pub fn play(play: Play) -> v1::Play {
    v1::Play {
        tile: Some(tile(play.tile)),
        end: play.end.map_or(v1::End::Unspecified, end).into(),
    }
}

/// A legal play and what it would bring.
#[must_use]
pub fn scored_play(scored: &ScoredPlay) -> v1::ScoredPlay {
    v1::ScoredPlay {
        play: Some(play(scored.play)),
        total: scored.total.into(),
        points: scored.points.into(),
    }
}

fn tiles(set: TileSet) -> Vec<v1::Tile> {
    set.iter().map(tile).collect()
}

fn by_side<T: Copy, U>(seating: Seating, values: &BySide<T>, encode: impl Fn(T) -> U) -> Vec<U> {
    seating.sides().map(|side| encode(values[side])).collect()
}

/// What a stream brings.
#[must_use]
pub fn update(update: &Update) -> v1::MatchUpdate {
    use v1::match_update::Update as Kind;
    let kind = match update {
        Update::Snapshot { view, reset } => Kind::Snapshot(v1::Snapshot {
            view: Some(match_view(view)),
            reset: *reset,
        }),
        Update::Revisions { batches, view, .. } => Kind::Revisions(v1::Revisions {
            batches: batches.iter().map(batch).collect(),
            view: Some(match_view(view)),
        }),
        Update::Heartbeat {
            cursor: at,
            now,
            timer,
            connections,
        } => Kind::Heartbeat(v1::Heartbeat {
            cursor: Some(cursor(*at)),
            server_time: Some(timestamp(*now)),
            turn_timer: timer.map(clock::turn_timer),
            connections: connections
                .iter()
                .map(|one| presence::connection(*one).into())
                .collect(),
        }),
        Update::Emote { emote, .. } => Kind::Emote(emote::emote(emote)),
    };
    v1::MatchUpdate { update: Some(kind) }
}

/// What a stream brings, in its envelope; what goes to many is encoded for the first of them.
#[must_use]
pub fn envelope(update: &Update) -> Envelope {
    match update {
        Update::Revisions { encoded, .. } => {
            Envelope::Sealed(encoded.get_or_make(|| self::update(update).encode_to_vec().into()))
        }
        Update::Snapshot { .. } | Update::Heartbeat { .. } | Update::Emote { .. } => self::update(update).into(),
    }
}

/// Sends a viewer away, to come again after this long.
#[must_use]
pub fn reconnect(after_ms: u32) -> Envelope {
    let update = v1::match_update::Update::Reconnect(v1::Reconnect { after_ms });
    v1::MatchUpdate { update: Some(update) }.into()
}

/// Declares the answers to commands: some show the match, all show the revision.
macro_rules! answers {
    ($($(#[$doc:meta])* $name:ident($answer:ident: &$given:ty) -> $response:ident { $batch:expr $(, $view:expr)? };)+) => {
        $(
            $(#[$doc])*
            #[must_use]
            pub fn $name($answer: &$given) -> v1::$response {
                v1::$response {
                    cursor: Some(cursor($batch.cursor)),
                    batch: Some(batch(&$batch)),
                    $(view: Some(match_view(&$view)),)?
                }
            }
        )+
    };
}

answers! {
    /// A new match.
    create_match(answer: &Answer) -> CreateMatchResponse { answer.batch, answer.view };
    /// A seat that was taken.
    join_match(answer: &Answer) -> JoinMatchResponse { answer.batch, answer.view };
    /// A seat that was left.
    leave_match(answer: &SeenBatch) -> LeaveMatchResponse { answer };
    /// A tile that was placed.
    play_tile(answer: &SeenBatch) -> PlayTileResponse { answer };
    /// A player who gave up.
    resign(answer: &SeenBatch) -> ResignResponse { answer };
    /// A seat that was taken back.
    reclaim_seat(answer: &SeenBatch) -> ReclaimSeatResponse { answer };
    /// An invite that was taken back.
    revoke_invite(answer: &SeenBatch) -> RevokeInviteResponse { answer };
}

/// The record of a match.
///
/// # Errors
/// Never for a record that the rules wrote.
pub fn replay(record: &Record) -> Result<v1::GetReplayResponse, serde_json::Error> {
    Ok(v1::GetReplayResponse {
        record_json: serde_json::to_string(record)?,
    })
}

/// 32 public bytes.
fn bytes(bytes: &[u8]) -> prost::bytes::Bytes {
    prost::bytes::Bytes::copy_from_slice(bytes)
}
