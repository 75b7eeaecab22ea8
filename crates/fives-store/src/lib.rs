//! Keeps tables and players. No opinion about the game: what is kept, and which indexes follow from it, the referee
//! says.
//!
//! | to know | look at |
//! |---|---|
//! | one process, one folder | [`embedded`] |
//! | many processes, one Redis (or Sentinel, or Cluster) | [`redis`] |
//! | what every store must do, as functions that test it | [`contract`] |
//! | how long matches are kept | [`retention`] |
//! | the bytes that are kept, and the door they come back through | [`codec`] |

pub mod codec;
pub mod contract;
pub mod embedded;
mod place;
mod recent;
pub mod redis;
pub mod retention;
mod told;

use std::sync::PoisonError;

/// The messages of `fives.storage.v1`, as generated.
#[allow(missing_docs, unreachable_pub, clippy::all, clippy::pedantic)]
mod storage {
    include!(concat!(env!("OUT_DIR"), "/fives.storage.v1.rs"));
}

/// Nothing under a lock here can leave half a change behind: a poisoned one is as good as new.
fn unpoisoned<T>(lock: Result<T, PoisonError<T>>) -> T {
    lock.unwrap_or_else(PoisonError::into_inner)
}
