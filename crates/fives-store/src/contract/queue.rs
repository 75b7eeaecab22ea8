//! Queues: who waits, who is gone, and claims that take all tickets of a table or none. What is fresh is said with each call, so
//! nothing here waits for time to pass, but for what is forgotten.

use std::collections::BTreeSet;

use fives_bots::BotKind;
use fives_lobby::queue::{Claim, Line, Look, QueueName, Standing, Ticket};
use fives_lobby::store::SharedLobbyStore;
use fives_referee::command::SeatedMatch;
use fives_referee::id::{MatchId, PlayerId, TicketId};
use fives_referee::store::StoreError;
use fives_referee::table::Occupant;
use fives_referee::time::UnixMillis;
use fives_rules::options::MatchOptions;
use fives_rules::seat::Players;

use super::{Outcome, sample};

const ALWAYS: UnixMillis = UnixMillis(0);
const NEVER: UnixMillis = UnixMillis(1 << 50);

type Named = Result<QueueName, Box<dyn std::error::Error + Send + Sync>>;

fn queue(name: &str) -> Named {
    Ok(QueueName::new(name)?)
}

/// The ticket of this number of the person of this number, who has waited since then.
fn ticket(number: u64, person: u64, joined_at: u64) -> Ticket {
    let mut id = [0; 16];
    id[8..].copy_from_slice(&number.to_be_bytes());
    Ticket {
        id: TicketId::from_bytes(id),
        player: sample::player_id(person),
        name: sample::player(person).name,
        partner: person.is_multiple_of(2).then(|| sample::player_id(person + 1)),
        rating: 1500 - i32::try_from(number).unwrap_or(0) * 100,
        joined_at: UnixMillis(joined_at),
    }
}

fn claim(number: u64, claimed_at: u64, tickets: &[&Ticket]) -> Claim {
    let people = tickets.iter().map(|ticket| Occupant::Person {
        player: ticket.player,
        name: ticket.name.clone(),
    });
    Claim {
        match_id: sample::match_id(number),
        claimed_at: UnixMillis(claimed_at),
        seated: SeatedMatch {
            options: MatchOptions::all_fives(Players::Two),
            clock: None,
            ranked: number.is_multiple_of(2),
            occupants: people.chain([Occupant::Bot(BotKind::Greedy)]).take(2).collect(),
        },
    }
}

async fn take(store: &SharedLobbyStore, queue: &QueueName, ticket: &Ticket) -> Result<Standing, StoreError> {
    store.take_place(queue, ticket, store.now().await?, ALWAYS, None).await
}

async fn look(store: &SharedLobbyStore, queue: &QueueName, fresh_since: UnixMillis) -> Result<Line, StoreError> {
    let look = Look {
        fresh_since,
        claimed_before: NEVER,
        limit: 100,
    };
    store.look_at_line(queue, look).await
}

async fn standing(store: &SharedLobbyStore, queue: &QueueName, player: &PlayerId) -> Result<Standing, StoreError> {
    let standings = store.renew_tickets(queue, &[*player], store.now().await?).await?;
    Ok(standings.into_iter().next().unwrap_or(Standing::Gone))
}

pub(super) async fn tickets(store: SharedLobbyStore) -> Outcome {
    let duel = queue("duel")?;
    assert_eq!(look(&store, &duel, ALWAYS).await?, Line::default());
    let [late, early, same_time] = [ticket(1, 1, 30), ticket(2, 2, 10), ticket(3, 3, 30)];
    for ticket in [&late, &early, &same_time] {
        assert_eq!(take(&store, &duel, ticket).await?, Standing::Waiting(ticket.clone()));
    }
    let line = look(&store, &duel, ALWAYS).await?;
    assert_eq!(
        (line.waiting, line.tickets.first()),
        (3, Some(&early)),
        "who waits the longest comes first"
    );
    assert_eq!(line.tickets.len(), 3);
    let first = Look {
        fresh_since: ALWAYS,
        claimed_before: NEVER,
        limit: 1,
    };
    let line = store.look_at_line(&duel, first).await?;
    assert_eq!(
        (line.waiting, line.tickets),
        (3, vec![early.clone()]),
        "a look is bounded"
    );
    let line = store.look_at_line(&duel, Look { limit: 0, ..first }).await?;
    assert_eq!((line.waiting, line.tickets), (3, vec![]));

    // A second device of the same player finds the place of the first.
    assert_eq!(
        take(&store, &duel, &ticket(9, 2, 99)).await?,
        Standing::Waiting(early.clone())
    );
    assert_eq!(
        standing(&store, &duel, &early.player).await?,
        Standing::Waiting(early.clone())
    );
    // Other queues are other lines.
    let other = queue("other")?;
    assert_eq!(standing(&store, &other, &early.player).await?, Standing::Gone);
    assert_eq!(take(&store, &other, &late).await?, Standing::Waiting(late.clone()));
    assert_eq!(look(&store, &duel, ALWAYS).await?.waiting, 3);
    Ok(())
}

