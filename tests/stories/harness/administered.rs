//! A process with an admin port, and what goes in there.

use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use fives_client::AdminClient;
use tempfile::TempDir;

use super::http::http;
use super::process::{ServerProcess, free_address};
use super::workspace;

/// The secret of the administrators here.
pub(crate) const SECRET: &str = "a-secret-of-the-tests-0123456789";

/// A `fives serve` with an admin port on a free port. Dropping it kills it.
pub(crate) struct Administered {
    pub(crate) process: ServerProcess,
    admin: String,
    folder: TempDir,
}

impl Administered {
    /// Over the embedded store, in this folder.
    pub(crate) async fn start(data: &Path) -> Self {
        Self::start_with(vec!["--data".into(), data.into()], true).await
    }

    /// The same, trusting the issuers of this file.
    pub(crate) async fn start_trusting(data: &Path, issuers: &Path) -> Self {
        let arguments = ["--data".into(), data.into(), "--issuers".into(), issuers.into()];
        Self::start_with(arguments.into(), true).await
    }

    /// Over the embedded store, with these webhooks.
    pub(crate) async fn start_hooked(data: &Path, hooks: &Path) -> Self {
        let arguments = vec!["--data".into(), data.into(), "--hooks".into(), hooks.into()];
        Self::start_with(arguments, true).await
    }

    /// Over this Redis.
    pub(crate) async fn over_redis(url: &str) -> Self {
        let key = workspace().join("tests/keys/token-key.pem");
        Self::start_with(
            vec!["--store".into(), url.into(), "--token-key".into(), key.into()],
            true,
        )
        .await
    }

    /// Over the embedded store, where nobody has the admin token.
    pub(crate) async fn start_without_token(data: &Path) -> Self {
        Self::start_with(vec!["--data".into(), data.into()], false).await
    }

    async fn start_with(mut arguments: Vec<OsString>, has_token: bool) -> Self {
        let (folder, admin) = (tempfile::tempdir().expect("a folder"), free_address());
        arguments.extend(["--admin-listen".into(), admin.as_str().into()]);
        if has_token {
            let file = folder.path().join("admin-token");
            std::fs::write(&file, format!("{SECRET}\n")).expect("written");
            arguments.extend(["--admin-token-file".into(), file.into()]);
        }
        let log = File::create(folder.path().join("log")).expect("a file");
        let process = ServerProcess::spawn(free_address(), arguments, Stdio::from(log));
        process.until_ready().await;
        Self { process, admin, folder }
    }

    /// Where the admin port is, `host:port`.
    pub(crate) fn admin(&self) -> &str {
        &self.admin
    }

    /// The address of the admin port.
    pub(crate) fn admin_url(&self) -> String {
        format!("http://{}", self.admin)
    }

    /// The file with the admin token.
    pub(crate) fn token_file(&self) -> PathBuf {
        self.folder.path().join("admin-token")
    }

    /// What it has logged so far.
    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("log")).expect("a log")
    }

    /// Somebody with the admin token.
    pub(crate) fn administrator(&self) -> AdminClient {
        self.somebody(Some(SECRET))
    }

    /// Somebody with another token, or none.
    pub(crate) fn somebody(&self, token: Option<&str>) -> AdminClient {
        AdminClient::connect_lazy(&self.admin_url(), token).expect("an address")
    }

    /// Asks the admin port over plain HTTP.
    pub(crate) async fn ask(&self, request: &str, headers: &[String], body: &str) -> (u16, String) {
        http(&self.admin, request, headers, body).await
    }
}

/// The header of somebody with this token.
pub(crate) fn bearer(token: &str) -> String {
    format!("Authorization: Bearer {token}")
}
