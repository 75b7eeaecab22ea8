//! What others want to hear of a commit: that a match began or ended, that somebody is gone. Which notices a commit makes follows
//! from its batch and the table after it alone, so a store keeps them in the same step as the commit itself.

use std::fmt;
use std::str::FromStr;

use fives_bots::BotKind;
use fives_rules::event::Event;
use fives_rules::game::Outcome;
use fives_rules::seat::{BySide, Seat, Side};

use crate::batch::{Author, Batch, TableEvent};
use crate::cursor::Cursor;
use crate::id::{IdError, MatchId, PlayerId};
use crate::table::{Occupant, Table};
use crate::time::UnixMillis;

/// Which notice it is: whoever gets one twice knows it by this. Has the stamp, too, since a store that lost its newest revisions
/// makes other ones under the same numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NoticeId {
    /// Of which match.
    pub match_id: MatchId,
    /// The commit that made it.
    pub cursor: Cursor,
    /// Which of that commit's, from 0.
    pub index: u8,
}

impl fmt::Display for NoticeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            match_id,
            cursor,
            index,
        } = self;
        write!(f, "{match_id}.{}.{:016x}.{index}", cursor.revision, cursor.stamp)
    }
}

impl FromStr for NoticeId {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        let mut parts = text.split('.');
        let mut part = || parts.next().ok_or(IdError::Malformed);
        let (match_id, revision, stamp, index) = (part()?, part()?, part()?, part()?);
        let id = Self {
            match_id: match_id.parse()?,
            cursor: Cursor {
                revision: revision.parse().map_err(|_| IdError::Malformed)?,
                stamp: u64::from_str_radix(stamp, 16).map_err(|_| IdError::Malformed)?,
            },
            index: index.parse().map_err(|_| IdError::Malformed)?,
        };
        // One way to write it: `+7` and the like are numbers to Rust.
        if id.to_string() == text {
            Ok(id)
        } else {
            Err(IdError::Malformed)
        }
    }
}

/// Something that others want to hear of. Holds nothing that a stranger at the table could not know, and no names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Notice {
    /// Which.
    pub id: NoticeId,
    /// When it happened.
    pub at: UnixMillis,
    /// Who sits where, by seat.
    pub seats: Vec<NoticeSeat>,
    /// What happened.
    pub event: NoticeEvent,
}

/// A seat, as a notice names it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoticeSeat {
    /// With whom it scores.
    pub side: Side,
    /// Who has it.
    pub who: Who,
}

/// Who has a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Who {
    /// Nobody.
    Nobody,
    /// A person.
    Person(PlayerId),
    /// A bot.
    Bot(BotKind),
}

/// What happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoticeEvent {
    /// All seats are taken, and the first round was dealt.
    MatchStarted,
    /// A match was played to its end.
    MatchFinished {
        /// Who won, and how.
        outcome: Outcome,
        /// What each side has.
        scores: BySide<i32>,
    },
    /// An administrator ended a match without a result.
    MatchVoided,
    /// A person plays no more: the match is over for them, or a bot keeps the seat until they come back.
    PlayerAbandoned {
        /// From which seat.
        seat: Seat,
        /// Who.
        player: PlayerId,
        /// How it came about.
        how: Departure,
    },
    /// A turn waits for a person who is not there.
    TurnWaiting {
        /// In which seat.
        seat: Seat,
        /// Who.
        player: PlayerId,
        /// When the turn is over, where a clock runs; later after an outage.
        deadline: Option<UnixMillis>,
    },
}

/// Why a person plays no more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Departure {
    /// The person gave up.
    Resigned,
    /// The person missed too many turns, and has lost the seat for it.
    Forfeited,
    /// The person missed too many turns; a bot keeps the seat.
    KeptByBot,
    /// An administrator had the person give up.
    Removed,
}

/// Who is told, each at their own pace: what holds up one does not hold up the other.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Lane {
    /// What the service itself makes of a match that is over: ratings, the archive.
    Results,
    /// What the platform is told of.
    Hooks,
}

impl Lane {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Results, Self::Hooks];
}

