//! The golden files: what was ever written is read for ever, and today's bytes are those of their format.
//!
//! `UPDATE_GOLDENS=1 cargo test -p fives-store` writes those that are missing or differ. A file of a format that has
//! been released never changes again: a change of the bytes is a new format, with files of its own beside the old ones.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::{env, fs};

use fives_lobby::store::DeadLetter;
use fives_referee::notice::Notice;
use fives_referee::store::StoreError;
use fives_referee::time::UnixMillis;
use fives_store::codec::{self, SCHEMA};

use crate::ratings;
use crate::scenario::{self, scenario};

const AUDITED_AT: UnixMillis = UnixMillis(1_790_000_000_000);

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

/// All golden files, by name.
pub(crate) fn files() -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder()).expect("the golden files are there");
    let paths = entries.map(|entry| entry.expect("it can be listed").path());
    paths
        .map(|path| {
            let name = path.file_name().expect("it has a name").to_string_lossy().into_owned();
            (name, fs::read(&path).expect("it can be read"))
        })
        .collect()
}

/// A notice that was given up.
fn dead(notice: &Notice) -> DeadLetter {
    DeadLetter {
        notice: notice.clone(),
        buried_at: AUDITED_AT,
        tries: 12,
        why: "no answer came in time".to_owned(),
    }
}

/// What today's encoder makes of everything there is, by the name of its file.
fn encoded() -> BTreeMap<String, Vec<u8>> {
    let scenario = scenario();
    assert_eq!(
        scenario.batches.len(),
        scenario::BATCHES,
        "a golden for each kind of event"
    );
    let snapshots = scenario
        .snapshots
        .iter()
        .map(|(name, table)| ("snapshot", name, codec::encode_table(table)));
    let batches = scenario
        .batches
        .iter()
        .map(|(name, batch)| ("batch", name, codec::encode_batch(batch)));
    let players = scenario
        .players
        .iter()
        .map(|(name, player)| ("player", name, codec::encode_player(player)));
    let audit = scenario
        .audit
        .iter()
        .map(|(name, entry)| ("audit", name, codec::encode_audit(AUDITED_AT, entry)));
    let tickets = scenario
        .tickets
        .iter()
        .map(|(name, ticket)| ("ticket", name, codec::encode_ticket(ticket)));
    let claims = scenario
        .claims
        .iter()
        .map(|(name, claim)| ("claim", name, codec::encode_claim(claim)));
    let all = snapshots.chain(batches).chain(players).chain(audit);
    let all = all.chain(tickets).chain(claims);
    let ratings = ratings::encoded()
        .into_iter()
        .map(|(name, bytes)| ("rating", name, bytes));
    let notices = scenario
        .notices
        .iter()
        .map(|(name, notice)| ("notice", name, codec::encode_notice(notice)));
    let letters = scenario
        .notices
        .iter()
        .map(|(name, notice)| ("letter", name, codec::encode_dead_letter(&dead(notice))));
    let all = all.chain(notices).chain(letters);
    let archives = scenario
        .archives
        .iter()
        .map(|(name, archived)| ("archive", name, codec::encode_archived(archived)));
    let rematches = scenario
        .rematches
        .iter()
        .map(|(name, rematch)| ("rematch", name, codec::encode_rematch(rematch)));
    all.chain(archives)
        .chain(rematches)
        .map(|(what, name, bytes)| (what, *name, bytes))
        .chain(ratings)
        .map(|(what, name, bytes)| (format!("{what}-{name}.v{SCHEMA}.binpb"), bytes))
        .collect()
}

#[test]
fn todays_bytes_are_those_of_the_format() {
    let encoded = encoded();
    if env::var_os("UPDATE_GOLDENS").is_some() {
        for (name, bytes) in &encoded {
            fs::write(folder().join(name), bytes).expect("it can be written");
        }
    }
    let golden = files();
    for (name, bytes) in &encoded {
        assert_eq!(
            golden.get(name),
            Some(bytes),
            "{name}: see the head of tests/store/golden.rs"
        );
    }
}

