//! How Redis is used.

use std::time::Duration;

use crate::retention::Retention;

/// When a commit counts as kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Durability {
    /// When the primary has it. What it has not replicated yet is lost if it is lost, and announced as a reset.
    #[default]
    Primary,
    /// When one replica has it, too (WAIT 1). Without a replica nothing is acknowledged.
    Replicated,
}

/// Bounds of waiting and memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Config {
    /// When a commit counts as kept.
    pub durability: Durability,
    /// How long it may take to connect.
    pub connect_timeout: Duration,
    /// How long an answer may take; a write that takes longer is perhaps made.
    pub response_timeout: Duration,
    /// How long a replica may take to confirm a commit.
    pub replica_timeout: Duration,
    /// How long matches are kept.
    pub retention: Retention,
    /// Whether the platform is told of matches: somebody must deliver what is kept for it.
    pub tells_platform: bool,
    /// How many of the tables read or written last are kept decoded.
    pub recent_tables: usize,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            durability: Durability::Primary,
            connect_timeout: Duration::from_secs(1),
            response_timeout: Duration::from_secs(2),
            replica_timeout: Duration::from_secs(1),
            retention: Retention::default(),
            tells_platform: true,
            recent_tables: 32_768,
        }
    }
}
