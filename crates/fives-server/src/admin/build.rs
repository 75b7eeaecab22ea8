//! What this process is.

use std::time::{SystemTime, UNIX_EPOCH};

use fives_referee::time::UnixMillis;
use fives_wire::admin::v1::GetBuildResponse;
use fives_wire::encode::timestamp;
use serde::Serialize;

use crate::build;

/// What was built, how it keeps things, and since when it serves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Build {
    durability: &'static str,
    started_at: UnixMillis,
}

/// The same as JSON.
#[derive(Serialize)]
struct Json {
    version: &'static str,
    commit: &'static str,
    storage_schema: u32,
    durability: &'static str,
    started_at: String,
}

impl Build {
    /// A process that begins to serve now.
    pub(super) fn new(durability: &'static str) -> Self {
        // By the process's own clock: there may be no store yet.
        let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self {
            durability,
            started_at: UnixMillis(u64::try_from(since_1970.as_millis()).unwrap_or(u64::MAX)),
        }
    }

    pub(super) fn message(&self) -> GetBuildResponse {
        GetBuildResponse {
            version: build::VERSION.to_owned(),
            commit: build::COMMIT.to_owned(),
            storage_schema: build::SCHEMA,
            durability: self.durability.to_owned(),
            start_time: Some(timestamp(self.started_at)),
        }
    }

    pub(super) fn json(&self) -> serde_json::Result<String> {
        serde_json::to_string(&Json {
            version: build::VERSION,
            commit: build::COMMIT,
            storage_schema: build::SCHEMA,
            durability: self.durability,
            started_at: timestamp(self.started_at).to_string(),
        })
    }
}
