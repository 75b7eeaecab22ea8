//! What every store must do, as functions that any store's tests call with a store of theirs.
//!
//! [`all`] runs every case on an empty store of its own and names those that fail. No case sleeps: what must happen is
//! waited for, under a deadline.

mod admin;
mod alive;
mod archive;
mod clocks;
mod erasure;
mod finding;
mod friends;
mod identity;
mod matches;
mod outbox;
mod people;
mod presence;
mod queue;
mod races;
mod rating;
mod retries;
pub mod sample;

use std::error::Error;
use std::pin::Pin;
use std::time::Duration;

use fives_lobby::store::SharedLobbyStore;

/// How long a case may take, on a slow disk too.
const DEADLINE: Duration = Duration::from_secs(60);

/// What a case ends with; an assertion that fails ends it as well.
type Outcome = Result<(), Box<dyn Error + Send + Sync>>;

type Case = fn(SharedLobbyStore) -> Pin<Box<dyn Future<Output = Outcome> + Send>>;

const CASES: &[(&str, Case)] = &[
    ("the clock does not go backwards", |store| {
        Box::pin(matches::clock(store))
    }),
    ("what is created is there, once", |store| {
        Box::pin(matches::created(store))
    }),
    ("a whole match comes back as it was", |store| {
        Box::pin(matches::whole_match(store))
    }),
    ("a commit on another state changes nothing", |store| {
        Box::pin(matches::conflict(store))
    }),
    ("nothing is committed to a match that is not there", |store| {
        Box::pin(matches::missing(store))
    }),
    ("the log is read in ranges without holes", |store| {
        Box::pin(matches::ranges(store))
    }),
    ("lists are newest first, and paged", |store| {
        Box::pin(finding::pages(store))
    }),
    ("a match moves from list to list", |store| {
        Box::pin(finding::moving(store))
    }),
    ("private and hidden matches are in no public list", |store| {
        Box::pin(finding::hidden(store))
    }),
    ("a code finds its match", |store| Box::pin(finding::invites(store))),
    ("what is due comes, the longest due first", |store| {
        Box::pin(finding::due(store))
    }),
    ("a player is kept, and found by the device", |store| {
        Box::pin(people::created(store))
    }),
    ("a player is renamed, and keeps the device", |store| {
        Box::pin(people::renamed(store))
    }),
    ("of many who come with one device, one is new", |store| {
        Box::pin(people::one_device(store))
    }),
    ("watchers hear of commits to their match", |store| {
        Box::pin(races::watchers(store))
    }),
    ("of many creations of one match, one is new", |store| {
        Box::pin(races::creators(store))
    }),
    ("N writers x M commits make N x M revisions", |store| {
        Box::pin(races::writers(store))
    }),
    ("a caller who gives up leaves a commit whole or not done", |store| {
        Box::pin(races::given_up(store))
    }),
    ("commits of many matches do not meet", |store| {
        Box::pin(races::strangers(store))
    }),
    ("a silence that was too long is an outage", |store| {
        Box::pin(alive::silence(store))
    }),
    ("the newest outages are kept, oldest first", |store| {
        Box::pin(alive::newest(store))
    }),
    ("of many who find the service silent, one records the outage", |store| {
        Box::pin(alive::together(store))
    }),
    ("absent persons come back from the log as they were", |store| {
        Box::pin(clocks::absence(store))
    }),
    ("a clock that has run out fires once", |store| {
        Box::pin(clocks::fired_once(store))
    }),
    ("what administrators do is kept, newest first", |store| {
        Box::pin(admin::audit(store))
    }),
    ("of what many do at once, everything is kept", |store| {
        Box::pin(admin::audit_together(store))
    }),
    ("a walk meets every match", |store| Box::pin(admin::walk(store))),
    ("indexes that are right need no repair", |store| {
        Box::pin(admin::repair(store))
    }),
    ("a match that is voided is in no list and not due", |store| {
        Box::pin(finding::voided(store))
    }),
    ("a retried request gets the first answer", |store| {
        Box::pin(retries::repeated(store))
    }),
    ("a request id used for something else is refused", |store| {
        Box::pin(retries::reused(store))
    }),
    ("a player has one place in line, and keeps it", |store| {
        Box::pin(queue::tickets(store))
    }),
    ("who has left a queue is told so", |store| {
        Box::pin(queue::leaving(store))
    }),
    ("a ticket without a sign of life is gone", |store| {
        Box::pin(queue::signs_of_life(store))
    }),
    ("a claim takes all tickets of a table, or none", |store| {
        Box::pin(queue::claims(store))
    }),
    ("of many claims on a ticket, one gets it", |store| {
        Box::pin(queue::claimed_once(store))
    }),
    ("which match a player got is forgotten in the end", |store| {
        Box::pin(queue::forgotten(store))
    }),
    ("it is known when a player was last there", |store| {
        Box::pin(presence::seen(store))
    }),
    ("what is archived is there once, and in the histories", |store| {
        Box::pin(archive::kept(store))
    }),
    ("a history is newest first, and paged", |store| {
        Box::pin(archive::pages(store))
    }),
    ("of many who change what is archived, nobody is lost", |store| {
        Box::pin(archive::changed_together(store))
    }),
    ("an erasure is claimed by one at a time, until it ends", |store| {
        Box::pin(erasure::claimed(store))
    }),
    ("a player goes with the device, but not with that of another", |store| {
        Box::pin(erasure::removed(store))
    }),
    ("a match gets another history, and stays where it was", |store| {
        Box::pin(erasure::rewritten(store))
    }),
    ("who stood up before the start is remembered", |store| {
        Box::pin(erasure::left(store))
    }),
    ("what is to be told is kept with the commit, in order", |store| {
        Box::pin(outbox::kept(store))
    }),
    ("a commit that is refused has nothing told", |store| {
        Box::pin(outbox::refused(store))
    }),
    ("of many who take a match over, one gets it", |store| {
        Box::pin(outbox::taken_once(store))
    }),
    (
        "a notice that failed comes again, and holds up its match alone",
        |store| Box::pin(outbox::postponed(store)),
    ),
    ("what a store makes twice is told apart by its stamp", |store| {
        Box::pin(outbox::other_stamp(store))
    }),
    ("a dead letter is kept, and comes back once", |store| {
        Box::pin(outbox::buried(store))
    }),
    ("of many who commit and tell at once, nothing is lost", |store| {
        Box::pin(outbox::together(store))
    }),
    ("of many who settle a match, one does", |store| {
        Box::pin(rating::once(store))
    }),
    ("matches of one player that end together all count", |store| {
        Box::pin(rating::together(store))
    }),
    ("a settling that was given up is finished by the next one", |store| {
        Box::pin(rating::given_up(store))
    }),
    ("what was not played to a result by people only is not rated", |store| {
        Box::pin(rating::unrated(store))
    }),
    ("nothing is settled on another standing", |store| {
        Box::pin(rating::conflict(store))
    }),
    ("the last changes are kept, newest first", |store| {
        Box::pin(rating::changes(store))
    }),
    ("a leaderboard has its order, its pages and its ranks", |store| {
        Box::pin(rating::board(store))
    }),
    ("who is forgotten has no rating and no place", |store| {
        Box::pin(rating::forgotten(store))
    }),
    ("an outside identity is one player's, for good", |store| {
        Box::pin(identity::linked(store))
    }),
    ("of many who link at once, one is first", |store| {
        Box::pin(identity::together(store))
    }),
    ("an identity that is unlinked is free again", |store| {
        Box::pin(identity::unlinked(store))
    }),
    (
        "an invite leads to its match from the commit that makes it on",
        |store| Box::pin(friends::invites(store)),
    ),
    ("a rematch is kept beside its match, version after version", |store| {
        Box::pin(friends::rematches(store))
    }),
    ("of many who offer a rematch at once, one is first", |store| {
        Box::pin(friends::answers_together(store))
    }),
    ("who comes to a match is told, and finds it", |store| {
        Box::pin(friends::newcomers(store))
    }),
    ("what is said at a match is heard there", |store| {
        Box::pin(friends::emotes(store))
    }),
];

/// Runs every case, each on the store that `open` gives it: an empty one.
///
/// # Panics
/// If a case fails; names all that did.
pub async fn all<F, Opened>(open: F)
where
    F: Fn() -> Opened,
    Opened: Future<Output = SharedLobbyStore>,
{
    let mut failed = Vec::new();
    for (name, case) in CASES {
        let store = open().await;
        // In a task of its own, so that an assertion that fails does not take the other cases with it.
        let task = tokio::spawn(tokio::time::timeout(DEADLINE, case(store)));
        match task.await {
            Ok(Ok(Ok(()))) => {}
            Ok(Ok(Err(error))) => failed.push(format!("{name}: {error}")),
            Ok(Err(_)) => failed.push(format!("{name}: not within {DEADLINE:?}")),
            Err(panicked) => failed.push(format!("{name}: {panicked}")),
        }
    }
    assert!(
        failed.is_empty(),
        "the store does not keep the contract:\n  {}",
        failed.join("\n  ")
    );
}
