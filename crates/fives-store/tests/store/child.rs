//! A child process: this test binary again, with one test alone.

use std::env;
use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

use fives_referee::cursor::Cursor;
use fives_referee::id::MatchId;

/// Names the child's folder. Without it, what is only a child's part passes at once.
const FOLDER: &str = "FIVES_STORE_TEST_FOLDER";

/// What begins each line that tells of a revision that was acknowledged.
const ACKNOWLEDGED: &str = "acknowledged";

/// The folder, in a child.
pub(crate) fn folder() -> Option<PathBuf> {
    env::var_os(FOLDER).map(PathBuf::from)
}

/// Tells the parent that a commit was acknowledged.
pub(crate) fn acknowledge(id: MatchId, cursor: Cursor) {
    let line = format!("{ACKNOWLEDGED} {id} {} {}\n", cursor.revision, cursor.stamp);
    // In one write each, so that lines of several tasks do not mix and none is cut by the kill; past the test's own
    // capture.
    std::io::stdout()
        .lock()
        .write_all(line.as_bytes())
        .expect("the parent reads");
}

/// Runs the ignored test `name` of this binary over `folder`, started through `shell` if that is not empty.
pub(crate) fn run(name: &str, folder: &Path, shell: &str) -> Running {
    let program = env::current_exe().expect("this binary has a path");
    let mut command = if shell.is_empty() {
        Command::new(program)
    } else {
        let mut command = Command::new("sh");
        command.args([
            OsStr::new("-c"),
            OsStr::new(&format!("{shell}; exec \"$0\" \"$@\"")),
            program.as_os_str(),
        ]);
        command
    };
    command.args(["--exact", name, "--ignored", "--nocapture", "--test-threads=1"]);
    command.env(FOLDER, folder).stdout(Stdio::piped());
    let mut child = command.spawn().expect("a child");
    let output = BufReader::new(child.stdout.take().expect("its output"));
    Running { child, output }
}

/// A child and what it says.
pub(crate) struct Running {
    child: Child,
    output: BufReader<ChildStdout>,
}

impl Running {
    /// The next revision that it acknowledges; `None` after its end.
    pub(crate) fn next(&mut self) -> Option<(MatchId, Cursor)> {
        let mut line = String::new();
        while self.output.read_line(&mut line).expect("its output is text") > 0 {
            if let Some(acknowledged) = parse(&line) {
                return Some(acknowledged);
            }
            line.clear();
        }
        None
    }

    /// Kills it with SIGKILL.
    pub(crate) fn kill(&mut self) {
        self.child.kill().expect("it runs");
    }

    /// Whether it ended well.
    pub(crate) fn wait(mut self) -> bool {
        self.child.wait().expect("it ends").success()
    }
}

fn parse(line: &str) -> Option<(MatchId, Cursor)> {
    // A line of the test harness may have no end yet when the first one comes.
    let at = line.find(ACKNOWLEDGED)?;
    let mut words = line[at..].split_whitespace().skip(1);
    let id = words.next()?.parse().expect("an id");
    let mut number = || words.next()?.parse().ok();
    let (revision, stamp) = (number()?, number()?);
    Some((id, Cursor { revision, stamp }))
}
