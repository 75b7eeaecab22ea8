//! The settings of webhooks: a file of their own, since they come with a secret.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::time::Duration;

use reqwest::Url;
use serde::Deserialize;

use super::{ConfigError, ServeArgs};
use crate::hooks::is_public;

/// The largest file of settings, or of a secret.
const FILE_MAX_BYTES: u64 = 64 * 1024;

/// How long a secret may be, in characters.
const SECRET_CHARS: std::ops::RangeInclusive<usize> = 32..=1024;

/// Where the platform is told of matches. One target: what is told in order has one place that it goes to, one count of tries and
/// one list of dead letters; whoever wants several copies has the receiver make them.
#[derive(Clone, Debug)]
pub struct HooksSettings {
    /// Where everything is posted.
    pub url: Url,
    /// What signs it.
    pub secret: HookSecret,
    /// What the platform wants to hear of.
    pub events: Vec<HookEvent>,
    /// Whether the target may be at a private address, and without TLS.
    pub allow_private: bool,
    /// How long an answer may take.
    pub timeout: Duration,
    /// After how many tries a notice becomes a dead letter.
    pub tries_max: u32,
    /// The shortest wait after a failure, in milliseconds.
    pub backoff_ms: u64,
    /// How long a turn lasts before it waits for somebody who is not there, in milliseconds.
    pub away_ms: u64,
}

impl HooksSettings {
    /// How long a turn lasts before that is told, in milliseconds, if it is wanted at all.
    #[must_use]
    pub fn away_after_ms(&self) -> Option<u64> {
        self.events.contains(&HookEvent::TurnWaiting).then_some(self.away_ms)
    }
}

/// What signs what is posted. Prints nothing.
#[derive(Clone)]
pub struct HookSecret(String);

impl HookSecret {
    /// For tests: a secret without a file.
    #[cfg(test)]
    pub(crate) fn of(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// Its bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

impl fmt::Debug for HookSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("HookSecret")
    }
}

/// What can be told.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize, serde::Serialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "docs/hooks.md says what each means")]
pub enum HookEvent {
    MatchStarted,
    TurnWaiting,
    MatchFinished,
    MatchVoided,
    PlayerAbandoned,
}

impl HookEvent {
    const ALL: [Self; 5] = [
        Self::MatchStarted,
        Self::TurnWaiting,
        Self::MatchFinished,
        Self::MatchVoided,
        Self::PlayerAbandoned,
    ];
}

/// The file, as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    url: String,
    secret_file: String,
    events: Option<Vec<HookEvent>>,
    #[serde(default)]
    allow_private: bool,
    #[serde(default = "timeout_ms")]
    timeout_ms: u64,
    #[serde(default = "tries_max")]
    tries_max: u32,
    #[serde(default = "backoff_ms")]
    backoff_ms: u64,
    #[serde(default = "away_after_ms")]
    away_after_ms: u64,
}

const fn away_after_ms() -> u64 {
    10_000
}

const fn timeout_ms() -> u64 {
    10_000
}

const fn tries_max() -> u32 {
    12
}

const fn backoff_ms() -> u64 {
    1_000
}

/// Webhooks, if a file of theirs was given.
pub(super) fn settings(args: &ServeArgs) -> Result<Option<HooksSettings>, ConfigError> {
    let Some(path) = &args.hooks else { return Ok(None) };
    let settings = read(path).map_err(|problem| ConfigError {
        flag: "hooks",
        problem: format!("{}: {problem}", path.display()),
    })?;
    Ok(Some(settings))
}

fn read(path: &Path) -> Result<HooksSettings, String> {
    let text = text(path).map_err(|error| error.to_string())?;
    let written: Written = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let url = url(&written)?;
    // Beside this file, unless it says where.
    let secret_file = path.parent().unwrap_or(Path::new("")).join(&written.secret_file);
    let secret = text_of_secret(&secret_file)?;
    let events = written.events.unwrap_or_else(|| HookEvent::ALL.to_vec());
    if events.is_empty() {
        return Err("`events` is empty: leave it out for all of them".to_owned());
    }
    within("timeout_ms", written.timeout_ms, 100, 15_000)?;
    within("tries_max", written.tries_max.into(), 1, 1_000)?;
    within("away_after_ms", written.away_after_ms, 1_000, 86_400_000)?;
    within("backoff_ms", written.backoff_ms, 10, 600_000)?;
    Ok(HooksSettings {
        url,
        secret,
        events,
        allow_private: written.allow_private,
        timeout: Duration::from_millis(written.timeout_ms),
        tries_max: written.tries_max,
        backoff_ms: written.backoff_ms,
        away_ms: written.away_after_ms,
    })
}

