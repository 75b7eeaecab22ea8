//! A spectator.

use fives_client::Client;

use super::finding::Viewer;
use super::seen::Seen;
use super::tally::Tally;
use super::viewing::{Course, Viewing};

/// Watches a match to its end; gives what was seen.
pub(super) async fn watch(client: &Client, match_id: &str, number: usize, course: &Course, tally: &Tally) -> Seen {
    let updates = client.watch(match_id, "", None);
    let mut viewing = Viewing::new(updates, Viewer::Watcher(number), course, tally);
    while viewing.next().await.is_some() {}
    viewing.into_seen()
}
