//! Keeps tables and players. No opinion about the game: what is kept, and which indexes follow from it, the referee
//! says.
//!
//! | to know | look at |
//! |---|---|
//! | one process, one folder | [`embedded`] |
//! | what every store must do, as functions that test it | [`contract`] |
//! | the bytes that are kept, and the door they come back through | [`codec`] |

pub mod codec;
pub mod contract;
pub mod embedded;

/// The messages of `fives.storage.v1`, as generated.
#[allow(missing_docs, unreachable_pub, clippy::all, clippy::pedantic)]
mod storage {
    include!(concat!(env!("OUT_DIR"), "/fives.storage.v1.rs"));
}
