//! How a match looks in a terminal.
//!
//! ```text
//!                  2-6
//! L  5-3  3-6  [6-6]  6-4  R        an arm is read away from the spinner, which stands in brackets
//!                  6-1
//! ```

use std::fmt::Write;

use fives_client::v1;
use fives_client::v1::event::Kind;

/// `6-4`, high to low.
pub(crate) fn tile(tile: v1::Tile) -> String {
    format!("{}-{}", tile.high, tile.low)
}

/// `6-4`, or `6-4@L`.
pub(crate) fn play(play: &v1::Play) -> String {
    let tile = tile(play.tile.unwrap_or_default());
    match end_letter(play.end()) {
        Some(letter) => format!("{tile}@{letter}"),
        None => tile,
    }
}

const fn end_letter(end: v1::End) -> Option<char> {
    match end {
        v1::End::Left => Some('L'),
        v1::End::Right => Some('R'),
        v1::End::North => Some('N'),
        v1::End::South => Some('S'),
        v1::End::Unspecified => None,
    }
}

/// Seat by seat: who plays it.
pub(crate) fn seat_name(view: &v1::MatchView, seat: u32) -> String {
    let Some(found) = view.seats.iter().find(|found| found.seat == seat) else {
        return format!("seat {seat}");
    };
    let who = match found.bot_kind() {
        v1::BotKind::Greedy if found.player_id.is_empty() => "greedy bot",
        v1::BotKind::Random => "random bot",
        _ if found.player_id.is_empty() => "open",
        _ => found.display_name.as_str(),
    };
    format!("{who} (seat {seat})")
}

/// The layout, its open ends with what they count, and the scores.
pub(crate) fn board(view: &v1::MatchView) -> String {
    let mut text = String::new();
    let Some(round) = &view.round else {
        text.push_str(match view.state() {
            _ if view.voided => "An administrator has ended the match: it has no result.\n",
            v1::MatchState::Closed => "The match was closed before it started.\n",
            _ => "The match waits for seats to be taken.\n",
        });
        return text;
    };
    if round.layout.is_empty() {
        text.push_str("No tile lies on the table yet.\n");
    } else {
        text.push_str(&layout(&round.layout));
    }
    let ends = round.open_ends.iter().map(|end| {
        let letter = end_letter(end.end()).unwrap_or('?');
        match end.counted {
            Some(counted) => format!("{letter}{} counts {counted}", end.pip),
            None => format!("{letter}{} open", end.pip),
        }
    });
    let ends = ends.collect::<Vec<_>>().join(", ");
    if !ends.is_empty() {
        let _ = writeln!(text, "ends: {ends}; total {}", round.total);
    }
    let counts = view
        .seats
        .iter()
        .map(|seat| format!("{} {}", seat_name(view, seat.seat), seat.tile_count));
    let _ = writeln!(
        text,
        "tiles: {}; boneyard {}",
        counts.collect::<Vec<_>>().join(", "),
        round.boneyard_count
    );
    let _ = writeln!(text, "scores: {}", scores(&view.scores));
    text
}

/// `10 : -5`.
pub(crate) fn scores(scores: &[i32]) -> String {
    scores.iter().map(ToString::to_string).collect::<Vec<_>>().join(" : ")
}

/// The tiles of the line in a row, those of the arms above and below the spinner.
fn layout(placed: &[v1::PlacedTile]) -> String {
    let row = |branch: v1::Branch| {
        let mut tiles: Vec<&v1::PlacedTile> = placed.iter().filter(|tile| tile.branch() == branch).collect();
        tiles.sort_by_key(|tile| tile.position);
        tiles
    };
    let mut line = String::from("L");
    let mut spinner_column = 0;
    for tile in row(v1::Branch::Line) {
        line.push_str("  ");
        if tile.spinner {
            spinner_column = line.len() + 1;
            let _ = write!(line, "[{}]", written(tile, tile.position < 0));
        } else {
            line.push_str(&written(tile, tile.position < 0));
        }
    }
    line.push_str("  R\n");
    let arm =
        |tile: &v1::PlacedTile, outward_first| format!("{:spinner_column$}{}\n", "", written(tile, outward_first));
    let north: String = row(v1::Branch::North)
        .into_iter()
        .rev()
        .map(|tile| arm(tile, true))
        .collect();
    let south: String = row(v1::Branch::South)
        .into_iter()
        .map(|tile| arm(tile, false))
        .collect();
    north + &line + &south
}

