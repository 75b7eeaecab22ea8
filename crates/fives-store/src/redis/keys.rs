//! Keys and members. `f1` is the version of this layout.
//!
//! | key | type | content |
//! |---|---|---|
//! | `f1:{<n>}:m:<match>` | hash | the newest state: `cursor`, `table` (a snapshot), `due`, `list` |
//! | `f1:{<n>}:x:<match>` | stream | the log: an entry a revision, id `<revision>-0`, field `b` |
//! | `f1:{<n>}:due` | sorted set | what is due, by time |
//! | `f1:{<n>}:open`, `f1:{<n>}:live` | sorted set | lists, by name: newest first |
//! | `f1:{<n>}:w:<match>` | hash | watchers of a match, by replica |
//! | `f1:{<n>}:r:<match>` | hash | what was said to a rematch: `v` (its version), `b` |
//! | `f1:{p:<player>}` | string | a player |
//! | `f1:{p:<player>}:m` | sorted set | the matches of a player, by name: newest first |
//! | `f1:{v:<device>}`, `f1:{i:<code>}` | string | whose device it is; which match the code opens |
//! | `f1:{clock}`, `f1:{clock}:o` | string, list | when a replica last was alive; outages |
//! | `f1:{audit}` | stream | what administrators have done, field `b` |
//!
//! Announced are, in `f1:<match>`, commits and what is said at the table, and in `f1:<player>` that there may be news of a player.
//!
//! A match lives in one of [`SHARDS`] shards, which follows from its id. All of a shard is in one slot of a cluster, so one
//! script changes a match together with the lists that it is in.

use std::fmt::{self, Display};

use fives_referee::id::{InviteCode, MatchId, PlayerId};
use fives_referee::listing::Listing;
use fives_referee::player::DeviceHash;
use redis::{RedisWrite, ToRedisArgs};

/// How many shards the matches are spread over. Part of the layout: another number would not find them again.
pub(super) const SHARDS: u8 = 32;

/// The key whose node's clock counts: the last sign of life. And the times when nobody was there.
pub(super) const CLOCK: &str = "f1:{clock}";
pub(super) const OUTAGES: &str = "f1:{clock}:o";

/// What administrators have done.
pub(super) const AUDIT: &str = "f1:{audit}";

/// An argument that is written as it is displayed, straight into the command.
pub(super) struct Text<D>(pub(super) D);

impl<D: Display> ToRedisArgs for Text<D> {
    fn write_redis_args<W: ?Sized + RedisWrite>(&self, out: &mut W) {
        out.write_arg_fmt(&self.0);
    }
}

impl<D: Display> Display for Text<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The shard of a match. Ids are hashes or random, so any byte spreads them evenly.
pub(super) fn shard(id: &MatchId) -> u8 {
    id.as_bytes()[0] % SHARDS
}

/// A key of the slot that everything about a match is in.
pub(super) fn slot(id: &MatchId) -> Vec<u8> {
    of_shard(shard(id), "").to_string().into_bytes()
}

/// What is about one match.
pub(super) fn of_match(kind: char, id: &MatchId) -> Text<impl Display> {
    Text(fmt::from_fn(move |f| write!(f, "f1:{{{}}}:{kind}:{id}", shard(id))))
}

/// Of which match a key holds the newest state.
pub(super) fn parse_match(key: &str) -> Option<MatchId> {
    key.rsplit_once(":m:")?.1.parse().ok()
}

/// What is about all matches of a shard.
pub(super) fn of_shard(shard: u8, kind: &str) -> Text<impl Display> {
    Text(fmt::from_fn(move |f| write!(f, "f1:{{{shard}}}:{kind}")))
}

/// What something is announced of.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Topic {
    Match(MatchId),
    Player(PlayerId),
}

/// Where that is announced.
pub(super) fn channel(topic: &Topic) -> Text<impl Display> {
    Text(fmt::from_fn(move |f| match topic {
        Topic::Match(id) => write!(f, "f1:{id}"),
        Topic::Player(id) => write!(f, "f1:{id}"),
    }))
}

/// What is announced here.
pub(super) fn parse_channel(channel: &str) -> Option<Topic> {
    let id = channel.strip_prefix("f1:")?;
    let player = || id.parse().map(Topic::Player).ok();
    id.parse().map(Topic::Match).ok().or_else(player)
}

pub(super) fn player(id: &PlayerId) -> String {
    format!("f1:{{p:{id}}}")
}

pub(super) fn matches_of(id: &PlayerId) -> String {
    format!("f1:{{p:{id}}}:m")
}

pub(super) fn device(device: &DeviceHash) -> Vec<u8> {
    [b"f1:{v:".as_slice(), &device.0, b"}"].concat()
}

pub(super) fn invite(code: &InviteCode) -> Vec<u8> {
    [b"f1:{i:".as_slice(), code.as_bytes(), b"}"].concat()
}

/// The sorted set of a list in a shard; the matches of a player are together.
pub(super) fn list(listing: &Listing, shard: u8) -> String {
    match listing {
        Listing::Open => of_shard(shard, OPEN).to_string(),
        Listing::Live => of_shard(shard, LIVE).to_string(),
        Listing::Of(player) => matches_of(player),
    }
}

pub(super) const OPEN: &str = "open";
pub(super) const LIVE: &str = "live";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_names_its_match() {
        let id = MatchId::from_bytes([200; 16]);
        assert_eq!(parse_match(&of_match('m', &id).to_string()), Some(id));
        assert_eq!(parse_match(&of_match('x', &id).to_string()), None);
        assert_eq!(parse_match("f1:{p:x}:m"), None);
    }

    #[test]
    fn a_channel_names_its_match_or_its_player() {
        let id = MatchId::from_bytes([200; 16]);
        for topic in [Topic::Match(id), Topic::Player(PlayerId::from_bytes([200; 16]))] {
            assert!(parse_channel(&channel(&topic).to_string()) == Some(topic));
        }
        assert!(parse_channel("f1:nonsense").is_none());
        assert!(shard(&id) < SHARDS);
    }
}