fn url(written: &Written) -> Result<Url, String> {
    let url: Url = written.url.parse().map_err(|error| format!("`url`: {error}"))?;
    match url.scheme() {
        "https" => {}
        "http" if written.allow_private => {}
        "http" => return Err("`url`: http is for private targets alone (`allow_private`): use https".to_owned()),
        other => return Err(format!("`url`: {other} is neither https nor http")),
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("`url`: leave out user and password: what is posted is signed".to_owned());
    }
    // A name is looked up, and looked at, whenever a connection is made; an address is there already.
    let host = url.host_str().unwrap_or_default();
    let host = host.trim_start_matches('[').trim_end_matches(']');
    match host.parse() {
        Ok(ip) if !written.allow_private && !is_public(ip) => Err(format!(
            "`url`: {ip} is a private address: set `allow_private` if it is meant"
        )),
        _ => Ok(url),
    }
}

fn text_of_secret(path: &Path) -> Result<HookSecret, String> {
    let said = |problem: String| format!("`secret_file` {}: {problem}", path.display());
    let text = text(path).map_err(|error| said(error.to_string()))?;
    let secret = text.trim_end();
    if !SECRET_CHARS.contains(&secret.len()) || !secret.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(said(format!(
            "it must hold {} to {} printable ASCII characters without spaces, as from `openssl rand -hex 32`",
            SECRET_CHARS.start(),
            SECRET_CHARS.end()
        )));
    }
    Ok(HookSecret(secret.to_owned()))
}

/// The text in a file, which may be any file.
fn text(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    File::open(path)?.take(FILE_MAX_BYTES).read_to_string(&mut text)?;
    Ok(text)
}

fn within(field: &str, value: u64, least: u64, most: u64) -> Result<(), String> {
    if (least..=most).contains(&value) {
        Ok(())
    } else {
        Err(format!("`{field}`: {value} is not within {least} and {most}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "0123456789abcdef0123456789abcdef";

    /// What comes of this file, beside a secret.
    fn read_from(json: &str, secret: &str) -> Result<HooksSettings, ConfigError> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("hooks.json");
        std::fs::write(&path, json).expect("written");
        std::fs::write(folder.path().join("secret"), secret).expect("written");
        let args = ServeArgs {
            hooks: Some(path),
            ..ServeArgs::default()
        };
        settings(&args).map(|settings| settings.expect("there is a file"))
    }

    #[test]
    fn what_is_left_out_has_a_sane_default() {
        let json = r#"{"url": "https://example.org/fives", "secret_file": "secret"}"#;
        let settings = read_from(json, &format!("{SECRET}\n")).expect("possible");
        assert_eq!(settings.url.as_str(), "https://example.org/fives");
        assert_eq!(settings.secret.as_bytes(), SECRET.as_bytes());
        assert_eq!(settings.events.len(), 5);
        assert_eq!((settings.tries_max, settings.allow_private), (12, false));
        assert!(!format!("{settings:?}").contains(SECRET));
    }

    #[test]
    fn what_cannot_be_is_refused_with_the_flag_and_the_field() {
        let with = |more: &str| format!(r#"{{"secret_file": "secret", {more}}}"#);
        for (json, secret, what) in [
            ("{".to_owned(), SECRET, "EOF"),
            (with(r#""url": "ftp://example.org""#), SECRET, "ftp"),
            (with(r#""url": "http://example.org""#), SECRET, "use https"),
            (with(r#""url": "https://u:p@example.org""#), SECRET, "user"),
            (with(r#""url": "https://127.0.0.1/""#), SECRET, "private"),
            (with(r#""url": "https://[::1]/""#), SECRET, "private"),
            (with(r#""url": "https://[::ffff:10.0.0.1]/""#), SECRET, "private"),
            (with(r#""url": "https://169.254.169.254/""#), SECRET, "private"),
            (with(r#""url": "https://example.org", "events": []"#), SECRET, "events"),
            (
                with(r#""url": "https://example.org", "events": ["nap"]"#),
                SECRET,
                "nap",
            ),
            (
                with(r#""url": "https://example.org", "tries_max": 0"#),
                SECRET,
                "tries_max",
            ),
            (
                with(r#""url": "https://example.org", "timeout_ms": 60000"#),
                SECRET,
                "timeout_ms",
            ),
            (with(r#""url": "https://example.org", "retries": 3"#), SECRET, "retries"),
            (with(r#""url": "https://example.org""#), "short", "secret_file"),
        ] {
            let error = read_from(&json, secret).expect_err(&json).to_string();
            assert!(error.starts_with("--hooks (FIVES_HOOKS): "), "{error}");
            assert!(error.contains(what), "{json}: {error}");
        }
    }
}
