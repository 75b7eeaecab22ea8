//! What the store may use of the machine.

use crate::retention::Retention;

/// The least that the engine takes for its journals.
pub(super) const LEAST_JOURNAL_BYTES: u64 = 64 * 1024 * 1024;

/// Bounds of memory, disk and waiting. The defaults suit one small server: only two kinds of things are written with
/// every move, so that memory stays at about 400 MB under load. Beyond these bounds it grows with the matches that are
/// not settled, by less than 300 bytes each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Config {
    /// Blocks of the folder that are kept in memory.
    pub cache_bytes: u64,
    /// What is kept in memory of each kind of thing before it is sorted into the folder; up to five times as much while
    /// the disk is behind.
    pub write_buffer_bytes: u64,
    /// What the journals on the disk may hold before something is sorted into the folder; at least 64 MiB.
    pub journal_bytes: u64,
    /// How many files of the folder may be open.
    pub open_files: usize,
    /// How many of the tables written last are kept decoded.
    pub recent_tables: usize,
    /// How many writes can wait for the writer thread; more wait in front of the queue.
    pub queued_writes: usize,
    /// How many writes share one sync at most.
    pub group_writes: usize,
    /// How long matches are kept.
    pub retention: Retention,
    /// Whether the platform is told of matches: somebody must deliver what is kept for it.
    pub tells_platform: bool,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            cache_bytes: 64 * 1024 * 1024,
            write_buffer_bytes: 16 * 1024 * 1024,
            journal_bytes: 256 * 1024 * 1024,
            open_files: 512,
            recent_tables: 32_768,
            queued_writes: 1024,
            group_writes: 256,
            retention: Retention::default(),
            tells_platform: true,
        }
    }
}
