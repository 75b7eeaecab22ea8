//! RULES.md section 4 and `tests/games/worked.txt`, by id.

mod flow;
mod refused;
mod rounding;

use fives_rules::layout::Layout;
use fives_rules::notation::WrittenPlay;

use crate::support::data;

/// `id | plays | counted ends | totals | points`
struct Row<'a> {
    id: &'a str,
    plays: &'a str,
    counted: &'a str,
    totals: &'a str,
    points: &'a str,
}

impl<'a> Row<'a> {
    fn parse(line: &'a str) -> Self {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [id, plays, counted, totals, points] = cells[..] else {
            panic!("not five cells: {line}");
        };
        Self {
            id,
            plays,
            counted,
            totals,
            points,
        }
    }

    /// Plays the row and says what differs.
    fn check(&self) -> Result<(), String> {
        let mut layout = Layout::EMPTY;
        let (mut totals, mut points) = (Vec::new(), Vec::new());
        for word in self.plays.split_whitespace() {
            let written: WrittenPlay = word.parse().map_err(|error| format!("{word}: {error}"))?;
            let placed = written
                .play_on(&mut layout)
                .map_err(|error| format!("{word}: {error}"))?;
            totals.push(placed.total.to_string());
            points.push(placed.points.to_string());
        }
        let counted = layout.counted_ends();
        let counted: Vec<String> = counted.iter().map(|(end, count)| format!("{end}{count}")).collect();
        for (what, got, expected) in [
            ("counted ends", counted, self.counted),
            ("totals", totals, self.totals),
            ("points", points, self.points),
        ] {
            if got.join(" ") != expected {
                return Err(format!("{what} are {}, not {expected}", got.join(" ")));
            }
        }
        // Tiles are printed high-low, but the lead as it lies.
        match layout.to_string() {
            text if text.parse() == Ok(layout) => Ok(()),
            text => Err(format!("printed it is {text}, which is another layout")),
        }
    }
}

#[test]
fn every_row_of_worked_txt() {
    let text = data("games/worked.txt");
    let rows: Vec<Row<'_>> = text
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .map(Row::parse)
        .collect();
    assert_eq!(rows.len(), 42, "rows of worked.txt");
    let faults: Vec<String> = rows
        .iter()
        .filter_map(|row| Some(format!("{}: {}", row.id, row.check().err()?)))
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
