//! What an audit may find.

use std::fmt;

/// Whose eyes something was seen with.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Viewer {
    /// The person in this seat.
    Seat(u32),
    /// One of the spectators, by number.
    Watcher(usize),
}

/// Something that must not be, and where.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Finding {
    pub(super) match_id: String,
    /// Where it shows; 0 if it concerns the match as a whole.
    pub(super) revision: u64,
    pub(super) fault: Fault,
}

/// What is wrong.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Fault {
    /// It was acknowledged to a seat, and a stream that should have shown it did not.
    Lost { acknowledged_to: u32, viewer: Viewer },
    /// It was acknowledged to a seat, and the service does not know it any more.
    NotKept { acknowledged_to: u32 },
    /// A stream shows another stamp than the acknowledgement has.
    AcknowledgedOtherwise { acknowledged_to: u32, viewer: Viewer },
    /// The answer to a play and the player's own stream tell of different batches.
    AnswerDiffers { seat: u32 },
    /// The answer to a play is not about that play.
    AnswerOfAnotherPlay { seat: u32 },
    /// A request id made more than one revision.
    RequestTwice {
        seat: u32,
        request_id: String,
        also_revision: u64,
    },
    /// A revision was acknowledged for more than one request.
    RevisionTwice { acknowledged_to: [u32; 2] },
    /// A stream passed over revisions: the one named and all up to this one.
    Gap { viewer: Viewer, last_missing: u64 },
    /// A stream brought a revision again.
    Repeated { viewer: Viewer },
    /// A stream brought a revision again, and it was another one.
    Changed { viewer: Viewer },
    /// A stream went back to an earlier state, or to another one of the same revision, without a word.
    WentBack { viewer: Viewer },
    /// A stream announced that the service lost its newest revisions.
    Reset { viewer: Viewer },
    /// An update without what every update has.
    Malformed { viewer: Viewer, missing: &'static str },
    /// Somebody saw what only others may know.
    SecretShown { viewer: Viewer, what: &'static str },
    /// Two viewers have different stamps for a revision.
    StampsDiffer { viewers: [Viewer; 2] },
    /// Two viewers saw different things where both must see the same.
    SightsDiffer { viewers: [Viewer; 2], what: &'static str },
    /// The record of a finished match is not true.
    RecordUntrue { reason: String },
    /// The record tells of another play, or of none.
    RecordDiffers {
        seen: &'static str,
        play: String,
        recorded: Option<String>,
    },
    /// The record has another number of plays than the match.
    RecordLength { seen_plays: u64, recorded_plays: usize },
}

impl fmt::Display for Viewer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Seat(seat) => write!(f, "seat {seat}"),
            Self::Watcher(number) => write!(f, "watcher {number}"),
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            match_id,
            revision,
            fault,
        } = self;
        match revision {
            0 => write!(f, "{match_id}: {fault}"),
            _ => write!(f, "{match_id}: revision {revision}: {fault}"),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lost {
                acknowledged_to,
                viewer,
            } => write!(
                f,
                "lost: acknowledged to seat {acknowledged_to}, never shown to {viewer}"
            ),
            Self::NotKept { acknowledged_to } => write!(
                f,
                "lost: acknowledged to seat {acknowledged_to}, and unknown to the service now"
            ),
            Self::AcknowledgedOtherwise {
                acknowledged_to,
                viewer,
            } => write!(
                f,
                "another stamp was acknowledged to seat {acknowledged_to} than was shown to {viewer}"
            ),
            Self::AnswerDiffers { seat } => write!(f, "the answer to seat {seat} differs from what its stream showed"),
            Self::AnswerOfAnotherPlay { seat } => write!(f, "the answer to seat {seat} is about another play"),
            Self::RequestTwice {
                seat,
                request_id,
                also_revision,
            } => write!(
                f,
                "made by request {request_id} of seat {seat}, which made revision {also_revision} too"
            ),
            Self::RevisionTwice {
                acknowledged_to: [one, other],
            } => write!(f, "acknowledged twice, to seat {one} and to seat {other}"),
            Self::Gap { viewer, last_missing } => write!(f, "gap: {viewer} missed all up to revision {last_missing}"),
            Self::Repeated { viewer } => write!(f, "duplicate: shown to {viewer} again"),
            Self::Changed { viewer } => write!(f, "duplicate: shown to {viewer} again, and it was another one"),
            Self::WentBack { viewer } => write!(f, "the stream of {viewer} went back to it unannounced"),
            Self::Reset { viewer } => write!(f, "announced loss: a reset sent {viewer} back to it"),
            Self::Malformed { viewer, missing } => write!(f, "{viewer} got an update without {missing}"),
            Self::SecretShown { viewer, what } => write!(f, "{viewer} was shown {what}"),
            Self::StampsDiffer { viewers: [one, other] } => write!(f, "{one} and {other} were shown different stamps"),
            Self::SightsDiffer {
                viewers: [one, other],
                what,
            } => write!(f, "{one} and {other} were shown different {what}"),
            Self::RecordUntrue { reason } => write!(f, "the record is not true: {reason}"),
            Self::RecordDiffers { seen, play, recorded } => match recorded {
                Some(recorded) => write!(f, "{seen}: {play}; recorded: {recorded}"),
                None => write!(f, "{seen}: {play}; missing in the record"),
            },
            Self::RecordLength {
                seen_plays,
                recorded_plays,
            } => write!(f, "{seen_plays} plays were made, {recorded_plays} are recorded"),
        }
    }
}
