//! Tables and batches of every kind, always the same ones: what the golden files hold.

use std::collections::BTreeMap;

use fives_bots::BotKind;
use fives_lobby::archive::{Archived, Ending};
use fives_lobby::queue::{Claim, Ticket};
use fives_lobby::rematch::{Answer, Rematch, Stage};
use fives_referee::audit::{Act, AuditEntry, FilterText, Operator, Why};
use fives_referee::batch::{Author, Batch, Spectators, TableEvent, Visibility};
use fives_referee::clock::{AfterMisses, TurnClock};
use fives_referee::command::{Command, Intervention, SeatedMatch};
use fives_referee::cursor::Cursor;
use fives_referee::erased::ErasedMark;
use fives_referee::id::TicketId;
use fives_referee::invite::{InviteEvent, InviteWish, Shown};
use fives_referee::notice::{Notice, NoticeEvent, NoticeId};
use fives_referee::player::Player;
use fives_referee::request::RequestDigest;
use fives_referee::table::{Occupant, Table};
use fives_referee::time::UnixMillis;
use fives_referee::trace::TraceParent;
use fives_rules::event::Event;
use fives_rules::options::{DeadLayout, HandRule, MatchOptions, OptionChoices, RoundCap, Rounding, WinCheck};
use fives_rules::seat::{Players, Seat};
use fives_store::contract::sample::{self, Made, Terms};

/// Every kind of thing that is kept, by a name for its golden file.
pub(crate) struct Scenario {
    pub(crate) snapshots: BTreeMap<&'static str, Table>,
    pub(crate) batches: BTreeMap<&'static str, Batch>,
    pub(crate) players: BTreeMap<&'static str, Player>,
    pub(crate) audit: BTreeMap<&'static str, AuditEntry>,
    pub(crate) tickets: BTreeMap<&'static str, Ticket>,
    pub(crate) claims: BTreeMap<&'static str, Claim>,
    pub(crate) notices: BTreeMap<&'static str, Notice>,
    pub(crate) archives: BTreeMap<&'static str, Archived>,
    pub(crate) rematches: BTreeMap<&'static str, Rematch>,
}

/// The name of each kind of event. A new one needs a golden of its own.
const fn kind(event: &TableEvent) -> &'static str {
    match event {
        TableEvent::Created(_) => "created",
        TableEvent::SeatTaken { .. } => "seat-taken",
        TableEvent::SeatLeft { .. } => "seat-left",
        TableEvent::Started => "started",
        TableEvent::Closed => "closed",
        TableEvent::Voided { .. } => "voided",
        TableEvent::TurnTimedOut { .. } => "turn-timed-out",
        TableEvent::SeatKeptByBot { .. } => "seat-kept-by-bot",
        TableEvent::SeatReclaimed { .. } => "seat-reclaimed",
        TableEvent::TurnWaiting { .. } => "turn-waiting",
        TableEvent::Invite(InviteEvent::Made(_)) => "invite-made",
        TableEvent::Invite(InviteEvent::Used(_)) => "invite-used",
        TableEvent::Invite(InviteEvent::Revoked(_)) => "invite-revoked",
        TableEvent::Game(Event::RoundStarted { .. }) => "round-started",
        TableEvent::Game(Event::TilesDrawn { .. }) => "tiles-drawn",
        TableEvent::Game(Event::TurnPassed { .. }) => "turn-passed",
        TableEvent::Game(Event::TilePlayed { .. }) => "tile-played",
        TableEvent::Game(Event::RoundEnded { .. }) => "round-ended",
        TableEvent::Game(Event::SeatResigned { .. }) => "seat-resigned",
        TableEvent::Game(Event::MatchEnded { .. }) => "match-ended",
    }
}

/// The name of each kind of notice.
const fn told(notice: &Notice) -> &'static str {
    match notice.event {
        NoticeEvent::MatchStarted => "started",
        NoticeEvent::MatchFinished { .. } => "finished",
        NoticeEvent::MatchVoided => "voided",
        NoticeEvent::PlayerAbandoned { .. } => "abandoned",
        NoticeEvent::TurnWaiting { .. } => "waiting",
    }
}

/// How many batches there are: one for each kind of event, and one of a call that was traced, and one of the service itself.
pub(crate) const BATCHES: usize = 22;

