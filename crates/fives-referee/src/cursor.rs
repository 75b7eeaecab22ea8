//! One exact state of one match (law 1).

/// A revision and the random stamp of the commit that made it.
///
/// The guard of every commit, the token that a stream resumes from, and the proof that nothing is missing: a store that
/// lost its tail and went on has other stamps at the same revisions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Cursor {
    /// How many commits the match has had; the creation is 1.
    pub revision: u64,
    /// Another one than any other commit has; says nothing about the match.
    pub stamp: u64,
}