pub(super) async fn leaving(store: SharedLobbyStore) -> Outcome {
    let duel = queue("duel")?;
    let first = ticket(1, 1, 10);
    assert_eq!(store.leave_line(&duel, &first.player).await?, Standing::Gone);
    assert_eq!(
        standing(&store, &duel, &first.player).await?,
        Standing::Gone,
        "who was never there has not left"
    );
    take(&store, &duel, &first).await?;
    assert_eq!(
        store.leave_line(&duel, &first.player).await?,
        Standing::Waiting(first.clone())
    );
    assert_eq!(
        standing(&store, &duel, &first.player).await?,
        Standing::Left,
        "their other devices hear of it"
    );
    assert_eq!(look(&store, &duel, ALWAYS).await?.waiting, 0);
    assert_eq!(store.leave_line(&duel, &first.player).await?, Standing::Left);
    let second = ticket(2, 1, 20);
    assert_eq!(take(&store, &duel, &second).await?, Standing::Waiting(second));
    Ok(())
}

pub(super) async fn signs_of_life(store: SharedLobbyStore) -> Outcome {
    let duel = queue("duel")?;
    let [silent, alive] = [ticket(1, 1, 10), ticket(2, 2, 20)];
    for ticket in [&silent, &alive] {
        store.take_place(&duel, ticket, UnixMillis(1_000), ALWAYS, None).await?;
    }
    let renewed = store.renew_tickets(&duel, &[alive.player], UnixMillis(2_000)).await?;
    assert_eq!(renewed, [Standing::Waiting(alive.clone())]);
    let both = [&silent, &alive];
    assert!(
        !store
            .claim(&duel, &claim(1, 0, &both), &both, UnixMillis(1_001))
            .await?,
        "one of them is not there any more"
    );
    // Who comes back too late gets a new place, in time the old one.
    let late = ticket(3, 1, 30);
    let taken = |fresh_since| store.take_place(&duel, &late, UnixMillis(1_000), UnixMillis(fresh_since), None);
    assert_eq!(taken(1_000).await?, Standing::Waiting(silent));
    assert_eq!(taken(1_001).await?, Standing::Waiting(late.clone()));
    let line = look(&store, &duel, UnixMillis(1_001)).await?;
    assert_eq!((line.waiting, line.tickets), (1, vec![alive]));
    assert_eq!(standing(&store, &duel, &late.player).await?, Standing::Gone);
    Ok(())
}