impl NoticeEvent {
    /// Whether it is about a match that is over for all.
    #[must_use]
    pub const fn is_result(&self) -> bool {
        matches!(self, Self::MatchFinished { .. } | Self::MatchVoided)
    }
}

impl Notice {
    /// What others want to hear of the commit of `batch`, which led to `table`; most commits make none.
    #[must_use]
    pub fn of(table: &Table, batch: &Batch) -> Vec<Self> {
        let events = batch.events.iter().filter_map(|event| told(table, batch, event));
        let notices = events.zip(0..).map(|(event, index)| Self {
            id: NoticeId {
                match_id: table.id,
                cursor: batch.cursor,
                index,
            },
            at: batch.at,
            seats: seats(table),
            event,
        });
        notices.collect()
    }

    /// The persons that it names.
    pub fn people(&self) -> impl Iterator<Item = PlayerId> {
        let seated = self.seats.iter().filter_map(|seat| match seat.who {
            Who::Person(player) => Some(player),
            Who::Nobody | Who::Bot(_) => None,
        });
        let concerned = match self.event {
            NoticeEvent::PlayerAbandoned { player, .. } | NoticeEvent::TurnWaiting { player, .. } => Some(player),
            NoticeEvent::MatchStarted | NoticeEvent::MatchFinished { .. } | NoticeEvent::MatchVoided => None,
        };
        seated.chain(concerned)
    }

    /// Whether it goes this way.
    #[must_use]
    pub const fn is_for(&self, lane: Lane) -> bool {
        match lane {
            Lane::Results => self.event.is_result(),
            Lane::Hooks => true,
        }
    }
}

fn told(table: &Table, batch: &Batch, event: &TableEvent) -> Option<NoticeEvent> {
    match event {
        TableEvent::Started => Some(NoticeEvent::MatchStarted),
        TableEvent::Voided { .. } => Some(NoticeEvent::MatchVoided),
        TableEvent::Game(Event::MatchEnded { outcome, .. }) => Some(NoticeEvent::MatchFinished {
            outcome: *outcome,
            scores: *table.game()?.scores(),
        }),
        TableEvent::TurnWaiting { seat } => Some(NoticeEvent::TurnWaiting {
            seat: *seat,
            player: table.person_at(*seat)?,
            deadline: table.timed_turn().map(|turn| turn.deadline),
        }),
        TableEvent::SeatKeptByBot { seat } => abandoned(table, *seat, Departure::KeptByBot),
        TableEvent::Game(Event::SeatResigned { seat }) => {
            let how = match batch.author {
                Author::Clock(_) => Departure::Forfeited,
                Author::Admin(_) => Departure::Removed,
                Author::Player { .. } | Author::Bot(_) | Author::House => Departure::Resigned,
            };
            abandoned(table, *seat, how)
        }
        _ => None,
    }
}

fn abandoned(table: &Table, seat: Seat, how: Departure) -> Option<NoticeEvent> {
    let player = table.person_at(seat)?;
    Some(NoticeEvent::PlayerAbandoned { seat, player, how })
}

fn seats(table: &Table) -> Vec<NoticeSeat> {
    let seating = table.options.seating();
    let seats = table.seats().map(|(seat, chair)| NoticeSeat {
        side: seating.side_of(seat),
        who: match chair.occupant {
            Occupant::Open => Who::Nobody,
            Occupant::Person { player, .. } => Who::Person(player),
            Occupant::Bot(kind) => Who::Bot(kind),
        },
    });
    seats.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_read_as_it_is_written_and_in_no_other_way() {
        let id = NoticeId {
            match_id: MatchId::from_bytes([0xA5; 16]),
            cursor: Cursor {
                revision: 57,
                stamp: 0x1f,
            },
            index: 2,
        };
        let text = id.to_string();
        assert_eq!(text.parse(), Ok(id));
        for wrong in [
            "",
            "m-1.1.1.1",
            &text[1..],
            &format!("{text}.0"),
            &text.replace(".57.", ".+57."),
            &text.replace(".57.", ".057."),
            &text.replace("001f", "1f"),
        ] {
            assert_eq!(wrong.parse::<NoticeId>(), Err(IdError::Malformed), "{wrong}");
        }
    }
}
