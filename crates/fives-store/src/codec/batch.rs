//! Batches: the log of a match.

use fives_referee::batch::{Author, Batch, TableEvent};
use fives_referee::cursor::Cursor;
use fives_referee::store::StoreError;
use fives_referee::time::UnixMillis;
use fives_rules::deal::{Commitment, Deck, Master, Seed};
use fives_rules::event::{CountedEnds, Event, RoundResult, StarterReason};
use prost::Message;

use super::{Damage, SCHEMA, check, field, invites, message, terms, whole};
use crate::storage;
use crate::storage::event::Kind;

/// Stands for an arm that has not begun.
const NOT_BEGUN: u8 = 255;

/// The bytes of a batch.
#[must_use]
pub fn encode_batch(batch: &Batch) -> Vec<u8> {
    let author = match &batch.author {
        Author::Player {
            player,
            seat,
            request,
            fingerprint,
        } => storage::stored_batch::Author::Player(storage::PlayerAuthor {
            player: player.as_bytes().to_vec(),
            seat: seat.map(field::seat_index),
            request_id: request.as_str().to_owned(),
            fingerprint: fingerprint.0.to_vec(),
        }),
        Author::Bot(seat) => storage::stored_batch::Author::Bot(field::seat_index(*seat)),
        Author::Clock(seat) => storage::stored_batch::Author::Clock(field::seat_index(*seat)),
        Author::Admin(operator) => storage::stored_batch::Author::Admin(operator.as_str().to_owned()),
        Author::House => storage::stored_batch::Author::House(true),
    };
    let stored = storage::StoredBatch {
        schema: SCHEMA,
        revision: batch.cursor.revision,
        stamp: batch.cursor.stamp,
        at_ms: batch.at.0,
        next_due_ms: batch.next_due.map(|at| at.0),
        author: Some(author),
        events: batch
            .events
            .iter()
            .map(|event| storage::Event {
                kind: Some(stored_event(event)),
            })
            .collect(),
        traced: batch.traced.map(field::trace_parent_bytes).unwrap_or_default(),
    };
    stored.encode_to_vec()
}

/// The batch behind these bytes.
///
/// # Errors
/// [`StoreError::NewerSchema`], [`StoreError::Damaged`].
pub fn decode_batch(bytes: &[u8]) -> Result<Batch, StoreError> {
    let stored = message(bytes)?;
    whole(batch(&stored))
}

fn batch(stored: &storage::StoredBatch) -> Result<Batch, Damage> {
    let author = match stored.author.as_ref().ok_or("a batch has no author")? {
        storage::stored_batch::Author::Player(author) => Author::Player {
            player: field::player_id(&author.player)?,
            seat: author.seat.map(field::seat).transpose()?,
            request: field::request_id(&author.request_id)?,
            fingerprint: field::fingerprint(&author.fingerprint)?,
        },
        storage::stored_batch::Author::Bot(seat) => Author::Bot(field::seat(*seat)?),
        storage::stored_batch::Author::Clock(seat) => Author::Clock(field::seat(*seat)?),
        storage::stored_batch::Author::Admin(operator) => Author::Admin(field::operator(operator)?),
        storage::stored_batch::Author::House(_) => Author::House,
    };
    let kinds = stored
        .events
        .iter()
        .map(|event| event.kind.as_ref().ok_or("an event is of no known kind"));
    let batch = Batch {
        cursor: Cursor {
            revision: stored.revision,
            stamp: stored.stamp,
        },
        at: UnixMillis(stored.at_ms),
        author,
        next_due: stored.next_due_ms.map(UnixMillis),
        events: kinds.map(|kind| kind.and_then(event)).collect::<Result<_, _>>()?,
        traced: field::trace_parent(&stored.traced)?,
    };
    check::batch(&batch)?;
    Ok(batch)
}