pub(super) async fn claims(store: SharedLobbyStore) -> Outcome {
    let duel = queue("duel")?;
    let [a, b, c] = [ticket(1, 1, 1_000), ticket(2, 2, 3_000), ticket(3, 3, 30)];
    for ticket in [&a, &b, &c] {
        take(&store, &duel, ticket).await?;
    }
    let other_ticket = Ticket { id: c.id, ..a.clone() };
    let wrong = [&other_ticket, &b];
    assert!(
        !store.claim(&duel, &claim(1, 5_000, &wrong), &wrong, ALWAYS).await?,
        "it is another ticket"
    );
    assert_eq!(
        look(&store, &duel, ALWAYS).await?.waiting,
        3,
        "nobody is taken unless all are"
    );

    let (pair, first) = ([&a, &b], claim(2, 5_000, &[&a, &b]));
    assert!(store.claim(&duel, &first, &pair, ALWAYS).await?);
    assert!(
        !store
            .claim(&duel, &claim(3, 5_000, &[&b, &c]), &[&b, &c], ALWAYS)
            .await?,
        "b is taken"
    );
    let line = look(&store, &duel, ALWAYS).await?;
    assert_eq!(
        (line.waiting, line.tickets, line.claims),
        (1, vec![c], vec![first.clone()])
    );
    assert_eq!(line.typical_wait_ms, Some(3_000));
    let young = Look {
        fresh_since: ALWAYS,
        claimed_before: UnixMillis(5_000),
        limit: 9,
    };
    assert_eq!(
        store.look_at_line(&duel, young).await?.claims,
        [],
        "it is left to whoever made it"
    );

    let claimed = Standing::Claimed(first.match_id);
    for player in first.players() {
        assert_eq!(standing(&store, &duel, player).await?, claimed);
        assert_eq!(store.leave_line(&duel, player).await?, claimed, "it is too late");
    }
    assert_eq!(take(&store, &duel, &ticket(4, 1, 40)).await?, claimed);

    for _ in 0..2 {
        store.close_claim(&duel, &first, 600_000).await?;
        assert_eq!(look(&store, &duel, ALWAYS).await?.claims, []);
        let matched = Standing::Matched(first.match_id);
        assert_eq!(standing(&store, &duel, &a.player).await?, matched);
        assert_eq!(take(&store, &duel, &ticket(4, 1, 40)).await?, matched);
    }
    let next = ticket(4, 1, 40);
    let now = store.now().await?;
    let strange = Some(sample::match_id(77));
    assert_eq!(
        store.take_place(&duel, &next, now, ALWAYS, strange).await?,
        Standing::Matched(first.match_id)
    );
    assert_eq!(
        store
            .take_place(&duel, &next, now, ALWAYS, Some(first.match_id))
            .await?,
        Standing::Waiting(next.clone()),
        "who knows of the match comes for another one"
    );
    store.close_claim(&duel, &first, 600_000).await?;
    assert_eq!(
        standing(&store, &duel, &a.player).await?,
        Standing::Waiting(next),
        "nothing is closed twice"
    );
    assert_eq!(
        store.leave_line(&duel, &b.player).await?,
        Standing::Matched(first.match_id)
    );
    assert_eq!(standing(&store, &duel, &b.player).await?, Standing::Left);
    Ok(())
}

pub(super) async fn forgotten(store: SharedLobbyStore) -> Outcome {
    let duel = queue("duel")?;
    let alone = ticket(1, 1, 10);
    take(&store, &duel, &alone).await?;
    let claim = claim(1, 20, &[&alone]);
    assert!(store.claim(&duel, &claim, &[&alone], ALWAYS).await?);
    store.close_claim(&duel, &claim, 1).await?;
    while standing(&store, &duel, &alone.player).await? != Standing::Gone {
        tokio::task::yield_now().await;
    }
    assert_eq!(look(&store, &duel, ALWAYS).await?.waiting, 0);
    Ok(())
}

/// Many who claim the same tickets, in other sets: each ticket is taken once.
pub(super) async fn claimed_once(store: SharedLobbyStore) -> Outcome {
    let duel = queue("duel")?;
    let tickets: Vec<Ticket> = (0..8).map(|number| ticket(number, number, 10)).collect();
    for ticket in &tickets {
        take(&store, &duel, ticket).await?;
    }
    let mut claiming = Vec::new();
    for number in 0..28 {
        let (store, duel) = (SharedLobbyStore::clone(&store), duel.clone());
        let first = tickets.get(number % 8).cloned();
        let second = tickets.get((number + 1 + number / 8) % 8).cloned();
        let (first, second) = first.zip(second).ok_or("there are eight")?;
        claiming.push(tokio::spawn(async move {
            let pair = [&first, &second];
            let claim = claim(number as u64, 20, &pair);
            let is_mine = store.claim(&duel, &claim, &pair, ALWAYS).await?;
            Ok::<Option<Claim>, StoreError>(is_mine.then_some(claim))
        }));
    }
    let mut made = Vec::new();
    for one in claiming {
        made.extend(one.await??);
    }
    let taken: Vec<PlayerId> = made.iter().flat_map(Claim::players).copied().collect();
    assert_eq!(taken.len(), taken.iter().collect::<BTreeSet<_>>().len(), "{taken:?}");
    assert!(!taken.is_empty());
    let line = look(&store, &duel, ALWAYS).await?;
    assert_eq!(line.waiting as usize + taken.len(), 8);
    let kept: BTreeSet<MatchId> = line.claims.iter().map(|claim| claim.match_id).collect();
    assert_eq!(kept, made.iter().map(|claim| claim.match_id).collect());
    Ok(())
}
