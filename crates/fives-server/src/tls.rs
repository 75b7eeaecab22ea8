//! TLS: which certificate new connections are shown, and whether they must show one, too. The files are looked at every now and
//! then, so a certificate is renewed by replacing them.

mod files;
mod handshakes;

use std::path::PathBuf;
use std::sync::Arc;

use thiserror::Error;
use tokio::sync::watch;
use tokio::task::spawn_blocking;
use tokio::time::sleep;
use tokio_rustls::rustls::server::VerifierBuilderError;
use tokio_rustls::rustls::{self, ServerConfig};
use tracing::{info, warn};

use crate::config::TlsSettings;
use files::Files;

pub(crate) use handshakes::Handshakes;

/// Why TLS cannot be served.
#[derive(Debug, Error)]
pub enum TlsError {
    /// A file cannot be read.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// A file holds something else.
    #[error("{}: it holds no {wanted} in PEM", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What it should hold.
        wanted: &'static str,
    },
    /// Certificate and key do not belong together, or cannot be used.
    #[error("{} and {} do not go together: {error}", cert.display(), key.display())]
    Pair {
        /// The certificate's file.
        cert: PathBuf,
        /// The key's.
        key: PathBuf,
        /// Why.
        error: rustls::Error,
    },
    /// The authorities of clients cannot be used.
    #[error("{}: {error}", path.display())]
    Authorities {
        /// Their file.
        path: PathBuf,
        /// Why.
        error: VerifierBuilderError,
    },
}

/// The certificate that is shown now, and the files that it comes from.
pub(crate) struct Certificate {
    settings: TlsSettings,
    files: Files,
    current: Arc<watch::Sender<Arc<ServerConfig>>>,
}

impl Certificate {
    /// The one that the files hold.
    pub(crate) fn open(settings: &TlsSettings) -> Result<Self, TlsError> {
        let files = Files::read(settings)?;
        let current = files.config(settings)?;
        Ok(Self {
            settings: settings.clone(),
            files,
            current: Arc::new(watch::Sender::new(current)),
        })
    }

    /// What new connections are to use; it changes when the files do.
    pub(crate) fn current(&self) -> watch::Receiver<Arc<ServerConfig>> {
        self.current.subscribe()
    }

    /// Looks at the files until it is dropped. What cannot be used is said once, and changes nothing.
    pub(crate) async fn keep_fresh(mut self) {
        let mut complaint = None;
        loop {
            sleep(self.settings.reload_interval).await;
            match self.look().await {
                Ok(None) => complaint = None,
                Ok(Some(config)) => {
                    complaint = None;
                    info!(cert = %self.settings.cert.display(), sha256 = self.files.fingerprint(), "a new certificate");
                    self.current.send_replace(config);
                }
                Err(error) => {
                    let said = Some(error.to_string());
                    if complaint != said {
                        warn!(%error, "the certificate stays as it was");
                        complaint = said;
                    }
                }
            }
        }
    }

    /// What the files hold, if that is something new.
    async fn look(&mut self) -> Result<Option<Arc<ServerConfig>>, TlsError> {
        let settings = self.settings.clone();
        // A task that is not joined is one of a runtime that ends.
        let Ok(files) = spawn_blocking(move || Files::read(&settings)).await else {
            return Ok(None);
        };
        let files = files?;
        if files == self.files {
            return Ok(None);
        }
        let config = files.config(&self.settings)?;
        self.files = files;
        Ok(Some(config))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::Duration;

    use rcgen::generate_simple_self_signed;
    use tempfile::TempDir;

    use super::*;

    fn settings(folder: &TempDir) -> TlsSettings {
        TlsSettings {
            cert: folder.path().join("cert.pem"),
            key: folder.path().join("key.pem"),
            client_ca: None,
            reload_interval: Duration::from_secs(10),
            handshake_timeout: Duration::from_secs(5),
            max_handshakes: 1,
        }
    }

    /// Certificate and key in PEM.
    fn pair() -> (String, String) {
        let made = generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate");
        (made.cert.pem(), made.signing_key.serialize_pem())
    }

    #[tokio::test]
    async fn a_pair_that_fits_is_taken_and_another_changes_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let settings = settings(&folder);
        let write = |cert: &str, key: &str| {
            fs::write(&settings.cert, cert).expect("written");
            fs::write(&settings.key, key).expect("written");
        };
        let (first, second) = (pair(), pair());
        write(&first.0, &first.1);
        let mut certificate = Certificate::open(&settings).expect("a pair");
        assert!(matches!(certificate.look().await, Ok(None)), "nothing new");
        write(&second.0, &first.1);
        assert!(matches!(certificate.look().await, Err(TlsError::Pair { .. })));
        write(&second.0, &second.1);
        assert!(matches!(certificate.look().await, Ok(Some(_))), "it fits now");
        for (cert, key) in [("", second.1.as_str()), (second.0.as_str(), ""), ("no PEM", "no PEM")] {
            write(cert, key);
            assert!(
                matches!(certificate.look().await, Err(TlsError::Malformed { .. })),
                "{cert}"
            );
        }
        fs::remove_file(&settings.key).expect("removed");
        assert!(matches!(certificate.look().await, Err(TlsError::File { .. })));
        write(&second.0, &second.1);
        assert!(matches!(certificate.look().await, Ok(None)), "as it was");
    }
}
