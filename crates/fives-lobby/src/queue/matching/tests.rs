//! The matching against a slow plain model: all sets of people, one after the other.

use fives_referee::id::TicketId;
use fives_referee::player::DisplayName;
use fives_rules::options::{MatchOptions, OptionChoices};
use fives_rules::seat::Players;
use proptest::prelude::*;

use super::*;
use crate::queue::{QueueName, RatingWindow};

const NOW: UnixMillis = UnixMillis(1_790_000_100_000);

fn player(number: u8) -> PlayerId {
    PlayerId::from_bytes([number + 1; 16])
}

fn ticket(number: u8, rating: i32, waited_s: u64, partner: Option<u8>) -> Ticket {
    Ticket {
        id: TicketId::from_bytes([number; 16]),
        player: player(number),
        name: DisplayName::new("anna").unwrap(),
        partner: partner.map(player),
        rating,
        joined_at: UnixMillis(NOW.0 - waited_s * 1000),
    }
}

fn queue(players: Players, partners: bool, window: Option<u32>, bots_after_s: Option<u64>) -> Queue {
    let choices = OptionChoices {
        partners: Some(partners),
        ..OptionChoices::default()
    };
    Queue {
        name: QueueName::new("q").unwrap(),
        options: choices.resolve(players).unwrap_or(MatchOptions::all_fives(players)),
        clock: None,
        ranked: false,
        bots_after_ms: bots_after_s.map(|s| s * 1000),
        window: window.map(|start| RatingWindow {
            start,
            widen_per_s: 10,
            most: Some(400),
        }),
    }
}

/// Who sits at each table, by seat; `None` is a bot.
fn found(queue: &Queue, tickets: &[Ticket]) -> Vec<Vec<Option<PlayerId>>> {
    let person = |chosen: &Chosen<'_>| match chosen {
        Chosen::Person(ticket) => Some(ticket.player),
        Chosen::Bot => None,
    };
    let tables = find_tables(queue, tickets, NOW);
    tables.iter().map(|table| table.iter().map(person).collect()).collect()
}

/// The units of the model: who sits down together, since when, how strong, how far the window is.
type Plain = (Vec<PlayerId>, UnixMillis, i64, i64);

fn plain_units(queue: &Queue, tickets: &[Ticket]) -> Vec<Plain> {
    let mut units: Vec<Plain> = Vec::new();
    for a in tickets {
        let window = |since: UnixMillis| {
            let waited_ms = NOW.0 - since.0;
            queue.window.map_or(i64::MAX, |window| {
                (i64::from(window.start) + (waited_ms * u64::from(window.widen_per_s) / 1000) as i64).min(400)
            })
        };
        if a.partner.is_none() || !queue.has_partners() {
            units.push((vec![a.player], a.joined_at, a.rating.into(), window(a.joined_at)));
        }
        for b in tickets.iter().filter(|_| queue.has_partners()) {
            if a.player < b.player && a.partner == Some(b.player) && b.partner == Some(a.player) {
                let since = a.joined_at.max(b.joined_at);
                let rating = (i64::from(a.rating) + i64::from(b.rating)) / 2;
                units.push((vec![a.player, b.player], since, rating, window(since)));
            }
        }
    }
    units.sort_by_key(|(players, since, ..)| (*since, players[0]));
    units
}

/// The people at each table by the model: of all sets that fill a table and fit, the first in order of waiting, again and again; then
/// bots.
fn model(queue: &Queue, tickets: &[Ticket]) -> Vec<(Vec<PlayerId>, usize)> {
    let mut units = plain_units(queue, tickets);
    let fit = |set: &[usize], units: &[Plain]| {
        set.iter().all(|&a| {
            set.iter().all(|&b| {
                let ((.., rating_a, window_a), (.., rating_b, window_b)) = (&units[a], &units[b]);
                (rating_a - rating_b).abs() <= *window_a.min(window_b) || a == b
            })
        })
    };
    let people = |set: &[usize], units: &[Plain]| -> Vec<PlayerId> {
        set.iter().flat_map(|&unit| units[unit].0.clone()).collect()
    };
    let mut tables = Vec::new();
    loop {
        let sets = (1u32..1 << units.len())
            .map(|mask| -> Vec<usize> { (0..units.len()).filter(|unit| mask >> unit & 1 == 1).collect() });
        let full = sets.filter(|set| people(set, &units).len() == queue.seats() && fit(set, &units));
        let Some(first) = full.min() else { break };
        tables.push((people(&first, &units), 0));
        for unit in first.into_iter().rev() {
            units.remove(unit);
        }
    }
    while let Some(first) = queue
        .bots_after_ms
        .and_then(|bots_after_ms| (0..units.len()).find(|&unit| NOW.0 - units[unit].1.0 >= bots_after_ms))
    {
        let mut set = vec![first];
        for other in first + 1..units.len() {
            let larger = [set.clone(), vec![other]].concat();
            if people(&larger, &units).len() <= queue.seats() && fit(&larger, &units) {
                set = larger;
            }
        }
        let bots = queue.seats() - people(&set, &units).len();
        tables.push((people(&set, &units), bots));
        for unit in set.into_iter().rev() {
            units.remove(unit);
        }
    }
    tables
}

