//! Who plays with whom: a function of the tickets, the queue and the time, and of nothing else.
//!
//! Whoever waits the longest comes first, and gets the table of those who wait the longest of all that fit. Two fit if their
//! ratings are within both of their windows, and a table is one where all fit with each other. No table that could be filled is
//! left. Only then bots take the seats that are left at the tables of those who have waited long enough.

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::time::Duration;

use fives_referee::id::PlayerId;
use fives_referee::time::UnixMillis;

use super::{Queue, Ticket};

/// Who gets a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Chosen<'a> {
    /// Who has this ticket.
    Person(&'a Ticket),
    /// A bot.
    Bot,
}

/// The tables that can be filled at `now`, each with who sits where.
#[must_use]
pub fn find_tables<'a>(queue: &Queue, tickets: &'a [Ticket], now: UnixMillis) -> Vec<Vec<Chosen<'a>>> {
    let units = units(queue, tickets, now);
    let mut is_free = vec![true; units.len()];
    let mut tables = Vec::new();
    let mut settle = |chosen: &[usize], is_free: &mut [bool]| {
        chosen.iter().for_each(|&unit| is_free[unit] = false);
        let chosen: Vec<&Unit<'a>> = chosen.iter().map(|&unit| &units[unit]).collect();
        tables.push(seats(queue, &chosen));
    };
    for first in 0..units.len() {
        if !is_free[first] {
            continue;
        }
        let later: Vec<usize> = (first + 1..units.len())
            .filter(|&other| is_free[other] && units[first].fits(&units[other]))
            .collect();
        let mut chosen = vec![first];
        if fill(&units, &mut chosen, &later, queue.seats() - units[first].size()) {
            settle(&chosen, &mut is_free);
        }
    }
    let Some(bots_after_ms) = queue.bots_after_ms else {
        return tables;
    };
    for first in 0..units.len() {
        if !is_free[first] || units[first].waited < Duration::from_millis(bots_after_ms) {
            continue;
        }
        let mut chosen = vec![first];
        let mut room = queue.seats() - units[first].size();
        for other in first + 1..units.len() {
            let fits = chosen.iter().all(|&unit| units[unit].fits(&units[other]));
            if is_free[other] && fits && units[other].size() <= room {
                room -= units[other].size();
                chosen.push(other);
            }
        }
        settle(&chosen, &mut is_free);
    }
    tables
}

/// Somebody, or a party of two, who sit down together.
struct Unit<'a> {
    ticket: &'a Ticket,
    partner: Option<&'a Ticket>,
    /// Since when both are there.
    since: UnixMillis,
    waited: Duration,
    rating: i64,
    window: u32,
}

impl<'a> Unit<'a> {
    fn new(queue: &Queue, ticket: &'a Ticket, partner: Option<&'a Ticket>, now: UnixMillis) -> Self {
        let since = partner.map_or(ticket.joined_at, |partner| partner.joined_at.max(ticket.joined_at));
        let waited = now.since(since);
        let rating = i64::from(ticket.rating);
        Self {
            ticket,
            partner,
            since,
            waited,
            rating: partner.map_or(rating, |partner| (rating + i64::from(partner.rating)) / 2),
            window: queue.window.map_or(u32::MAX, |window| window.after(waited)),
        }
    }

    fn size(&self) -> usize {
        1 + usize::from(self.partner.is_some())
    }

    fn fits(&self, other: &Self) -> bool {
        self.rating.abs_diff(other.rating) <= self.window.min(other.window).into()
    }
}

/// Those who can sit down, the longest waiting first. A party counts once both have named each other; one of them alone waits.
fn units<'a>(queue: &Queue, tickets: &'a [Ticket], now: UnixMillis) -> Vec<Unit<'a>> {
    let mut of_player: HashMap<PlayerId, &Ticket> = HashMap::with_capacity(tickets.len());
    let mut units = Vec::with_capacity(tickets.len());
    let mut firsts = Vec::with_capacity(tickets.len());
    for ticket in tickets {
        // Nobody plays with themselves, however many tickets there are.
        if let Entry::Vacant(place) = of_player.entry(ticket.player) {
            place.insert(ticket);
            firsts.push(ticket);
        }
    }
    for ticket in firsts {
        let Some(named) = ticket.partner.filter(|_| queue.has_partners()) else {
            units.push(Unit::new(queue, ticket, None, now));
            continue;
        };
        if let Some(partner) = of_player.get(&named).copied()
            && partner.partner == Some(ticket.player)
            && ticket.player < named
        {
            units.push(Unit::new(queue, ticket, Some(partner), now));
        }
    }
    units.sort_by_key(|unit| (unit.since, unit.ticket.player));
    units
}

/// Adds to `chosen` the first of `later` that fill the `room`, all of whom fit with each other; false if there are none.
///
/// It takes back what leads nowhere. That is cheap: of many who fit with the first, some fit with each other, for nobody's window is
/// smaller than the one they start with.
fn fill(units: &[Unit<'_>], chosen: &mut Vec<usize>, later: &[usize], room: usize) -> bool {
    if room == 0 {
        return true;
    }
    for (place, &next) in later.iter().enumerate() {
        let Some(left) = room.checked_sub(units[next].size()) else {
            continue;
        };
        chosen.push(next);
        let fitting: Vec<usize> = match left {
            0 => Vec::new(),
            _ => later[place + 1..]
                .iter()
                .copied()
                .filter(|&other| units[next].fits(&units[other]))
                .collect(),
        };
        if fill(units, chosen, &fitting, left) {
            return true;
        }
        chosen.pop();
    }
    false
}

/// Who sits where. Partners are seats 0 and 2 against 1 and 3: parties sit opposite, and of those who came alone the strongest plays
/// with the weakest. A bot counts as weaker than anybody.
fn seats<'a>(queue: &Queue, units: &[&Unit<'a>]) -> Vec<Chosen<'a>> {
    let mut alone: Vec<Chosen<'a>> = Vec::new();
    let mut sides: Vec<[Chosen<'a>; 2]> = Vec::new();
    for unit in units {
        match unit.partner {
            Some(partner) => sides.push([unit.ticket, partner].map(Chosen::Person)),
            None => alone.push(Chosen::Person(unit.ticket)),
        }
    }
    let strength = |chosen: &Chosen<'_>| match chosen {
        Chosen::Person(ticket) => i64::from(ticket.rating),
        Chosen::Bot => i64::MIN,
    };
    alone.resize(queue.seats() - 2 * sides.len(), Chosen::Bot);
    if !queue.has_partners() {
        return alone;
    }
    alone.sort_by_key(|chosen| std::cmp::Reverse(strength(chosen)));
    while let [strongest, .., weakest] = alone[..] {
        sides.push([strongest, weakest]);
        alone.remove(0);
        alone.pop();
    }
    let (first, second) = (sides.iter().map(|side| side[0]), sides.iter().map(|side| side[1]));
    first.chain(second).collect()
}