pub(crate) fn scenario() -> Scenario {
    let (opened, closed) = before_the_start();
    let played: Vec<Made> = sample::whole(3, &Terms::of(&[sample::person(1), sample::person(2)])).collect();
    let resigned = resignation();
    let (kept, forfeited) = absence();
    let voided = voided();
    let invited = invited();
    let unusual: Vec<Made> = sample::whole(5, &unusual_terms()).collect();
    let ranked = sample::create(9, &Terms::of(&[sample::person(1), sample::person(2)]).ranked());

    let waiting = waiting(&played[40].table);
    let archived = |made: &Made| Archived::of(&made.table).expect("it is over");
    let finished = archived(played.last().expect("a match has revisions"));
    let private = Archived {
        visibility: Visibility::Private(sample::code(1)),
        spectators: Spectators::Forbidden,
        ending: Ending::Voided,
        ranked: true,
        ..archived(unusual.last().expect("a match has revisions"))
    };
    let erased = finished
        .clone()
        .without(&sample::player_id(0))
        .without(&sample::player_id(1));
    let archives = BTreeMap::from([("finished", finished), ("private", private), ("erased", erased)]);

    let state = |made: &Made| Table::clone(&made.table);
    let last = |made: &[Made]| state(made.last().expect("it has a state"));
    let snapshots = BTreeMap::from([
        ("open", last(&opened)),
        ("closed", last(&closed)),
        ("dealt", state(&played[0])),
        ("live", state(&played[40])),
        ("finished", last(&played)),
        ("resigned", last(&resigned)),
        ("kept-by-bot", state(&kept[kept.len() - 3])),
        ("timed", state(&kept[kept.len() - 1])),
        ("forfeited", last(&forfeited)),
        ("voided", last(&voided)),
        ("turn-waits", state(&waiting)),
        ("invites", last(&invited)),
        ("unusual", state(&unusual[11])),
        ("unusual-finished", last(&unusual)),
        ("ranked", state(&ranked)),
    ]);
    let mut batches = BTreeMap::new();
    let all = [
        &opened, &closed, &played, &resigned, &unusual, &kept, &forfeited, &voided, &invited,
    ];
    let all = all.into_iter().flatten().chain([&waiting]);
    let mut notices = BTreeMap::new();
    for Made { table, batch } in all {
        for notice in Notice::of(table, batch) {
            notices.entry(told(&notice)).or_insert(notice);
        }
        for event in &batch.events {
            batches.entry(kind(event)).or_insert_with(|| batch.clone());
        }
    }
    let traced = TraceParent {
        trace_id: [7; 16],
        span_id: [9; 8],
    };
    let of_a_traced_call = Batch {
        traced: Some(traced),
        ..played[40].batch.clone()
    };
    batches.insert("traced", of_a_traced_call);
    let by_the_house = Batch {
        author: Author::House,
        ..ranked.batch
    };
    batches.insert("by-the-house", by_the_house);
    let without_device = Player {
        device: None,
        ..sample::player(2)
    };
    let players = BTreeMap::from([("with-device", sample::player(1)), ("without-device", without_device)]);
    Scenario {
        snapshots,
        batches,
        players,
        audit: audit(),
        tickets: BTreeMap::from([("alone", ticket(None)), ("with-partner", ticket(Some(2)))]),
        claims: BTreeMap::from([("ranked", claim())]),
        notices,
        archives,
        rematches: rematches(),
    }
}

/// After it was told that a turn waits for somebody who is not there.
fn waiting(table: &Table) -> Made {
    let (seat, _) = table.awaited().expect("a person is on turn");
    sample::next(table, Author::Clock(seat), vec![TableEvent::TurnWaiting { seat }])
}

/// A match that still waits, and one that was given up.
fn before_the_start() -> (Vec<Made>, Vec<Made>) {
    let terms = Terms {
        spectators: Spectators::Allowed {
            delay_revisions: 12,
            delay_ms: 0,
        },
        ..Terms::of(&[Occupant::Open, Occupant::Bot(BotKind::Random), Occupant::Open])
    };
    let join = |number| {
        let Command::Join {
            seat, entropy, name, ..
        } = sample::join(number)
        else {
            unreachable!("it is a join");
        };
        let code = Some(Shown {
            code: sample::code(number),
            at: UnixMillis(0),
        });
        Command::Join {
            seat,
            entropy,
            code,
            name,
        }
    };
    let mut opened = vec![sample::create(1, &terms.clone().private(1))];
    opened.extend(sample::command(&opened[0].table, 1, &join(1)));
    let mut closed = vec![sample::create(2, &terms.unwatched())];
    for command in [sample::join(2), Command::Leave] {
        let table = &closed.last().expect("it has a state").table;
        let made = sample::command(table, 2, &command).expect("it is allowed");
        closed.push(made);
    }
    assert_eq!((opened.len(), closed.len()), (2, 3));
    (opened, closed)
}

