//! Who else issues tokens: the file of `--issuers`. A file, because trust wants to be read and reviewed as a whole, with comments,
//! and because what an issuer may grant has no place in a flag.

use std::collections::HashSet;
use std::fs;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fives_lobby::identity::check_issuer;
use reqwest::Url;
use serde::Deserialize;

use super::{ConfigError, Scope, Scopes, ServeArgs, within};

/// The largest file, in bytes; a block has about 200.
const MAX_BYTES: u64 = 256 * 1024;

/// An issuer of tokens that are accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IssuerSettings {
    /// The `iss` of its tokens.
    pub name: Arc<str>,
    /// One of these is in the `aud` of its tokens.
    pub audiences: Vec<String>,
    /// Where its public keys are.
    pub jwks: JwksSource,
    /// What it may sign with.
    pub algorithms: Vec<SigningAlgorithm>,
    /// What its tokens can be good for, at most.
    pub grants: Scopes,
}

/// Where the public keys of an issuer are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum JwksSource {
    /// In a file.
    File(PathBuf),
    /// At an address.
    Url {
        /// Which.
        url: Url,
        /// Who signs the certificate there, PEM; `None`: whom this machine trusts.
        ca: Option<Vec<u8>>,
    },
}

/// What a token may be signed with: signatures that the public key cannot make.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
pub enum SigningAlgorithm {
    /// RSA with SHA-256 (PKCS #1, version 1.5).
    #[serde(rename = "RS256")]
    Rs256,
    /// ECDSA on P-256 with SHA-256.
    #[serde(rename = "ES256")]
    Es256,
    /// Ed25519.
    #[serde(rename = "EdDSA")]
    EdDsa,
}

/// The file, as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    issuer: Vec<Block>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Block {
    iss: String,
    audience: OneOrMore,
    jwks: String,
    #[serde(default = "all_algorithms")]
    algorithms: Vec<SigningAlgorithm>,
    #[serde(default = "player")]
    scopes: Vec<Scope>,
    ca: Option<PathBuf>,
    #[serde(default)]
    allow_http: bool,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMore {
    One(String),
    More(Vec<String>),
}

fn all_algorithms() -> Vec<SigningAlgorithm> {
    vec![
        SigningAlgorithm::Rs256,
        SigningAlgorithm::Es256,
        SigningAlgorithm::EdDsa,
    ]
}

fn player() -> Vec<Scope> {
    vec![Scope::Player]
}

/// The issuers, if there are any.
pub(super) fn settings(args: &ServeArgs) -> Result<Vec<IssuerSettings>, ConfigError> {
    within("token-skew-s", args.token_skew_s, 0..=600)?;
    let Some(path) = &args.issuers else {
        return Ok(Vec::new());
    };
    read(path).map_err(|problem| problem_with(path, &problem))
}

/// What is wrong with the file, or with what it names.
fn problem_with(path: &Path, problem: &str) -> ConfigError {
    ConfigError {
        flag: "issuers",
        problem: format!("{}: {problem}", path.display()),
    }
}

