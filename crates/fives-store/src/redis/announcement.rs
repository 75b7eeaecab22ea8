//! What the script announces of a commit: the cursor before it, a space, and the batch, which follows there.

use std::sync::Arc;

use fives_referee::store::{Hint, Step};

use super::script;
use crate::codec;

/// What was announced; `None` if that is nothing that the script says.
pub(super) fn parse(announced: &[u8]) -> Option<Hint> {
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
    use fives_referee::time::UnixMillis;
    use fives_rules::seat::Seat;

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
            Some(Hint {
                revision: 5,
                step: Some(step)
            })
        );
    }

    #[test]
    fn what_cannot_be_followed_is_only_heard_of() {
        let only = |revision| Some(Hint { revision, step: None });
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
