//! What a commit has others told, and on which lane.

use fives_referee::batch::Batch;
use fives_referee::notice::{Lane, Notice};
use fives_referee::table::Table;

/// What is kept with the commit of `batch`, in order; `tells_platform`: whether there is somebody to deliver it.
pub(crate) fn of(table: &Table, batch: &Batch, tells_platform: bool) -> Vec<(Lane, Notice)> {
    let mut told = Vec::new();
    for notice in Notice::of(table, batch) {
        if notice.is_for(Lane::Results) {
            told.push((Lane::Results, notice.clone()));
        }
        if tells_platform {
            told.push((Lane::Hooks, notice));
        }
    }
    told
}
