//! One match on somebody's agenda.

use fives_referee::id::PlayerId;
use fives_referee::referee::Membership;
use fives_referee::table::{MatchState, Occupant};
use fives_referee::time::UnixMillis;
use fives_referee::view::MatchView;
use fives_rules::seat::Seat;

use crate::rematch::{Rematch, Stage};

/// A match as its player has to do with it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    /// The match; what is sent of it is its summary, which has no hand.
    pub view: MatchView,
    /// When what is shown came about.
    pub changed_at: UnixMillis,
    /// Since when it waits for the turn that is shown.
    pub turn_since: UnixMillis,
    /// What is asked of the player.
    pub standing: Standing,
    /// What was said to another match, once this one is over.
    pub rematch: Option<Rematch>,
}

/// What a match asks of its player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// To play.
    YourTurn,
    /// To wait for others to play.
    Waiting,
    /// To wait for others to sit down.
    Open,
    /// Nothing: it was played to its end.
    Finished,
    /// Nothing: it ended without a result.
    Closed,
}

/// What is new about a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum News {
    /// The player has come to it: by making or joining it, by a queue, or because a rematch was agreed on.
    Seated,
    /// Others have sat down, with an invite or without, or have stood up.
    SeatsChanged,
    /// It has started.
    Started,
    /// It is the player's turn, after it was not, or once more.
    YourTurn,
    /// It is somebody else's turn.
    TurnPassedOn,
    /// A bot keeps the player's seat.
    SeatKept,
    /// It was played to its end.
    Finished,
    /// It ended without a result.
    Closed,
    /// A rematch was offered, or one more has said yes.
    RematchOffered,
    /// Somebody has said no to a rematch.
    RematchDeclined,
    /// All have said yes: the next match is there.
    RematchAgreed,
    /// The player has left it.
    Gone,
}

impl Item {
    pub(super) fn new(member: Membership, rematch: Option<Rematch>) -> Self {
        let Membership {
            view,
            changed_at,
            turn_since,
        } = member;
        let own = view.viewer.seat();
        let is_own_turn = turn(&view).is_some() && turn(&view) == own && !is_kept(&view);
        let standing = match view.state {
            MatchState::Open => Standing::Open,
            MatchState::Live if is_own_turn => Standing::YourTurn,
            MatchState::Live => Standing::Waiting,
            MatchState::Finished => Standing::Finished,
            MatchState::Closed => Standing::Closed,
        };
        Self {
            view,
            changed_at,
            turn_since,
            standing,
            rematch,
        }
    }

    /// Whether it came to this not more than `ms` ago.
    pub(super) fn is_recent(&self, now: UnixMillis, ms: u64) -> bool {
        now < self.changed_at.plus_ms(ms)
    }

    /// What is new since it was shown like that, or since it was not shown at all.
    pub(super) fn news_since(&self, before: Option<&Self>) -> Vec<News> {
        let mut news = Vec::new();
        let Some(before) = before else {
            news.push(News::Seated);
            news.extend((self.standing == Standing::YourTurn).then_some(News::YourTurn));
            news.extend(self.rematch.as_ref().map(rematch_news));
            return news;
        };
        if occupants(&before.view).ne(occupants(&self.view)) {
            news.push(News::SeatsChanged);
        }
        if before.view.state == MatchState::Open && matches!(self.view.state, MatchState::Live | MatchState::Finished) {
            news.push(News::Started);
        }
        let is_new_turn = before.standing != self.standing || before.turn_since < self.turn_since;
        match self.standing {
            Standing::YourTurn if is_new_turn => news.push(News::YourTurn),
            Standing::Waiting if before.standing == Standing::YourTurn => news.push(News::TurnPassedOn),
            Standing::Finished if before.standing != Standing::Finished => news.push(News::Finished),
            Standing::Closed if before.standing != Standing::Closed => news.push(News::Closed),
            _ => {}
        }
        if is_kept(&self.view) && !is_kept(&before.view) {
            news.push(News::SeatKept);
        }
        if self.rematch != before.rematch {
            news.extend(self.rematch.as_ref().map(rematch_news));
        }
        news
    }
}

fn rematch_news(rematch: &Rematch) -> News {
    match rematch.stage {
        Stage::Offered => News::RematchOffered,
        Stage::Declined { .. } => News::RematchDeclined,
        Stage::Agreed => News::RematchAgreed,
    }
}

fn turn(view: &MatchView) -> Option<Seat> {
    view.game.as_ref()?.table.turn
}

/// Whether a bot plays for the viewer.
fn is_kept(view: &MatchView) -> bool {
    let own = view.viewer.seat().and_then(|seat| view.seats.get(seat.index()));
    own.is_some_and(|seat| seat.bot.is_some())
}

fn occupants(view: &MatchView) -> impl Iterator<Item = Option<PlayerId>> {
    view.seats.iter().map(|seat| match &seat.occupant {
        Occupant::Person { player, .. } => Some(*player),
        Occupant::Open | Occupant::Bot(_) => None,
    })
}
