//! Runs the built program.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The worked examples and matches of the reference model.
pub(crate) const GAMES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/games");

/// What a run came to.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Run {
    /// Standard output of a run that went well.
    pub(crate) fn succeeded(self) -> String {
        assert_eq!(self.code, Some(0), "{}", self.err);
        assert_eq!(self.err, "");
        self.out
    }

    /// Standard error of a run that ended with `code`.
    pub(crate) fn failed(self, code: i32) -> String {
        assert_eq!(self.code, Some(code), "{}{}", self.out, self.err);
        self.err
    }
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("the program writes UTF-8");
        Self {
            code: output.status.code(),
            out: text(output.stdout),
            err: text(output.stderr),
        }
    }
}

/// Runs `fives` with these arguments.
pub(crate) fn fives<I: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = I>) -> Run {
    fives_reading(arguments, "")
}

/// Runs `fives` with these arguments and this on its standard input.
pub(crate) fn fives_reading<I: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = I>, input: &str) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_fives"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program is built");
    let mut stdin = child.stdin.take().expect("a pipe");
    // A run that reads nothing, or stops at a fault, may be over before all of it is written.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("the program ends").into()
}

/// Runs `fives` with arguments that hold no spaces.
pub(crate) fn fives_line(line: &str) -> Run {
    fives(line.split_whitespace())
}

/// `fives simulate` with `flags` that records into `folder`: the file.
pub(crate) fn recorded(folder: &Path, name: &str, flags: &str) -> PathBuf {
    let file = folder.join(name);
    let path = file.to_str().expect("a path in UTF-8");
    let arguments = ["simulate", "--record", path]
        .into_iter()
        .chain(flags.split_whitespace());
    fives(arguments).succeeded();
    file
}

/// `fives verify` of a file.
pub(crate) fn verify(file: &Path) -> Run {
    fives([Path::new("verify"), file])
}

pub(crate) fn read(file: impl AsRef<Path>) -> String {
    fs::read_to_string(file).expect("a text file")
}
