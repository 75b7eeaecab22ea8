//! Keys and members. `f1` is the version of this layout.
//!
//! | key | type | content |
//! |---|---|---|
//! | `f1:{<n>}:m:<match>` | hash | the newest state: `cursor`, `table` (a snapshot), `due`, `list` |
//! | `f1:{<n>}:x:<match>` | stream | the log: an entry a revision, id `<revision>-0`, field `b` |
//! | `f1:{<n>}:due` | sorted set | what is due, by time |
//! | `f1:{<n>}:open`, `f1:{<n>}:live` | sorted set | lists, by name: newest first |
//! | `f1:{<n>}:w:<match>` | hash | watchers of a match, by replica |
//! | `f1:{<n>}:or:<match>`, `f1:{<n>}:oh:<match>` | list | notices of a match, for each lane (results, hooks), in order |
//! | `f1:{<n>}:ort:<match>`, `f1:{<n>}:oht:<match>` | string | how often the first of them was tried in vain |
//! | `f1:{<n>}:or`, `f1:{<n>}:oh` | sorted set | matches with notices, by when they are looked at next |
//! | `f1:{<n>}:ors`, `f1:{<n>}:ohs` | sorted set | the same, by when their first notice was made |
//! | `f1:{<n>}:od`, `f1:{<n>}:odt` | hash, sorted set | dead letters by name; when each was buried |
//! | `f1:{<n>}:r:<match>` | hash | what was said to a rematch: `v` (its version), `b` |
//! | `f1:{p:<player>}` | string | a player |
//! | `f1:{p:<player>}:m` | sorted set | the matches of a player, by name: newest first |
//! | `f1:{p:<player>}:seen` | string | when a player was last there, in milliseconds |
//! | `f1:{v:<device>}`, `f1:{i:<code>}` | string | whose device it is; which match the code opens |
//! | `f1:{p:<player>}:r:<pool>` | sorted set | the last changes of a player's rating, by number |
//! | `f1:{r:<pool>}:p:<player>` | hash | a standing: `n` matches, `s` (the standing), `p` (the place, if it is listed) |
//! | `f1:{r:<pool>}:b` | sorted set | the leaderboard, best first: points below zero, then the place |
//! | `f1:{r:<pool>}:s:<match>` | string | the note that a match is settled, and how |
//! | `f1:{clock}`, `f1:{clock}:o` | string, list | when a replica last was alive; outages |
//! | `f1:{u:<issuer>}:i:<subject>` | string | the player of an outside identity; both names are hashes |
//! | `f1:{u:<issuer>}:p:<player>` | string | which subject a player is to that issuer |
//! | `f1:{audit}` | stream | what administrators have done, field `b` |
//! | `f1:{q:<queue>}:t` | hash | who waits: the id of the ticket, then the ticket |
//! | `f1:{q:<queue>}:o`, `f1:{q:<queue>}:r` | sorted set | who waits, by since when; by their last sign of life |
//! | `f1:{q:<queue>}:c`, `f1:{q:<queue>}:a` | hash, sorted set | claims, by match; by their time |
//! | `f1:{q:<queue>}:e` | string | how long waits were lately, in ms |
//! | `f1:{q:<queue>}:p:<player>` | string | what a player has instead of a ticket: `c` or `m` and the match, or `l` for having left |
//! | `f1:{a:<match>}` | hash | what is archived of a match: `h`, and its record `r` |
//! | `f1:{p:<player>}:h` | sorted set | what a player has played, by name: newest first |
//! | `f1:{p:<player>}:l` | set | matches at whose tables a player stood up before the start |
//! | `f1:{erase}`, `f1:{erase}:j` | sorted set, hash | who is being erased, by when to carry on; the erasures |
//! | `f1:{erase}:t` | sorted set | marks of those who were erased, by when |
//!
//! Announced are, in `f1:<match>`, commits and what is said at the table, and in `f1:<player>` that there may be news of a player.
//!
//! A match lives in one of [`SHARDS`] shards, which follows from its id. All of a shard is in one slot of a cluster, so one
//! script changes a match together with the lists that it is in. All ratings of a pool are in one slot for the same reason: one
//! script settles a match for all of its players, and moves them on the leaderboard, which cannot be in two anyway. All
//! identities of an issuer are in one slot, too: a link is two keys that must agree.

use std::fmt::{self, Display};

use data_encoding::HEXLOWER;
use fives_lobby::identity::{IdentityKey, IssuerKey};
use fives_lobby::queue::QueueName;
use fives_lobby::rating::Pool;
use fives_referee::id::{InviteCode, MatchId, PlayerId};
use fives_referee::listing::Listing;
use fives_referee::notice::Lane;
use fives_referee::player::DeviceHash;
use redis::{RedisWrite, ToRedisArgs};