fn stored_event(event: &TableEvent) -> Kind {
    match event {
        TableEvent::Created(new) => Kind::Created(terms::stored(new)),
        TableEvent::SeatTaken {
            seat,
            player,
            name,
            entropy,
        } => Kind::SeatTaken(storage::SeatTaken {
            seat: field::seat_index(*seat),
            player: player.as_bytes().to_vec(),
            name: name.as_str().to_owned(),
            entropy: entropy.as_bytes().to_vec(),
        }),
        TableEvent::SeatLeft { seat, player } => Kind::SeatLeft(storage::SeatLeft {
            seat: field::seat_index(*seat),
            player: player.as_bytes().to_vec(),
        }),
        TableEvent::Started => Kind::Started(storage::Started {}),
        TableEvent::Closed => Kind::Closed(storage::Closed {}),
        TableEvent::Voided { master } => Kind::Voided(storage::Voided {
            master: master.reveal().to_vec(),
        }),
        TableEvent::TurnTimedOut { seat, missed_turns } => Kind::TurnTimedOut(storage::TurnTimedOut {
            seat: field::seat_index(*seat),
            missed_turns: (*missed_turns).into(),
        }),
        TableEvent::SeatKeptByBot { seat } => Kind::SeatKeptByBot(storage::SeatKeptByBot {
            seat: field::seat_index(*seat),
        }),
        TableEvent::SeatReclaimed { seat } => Kind::SeatReclaimed(storage::SeatReclaimed {
            seat: field::seat_index(*seat),
        }),
        TableEvent::TurnWaiting { seat } => Kind::TurnWaiting(storage::TurnWaiting {
            seat: field::seat_index(*seat),
        }),
        TableEvent::Invite(event) => Kind::InviteChanged(invites::stored_event(event)),
        TableEvent::Game(event) => stored_game_event(event),
    }
}

fn stored_game_event(event: &Event) -> Kind {
    match event {
        Event::RoundStarted {
            round,
            starter,
            reason,
            commitment,
            deck,
        } => Kind::RoundStarted(storage::RoundStarted {
            round: *round,
            starter: field::seat_index(*starter),
            starter_was_out: *reason == StarterReason::Out,
            commitment: commitment.0.to_vec(),
            deck: field::tile_numbers(deck.tiles()),
        }),
        Event::TilesDrawn { seat, tiles } => Kind::TilesDrawn(storage::TilesDrawn {
            seat: field::seat_index(*seat),
            tiles: field::tile_numbers(tiles.as_slice()),
        }),
        Event::TurnPassed { seat } => Kind::TurnPassed(storage::TurnPassed {
            seat: field::seat_index(*seat),
        }),
        Event::TilePlayed {
            seat,
            play,
            counted,
            total,
            points,
            scores,
        } => Kind::TilePlayed(storage::TilePlayed {
            seat: field::seat_index(*seat),
            play: field::play_bytes(*play).to_vec(),
            counted: counted.0.map(|counted| counted.unwrap_or(NOT_BEGUN)).to_vec(),
            total: (*total).into(),
            points: (*points).into(),
            scores: scores.0.to_vec(),
        }),
        Event::RoundEnded {
            round,
            result,
            left,
            subtracted,
            scores,
            seed,
        } => Kind::RoundEnded(storage::RoundEnded {
            round: *round,
            result: match result {
                RoundResult::Out(_) => 0,
                RoundResult::Blocked => 1,
                RoundResult::Target { .. } => 2,
                RoundResult::Resigned => 3,
            },
            out_seat: result.out_seat().map(field::seat_index),
            left: field::hand_bits(left),
            subtracted: subtracted.map(|lost| lost.0.to_vec()).unwrap_or_default(),
            scores: scores.0.to_vec(),
            seed: seed.reveal().to_vec(),
        }),
        Event::SeatResigned { seat } => Kind::SeatResigned(storage::SeatResigned {
            seat: field::seat_index(*seat),
        }),
        Event::MatchEnded { outcome, master } => Kind::MatchEnded(storage::MatchEnded {
            outcome: Some(field::stored_outcome(outcome)),
            master: master.reveal().to_vec(),
        }),
    }
}

