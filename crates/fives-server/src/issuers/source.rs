//! Where an issuer's keys come from, and no more of it than a key set has.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use reqwest::redirect::Policy;
use reqwest::{Certificate, Client, StatusCode, Url};
use thiserror::Error;
use tokio::task::spawn_blocking;
use tokio_rustls::rustls::crypto::ring;

use super::key_set::MAX_BYTES;
use crate::config::JwksSource;

/// How long connecting to an issuer may take, and everything together.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
const TIMEOUT: Duration = Duration::from_secs(5);

/// Why there are no bytes.
#[derive(Debug, Error)]
pub(super) enum SourceError {
    #[error("{}: {error}", path.display())]
    File { path: PathBuf, error: io::Error },
    #[error("the read was given up: {0}")]
    GivenUp(#[from] tokio::task::JoinError),
    #[error("the issuer cannot be asked: {0}")]
    Transport(#[from] reqwest::Error),
    #[error("the issuer answers {0}")]
    Status(StatusCode),
    #[error("it has more than {MAX_BYTES} bytes")]
    TooLarge,
}

/// Where they are.
pub(super) enum Source {
    File(PathBuf),
    Url { url: Url, client: Client },
}

impl Source {
    pub(super) fn new(settings: &JwksSource) -> Result<Self, SourceError> {
        match settings {
            JwksSource::File(path) => Ok(Self::File(path.clone())),
            JwksSource::Url { url, ca } => {
                // The library takes whatever the process has installed. Somebody else may have been first, which is as good.
                let _ = ring::default_provider().install_default();
                let builder = Client::builder()
                    // A key is trusted because of where it was found.
                    .redirect(Policy::none())
                    .https_only(url.scheme() == "https")
                    .connect_timeout(CONNECT_TIMEOUT)
                    .timeout(TIMEOUT)
                    .user_agent(concat!("fives/", env!("CARGO_PKG_VERSION")));
                let builder = match ca {
                    Some(pem) => builder.tls_certs_only(Certificate::from_pem_bundle(pem)?),
                    None => builder,
                };
                let (url, client) = (url.clone(), builder.build()?);
                Ok(Self::Url { url, client })
            }
        }
    }

    /// What is there now.
    pub(super) async fn load(&self) -> Result<Vec<u8>, SourceError> {
        match self {
            Self::File(path) => {
                let path = path.clone();
                spawn_blocking(move || read(&path)).await?
            }
            Self::Url { url, client } => {
                let mut answer = client
                    .get(url.clone())
                    .send()
                    .await
                    .map_err(reqwest::Error::without_url)?;
                if answer.status() != StatusCode::OK {
                    return Err(SourceError::Status(answer.status()));
                }
                let mut bytes = Vec::new();
                while let Some(chunk) = answer.chunk().await.map_err(reqwest::Error::without_url)? {
                    if bytes.len() + chunk.len() > MAX_BYTES {
                        return Err(SourceError::TooLarge);
                    }
                    bytes.extend_from_slice(&chunk);
                }
                Ok(bytes)
            }
        }
    }
}

/// What is in a file, which may be any file.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, SourceError> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes));
    read.map_err(|error| {
        let path = path.to_owned();
        SourceError::File { path, error }
    })?;
    match bytes.len() > MAX_BYTES {
        true => Err(SourceError::TooLarge),
        false => Ok(bytes),
    }
}
