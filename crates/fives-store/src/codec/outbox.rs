//! What others are told of matches, and what could not be delivered.

use std::collections::VecDeque;

use fives_lobby::store::DeadLetter;
use fives_referee::cursor::Cursor;
use fives_referee::id::MatchId;
use fives_referee::notice::{Departure, Notice, NoticeEvent, NoticeId, NoticeSeat, Who};
use fives_referee::store::StoreError;
use fives_referee::time::UnixMillis;
use fives_rules::seat::Side;
use prost::Message;

use super::{Damage, SCHEMA, field, message, terms, whole};
use crate::storage;
use crate::storage::stored_notice::Event;

/// What the embedded store keeps of a match for one lane: never without a notice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Outbox {
    /// When it is looked at next.
    pub(crate) attempt_at: UnixMillis,
    /// How often the first notice was tried in vain.
    pub(crate) tries: u32,
    /// In order.
    pub(crate) notices: VecDeque<Notice>,
}

/// The bytes of a notice.
#[must_use]
pub fn encode_notice(notice: &Notice) -> Vec<u8> {
    stored_notice(notice).encode_to_vec()
}

/// The notice behind these bytes.
///
/// # Errors
/// [`StoreError::NewerSchema`], [`StoreError::Damaged`].
pub fn decode_notice(bytes: &[u8]) -> Result<Notice, StoreError> {
    let stored = message(bytes)?;
    whole(notice(&stored))
}

/// The bytes of a dead letter.
#[must_use]
pub fn encode_dead_letter(letter: &DeadLetter) -> Vec<u8> {
    let stored = storage::StoredDeadLetter {
        schema: SCHEMA,
        notice: Some(stored_notice(&letter.notice)),
        buried_at_ms: letter.buried_at.0,
        tries: letter.tries,
        why: letter.why.clone(),
    };
    stored.encode_to_vec()
}

/// The dead letter behind these bytes.
///
/// # Errors
/// [`StoreError::NewerSchema`], [`StoreError::Damaged`].
pub fn decode_dead_letter(bytes: &[u8]) -> Result<DeadLetter, StoreError> {
    let stored: storage::StoredDeadLetter = message(bytes)?;
    let letter = || {
        Ok(DeadLetter {
            notice: notice(stored.notice.as_ref().ok_or("a dead letter is empty")?)?,
            buried_at: UnixMillis(stored.buried_at_ms),
            tries: stored.tries,
            why: stored.why.clone(),
        })
    };
    whole(letter())
}

pub(crate) fn encode_outbox(outbox: &Outbox) -> Vec<u8> {
    let stored = storage::StoredOutbox {
        schema: SCHEMA,
        attempt_at_ms: outbox.attempt_at.0,
        tries: outbox.tries,
        notices: outbox.notices.iter().map(stored_notice).collect(),
    };
    stored.encode_to_vec()
}

pub(crate) fn decode_outbox(bytes: &[u8]) -> Result<Outbox, StoreError> {
    let stored: storage::StoredOutbox = message(bytes)?;
    let outbox = || {
        let notices: VecDeque<Notice> = stored.notices.iter().map(notice).collect::<Result<_, _>>()?;
        if notices.is_empty() {
            return Err("an outbox is empty");
        }
        Ok(Outbox {
            attempt_at: UnixMillis(stored.attempt_at_ms),
            tries: stored.tries,
            notices,
        })
    };
    whole(outbox())
}

fn stored_notice(notice: &Notice) -> storage::StoredNotice {
    let seats = notice.seats.iter().map(|seat| {
        let (player, bot) = match seat.who {
            Who::Nobody => (Vec::new(), 0),
            Who::Person(player) => (player.as_bytes().to_vec(), 0),
            Who::Bot(kind) => (Vec::new(), terms::bot_number(kind)),
        };
        storage::NoticeSeat {
            side: seat.side.index() as u32,
            player,
            bot,
        }
    });
    let event = match notice.event {
        NoticeEvent::MatchStarted => Event::Started(storage::NoticeStarted {}),
        NoticeEvent::MatchFinished { outcome, scores } => Event::Finished(storage::NoticeFinished {
            outcome: Some(field::stored_outcome(&outcome)),
            scores: scores.0.to_vec(),
        }),
        NoticeEvent::MatchVoided => Event::Voided(storage::NoticeVoided {}),
        NoticeEvent::PlayerAbandoned { seat, player, how } => Event::Abandoned(storage::NoticeAbandoned {
            seat: field::seat_index(seat),
            player: player.as_bytes().to_vec(),
            how: match how {
                Departure::Resigned => 0,
                Departure::Forfeited => 1,
                Departure::KeptByBot => 2,
                Departure::Removed => 3,
            },
        }),
        NoticeEvent::TurnWaiting { seat, player, deadline } => Event::Waiting(storage::NoticeWaiting {
            seat: field::seat_index(seat),
            player: player.as_bytes().to_vec(),
            deadline_ms: deadline.map(|at| at.0),
        }),
    };
    storage::StoredNotice {
        schema: SCHEMA,
        r#match: notice.id.match_id.as_bytes().to_vec(),
        revision: notice.id.cursor.revision,
        stamp: notice.id.cursor.stamp,
        index: notice.id.index.into(),
        at_ms: notice.at.0,
        seats: seats.collect(),
        event: Some(event),
    }
}

fn notice(stored: &storage::StoredNotice) -> Result<Notice, Damage> {
    let event = match stored.event.as_ref().ok_or("a notice tells of nothing that is known")? {
        Event::Started(_) => NoticeEvent::MatchStarted,
        Event::Finished(finished) => NoticeEvent::MatchFinished {
            outcome: field::outcome(finished.outcome.as_ref().ok_or("a match ended without an outcome")?)?,
            scores: field::by_side(&finished.scores)?,
        },
        Event::Voided(_) => NoticeEvent::MatchVoided,
        Event::Abandoned(abandoned) => NoticeEvent::PlayerAbandoned {
            seat: field::seat(abandoned.seat)?,
            player: field::player_id(&abandoned.player)?,
            how: match abandoned.how {
                0 => Departure::Resigned,
                1 => Departure::Forfeited,
                2 => Departure::KeptByBot,
                3 => Departure::Removed,
                _ => return Err("a person left in no known way"),
            },
        },
        Event::Waiting(waiting) => NoticeEvent::TurnWaiting {
            seat: field::seat(waiting.seat)?,
            player: field::player_id(&waiting.player)?,
            deadline: waiting.deadline_ms.map(UnixMillis),
        },
    };
    Ok(Notice {
        id: NoticeId {
            match_id: field::bytes(&stored.r#match).map(MatchId::from_bytes)?,
            cursor: Cursor {
                revision: stored.revision,
                stamp: stored.stamp,
            },
            index: u8::try_from(stored.index).map_err(|_| "a notice has too large a number")?,
        },
        at: UnixMillis(stored.at_ms),
        seats: stored.seats.iter().map(seat).collect::<Result<_, _>>()?,
        event,
    })
}

fn seat(stored: &storage::NoticeSeat) -> Result<NoticeSeat, Damage> {
    let side = u8::try_from(stored.side).ok().and_then(Side::new);
    Ok(NoticeSeat {
        side: side.ok_or("there is no such side")?,
        who: match (stored.player.as_slice(), stored.bot) {
            ([], 0) => Who::Nobody,
            ([], bot) => Who::Bot(terms::bot_kind(bot)?),
            (player, 0) => Who::Person(field::player_id(player)?),
            _ => return Err("a seat is a person's and a bot's"),
        },
    })
}
