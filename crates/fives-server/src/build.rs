//! Which build this is.

use std::sync::LazyLock;

/// The version, by semantic versioning.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The first twelve digits of the commit that it was built from, or `unknown`.
pub const COMMIT: &str = env!("FIVES_COMMIT");

/// The newest format of stored matches that it reads, and the one that it writes.
pub const SCHEMA: u32 = fives_store::codec::SCHEMA;

/// All three, for people.
pub static LINE: LazyLock<String> = LazyLock::new(|| format!("{VERSION} (commit {COMMIT}, storage schema {SCHEMA})"));
