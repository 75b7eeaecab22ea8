//! What is to be told of matches, kept with the commits that it follows from, and what could not be delivered.

use async_trait::async_trait;
use fives_referee::id::MatchId;
use fives_referee::notice::{Lane, Notice, NoticeId};
use fives_referee::store::StoreError;
use fives_referee::time::UnixMillis;

/// How many dead letters are kept, the newest. A store that spreads them over shards may let one go a little before.
pub const DEAD_LETTERS_MAX: usize = 3_200;

/// A match of which something is to be told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Errand {
    /// Which.
    pub id: MatchId,
    /// When it was to be looked at: whoever takes it over names this.
    pub at: UnixMillis,
}

/// The first notice of a match that is still to be told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parcel {
    /// What.
    pub notice: Notice,
    /// How often it was tried in vain.
    pub tries: u32,
}

/// A notice that was given up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeadLetter {
    /// What was to be told.
    pub notice: Notice,
    /// When it was given up.
    pub buried_at: UnixMillis,
    /// How often it was tried.
    pub tries: u32,
    /// What went wrong the last time.
    pub why: String,
}

/// How far behind a lane is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Backlog {
    /// Of how many matches there is something to tell.
    pub matches: u64,
    /// Since when the longest of them waits; `None` if there is none.
    pub since: Option<UnixMillis>,
}

/// Keeps what is to be told. Notices come into it by commits alone.
///
/// All of a match is told in order. Who wants to tell it takes the match over until some time, by compare-and-set, and tells its
/// first notice; whoever comes after that time takes it over from there.
#[async_trait]
pub trait OutboxStore: Send + Sync + 'static {
    /// At most `limit` matches that are to be looked at by `now`, the longest due first.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn errands(&self, lane: Lane, now: UnixMillis, limit: usize) -> Result<Vec<Errand>, StoreError>;

    /// Takes a match over until `until`, if nobody else has since it was found, and gives its first notice. `None` if somebody
    /// has, or if there is nothing left to tell.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn take_errand(&self, lane: Lane, errand: Errand, until: UnixMillis) -> Result<Option<Parcel>, StoreError>;

    /// Takes a notice out, if it is the first of its match; false if it is not (any more). What is left of the match stays with
    /// whoever has taken it over.
    ///
    /// # Errors
    /// [`StoreError`]; [`StoreError::Unconfirmed`] if it is perhaps out.
    async fn settle_notice(&self, lane: Lane, id: &NoticeId) -> Result<bool, StoreError>;

    /// Has a notice tried again at `at`, if it is the first of its match, and keeps how often it was tried; false if it is not
    /// (any more).
    ///
    /// # Errors
    /// [`StoreError`]; [`StoreError::Unconfirmed`] if that is perhaps kept.
    async fn postpone_notice(&self, lane: Lane, id: &NoticeId, at: UnixMillis, tries: u32) -> Result<bool, StoreError>;

    /// Takes a notice for the platform out, if it is the first of its match, and keeps it among the dead letters; false if it is
    /// not (any more).
    ///
    /// # Errors
    /// [`StoreError`]; [`StoreError::Unconfirmed`] if that is perhaps kept.
    async fn bury_notice(&self, letter: &DeadLetter) -> Result<bool, StoreError>;

    /// The newest dead letters, the last one first, at most `limit`.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn dead_letters(&self, limit: usize) -> Result<Vec<DeadLetter>, StoreError>;

    /// How many dead letters there are.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn dead_letter_count(&self) -> Result<u64, StoreError>;

    /// Puts a dead letter back, behind what is still to be told of its match, to be tried from `now` on as if it never had been;
    /// false if there is none of this name.
    ///
    /// # Errors
    /// [`StoreError`]; [`StoreError::Unconfirmed`] if it is perhaps back.
    async fn revive_dead_letter(&self, id: &NoticeId, now: UnixMillis) -> Result<bool, StoreError>;

    /// Removes a dead letter for good; nothing happens if there is none of this name.
    ///
    /// # Errors
    /// [`StoreError`]; [`StoreError::Unconfirmed`] if it is perhaps removed.
    async fn drop_dead_letter(&self, id: &NoticeId) -> Result<(), StoreError>;

    /// How far behind a lane is.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn backlog(&self, lane: Lane) -> Result<Backlog, StoreError>;
}