/// A match that goes on after somebody has given up.
fn resignation() -> Vec<Made> {
    let terms = Terms::of(&[Occupant::Open, sample::person(4), sample::person(5)]);
    let mut made = vec![sample::create(4, &terms)];
    for (number, command) in [(6, sample::join(6)), (4, Command::Resign)] {
        let table = &made.last().expect("it has a state").table;
        made.push(sample::command(table, number, &command).expect("it is allowed"));
    }
    let table = made.last().expect("it has a state").table.clone();
    made.extend(std::iter::successors(sample::play(&table), |made| sample::play(&made.table)).take(5));
    made
}

/// A match whose second person is away until a bot keeps the seat, and then comes back; and one that is forfeited.
fn absence() -> (Vec<Made>, Vec<Made>) {
    let clock = |missed_turns_max, after_misses| TurnClock {
        turn_time_ms: 30_000,
        missed_turns_max,
        after_misses,
    };
    let people = Terms::of(&[sample::person(8), sample::person(9)]);
    let mut kept = vec![sample::create(
        6,
        &people.clone().timed(clock(2, AfterMisses::BotKeepsSeat)),
    )];
    let is_away = |table: &Table| table.timed_seat() == table.seat_of(&sample::player_id(9));
    while kept
        .last()
        .is_some_and(|made| made.table.chairs.iter().all(|chair| !chair.kept_by_bot))
    {
        let table = &kept.last().expect("it has a state").table;
        let made = if is_away(table) {
            sample::time_out(table)
        } else {
            sample::play(table)
        };
        kept.push(made.expect("a person is on turn"));
    }
    while kept.last().is_some_and(|made| made.table.waits_for_bot()) {
        let table = &kept.last().expect("it has a state").table;
        kept.push(sample::play(table).expect("a bot is on turn"));
    }
    for number in [9, 8] {
        let table = &kept.last().expect("it has a state").table;
        kept.push(match number {
            9 => sample::command(table, 9, &Command::ReclaimSeat).expect("a bot keeps the seat"),
            _ => sample::play(table).expect("a person is on turn"),
        });
    }
    let delayed = Terms {
        spectators: Spectators::Allowed {
            delay_revisions: 0,
            delay_ms: 90_000,
        },
        ..people
    };
    let mut forfeited = vec![sample::create(7, &delayed.timed(clock(1, AfterMisses::Forfeit)))];
    forfeited.extend(sample::time_out(&forfeited[0].table));
    assert_eq!(forfeited.len(), 2);
    (kept, forfeited)
}

/// A match of three whose second person is made to give up, and which is then ended without a result.
fn voided() -> Vec<Made> {
    let people = [sample::person(1), sample::person(2), sample::person(3)];
    let mut made = vec![sample::create(8, &Terms::of(&people))];
    for intervention in [Intervention::Forfeit(Seat::ALL[1]), Intervention::Void] {
        let table = &made.last().expect("it has a state").table;
        made.push(sample::intervene(table, intervention).expect("it is allowed"));
    }
    made
}

/// A match with two invites: one is used, the other one revoked.
fn invited() -> Vec<Made> {
    let open = [sample::person(1), Occupant::Open, Occupant::Open];
    let mut made = vec![sample::create(9, &Terms::of(&open))];
    let invite = |number, wish| Command::Invite {
        wish,
        code: sample::code(number),
        at: UnixMillis(1_790_000_000_000),
    };
    let narrow = InviteWish {
        seat: Some(Seat::ALL[2]),
        lifetime_ms: Some(60_000),
        uses_max: Some(1),
    };
    let wide = InviteWish {
        seat: None,
        lifetime_ms: None,
        uses_max: None,
    };
    let Command::Join {
        seat, entropy, name, ..
    } = sample::join(2)
    else {
        unreachable!("it is a join");
    };
    let code = Some(Shown {
        code: sample::code(1),
        at: UnixMillis(1_790_000_059_999),
    });
    let join = Command::Join {
        seat,
        entropy,
        code,
        name,
    };
    let revoke = Command::RevokeInvite { code: sample::code(2) };
    for (number, command) in [(1, invite(1, narrow)), (1, invite(2, wide)), (2, join), (1, revoke)] {
        let table = &made.last().expect("it has a state").table;
        made.push(sample::command(table, number, &command).expect("it is allowed"));
    }
    made
}

