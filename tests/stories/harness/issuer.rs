//! An outside issuer of tokens: keys of every kind, and a small web server that shows them, or misbehaves.

use std::path::PathBuf;
use std::process::Stdio;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{SystemTime, UNIX_EPOCH};

use data_encoding::{BASE64URL_NOPAD, HEXUPPER};
use ed25519_dalek::SigningKey;
use ed25519_dalek::pkcs8::EncodePrivateKey;
use fives_server::config::{Config, IssuerSettings, ServeArgs};
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::process::Command;
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

use super::Issued;

/// For whom its tokens are.
const AUDIENCE: &str = "fives-of-the-stories";

/// A key that signs, and how it looks in public.
#[derive(Clone)]
pub(crate) struct IssuerKey {
    pub(crate) algorithm: Algorithm,
    pub(crate) signing: EncodingKey,
    pub(crate) public: Value,
}

impl IssuerKey {
    /// Ed25519, always the same for one id.
    pub(crate) fn ed25519(id: &str) -> Self {
        let mut seed = [7; 32];
        seed.iter_mut().zip(id.bytes()).for_each(|(seed, byte)| *seed = byte);
        let key = SigningKey::from_bytes(&seed);
        let x = BASE64URL_NOPAD.encode(key.verifying_key().as_bytes());
        Self {
            algorithm: Algorithm::EdDSA,
            signing: EncodingKey::from_ed_der(key.to_pkcs8_der().expect("a key").as_bytes()),
            public: json!({"kty": "OKP", "crv": "Ed25519", "kid": id, "use": "sig", "x": x}),
        }
    }

    /// P-256.
    pub(crate) fn p256(id: &str) -> Self {
        let key = rcgen::KeyPair::generate().expect("a key");
        let (x, y) = key.public_key_raw()[1..].split_at(32);
        let [x, y] = [x, y].map(|half| BASE64URL_NOPAD.encode(half));
        Self {
            algorithm: Algorithm::ES256,
            signing: EncodingKey::from_ec_pem(key.serialize_pem().as_bytes()).expect("a key"),
            public: json!({"kty": "EC", "crv": "P-256", "kid": id, "alg": "ES256", "x": x, "y": y}),
        }
    }

    /// RSA of so many bits, by openssl.
    pub(crate) async fn rsa(id: &str, bits: u32) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("key.pem");
        let bits = format!("rsa_keygen_bits:{bits}");
        let file_name = file.to_str().expect("a plain path");
        openssl(&["genpkey", "-algorithm", "RSA", "-pkeyopt", &bits, "-out", file_name]).await;
        let told = openssl(&["rsa", "-in", file_name, "-noout", "-modulus"]).await;
        let modulus = told.trim().trim_start_matches("Modulus=");
        let n = BASE64URL_NOPAD.encode(&HEXUPPER.decode(modulus.as_bytes()).expect("a modulus"));
        let pem = std::fs::read(file).expect("a key");
        Self {
            algorithm: Algorithm::RS256,
            signing: EncodingKey::from_rsa_pem(&pem).expect("a key"),
            public: json!({"kty": "RSA", "kid": id, "n": n, "e": "AQAB"}),
        }
    }

    fn id(&self) -> String {
        self.public["kid"].as_str().expect("each has one").to_owned()
    }

    /// The header of its tokens.
    pub(crate) fn header(&self) -> Header {
        let mut header = Header::new(self.algorithm);
        header.kid = Some(self.id());
        header
    }

    /// A token that says this.
    pub(crate) fn sign(&self, claims: &Value) -> String {
        encode(&self.header(), claims, &self.signing).expect("signed")
    }
}

async fn openssl(arguments: &[&str]) -> String {
    let run = Command::new("openssl").args(arguments).stderr(Stdio::null()).output();
    let output = run.await.expect("openssl is installed: `make servers`");
    assert!(output.status.success(), "openssl {arguments:?}");
    String::from_utf8(output.stdout).expect("text")
}

/// What whoever asks for its keys gets.
#[derive(Clone)]
pub(crate) enum Page {
    /// These.
    Keys(Vec<Value>),
    /// This text instead.
    Text(String),
    /// This status and header line instead.
    Status(&'static str, &'static str),
    /// No end.
    Endless,
    /// Nothing until this happens, then the next page.
    Held(Arc<Notify>, Box<Page>),
    /// The connection is closed.
    Gone,
}

/// The issuer. Dropping it ends its server.
pub(crate) struct TokenIssuer {
    /// The `iss` of its tokens.
    pub(crate) name: String,
    url: String,
    page: Arc<Mutex<Page>>,
    asked: Arc<AtomicUsize>,
    folder: TempDir,
    serving: JoinHandle<()>,
}

impl TokenIssuer {
    /// One that shows these keys.
    pub(crate) async fn start(name: &str, keys: &[&IssuerKey]) -> Self {
        Self::serve(name, keys, None).await
    }

    /// One that shows them over TLS, with this certificate.
    pub(crate) async fn start_over_tls(name: &str, keys: &[&IssuerKey], issued: &Issued) -> Self {
        let chain = CertificateDer::pem_file_iter(&issued.cert).expect("a file");
        let chain = chain.collect::<Result<_, _>>().expect("certificates");
        let key = PrivateKeyDer::from_pem_file(&issued.key).expect("a key");
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .expect("versions")
            .with_no_client_auth()
            .with_single_cert(chain, key)
            .expect("a pair");
        Self::serve(name, keys, Some(TlsAcceptor::from(Arc::new(config)))).await
    }

