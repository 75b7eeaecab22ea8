//! The files of TLS, and what they say together.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::WebPkiClientVerifier;
use tokio_rustls::rustls::{RootCertStore, ServerConfig};

use super::TlsError;
use crate::config::TlsSettings;

/// What may be spoken, the best first.
const PROTOCOLS: [&[u8]; 2] = [b"h2", b"http/1.1"];

/// The files as they were read. One of them is a secret: nothing of it is ever printed.
#[derive(PartialEq, Eq)]
pub(super) struct Files {
    cert: Vec<u8>,
    key: Vec<u8>,
    client_ca: Option<Vec<u8>>,
}

impl Files {
    pub(super) fn read(settings: &TlsSettings) -> Result<Self, TlsError> {
        let read = |path: &Path| {
            fs::read(path).map_err(|error| TlsError::File {
                path: path.to_owned(),
                error,
            })
        };
        Ok(Self {
            cert: read(&settings.cert)?,
            key: read(&settings.key)?,
            client_ca: settings.client_ca.as_deref().map(read).transpose()?,
        })
    }

    /// How to serve with them.
    pub(super) fn config(&self, settings: &TlsSettings) -> Result<Arc<ServerConfig>, TlsError> {
        let malformed = |path: &Path, wanted| TlsError::Malformed {
            path: path.to_owned(),
            wanted,
        };
        let chain = certificates(&self.cert).ok_or_else(|| malformed(&settings.cert, "certificates"))?;
        let key = PrivateKeyDer::from_pem_slice(&self.key);
        let key = key.map_err(|_| malformed(&settings.key, "private key"))?;
        let provider = Arc::new(ring::default_provider());
        let pair = |error| TlsError::Pair {
            cert: settings.cert.clone(),
            key: settings.key.clone(),
            error,
        };
        let builder = ServerConfig::builder_with_provider(Arc::clone(&provider));
        let builder = builder.with_safe_default_protocol_versions().map_err(pair)?;
        let builder = match (&self.client_ca, &settings.client_ca) {
            (Some(pem), Some(path)) => {
                let roots = roots(pem).ok_or_else(|| malformed(path, "certificates"))?;
                let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider).build();
                builder.with_client_cert_verifier(verifier.map_err(|error| TlsError::Authorities {
                    path: path.clone(),
                    error,
                })?)
            }
            _ => builder.with_no_client_auth(),
        };
        let mut config = builder.with_single_cert(chain, key).map_err(pair)?;
        config.alpn_protocols = PROTOCOLS.map(<[u8]>::to_vec).to_vec();
        Ok(Arc::new(config))
    }

    /// What tells the certificate from others: the SHA-256 of its DER, as `openssl x509 -fingerprint -sha256` says it.
    pub(super) fn fingerprint(&self) -> String {
        let chain = certificates(&self.cert).unwrap_or_default();
        let first = chain.first().map(Sha256::digest);
        first.map(|hash| HEXLOWER.encode(&hash)).unwrap_or_default()
    }
}

/// All certificates of a file, of which there must be one.
fn certificates(pem: &[u8]) -> Option<Vec<CertificateDer<'static>>> {
    let all: Vec<_> = CertificateDer::pem_slice_iter(pem).collect::<Result<_, _>>().ok()?;
    Some(all).filter(|all| !all.is_empty())
}

fn roots(pem: &[u8]) -> Option<RootCertStore> {
    let mut roots = RootCertStore::empty();
    for certificate in certificates(pem)? {
        roots.add(certificate).ok()?;
    }
    Some(roots)
}