#[test]
fn whatever_was_written_is_read() {
    let scenario = scenario();
    for (file, bytes) in files() {
        let (name, _) = file.split_once('.').expect("a name, a format and an ending");
        match name.split_once('-').expect("what it is, and which") {
            ("snapshot", name) => {
                let table = codec::decode_table(&bytes).unwrap_or_else(|error| panic!("{file}: {error}"));
                assert_eq!(Some(&table), scenario.snapshots.get(name), "{file}");
            }
            ("batch", name) => {
                let batch = codec::decode_batch(&bytes).unwrap_or_else(|error| panic!("{file}: {error}"));
                assert_eq!(Some(&batch), scenario.batches.get(name), "{file}");
            }
            ("player", name) => {
                let player = codec::decode_player(&bytes).unwrap_or_else(|error| panic!("{file}: {error}"));
                assert_eq!(Some(&player), scenario.players.get(name), "{file}");
            }
            ("audit", name) => {
                let (at, entry) = codec::decode_audit(&bytes).unwrap_or_else(|error| panic!("{file}: {error}"));
                assert_eq!((at, Some(&entry)), (AUDITED_AT, scenario.audit.get(name)), "{file}");
            }
            ("ticket", name) => {
                let ticket = codec::decode_ticket(&bytes).unwrap_or_else(|error| panic!("{file}: {error}"));
                assert_eq!(Some(&ticket), scenario.tickets.get(name), "{file}");
            }
            ("claim", name) => {
                let claim = codec::decode_claim(&bytes).unwrap_or_else(|error| panic!("{file}: {error}"));
                assert_eq!(Some(&claim), scenario.claims.get(name), "{file}");
            }
            ("rating", name) => ratings::read(name, &bytes),
            ("notice", name) => {
                let notice = codec::decode_notice(&bytes).unwrap_or_else(|error| panic!("{file}: {error}"));
                assert_eq!(Some(&notice), scenario.notices.get(name), "{file}");
            }
            ("letter", name) => {
                let letter = codec::decode_dead_letter(&bytes).unwrap_or_else(|error| panic!("{file}: {error}"));
                assert_eq!(Some(letter), scenario.notices.get(name).map(dead), "{file}");
            }
            ("archive", name) => {
                let archived = codec::decode_archived(&bytes).unwrap_or_else(|error| panic!("{file}: {error}"));
                assert_eq!(Some(&archived), scenario.archives.get(name), "{file}");
            }
            ("rematch", name) => {
                let rematch = codec::decode_rematch(&bytes).unwrap_or_else(|error| panic!("{file}: {error}"));
                assert_eq!(Some(&rematch), scenario.rematches.get(name), "{file}");
            }
            _ => panic!("{file} is of no known kind"),
        }
    }
}

/// A newer release may have changed anything but the schema, and still is told from damage.
#[test]
fn a_newer_format_is_refused() {
    const NEWER: u32 = SCHEMA + 1;
    let schema = [8, u8::try_from(NEWER).expect("a small number")];
    // Field 2 as text of a length that is not a revision.
    let newer = [&schema[..], &[18, 3, b'n', b'e', b'w']].concat();
    let errors = [
        codec::decode_table(&newer).err(),
        codec::decode_batch(&newer).err(),
        codec::decode_player(&newer).err(),
        codec::decode_audit(&newer).err(),
        codec::decode_standing(&newer).err(),
        codec::decode_settlement(&newer).err(),
        codec::decode_rating_change(&newer).err(),
        codec::decode_notice(&newer).err(),
        codec::decode_dead_letter(&newer).err(),
        codec::decode_archived(&newer).err(),
        codec::decode_erasure(&newer).err(),
        codec::decode_rematch(&newer).err(),
    ];
    for error in errors {
        assert!(
            matches!(
                error,
                Some(StoreError::NewerSchema {
                    found: NEWER,
                    known: SCHEMA
                })
            ),
            "{error:?}"
        );
    }
    for damaged in [&[][..], &[8, 0], &[8], &[255; 20]] {
        assert!(matches!(codec::decode_table(damaged), Err(StoreError::Damaged(_))));
    }
}