/// What was said to a rematch, by how far it has come.
fn rematches() -> BTreeMap<&'static str, Rematch> {
    let answer = |seat, is_yes, is_current| Answer {
        seat,
        request: RequestDigest([7; 8]),
        is_yes,
        is_current,
    };
    let rematch = |stage, answers| Rematch {
        of: sample::match_id(3),
        version: 2,
        offered_at: UnixMillis(1_790_000_000_000),
        expires_at: UnixMillis(1_790_000_060_000),
        stage,
        answers,
    };
    let [first, second, third] = [Seat::ALL[0], Seat::ALL[1], Seat::ALL[2]];
    BTreeMap::from([
        (
            "offered",
            rematch(
                Stage::Offered,
                vec![answer(first, true, false), answer(second, true, true)],
            ),
        ),
        (
            "declined",
            rematch(Stage::Declined { by: third }, vec![answer(third, false, true)]),
        ),
        (
            "agreed",
            rematch(
                Stage::Agreed,
                vec![answer(second, true, true), answer(first, true, true)],
            ),
        ),
    ])
}

/// A row of each kind, by the name of its act.
fn audit() -> BTreeMap<&'static str, AuditEntry> {
    let id = sample::match_id(8);
    let filter = FilterText::new("info,fives_referee=debug").expect("a line");
    let acts = [
        Act::Reveal(id),
        Act::Void(id),
        Act::Forfeit(id, Seat::ALL[1]),
        Act::RepairIndexes,
        Act::SetLogFilter(filter),
        Act::Drain,
        Act::RetryDeadLetter(NoticeId {
            match_id: id,
            cursor: Cursor {
                revision: 57,
                stamp: 0x1234_5678_9abc_def0,
            },
            index: 1,
        }),
        Act::ErasePlayer(ErasedMark::of(&sample::player_id(8))),
    ];
    let named = acts.map(|act| {
        let (name, why) = match &act {
            Act::Reveal(_) => ("reveal", Some("a complaint of Žofie")),
            Act::Void(_) => ("void", Some("both asked for it")),
            Act::Forfeit(..) => ("forfeit", Some("abuse")),
            Act::RepairIndexes => ("repair-indexes", None),
            Act::SetLogFilter(_) => ("set-log-filter", None),
            Act::Drain => ("drain", Some("a new release")),
            Act::RetryDeadLetter(_) => ("retry-dead-letter", Some("the receiver is back")),
            Act::ErasePlayer(_) => ("erase-player", Some("request 4711")),
        };
        let entry = AuditEntry {
            operator: Operator::new("anna").expect("a name"),
            act,
            why: why.map(|why| Why::new(why).expect("a line")),
        };
        (name, entry)
    });
    BTreeMap::from(named)
}

/// A place in a queue.
fn ticket(partner: Option<u64>) -> Ticket {
    Ticket {
        id: TicketId::from_bytes([7; 16]),
        player: sample::player_id(1),
        name: sample::player(1).name,
        partner: partner.map(sample::player_id),
        rating: -15,
        joined_at: UnixMillis(1_790_000_000_000),
    }
}

/// A claim of a queue.
fn claim() -> Claim {
    Claim {
        match_id: sample::match_id(10),
        claimed_at: UnixMillis(1_790_000_000_000),
        seated: SeatedMatch {
            options: MatchOptions::all_fives(Players::Two),
            clock: Some(TurnClock {
                turn_time_ms: 30_000,
                missed_turns_max: 3,
                after_misses: AfterMisses::Forfeit,
            }),
            ranked: true,
            occupants: vec![sample::person(1), Occupant::Bot(BotKind::Greedy)],
        },
    }
}

/// Nothing as the preset has it.
fn unusual_terms() -> Terms {
    let bots = [BotKind::Random, BotKind::Greedy].map(Occupant::Bot);
    let [random, greedy] = bots;
    let choices = OptionChoices {
        partners: Some(true),
        hand_rule: Some(HandRule::SevenFiveFive),
        target_points: Some(100),
        win_check: Some(WinCheck::RoundEnd),
        rounding: Some(Rounding::PerSide),
        floor_zero: Some(true),
        dead_layout: Some(DeadLayout::End),
        boneyard_reserve: Some(2),
        max_rounds: RoundCap::Never,
    };
    Terms {
        options: choices.resolve(Players::Four).expect("they are possible"),
        ..Terms::of(&[random, greedy.clone(), sample::person(7), greedy])
    }
}
