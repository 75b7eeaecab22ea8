//! What happened, as one viewer may see it.

use fives_referee::view::{SeenBatch, SeenTableEvent};
use fives_rules::event::RoundResult;
use fives_rules::options::MatchOptions;
use fives_rules::view::SeenEvent;

use super::clock::turn_clock;
use super::invite;
use super::view::{bot_kind, entropy, occupant, outcome, seat_index, spectators, starter_reason, visibility};
use super::{by_side, bytes, cursor, end, options, play, tile, tiles, timestamp};
use crate::v1;
use crate::v1::event::Kind;

/// One revision.
#[must_use]
pub fn batch(batch: &SeenBatch) -> v1::Batch {
    v1::Batch {
        cursor: Some(cursor(batch.cursor)),
        time: Some(timestamp(batch.at)),
        seat: batch.seat.map(seat_index),
        request_id: batch
            .request
            .as_ref()
            .map(|request| request.as_str().to_owned())
            .unwrap_or_default(),
        events: batch
            .events
            .iter()
            .map(|event| table_event(event, &batch.options))
            .collect(),
        by_administrator: batch.by_admin,
    }
}

fn table_event(event: &SeenTableEvent, match_options: &MatchOptions) -> v1::Event {
    let kind = match event {
        SeenTableEvent::Created {
            creator,
            private,
            spectators: allowed,
            clock,
            ranked,
            occupants,
            commitment,
        } => {
            let (spectators_allowed, spectator_delay_revisions, spectator_delay_s) = spectators(*allowed);
            let seats = match_options.players().seats().zip(occupants);
            Kind::MatchCreated(v1::MatchCreated {
                creator_player_id: creator.to_string(),
                options: Some(options(match_options)),
                visibility: visibility(*private).into(),
                spectators_allowed,
                spectator_delay_revisions,
                spectator_delay_s,
                seats: seats
                    .map(|(seat, taken)| occupant(match_options, seat, taken))
                    .collect(),
                commitment: bytes(&commitment.0),
                turn_clock: clock.map(turn_clock),
                ranked: *ranked,
            })
        }
        SeenTableEvent::SeatTaken {
            seat,
            player,
            name,
            entropy: added,
        } => Kind::SeatTaken(v1::SeatTaken {
            seat: seat_index(*seat),
            player_id: player.to_string(),
            display_name: name.to_string(),
            entropy: entropy(added),
        }),
        SeenTableEvent::SeatLeft { seat, player } => Kind::SeatLeft(v1::SeatLeft {
            seat: seat_index(*seat),
            player_id: player.to_string(),
        }),
        SeenTableEvent::Started => Kind::MatchStarted(v1::MatchStarted {}),
        SeenTableEvent::Closed => Kind::MatchClosed(v1::MatchClosed {}),
        SeenTableEvent::Voided { master } => Kind::MatchVoided(v1::MatchVoided { master: bytes(master) }),
        SeenTableEvent::TurnTimedOut { seat, missed_turns } => Kind::TurnTimedOut(v1::TurnTimedOut {
            seat: seat_index(*seat),
            missed_turns: (*missed_turns).into(),
        }),
        SeenTableEvent::SeatKeptByBot { seat, bot } => Kind::SeatKeptByBot(v1::SeatKeptByBot {
            seat: seat_index(*seat),
            bot_kind: bot_kind(Some(*bot)).into(),
        }),
        SeenTableEvent::SeatReclaimed { seat } => Kind::SeatReclaimed(v1::SeatReclaimed {
            seat: seat_index(*seat),
        }),
        SeenTableEvent::TurnWaiting { seat } => Kind::TurnWaiting(v1::TurnWaiting {
            seat: seat_index(*seat),
        }),
        SeenTableEvent::SeatResigned { seat, bot } => Kind::SeatResigned(v1::SeatResigned {
            seat: seat_index(*seat),
            bot_kind: bot_kind(*bot).into(),
        }),
        SeenTableEvent::Invite(change) => Kind::InviteChanged(v1::InviteChanged {
            change: invite::change(*change).into(),
        }),
        SeenTableEvent::Game(event) => game_event(event, match_options),
    };
    v1::Event { kind: Some(kind) }
}

fn game_event(event: &SeenEvent, match_options: &MatchOptions) -> Kind {
    let (seating, seats) = (match_options.seating(), match_options.players().seats());
    match event {
        SeenEvent::RoundStarted {
            round,
            starter,
            reason,
            commitment,
            tile_counts,
            boneyard_count,
            own_hand,
        } => Kind::RoundStarted(v1::RoundStarted {
            round: *round,
            starter: seat_index(*starter),
            starter_reason: starter_reason(*reason).into(),
            commitment: bytes(&commitment.0),
            tile_counts: seats.map(|seat| tile_counts[seat].into()).collect(),
            boneyard_count: (*boneyard_count).into(),
            hand: own_hand.map(tiles).unwrap_or_default(),
        }),
        SeenEvent::TilesDrawn { seat, count, own_tiles } => Kind::TilesDrawn(v1::TilesDrawn {
            seat: seat_index(*seat),
            count: (*count).into(),
            tiles: own_tiles
                .iter()
                .flat_map(|drawn| drawn.as_slice())
                .map(|drawn| tile(*drawn))
                .collect(),
        }),
        SeenEvent::TurnPassed { seat } => Kind::TurnPassed(v1::TurnPassed {
            seat: seat_index(*seat),
        }),
        SeenEvent::TilePlayed {
            seat,
            play: played,
            counted,
            total,
            points,
            scores,
        } => {
            let counted = counted.iter().map(|(at, counted)| v1::CountedEnd {
                end: end(at).into(),
                counted: counted.into(),
            });
            Kind::TilePlayed(v1::TilePlayed {
                seat: seat_index(*seat),
                play: Some(play(*played)),
                counted_ends: counted.collect(),
                total: (*total).into(),
                points: (*points).into(),
                scores: by_side(seating, scores, |score| score),
            })
        }
        SeenEvent::RoundEnded {
            round,
            result,
            left,
            subtracted,
            scores,
            seed,
        } => Kind::RoundEnded(v1::RoundEnded {
            round: *round,
            result: round_result(*result).into(),
            out_seat: result.out_seat().map(seat_index),
            hands_left: seats
                .map(|seat| v1::HandLeft {
                    tiles: tiles(left[seat]),
                })
                .collect(),
            subtracted: subtracted
                .map(|lost| by_side(seating, &lost, i32::unsigned_abs))
                .unwrap_or_default(),
            scores: by_side(seating, scores, |score| score),
            seed: bytes(seed),
        }),
        SeenEvent::SeatResigned { seat } => Kind::SeatResigned(v1::SeatResigned {
            seat: seat_index(*seat),
            bot_kind: bot_kind(None).into(),
        }),
        SeenEvent::MatchEnded { outcome: end, master } => Kind::MatchEnded(v1::MatchEnded {
            outcome: Some(outcome(end, seating)),
            master: bytes(master),
        }),
    }
}

const fn round_result(result: RoundResult) -> v1::RoundResult {
    match result {
        RoundResult::Out(_) => v1::RoundResult::Out,
        RoundResult::Blocked => v1::RoundResult::Blocked,
        RoundResult::Target { .. } => v1::RoundResult::Target,
        RoundResult::Resigned => v1::RoundResult::Resigned,
    }
}