fn event(kind: &Kind) -> Result<TableEvent, Damage> {
    let event = match kind {
        Kind::Created(terms) => return Ok(TableEvent::Created(Box::new(terms::decoded(terms)?))),
        Kind::SeatTaken(taken) => {
            return Ok(TableEvent::SeatTaken {
                seat: field::seat(taken.seat)?,
                player: field::player_id(&taken.player)?,
                name: field::name(&taken.name)?,
                entropy: field::entropy(&taken.entropy)?,
            });
        }
        Kind::SeatLeft(left) => {
            return Ok(TableEvent::SeatLeft {
                seat: field::seat(left.seat)?,
                player: field::player_id(&left.player)?,
            });
        }
        Kind::Started(_) => return Ok(TableEvent::Started),
        Kind::Closed(_) => return Ok(TableEvent::Closed),
        Kind::InviteChanged(changed) => return invites::event(changed).map(TableEvent::Invite),
        Kind::Voided(voided) => {
            return Ok(TableEvent::Voided {
                master: Master::new(field::bytes(&voided.master)?),
            });
        }
        Kind::TurnTimedOut(timed_out) => {
            return Ok(TableEvent::TurnTimedOut {
                seat: field::seat(timed_out.seat)?,
                missed_turns: u8::try_from(timed_out.missed_turns).map_err(|_| "too many turns were missed")?,
            });
        }
        Kind::SeatKeptByBot(kept) => {
            return Ok(TableEvent::SeatKeptByBot {
                seat: field::seat(kept.seat)?,
            });
        }
        Kind::SeatReclaimed(reclaimed) => {
            return Ok(TableEvent::SeatReclaimed {
                seat: field::seat(reclaimed.seat)?,
            });
        }
        Kind::TurnWaiting(waiting) => {
            return Ok(TableEvent::TurnWaiting {
                seat: field::seat(waiting.seat)?,
            });
        }
        Kind::RoundStarted(started) => Event::RoundStarted {
            round: started.round,
            starter: field::seat(started.starter)?,
            reason: if started.starter_was_out {
                StarterReason::Out
            } else {
                StarterReason::Random
            },
            commitment: Commitment(field::bytes(&started.commitment)?),
            deck: deck(&started.deck)?,
        },
        Kind::TilesDrawn(drawn) => Event::TilesDrawn {
            seat: field::seat(drawn.seat)?,
            tiles: field::tiles(&drawn.tiles)?.into_iter().collect(),
        },
        Kind::TurnPassed(passed) => Event::TurnPassed {
            seat: field::seat(passed.seat)?,
        },
        Kind::TilePlayed(played) => Event::TilePlayed {
            seat: field::seat(played.seat)?,
            play: field::play(field::bytes(&played.play)?)?,
            counted: CountedEnds(
                field::bytes::<4>(&played.counted)?.map(|counted| Some(counted).filter(|&c| c != NOT_BEGUN)),
            ),
            total: u8::try_from(played.total).map_err(|_| "a total is too large")?,
            points: u8::try_from(played.points).map_err(|_| "the points are too many")?,
            scores: field::by_side(&played.scores)?,
        },
        Kind::RoundEnded(ended) => Event::RoundEnded {
            round: ended.round,
            result: round_result(ended)?,
            left: field::hands(&ended.left)?,
            subtracted: match ended.subtracted.as_slice() {
                [] => None,
                lost => Some(field::by_side(lost)?),
            },
            scores: field::by_side(&ended.scores)?,
            seed: Seed::new(field::bytes(&ended.seed)?),
        },
        Kind::SeatResigned(resigned) => Event::SeatResigned {
            seat: field::seat(resigned.seat)?,
        },
        Kind::MatchEnded(ended) => Event::MatchEnded {
            outcome: field::outcome(ended.outcome.as_ref().ok_or("a match ended without an outcome")?)?,
            master: Master::new(field::bytes(&ended.master)?),
        },
    };
    Ok(TableEvent::Game(event))
}

fn round_result(ended: &storage::RoundEnded) -> Result<RoundResult, Damage> {
    let out = ended.out_seat.map(field::seat).transpose()?;
    match (ended.result, out) {
        (0, Some(seat)) => Ok(RoundResult::Out(seat)),
        (1, None) => Ok(RoundResult::Blocked),
        (2, out) => Ok(RoundResult::Target { out }),
        (3, None) => Ok(RoundResult::Resigned),
        _ => Err("a round ended in no known way"),
    }
}

fn deck(numbers: &[u8]) -> Result<Deck, Damage> {
    let tiles = field::tiles(numbers)?
        .try_into()
        .map_err(|_| "a deck has not 28 tiles")?;
    Deck::new(tiles).ok_or("a deck has a tile twice")
}