    async fn serve(name: &str, keys: &[&IssuerKey], tls: Option<TlsAcceptor>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let scheme = if tls.is_some() { "https" } else { "http" };
        let url = format!("{scheme}://{}/keys", listener.local_addr().expect("a bound port"));
        let (page, asked) = (Arc::new(Mutex::new(shown(keys))), Arc::new(AtomicUsize::new(0)));
        let serving = tokio::spawn(serve(listener, tls, Arc::clone(&page), Arc::clone(&asked)));
        Self {
            name: name.to_owned(),
            url,
            page,
            asked,
            folder: tempfile::tempdir().expect("a folder"),
            serving,
        }
    }

    /// Shows these keys from now on.
    pub(crate) fn show(&self, keys: &[&IssuerKey]) {
        self.turn_to(shown(keys));
    }

    /// Has another page from now on.
    pub(crate) fn turn_to(&self, page: Page) {
        *self.page.lock().expect("no panic") = page;
    }

    /// How often it was asked.
    pub(crate) fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }

    /// Nobody can reach it any more.
    pub(crate) fn vanish(&self) {
        self.serving.abort();
    }

    /// What its tokens say of somebody.
    pub(crate) fn claims(&self, subject: &str) -> Value {
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .expect("after 1970")
            .as_secs();
        json!({"iss": self.name, "aud": AUDIENCE, "sub": subject, "iat": now, "exp": now + 3600})
    }

    /// The same with another claim, or without one.
    pub(crate) fn claims_with(&self, subject: &str, claim: &str, value: Value) -> Value {
        let mut claims = self.claims(subject);
        match value {
            Value::Null => _ = claims.as_object_mut().expect("an object").remove(claim),
            value => claims[claim] = value,
        }
        claims
    }

    /// What its tokens say of somebody who may do this.
    pub(crate) fn scoped(&self, subject: &str, scope: &str) -> Value {
        self.claims_with(subject, "scope", json!(scope))
    }

    /// A file for `--issuers` that trusts it with these scopes.
    pub(crate) fn file(&self, scopes: &[&str]) -> PathBuf {
        self.file_with(scopes, "")
    }

    /// The same with another line.
    pub(crate) fn file_with(&self, scopes: &[&str], line: &str) -> PathBuf {
        let file = self.folder.path().join("issuers.toml");
        let (name, url) = (&self.name, &self.url);
        let text = format!(
            "[[issuer]]\niss = {name:?}\naudience = {AUDIENCE:?}\njwks = {url:?}\nscopes = {scopes:?}\n{line}\n"
        );
        std::fs::write(&file, text).expect("written");
        file
    }

    /// The same as settings.
    pub(crate) fn trusted_with(&self, scopes: &[&str]) -> Vec<IssuerSettings> {
        settings(self.file(scopes))
    }
}

impl Drop for TokenIssuer {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

/// What a file for `--issuers` says.
pub(crate) fn settings(file: PathBuf) -> Vec<IssuerSettings> {
    let args = ServeArgs {
        issuers: Some(file),
        ..ServeArgs::default()
    };
    Config::try_from(args).expect("a good file").issuers
}

fn shown(keys: &[&IssuerKey]) -> Page {
    Page::Keys(keys.iter().map(|key| key.public.clone()).collect())
}

async fn serve(listener: TcpListener, tls: Option<TlsAcceptor>, page: Arc<Mutex<Page>>, asked: Arc<AtomicUsize>) {
    while let Ok((connection, _)) = listener.accept().await {
        let (tls, page, asked) = (tls.clone(), Arc::clone(&page), Arc::clone(&asked));
        tokio::spawn(async move {
            // Whoever asked may have gone, or not trust the certificate.
            let _ = match tls {
                None => answer(connection, &page, &asked).await,
                Some(tls) => match tls.accept(connection).await {
                    Ok(connection) => answer(connection, &page, &asked).await,
                    Err(error) => Err(error),
                },
            };
        });
    }
}

/// Answers one request, and closes the connection.
async fn answer(
    mut connection: impl AsyncRead + AsyncWrite + Unpin,
    page: &Mutex<Page>,
    asked: &AtomicUsize,
) -> std::io::Result<()> {
    let mut request = Vec::new();
    while !request.ends_with(b"\r\n\r\n") {
        request.push(connection.read_u8().await?);
    }
    let mut page = page.lock().expect("no panic").clone();
    asked.fetch_add(1, Ordering::SeqCst);
    loop {
        let (status, header, body) = match page {
            Page::Gone => return Ok(()),
            Page::Held(until, next) => {
                until.notified().await;
                page = *next;
                continue;
            }
            Page::Endless => {
                connection
                    .write_all(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{")
                    .await?;
                loop {
                    connection.write_all(&[b' '; 4096]).await?;
                }
            }
            Page::Keys(keys) => (
                "200 OK",
                "Content-Type: application/jwk-set+json",
                json!({ "keys": keys }).to_string(),
            ),
            Page::Text(text) => ("200 OK", "Content-Type: text/html", text),
            Page::Status(status, header) => (status, header, String::new()),
        };
        let length = body.len();
        let head = format!("HTTP/1.1 {status}\r\n{header}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n");
        connection.write_all((head + &body).as_bytes()).await?;
        return connection.shutdown().await;
    }
}