/// A tile as it lies: the half that faces away first or last.
fn written(placed: &v1::PlacedTile, outward_first: bool) -> String {
    let tile = placed.tile.unwrap_or_default();
    let inward = if tile.high == placed.outward_pip {
        tile.low
    } else {
        tile.high
    };
    if outward_first {
        format!("{}-{inward}", placed.outward_pip)
    } else {
        format!("{inward}-{}", placed.outward_pip)
    }
}

/// What happened, in words; `None` for what a reader need not be told.
pub(crate) fn event(view: &v1::MatchView, kind: &Kind) -> Option<String> {
    let name = |seat| seat_name(view, seat);
    Some(match kind {
        Kind::MatchCreated(_) | Kind::MatchStarted(_) => return None,
        Kind::SeatTaken(taken) => format!("{} sits down at seat {}", taken.display_name, taken.seat),
        Kind::SeatLeft(left) => format!("seat {} is open again", left.seat),
        Kind::MatchClosed(_) => "the match was closed before it started".to_owned(),
        Kind::MatchVoided(_) => "=== an administrator has ended the match: it has no result".to_owned(),
        Kind::RoundStarted(round) => format!("--- round {}: {} leads", round.round, name(round.starter)),
        Kind::TilesDrawn(drawn) if drawn.tiles.is_empty() => format!("{} draws {}", name(drawn.seat), drawn.count),
        Kind::TilesDrawn(drawn) => {
            let tiles = drawn
                .tiles
                .iter()
                .map(|drawn| tile(*drawn))
                .collect::<Vec<_>>()
                .join(" ");
            format!("{} draws {tiles}", name(drawn.seat))
        }
        Kind::TurnPassed(passed) => format!("{} passes", name(passed.seat)),
        Kind::TilePlayed(played) => {
            let what = played.play.as_ref().map(play).unwrap_or_default();
            let points = if played.points > 0 {
                format!(", scores {}", played.points)
            } else {
                String::new()
            };
            format!("{} plays {what}: total {}{points}", name(played.seat), played.total)
        }
        Kind::RoundEnded(ended) => {
            let how = match (ended.result(), ended.out_seat) {
                (v1::RoundResult::Blocked, _) => "the round is blocked".to_owned(),
                (v1::RoundResult::Target, _) => "the target is reached".to_owned(),
                (v1::RoundResult::Resigned, _) => "the round is over".to_owned(),
                (_, Some(seat)) => format!("{} is out", name(seat)),
                (_, None) => "the round is over".to_owned(),
            };
            format!("{how}; scores {}", scores(&ended.scores))
        }
        Kind::TurnTimedOut(missed) => format!("{} did not play in time", name(missed.seat)),
        Kind::SeatKeptByBot(kept) => format!("a bot plays on for {}", name(kept.seat)),
        Kind::SeatReclaimed(reclaimed) => format!("{} is back", name(reclaimed.seat)),
        Kind::TurnWaiting(waiting) => format!("{} is away", name(waiting.seat)),
        Kind::InviteChanged(changed) => match changed.change() {
            v1::invite_changed::Change::Made => "somebody is invited".to_owned(),
            v1::invite_changed::Change::Revoked => "an invite is taken back".to_owned(),
            v1::invite_changed::Change::Used | v1::invite_changed::Change::Unspecified => return None,
        },
        Kind::SeatResigned(resigned) => format!("{} resigns", name(resigned.seat)),
        Kind::MatchEnded(ended) => match ended.outcome.as_ref().and_then(|outcome| outcome.winner_side) {
            Some(side) => format!("=== the match is over: side {side} wins"),
            None => "=== the match is over: a draw".to_owned(),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placed(high: u32, low: u32, branch: v1::Branch, position: i32, outward_pip: u32) -> v1::PlacedTile {
        v1::PlacedTile {
            tile: Some(v1::Tile { high, low }),
            branch: branch.into(),
            position,
            outward_pip,
            crosswise: high == low,
            spinner: high == low,
            end: 0,
        }
    }

    #[test]
    fn tiles_lie_as_they_are_joined() {
        let tiles = [
            placed(6, 6, v1::Branch::Line, 0, 6),
            placed(6, 3, v1::Branch::Line, -1, 3),
            placed(6, 4, v1::Branch::Line, 1, 4),
            placed(6, 2, v1::Branch::North, 1, 2),
            placed(2, 1, v1::Branch::North, 2, 1),
            placed(6, 0, v1::Branch::South, 1, 0),
        ];
        let expected = [
            "         1-2",
            "         2-6",
            "L  3-6  [6-6]  6-4  R",
            "         6-0",
            "",
        ];
        assert_eq!(layout(&tiles), expected.join("\n"));
    }
}
