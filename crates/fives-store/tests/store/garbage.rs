//! Bytes that nobody wrote: refused, or a table that can be played on. Never a panic.

use std::sync::LazyLock;

use fives_lobby::history::Played;
use fives_referee::batch::Batch;
use fives_referee::command::{Command, Intervention};
use fives_referee::table::{Occupant, Table};
use fives_referee::view::{MatchView, SeenBatch};
use fives_rules::seat::Seat;
use fives_rules::view::Viewer;
use fives_store::codec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::golden;
use crate::ratings;
use crate::scenario::{self, Scenario};

static GOLDEN: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| golden::files().into_values().collect());
static SCENARIO: LazyLock<Scenario> = LazyLock::new(scenario::scenario);

fn viewers() -> impl Iterator<Item = Viewer> {
    Seat::ALL.into_iter().map(Viewer::Seat).chain([Viewer::Spectator])
}

/// Does with a table whatever a service does with one.
fn use_table(table: &Table) {
    let again = codec::decode_table(&codec::encode_table(table)).expect("what was read can be written");
    assert_eq!(again, *table);
    let _ = (
        table.listings(),
        table.codes().count(),
        table.horizon(),
        table.commitment(),
        table.timed_turn(),
        table.time_out().is_ok(),
    );
    let _ = table.intervene(Intervention::Void);
    let _ = table.intervene(Intervention::Forfeit(Seat::ALL[3]));
    if let Some((seat, play)) = table.bot_play() {
        table
            .act(seat, fives_rules::game::Action::Play(play))
            .expect("a bot plays what is legal");
    }
    for viewer in viewers() {
        let _ = MatchView::of(table, viewer, true);
    }
    for chair in &table.chairs {
        if let Occupant::Person { player, .. } = &chair.occupant {
            let _ = (
                table.decide(player, &Command::Resign),
                table.decide(player, &Command::Leave),
                table.decide(player, &Command::ReclaimSeat),
            );
        }
    }
}

/// Does with a batch whatever a service does with one, at any table.
fn use_batch(batch: &Batch) {
    let again = codec::decode_batch(&codec::encode_batch(batch)).expect("what was read can be written");
    assert_eq!(again, *batch);
    if let Some(table) = Table::begin(batch) {
        let _ = codec::decode_table(&codec::encode_table(&table));
    }
    for table in SCENARIO.snapshots.values() {
        for viewer in viewers() {
            let _ = SeenBatch::of(batch, &table.options, viewer);
        }
        let mut table = table.clone();
        table.fold(batch);
        let _ = codec::encode_table(&table);
    }
}

fn read(bytes: &[u8]) {
    if let Ok(table) = codec::decode_table(bytes) {
        use_table(&table);
    }
    if let Ok(batch) = codec::decode_batch(bytes) {
        use_batch(&batch);
    }
    if let Ok((at, entry)) = codec::decode_audit(bytes) {
        let again = codec::decode_audit(&codec::encode_audit(at, &entry)).expect("what was read can be written");
        assert_eq!(again, (at, entry));
    }
    ratings::use_bytes(bytes);
    if let Ok(archived) = codec::decode_archived(bytes) {
        let again = codec::decode_archived(&codec::encode_archived(&archived)).expect("what was read can be written");
        assert_eq!(again, archived);
        for player in archived.everybody() {
            let _ = Played::of(archived.clone(), &player);
        }
    }
    if let Ok((unfinished, due_at)) = codec::decode_erasure(bytes) {
        let again = codec::decode_erasure(&codec::encode_erasure(&unfinished, due_at));
        assert_eq!(again.expect("what was read can be written"), (unfinished, due_at));
    }
    // A record is read by its own door, and refused or read; never more than its bound.
    let _ = codec::decode_record(bytes);
    let _ = codec::decode_record(&[&[1], bytes].concat());
    if let Ok(player) = codec::decode_player(bytes) {
        let again = codec::decode_player(&codec::encode_player(&player)).expect("what was read can be written");
        assert_eq!(again, player);
    }
    if let Ok(ticket) = codec::decode_ticket(bytes) {
        let again = codec::decode_ticket(&codec::encode_ticket(&ticket)).expect("what was read can be written");
        assert_eq!(again, ticket);
    }
    if let Ok(claim) = codec::decode_claim(bytes) {
        let again = codec::decode_claim(&codec::encode_claim(&claim)).expect("what was read can be written");
        assert_eq!(again, claim);
    }
    if let Ok(notice) = codec::decode_notice(bytes) {
        let again = codec::decode_notice(&codec::encode_notice(&notice)).expect("what was read can be written");
        assert_eq!(again, notice);
    }
    if let Ok(letter) = codec::decode_dead_letter(bytes) {
        let again = codec::decode_dead_letter(&codec::encode_dead_letter(&letter));
        assert_eq!(again.expect("what was read can be written"), letter);
    }
}

/// A change to bytes.
#[derive(Clone, Debug)]
enum Change {
    Set(Index, u8),
    Remove(Index),
    Insert(Index, u8),
    Cut(Index),
    Repeat(Index, Index),
}

fn change() -> impl Strategy<Value = Change> {
    let any_index = any::<Index>;
    prop_oneof![
        6 => (any_index(), any::<u8>()).prop_map(|(at, byte)| Change::Set(at, byte)),
        // Small numbers are seats, tiles, kinds and lengths.
        6 => (any_index(), 0..32_u8).prop_map(|(at, byte)| Change::Set(at, byte)),
        2 => any_index().prop_map(Change::Remove),
        2 => (any_index(), any::<u8>()).prop_map(|(at, byte)| Change::Insert(at, byte)),
        1 => any_index().prop_map(Change::Cut),
        1 => (any_index(), any_index()).prop_map(|(from, to)| Change::Repeat(from, to)),
    ]
}

fn changed(mut bytes: Vec<u8>, changes: &[Change]) -> Vec<u8> {
    for change in changes {
        if bytes.is_empty() {
            break;
        }
        let len = bytes.len();
        match change {
            Change::Set(at, byte) => bytes[at.index(len)] = *byte,
            Change::Remove(at) => _ = bytes.remove(at.index(len)),
            Change::Insert(at, byte) => bytes.insert(at.index(len), *byte),
            Change::Cut(at) => bytes.truncate(at.index(len)),
            Change::Repeat(from, to) => {
                let (from, to) = (from.index(len), to.index(len));
                bytes.extend_from_within(from.min(to)..from.max(to));
            }
        }
    }
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes_do_no_harm(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        read(&bytes);
        // Behind a schema that is known, the rest is looked at.
        read(&[&[8, 1], bytes.as_slice()].concat());
    }

    #[test]
    fn changed_bytes_do_no_harm(
        golden in select(&GOLDEN[..]),
        changes in prop::collection::vec(change(), 1..4),
    ) {
        read(&changed(golden, &changes));
    }
}

/// Every byte of every golden file, set to each of a few values; and every golden file cut off everywhere.
#[test]
fn every_byte_may_be_wrong() {
    for bytes in GOLDEN.iter() {
        for at in 0..bytes.len() {
            read(&bytes[..at]);
            for wrong in [
                0,
                1,
                2,
                3,
                4,
                5,
                27,
                28,
                127,
                128,
                255,
                bytes[at] ^ 1,
                bytes[at].wrapping_add(1),
            ] {
                let mut bytes = bytes.clone();
                bytes[at] = wrong;
                read(&bytes);
            }
        }
    }
}