fn some_ticket(number: u8) -> impl Strategy<Value = Ticket> {
    let partner = prop_oneof![2 => Just(None), 3 => (0..9u8).prop_map(Some)];
    (1300..1700i32, 0..40u64, partner).prop_map(move |(rating, waited_s, partner)| {
        // Sometimes the neighbour, so that there are parties; never oneself.
        let partner = partner.map(|partner| if partner < 6 { number ^ 1 } else { partner });
        ticket(number, rating, waited_s, partner.filter(|&partner| partner != number))
    })
}

fn some_queue() -> impl Strategy<Value = Queue> {
    let table = prop_oneof![
        Just((Players::Two, false)),
        Just((Players::Three, false)),
        Just((Players::Four, false)),
        Just((Players::Four, true)),
    ];
    let window = prop_oneof![Just(None), (20..200u32).prop_map(Some)];
    (table, window, prop_oneof![Just(None), (0..50u64).prop_map(Some)])
        .prop_map(|((players, partners), window, bots)| queue(players, partners, window, bots))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(512) })]

    #[test]
    fn it_finds_what_the_plain_model_finds(
        queue in some_queue(),
        tickets in (0..10u8).prop_flat_map(|count| (0..count).map(some_ticket).collect::<Vec<_>>()),
    ) {
        let found = found(&queue, &tickets);
        let mut seen = Vec::new();
        for table in &found {
            prop_assert_eq!(table.len(), queue.seats());
            let mut people: Vec<PlayerId> = table.iter().flatten().copied().collect();
            seen.extend(people.clone());
            people.sort();
            let bots = table.iter().filter(|seat| seat.is_none()).count();
            let mut by_model: Vec<_> = model(&queue, &tickets);
            by_model.iter_mut().for_each(|(people, _)| people.sort());
            prop_assert!(by_model.contains(&(people, bots)), "{:?} is not of {:?}", table, by_model);
            for (seat, sits) in table.iter().enumerate().filter(|_| queue.has_partners()) {
                let partner = sits.and_then(|player| tickets.iter().find(|ticket| ticket.player == player)?.partner);
                if let Some(partner) = partner {
                    prop_assert_eq!(table[(seat + 2) % 4], Some(partner), "parties sit opposite");
                }
            }
        }
        prop_assert_eq!(found.len(), model(&queue, &tickets).len());
        let count = seen.len();
        seen.sort();
        seen.dedup();
        prop_assert_eq!(seen.len(), count, "nobody sits twice");
    }
}

#[test]
fn the_longest_waiting_get_the_first_table() {
    let duel = queue(Players::Two, false, None, None);
    let tickets = [
        ticket(0, 1500, 1, None),
        ticket(1, 1500, 9, None),
        ticket(2, 1500, 5, None),
    ];
    assert_eq!(found(&duel, &tickets), [[Some(player(1)), Some(player(2))]]);
}

#[test]
fn a_window_is_that_of_both() {
    let ranked = queue(Players::Two, false, Some(100), None);
    let (patient, newcomer) = (ticket(0, 1500, 30, None), ticket(1, 1650, 0, None));
    assert!(
        found(&ranked, &[patient.clone(), newcomer]).is_empty(),
        "the newcomer may wait for better"
    );
    assert_eq!(found(&ranked, &[patient, ticket(1, 1650, 5, None)]).len(), 1);
}

#[test]
fn one_person_with_two_tickets_does_not_play_with_themselves() {
    let duel = queue(Players::Two, false, None, None);
    let tickets = [ticket(0, 1500, 9, None), ticket(0, 1500, 3, None)];
    assert!(found(&duel, &tickets).is_empty());
}

#[test]
fn who_named_a_partner_waits_for_them() {
    let partners = queue(Players::Four, true, None, Some(0));
    assert!(found(&partners, &[ticket(0, 1500, 90, Some(1)), ticket(1, 1500, 90, Some(2))]).is_empty());
    let both = [ticket(0, 1500, 90, Some(1)), ticket(1, 1500, 90, Some(0))];
    let seated = [Some(player(0)), None, Some(player(1)), None];
    assert_eq!(
        found(&partners, &both),
        [seated],
        "two who named each other play against bots"
    );
}

#[test]
fn of_those_who_came_alone_the_strongest_plays_with_the_weakest() {
    let partners = queue(Players::Four, true, None, Some(30));
    let tickets: Vec<Ticket> = [1500, 1600, 1400, 1550]
        .into_iter()
        .zip(0..)
        .map(|(rating, number)| ticket(number, rating, 1, None))
        .collect();
    let seated = [1, 3, 2, 0].map(|number| Some(player(number)));
    assert_eq!(found(&partners, &tickets), [seated]);
    let two = [ticket(0, 1500, 30, None), ticket(1, 1600, 1, None)];
    let seated = [Some(player(1)), Some(player(0)), None, None];
    assert_eq!(found(&partners, &two), [seated], "each of two has a bot for a partner");
}

#[test]
fn thousands_who_wait_are_matched_in_no_time() {
    let ranked = queue(Players::Four, false, Some(50), None);
    let tickets: Vec<Ticket> = (0..2_000u32)
        .map(|number| Ticket {
            player: PlayerId::from_bytes(u128::from(number).to_be_bytes()),
            rating: 1000 + (number.wrapping_mul(2_654_435_761) % 1000) as i32,
            ..ticket(0, 0, u64::from(number % 60), None)
        })
        .collect();
    let seated = find_tables(&ranked, &tickets, NOW).len() * 4;
    assert!(seated > 1_900, "{seated} of 2,000 have a table");
}
