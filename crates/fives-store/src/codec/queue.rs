//! Places in line, and claims.

use fives_lobby::queue::{Claim, Ticket};
use fives_referee::command::SeatedMatch;
use fives_referee::id::{MatchId, TicketId};
use fives_referee::store::StoreError;
use fives_referee::table::Occupant;
use fives_referee::time::UnixMillis;
use prost::Message;

use super::{Damage, SCHEMA, field, message, terms, whole};
use crate::storage;

/// The bytes of a ticket.
#[must_use]
pub fn encode_ticket(ticket: &Ticket) -> Vec<u8> {
    let stored = storage::QueueTicket {
        schema: SCHEMA,
        ticket_id: ticket.id.as_bytes().to_vec(),
        player: ticket.player.as_bytes().to_vec(),
        name: ticket.name.as_str().to_owned(),
        partner: ticket
            .partner
            .map(|partner| partner.as_bytes().to_vec())
            .unwrap_or_default(),
        rating: ticket.rating,
        joined_at_ms: ticket.joined_at.0,
    };
    stored.encode_to_vec()
}

/// The ticket behind these bytes.
///
/// # Errors
/// [`StoreError::NewerSchema`], [`StoreError::Damaged`].
pub fn decode_ticket(bytes: &[u8]) -> Result<Ticket, StoreError> {
    let stored = message(bytes)?;
    whole(ticket(&stored))
}

fn ticket(stored: &storage::QueueTicket) -> Result<Ticket, Damage> {
    Ok(Ticket {
        id: field::bytes(&stored.ticket_id).map(TicketId::from_bytes)?,
        player: field::player_id(&stored.player)?,
        name: field::name(&stored.name)?,
        partner: match stored.partner.as_slice() {
            [] => None,
            partner => Some(field::player_id(partner)?),
        },
        rating: stored.rating,
        joined_at: UnixMillis(stored.joined_at_ms),
    })
}

/// The bytes of a claim.
#[must_use]
pub fn encode_claim(claim: &Claim) -> Vec<u8> {
    let seated = &claim.seated;
    let stored = storage::QueueClaim {
        schema: SCHEMA,
        match_id: claim.match_id.as_bytes().to_vec(),
        claimed_at_ms: claim.claimed_at.0,
        options: Some(terms::stored_options(&seated.options)),
        turn_clock: seated.clock.map(terms::stored_clock),
        ranked: seated.ranked,
        occupants: seated.occupants.iter().map(terms::stored_occupant).collect(),
    };
    stored.encode_to_vec()
}

/// The claim behind these bytes.
///
/// # Errors
/// [`StoreError::NewerSchema`], [`StoreError::Damaged`].
pub fn decode_claim(bytes: &[u8]) -> Result<Claim, StoreError> {
    let stored = message(bytes)?;
    whole(claim(&stored))
}

fn claim(stored: &storage::QueueClaim) -> Result<Claim, Damage> {
    let occupants = stored.occupants.iter().map(terms::occupant);
    let seated = SeatedMatch {
        options: terms::options(stored.options.as_ref().ok_or("a claim has no options")?)?,
        clock: stored.turn_clock.as_ref().map(terms::turn_clock).transpose()?,
        ranked: stored.ranked,
        occupants: occupants.collect::<Result<_, _>>()?,
    };
    let is_full =
        seated.occupants.len() == seated.options.players().count() && !seated.occupants.contains(&Occupant::Open);
    if !is_full {
        return Err("a claim has not somebody for each seat");
    }
    Ok(Claim {
        match_id: field::bytes(&stored.match_id).map(MatchId::from_bytes)?,
        claimed_at: UnixMillis(stored.claimed_at_ms),
        seated,
    })
}
