//! Redis, Fives and the bare services, each in a process of its own; what they cost is read from /proc.

use std::fs::read_to_string;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::bare::Sizes;

/// The first argument of the process that serves the bare services.
pub(crate) const SERVE_BARE: &str = "--serve-bare";

/// What Linux counts the time of a process in, everywhere.
const TICKS_PER_S: u32 = 100;

const PAGE_BYTES: u64 = 4096;

const START_TIMEOUT: Duration = Duration::from_secs(20);

/// A process that listens on a port. Dropping it kills it.
pub(crate) struct Process {
    child: Child,
    pub(crate) port: u16,
    _folder: Option<TempDir>,
}

impl Process {
    /// A Redis that keeps nothing.
    pub(crate) fn redis() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let port = free_port();
        let mut command = Command::new("redis-server");
        command.args(["--port", &port.to_string(), "--bind", "127.0.0.1", "--save", ""]);
        command
            .args(["--appendonly", "no", "--loglevel", "warning", "--dir"])
            .arg(folder.path());
        let mut redis = Self::start(command, port);
        redis._folder = Some(folder);
        redis
    }

    /// The program as it is built for release, over this Redis, with more settings.
    pub(crate) fn fives(redis: &Self, settings: &[&str]) -> Self {
        let port = free_port();
        let mut command = Command::new(program());
        command.args([
            "serve",
            "--no-shares",
            "--listen",
            &format!("127.0.0.1:{port}"),
            "--store",
        ]);
        command.args([&redis.url(), "--admin-listen", "off", "--log", "error", "--token-key"]);
        command.arg(workspace().join("tests/keys/token-key.pem"));
        command.args(settings);
        Self::start(command, port)
    }

    /// The bare services, over this Redis.
    pub(crate) fn bare(redis: &Self, sizes: Sizes) -> Self {
        let port = free_port();
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args([SERVE_BARE, &port.to_string(), &redis.url()]);
        command.args([sizes.table, sizes.batch].map(|size| size.to_string()));
        Self::start(command, port)
    }

    fn start(mut command: Command, port: u16) -> Self {
        command.stdin(Stdio::null()).stdout(Stdio::null());
        let started = Self {
            child: command
                .spawn()
                .unwrap_or_else(|error| panic!("{command:?}: {error}; `make servers` installs Redis")),
            port,
            _folder: None,
        };
        let begun = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(begun.elapsed() < START_TIMEOUT, "{command:?} does not listen");
            sleep(Duration::from_millis(10));
        }
        started
    }

    pub(crate) fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    /// How much time of processors it has used.
    pub(crate) fn cpu(&self) -> Duration {
        cpu(self.child.id())
    }

    /// How many bytes of memory it has.
    pub(crate) fn resident_bytes(&self) -> u64 {
        let statm = read_to_string(format!("/proc/{}/statm", self.child.id())).unwrap();
        let pages: u64 = statm.split(' ').nth(1).unwrap().parse().unwrap();
        pages * PAGE_BYTES
    }
}

fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// The program as it is built for release.
pub(crate) fn program() -> PathBuf {
    let program = workspace().join("target/release/fives");
    assert!(program.exists(), "run `make build`, or `make bench-cluster`");
    program
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself; then there is nothing to do.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// How much time of processors a process has used.
pub(crate) fn cpu(process: u32) -> Duration {
    ticks(process, [11, 12])
}

/// How much all processes have used that this one has started and seen end.
pub(crate) fn children_cpu() -> Duration {
    ticks(std::process::id(), [13, 14])
}

/// The sum of two fields behind the name in a process's `stat` (proc_pid_stat(5)).
fn ticks(process: u32, fields: [usize; 2]) -> Duration {
    let stat = read_to_string(format!("/proc/{process}/stat")).unwrap();
    // The name, in brackets, may have anything in it.
    let (_, numbers) = stat.rsplit_once(')').unwrap();
    let numbers: Vec<&str> = numbers.split_whitespace().collect();
    let [user, system] = fields.map(|field| numbers[field].parse::<u32>().unwrap());
    Duration::from_secs(1) * (user + system) / TICKS_PER_S
}

/// A port that nobody uses.
fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}
