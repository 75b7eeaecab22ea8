//! What is announced of a match. The script announces a commit: the cursor before it, a space, and the batch, which follows there.
//! An emote is announced as `emote <seat> <number> <time>`; a release that knows none takes it for nothing.

use std::sync::Arc;

use fives_referee::emote::{Emote, EmoteKind};
use fives_referee::store::{Hint, Step};
use fives_referee::time::UnixMillis;
use fives_rules::seat::Seat;

use super::script;
use crate::codec;

/// What begins an emote. No cursor looks like this.
const EMOTE: &str = "emote ";

/// What was announced.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Announced {
    Commit(Hint),
    Emote(Emote),
}

/// How an emote is announced.
pub(super) fn of_emote(emote: &Emote) -> String {
    let number = EmoteKind::ALL.iter().position(|kind| *kind == emote.kind);
    format!(
        "{EMOTE}{} {} {}",
        emote.seat.index(),
        number.unwrap_or_default(),
        emote.at.0
    )
}

/// What was announced; `None` if that is nothing that is said here.
pub(super) fn parse(announced: &[u8]) -> Option<Announced> {
    match announced.strip_prefix(EMOTE.as_bytes()) {
        Some(emote) => parse_emote(std::str::from_utf8(emote).ok()?).map(Announced::Emote),
        None => parse_commit(announced).map(Announced::Commit),
    }
}

fn parse_emote(text: &str) -> Option<Emote> {
    let (seat, rest) = text.split_once(' ')?;
    let (number, at_ms) = rest.split_once(' ')?;
    Some(Emote {
        seat: Seat::new(seat.parse().ok()?)?,
        kind: *EmoteKind::ALL.get(number.parse::<usize>().ok()?)?,
        at: UnixMillis(at_ms.parse().ok()?),
    })
}

fn parse_commit(announced: &[u8]) -> Option<Hint> {
    let space = announced.iter().position(|byte| *byte == b' ')?;
    let (before, batch) = announced.split_at_checked(space)?;
    let before = std::str::from_utf8(before).ok()?;
    // The first batch follows on nothing.
    let before = match before {
        "" => None,
        before => Some(script::parse_cursor(before)?),
    };
    let revision = before.map_or(0, |before| before.revision).checked_add(1)?;
    // A newer release may announce what this one cannot read; that the match went on is worth knowing all the same.
    let batch = codec::decode_batch(batch.get(1..)?).ok();
    let follows = before.zip(batch.filter(|batch| batch.cursor.revision == revision));
    let step = follows.map(|(before, batch)| Arc::new(Step { before, batch }));
    Some(Hint { revision, step })
}

#[cfg(test)]
mod tests {
    use fives_referee::batch::{Author, Batch, TableEvent};
    use fives_referee::cursor::Cursor;

    use super::*;

    fn batch(revision: u64) -> Batch {
        Batch {
            cursor: Cursor { revision, stamp: 9 },
            at: UnixMillis(1_800_000_000_000),
            author: Author::Bot(Seat::new(0).expect("a seat")),
            next_due: None,
            events: vec![TableEvent::Closed],
            traced: None,
        }
    }

    fn announced(before: &str, batch: &[u8]) -> Vec<u8> {
        [before.as_bytes(), b" ", batch].concat()
    }

    #[test]
    fn a_commit_is_heard_with_what_it_follows() {
        let before = Cursor {
            revision: 4,
            stamp: u64::MAX,
        };
        let hint = parse(&announced(
            &script::cursor(before).to_string(),
            &codec::encode_batch(&batch(5)),
        ));
        let step = Arc::new(Step {
            before,
            batch: batch(5),
        });
        assert_eq!(
            hint,
            Some(Announced::Commit(Hint {
                revision: 5,
                step: Some(step)
            }))
        );
    }

    #[test]
    fn an_emote_is_heard_as_it_is_said() {
        for kind in EmoteKind::ALL {
            let emote = Emote {
                seat: Seat::ALL[3],
                kind,
                at: UnixMillis(1_800_000_000_000),
            };
            assert_eq!(parse(of_emote(&emote).as_bytes()), Some(Announced::Emote(emote)));
        }
        for garbage in [
            "emote ",
            "emote 0",
            "emote 0 1",
            "emote 4 1 1",
            "emote 0 99 1",
            "emote 0 1 x",
            "emote 0 -1 1",
        ] {
            assert_eq!(parse(garbage.as_bytes()), None, "{garbage}");
        }
    }

    #[test]
    fn what_cannot_be_followed_is_only_heard_of() {
        let only = |revision| Some(Announced::Commit(Hint { revision, step: None }));
        assert_eq!(
            parse(&announced("", &codec::encode_batch(&batch(1)))),
            only(1),
            "the first"
        );
        assert_eq!(parse(&announced("4:0", b"garbage")), only(5));
        assert_eq!(parse(&announced("4:0", &codec::encode_batch(&batch(6)))), only(5));
        let newest = announced("18446744073709551615:0", b"");
        for garbage in [&b""[..], b"5", b"x:1 ", b"4 ", b"4:x ", b"\xff ", &newest] {
            assert_eq!(parse(garbage), None, "{garbage:?}");
        }
    }
}
