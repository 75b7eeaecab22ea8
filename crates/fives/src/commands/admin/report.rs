//! What came of it: in words, or as JSON in the words of fives.admin.v1.

use std::fmt::Write as _;
use std::io::Write;

use fives_client::{admin_v1 as v1, v1 as game};
use fives_wire::ADMIN_FILE_DESCRIPTOR_SET;
use prost::Message;
use prost::bytes::Bytes;
use prost_reflect::{DescriptorPool, DynamicMessage};

use crate::failure::Failure;
use crate::screen;

/// The package of the messages.
const PACKAGE: &str = "fives.admin.v1";

/// Where answers go, and how they are written.
pub(super) struct Report<'a, W> {
    out: &'a mut W,
    json: bool,
}

impl<'a, W: Write> Report<'a, W> {
    pub(super) fn new(out: &'a mut W, json: bool) -> Self {
        Self { out, json }
    }

    pub(super) fn inspected(&mut self, answer: &v1::InspectMatchResponse) -> Result<(), Failure> {
        self.write("InspectMatchResponse", answer, |text| {
            let view = answer.view.clone().unwrap_or_default();
            let cursor = view.cursor.unwrap_or_default();
            let _ = writeln!(text, "match:    {}", view.match_id);
            let _ = writeln!(text, "state:    {}", state(&view));
            let _ = writeln!(text, "cursor:   revision {}, stamp {}", cursor.revision, cursor.stamp);
            let _ = writeln!(text, "creator:  {}", view.creator_player_id);
            for (name, time) in [
                ("created", &view.create_time),
                ("changed", &answer.change_time),
                ("due", &answer.due_time),
                ("now", &answer.server_time),
            ] {
                if let Some(time) = time {
                    let _ = writeln!(text, "{:<9} {time}", format!("{name}:"));
                }
            }
            for seat in &view.seats {
                let resigned = if seat.resigned { ", resigned" } else { "" };
                let kept = if seat.kept_by_bot { ", kept by a bot" } else { "" };
                let name = screen::seat_name(&view, seat.seat);
                let _ = writeln!(text, "seat {}:   {name} {}{resigned}{kept}", seat.seat, seat.player_id);
            }
            let _ = write!(text, "\n{}", screen::board(&view));
            if let Some(revealed) = &answer.revealed {
                reveal(text, revealed);
            }
        })
    }

    pub(super) fn voided(&mut self, match_id: &str, answer: &v1::VoidMatchResponse) -> Result<(), Failure> {
        let revision = answer.cursor.unwrap_or_default().revision;
        self.write("VoidMatchResponse", answer, |text| {
            let _ = writeln!(text, "{match_id} has ended without a result, at revision {revision}");
        })
    }

    pub(super) fn forfeited(
        &mut self,
        match_id: &str,
        seat: u32,
        answer: &v1::ForfeitSeatResponse,
    ) -> Result<(), Failure> {
        let revision = answer.cursor.unwrap_or_default().revision;
        self.write("ForfeitSeatResponse", answer, |text| {
            let _ = writeln!(
                text,
                "the player of seat {seat} of {match_id} has given up, at revision {revision}"
            );
        })
    }

    pub(super) fn stuck(&mut self, answer: &v1::ListStuckMatchesResponse) -> Result<(), Failure> {
        self.write("ListStuckMatchesResponse", answer, |text| {
            if answer.matches.is_empty() {
                text.push_str("no match is stuck\n");
            }
            for stuck in &answer.matches {
                let id = stuck.r#match.as_ref().map(|found| found.match_id.as_str());
                let _ = write!(text, "{}", id.unwrap_or_default());
                if let Some(due) = &stuck.due_time {
                    let _ = write!(text, "  due since {due}");
                }
                if let Some(changed) = &stuck.change_time {
                    let _ = write!(text, "  unchanged since {changed}");
                }
                text.push('\n');
            }
            unreadable(text, &answer.unreadable);
        })
    }

    pub(super) fn repaired(&mut self, answer: &v1::RepairIndexesResponse) -> Result<(), Failure> {
        self.write("RepairIndexesResponse", answer, |text| {
            for repaired in &answer.repaired {
                let _ = write!(text, "{}", repaired.match_id);
                for (sign, indexes) in [('+', &repaired.added), ('-', &repaired.removed)] {
                    for index in indexes {
                        let _ = write!(text, " {sign}{}", index_name(*index));
                    }
                }
                text.push('\n');
            }
            unreadable(text, &answer.unreadable);
            let (checked, repaired) = (answer.checked, answer.repaired.len());
            let _ = writeln!(text, "{checked} matches looked at, {repaired} repaired");
        })
    }

    pub(super) fn audit(&mut self, answer: &v1::ListAuditResponse) -> Result<(), Failure> {
        self.write("ListAuditResponse", answer, |text| {
            for row in &answer.rows {
                let time = row.time.as_ref().map(ToString::to_string).unwrap_or_default();
                let act = act_name(row.act);
                let _ = write!(text, "{time}  {}  {act}", row.operator);
                if !row.match_id.is_empty() {
                    let _ = write!(text, " {}", row.match_id);
                }
                if let Some(seat) = row.seat {
                    let _ = write!(text, " seat {seat}");
                }
                if !row.delivery.is_empty() {
                    let _ = write!(text, " {}", row.delivery);
                }
                if !row.player_mark.is_empty() {
                    let _ = write!(text, " {}", row.player_mark);
                }
                if !row.log_filter.is_empty() {
                    let _ = write!(text, " {}", row.log_filter);
                }
                if !row.reason.is_empty() {
                    let _ = write!(text, "  ({})", row.reason);
                }
                text.push('\n');
            }
        })
    }