fn read(path: &Path) -> Result<Vec<IssuerSettings>, String> {
    let bytes = fs::metadata(path).map_err(|error| error.to_string())?.len();
    if bytes > MAX_BYTES {
        return Err(format!("it has more than {MAX_BYTES} bytes"));
    }
    let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
    let file: File = toml::from_str(&text).map_err(|error| {
        let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
        format!("line {}: {}", before.matches('\n').count() + 1, error.message())
    })?;
    if file.issuer.is_empty() {
        return Err("it names no issuer; each is a block [[issuer]]".to_owned());
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut names = HashSet::new();
    let settings = file.issuer.into_iter().map(|block| {
        let name = block.iss.clone();
        if !names.insert(name.clone()) {
            return Err(format!("issuer {name:?}: it is named twice"));
        }
        block
            .settings(folder)
            .map_err(|problem| format!("issuer {name:?}: {problem}"))
    });
    settings.collect()
}

impl Block {
    fn settings(self, folder: &Path) -> Result<IssuerSettings, String> {
        check_issuer(&self.iss).map_err(|error| format!("`iss` has {error}"))?;
        if self.iss == crate::token::ISSUER {
            return Err("this is what this service calls itself in its own tokens".to_owned());
        }
        let audiences = match self.audience {
            OneOrMore::One(audience) => vec![audience],
            OneOrMore::More(audiences) => audiences,
        };
        if audiences.is_empty() || audiences.iter().any(String::is_empty) {
            return Err("`audience` must say for whom its tokens are: those for others are refused".to_owned());
        }
        for (field, is_empty) in [
            ("algorithms", self.algorithms.is_empty()),
            ("scopes", self.scopes.is_empty()),
        ] {
            if is_empty {
                return Err(format!("`{field}` is empty: leave it out for the default"));
            }
        }
        Ok(IssuerSettings {
            jwks: source(&self.jwks, folder, self.ca, self.allow_http)?,
            name: self.iss.into(),
            audiences,
            algorithms: self.algorithms,
            grants: self.scopes.into_iter().collect(),
        })
    }
}

/// A path is taken from the folder of the file that names it.
fn source(text: &str, folder: &Path, ca: Option<PathBuf>, allow_http: bool) -> Result<JwksSource, String> {
    if !text.contains("://") {
        return match (text, ca) {
            ("", _) => Err("`jwks` must be a file or an address".to_owned()),
            (_, Some(_)) => Err("`ca` is for keys at an address, not in a file".to_owned()),
            (path, None) => Ok(JwksSource::File(folder.join(path))),
        };
    }
    let url = Url::parse(text).map_err(|error| format!("`jwks` is no address: {error}"))?;
    let host = url.host_str().unwrap_or_default();
    let address: Result<IpAddr, _> = host.trim_matches(['[', ']']).parse();
    let is_here = host == "localhost" || address.is_ok_and(|address| address.is_loopback());
    if !url.username().is_empty() || url.password().is_some() {
        return Err("`jwks` has a user or a password: keys are public".to_owned());
    }
    match url.scheme() {
        "https" => {}
        "http" if is_here || allow_http => {}
        "http" => {
            return Err(
                "`jwks` is fetched over http, so that whoever stands between could name keys; use https, or `allow_http = true`"
                    .to_owned(),
            );
        }
        _ => return Err("`jwks` must begin with https:// or be a file".to_owned()),
    }
    let read = |ca: PathBuf| {
        let path = folder.join(ca);
        fs::read(&path).map_err(|error| format!("`ca` {}: {error}", path.display()))
    };
    Ok(JwksSource::Url {
        url,
        ca: ca.map(read).transpose()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLOCK: &str = "[[issuer]]\niss = 'https://id.example'\naudience = 'fives'\njwks = 'keys.json'\n";

    fn settings_of(text: &str) -> Result<Vec<IssuerSettings>, ConfigError> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("issuers.toml");
        fs::write(&path, text).expect("written");
        settings(&ServeArgs {
            issuers: Some(path),
            ..ServeArgs::default()
        })
    }

    #[test]
    fn what_is_left_out_is_safe() {
        let all = settings_of(&format!("# ours\n{BLOCK}")).expect("a good file");
        let [issuer] = all.as_slice() else { panic!("one issuer") };
        assert_eq!(
            (&*issuer.name, issuer.audiences.as_slice()),
            ("https://id.example", &["fives".to_owned()][..])
        );
        assert_eq!(issuer.algorithms, all_algorithms());
        assert_eq!(
            issuer.grants,
            Scopes::PLAYER,
            "nobody is more than a player unless it says so"
        );
        assert!(matches!(&issuer.jwks, JwksSource::File(path) if path.ends_with("keys.json") && path.is_absolute()));
        assert_eq!(settings(&ServeArgs::default()), Ok(Vec::new()));
    }

    #[test]
    fn everything_can_be_said() {
        let more = "algorithms = ['ES256']\nscopes = ['service', 'admin']\n";
        let url = BLOCK
            .replace("keys.json", "https://id.example/keys")
            .replace("'fives'", "['fives', 'game']");
        let all = settings_of(&(url + more)).expect("a good file");
        assert_eq!(all[0].audiences, ["fives", "game"]);
        assert_eq!(all[0].algorithms, [SigningAlgorithm::Es256]);
        let has = Scope::ALL.map(|scope| all[0].grants.has(scope));
        assert_eq!(has, [false, false, true, true]);
        assert!(matches!(&all[0].jwks, JwksSource::Url { url, ca: None } if url.as_str() == "https://id.example/keys"));
    }

    #[test]
    fn keys_come_over_https_or_from_this_machine() {
        let at = |jwks: &str, more: &str| settings_of(&format!("{}{more}", BLOCK.replace("keys.json", jwks)));
        for good in [
            "http://127.0.0.1:8080/keys",
            "http://[::1]/keys",
            "http://localhost/keys",
        ] {
            assert!(at(good, "").is_ok(), "{good}");
        }
        assert!(at("http://id.example/keys", "allow_http = true").is_ok());
        for wrong in [
            "http://id.example/keys",
            "http://127.0.0.1.example/keys",
            "ftp://id.example/keys",
            "https://anna:secret@id.example/keys",
            "https://",
            "",
        ] {
            let error = at(wrong, "").expect_err(wrong).to_string();
            assert!(error.contains("`jwks`") && !error.contains("secret"), "{error}");
        }
    }

    #[test]
    fn a_file_that_says_something_impossible_is_refused_with_its_place() {
        for (text, words) in [
            (String::new(), "issuer"),
            ("issuer = []".to_owned(), "names no issuer"),
            (BLOCK.repeat(2), "named twice"),
            (BLOCK.replace("https://id.example", "fives"), "its own tokens"),
            (BLOCK.replace("https://id.example", ""), "`iss`"),
            (BLOCK.replace("'fives'", "[]"), "`audience`"),
            (BLOCK.replace("audience", "audiences"), "line 3"),
            (format!("{BLOCK}algorithms = ['HS256']"), "line 5"),
            (format!("{BLOCK}algorithms = ['none']"), "line 5"),
            (format!("{BLOCK}algorithms = []"), "`algorithms`"),
            (format!("{BLOCK}scopes = ['root']"), "line 5"),
            (format!("{BLOCK}scopes = []"), "`scopes`"),
            (format!("{BLOCK}ca = 'ca.pem'"), "`ca`"),
            ("no TOML".to_owned(), "line 1"),
        ] {
            let message = settings_of(&text).expect_err(words).to_string();
            assert!(message.starts_with("--issuers (FIVES_ISSUERS): "), "{message}");
            assert!(message.contains(words), "{message}, without {words}");
        }
        let missing = ServeArgs {
            issuers: Some("/nowhere/issuers.toml".into()),
            ..ServeArgs::default()
        };
        assert!(settings(&missing).is_err_and(|error| error.problem.contains("/nowhere")));
        let skewed = ServeArgs {
            token_skew_s: 601,
            ..ServeArgs::default()
        };
        assert_eq!(settings(&skewed).expect_err("too much").flag, "token-skew-s");
    }
}