/// How many shards the matches are spread over. Part of the layout: another number would not find them again.
pub(super) const SHARDS: u8 = 32;

/// The key whose node's clock counts: the last sign of life. And the times when nobody was there.
pub(super) const CLOCK: &str = "f1:{clock}";
pub(super) const OUTAGES: &str = "f1:{clock}:o";

/// What administrators have done.
pub(super) const AUDIT: &str = "f1:{audit}";

/// Who is being erased: by when to carry on, and what is known of it. And the marks of those who were.
pub(super) const ERASURES_DUE: &str = "f1:{erase}";
pub(super) const ERASURES: &str = "f1:{erase}:j";
pub(super) const ERASED: &str = "f1:{erase}:t";

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

/// What is to be told of a match.
pub(super) fn notices(lane: Lane, id: &MatchId) -> Text<impl Display> {
    Text(fmt::from_fn(move |f| {
        write!(f, "f1:{{{}}}:{}:{id}", shard(id), of_lane(lane))
    }))
}

/// How often the first of it was tried in vain.
pub(super) fn tries(lane: Lane, id: &MatchId) -> Text<impl Display> {
    Text(fmt::from_fn(move |f| {
        write!(f, "f1:{{{}}}:{}t:{id}", shard(id), of_lane(lane))
    }))
}

/// Of which matches of a shard there is something to tell, by when they are looked at next.
pub(super) fn errands(lane: Lane, shard: u8) -> Text<impl Display> {
    of_shard(shard, of_lane(lane))
}

/// The same, by when the first notice of each was made.
pub(super) fn waiting(lane: Lane, shard: u8) -> Text<impl Display> {
    Text(fmt::from_fn(move |f| write!(f, "f1:{{{shard}}}:{}s", of_lane(lane))))
}

const fn of_lane(lane: Lane) -> &'static str {
    match lane {
        Lane::Results => "or",
        Lane::Hooks => "oh",
    }
}

/// What could not be delivered, and when each was given up.
pub(super) const DEAD: &str = "od";
pub(super) const BURIED: &str = "odt";

pub(super) fn player(id: &PlayerId) -> String {
    format!("f1:{{p:{id}}}")
}

/// When a player was last there.
pub(super) fn last_seen(id: &PlayerId) -> String {
    format!("f1:{{p:{id}}}:seen")
}

pub(super) fn matches_of(id: &PlayerId) -> String {
    format!("f1:{{p:{id}}}:m")
}

pub(super) fn standing(pool: Pool, player: &PlayerId) -> String {
    format!("f1:{{r:{}}}:p:{player}", pool.name())
}

pub(super) fn board(pool: Pool) -> String {
    format!("f1:{{r:{}}}:b", pool.name())
}

pub(super) fn settlement(pool: Pool, id: &MatchId) -> String {
    format!("f1:{{r:{}}}:s:{id}", pool.name())
}

pub(super) fn rating_changes(pool: Pool, player: &PlayerId) -> String {
    format!("f1:{{p:{player}}}:r:{}", pool.name())
}

pub(super) fn history(id: &PlayerId) -> String {
    format!("f1:{{p:{id}}}:h")
}

pub(super) fn left_by(id: &PlayerId) -> String {
    format!("f1:{{p:{id}}}:l")
}

pub(super) fn archived(id: &MatchId) -> String {
    format!("f1:{{a:{id}}}")
}

pub(super) fn device(device: &DeviceHash) -> Vec<u8> {
    [b"f1:{v:".as_slice(), &device.0, b"}"].concat()
}

pub(super) fn invite(code: &InviteCode) -> Vec<u8> {
    [b"f1:{i:".as_slice(), code.as_bytes(), b"}"].concat()
}

/// What is about a whole queue.
pub(super) fn of_queue(queue: &QueueName, kind: &str) -> String {
    format!("f1:{{q:{queue}}}:{kind}")
}

/// What a player has of a queue instead of a ticket.
pub(super) fn instead(queue: &QueueName, player: &PlayerId) -> String {
    format!("f1:{{q:{queue}}}:p:{player}")
}

/// The player of an outside identity.
pub(super) fn identity(identity: &IdentityKey) -> String {
    let subject = HEXLOWER.encode(&identity.subject);
    format!("f1:{{u:{}}}:i:{subject}", identity.issuer)
}

/// What the keys of an issuer's identities begin with.
pub(super) fn identities_of(issuer: &IssuerKey) -> String {
    format!("f1:{{u:{issuer}}}:i:")
}

/// Which subject a player is to an issuer.
pub(super) fn subject_of(issuer: &IssuerKey, player: &PlayerId) -> String {
    format!("f1:{{u:{issuer}}}:p:{player}")
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