    pub(super) fn filtered(&mut self, filter: &str, answer: &v1::SetLogFilterResponse) -> Result<(), Failure> {
        self.write("SetLogFilterResponse", answer, |text| {
            let _ = writeln!(text, "logs {filter} now; before it was {}", answer.previous_filter);
        })
    }

    pub(super) fn draining(&mut self, answer: &v1::DrainResponse) -> Result<(), Failure> {
        self.write("DrainResponse", answer, |text| {
            text.push_str("the process is stopping\n");
        })
    }

    pub(super) fn erased(&mut self, answer: &v1::ErasePlayerResponse) -> Result<(), Failure> {
        self.write("ErasePlayerResponse", answer, |text| {
            let _ = writeln!(
                text,
                "the player will be erased within seconds; the audit says {}",
                answer.player_mark
            );
        })
    }

    pub(super) fn build(&mut self, answer: &v1::GetBuildResponse) -> Result<(), Failure> {
        self.write("GetBuildResponse", answer, |text| {
            let started = answer.start_time.as_ref().map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(text, "version:        {}", answer.version);
            let _ = writeln!(text, "commit:         {}", answer.commit);
            let _ = writeln!(text, "storage schema: {}", answer.storage_schema);
            let _ = writeln!(text, "durability:     {}", answer.durability);
            let _ = writeln!(text, "serves since:   {started}");
        })
    }

    pub(super) fn write(
        &mut self,
        name: &str,
        answer: &impl Message,
        words: impl FnOnce(&mut String),
    ) -> Result<(), Failure> {
        let mut text = String::new();
        if self.json {
            text = json(name, answer)? + "\n";
        } else {
            words(&mut text);
        }
        Ok(self.out.write_all(text.as_bytes())?)
    }
}

/// A message in the JSON of Protocol Buffers.
fn json(name: &str, answer: &impl Message) -> Result<String, Failure> {
    let fault =
        |error: &dyn std::error::Error| Failure::Fault(format!("the answer cannot be written as JSON: {error}"));
    let pool = DescriptorPool::decode(ADMIN_FILE_DESCRIPTOR_SET).map_err(|error| fault(&error))?;
    let message = pool.get_message_by_name(&format!("{PACKAGE}.{name}"));
    let message = message.ok_or_else(|| Failure::Fault(format!("there is no message {name}")))?;
    let bytes = Bytes::from(answer.encode_to_vec());
    let message = DynamicMessage::decode(message, bytes).map_err(|error| fault(&error))?;
    serde_json::to_string(&message).map_err(|error| fault(&error))
}

fn state(view: &game::MatchView) -> &'static str {
    match view.state() {
        game::MatchState::Open => "open",
        game::MatchState::Live => "live",
        game::MatchState::Finished => "finished",
        game::MatchState::Closed if view.voided => "closed (voided by an administrator)",
        game::MatchState::Closed => "closed",
        game::MatchState::Unspecified => "unknown",
    }
}

fn reveal(text: &mut String, revealed: &v1::Revealed) {
    let tiles = |tiles: &[game::Tile]| {
        tiles
            .iter()
            .map(|held| screen::tile(*held))
            .collect::<Vec<_>>()
            .join(" ")
    };
    text.push_str("\nhidden:\n");
    for (seat, hand) in revealed.hands.iter().enumerate() {
        let _ = writeln!(text, "hand of seat {seat}: {}", tiles(&hand.tiles));
    }
    let _ = writeln!(text, "boneyard: {}", tiles(&revealed.boneyard));
    text.push_str("master: ");
    for byte in &revealed.master {
        let _ = write!(text, "{byte:02x}");
    }
    text.push('\n');
    if !revealed.invite_code.is_empty() {
        let _ = writeln!(text, "invite code: {}", revealed.invite_code);
    }
}

fn unreadable(text: &mut String, unreadable: &[v1::UnreadableMatch]) {
    for v1::UnreadableMatch { match_id, problem } in unreadable {
        let _ = writeln!(text, "{match_id}  cannot be read: {problem}");
    }
}

fn index_name(index: i32) -> &'static str {
    match v1::Index::try_from(index).unwrap_or_default() {
        v1::Index::Due => "due",
        v1::Index::Open => "open",
        v1::Index::Live => "live",
        v1::Index::Player => "player",
        v1::Index::Invite => "invite",
        v1::Index::Expiry => "expiry",
        v1::Index::Unspecified => "?",
    }
}

fn act_name(act: i32) -> &'static str {
    match v1::AuditAct::try_from(act).unwrap_or_default() {
        v1::AuditAct::Reveal => "reveal",
        v1::AuditAct::Void => "void",
        v1::AuditAct::Forfeit => "forfeit",
        v1::AuditAct::RepairIndexes => "repair",
        v1::AuditAct::SetLogFilter => "log",
        v1::AuditAct::Drain => "drain",
        v1::AuditAct::RetryDeadLetter => "retry",
        v1::AuditAct::ErasePlayer => "erase-player",
        v1::AuditAct::Unspecified => "?",
    }
}
