//! Whom a client trusts, and as whom it shows itself.

use tonic::transport::{Certificate, ClientTlsConfig, Identity};

/// How an `https` address is reached. By default: the server has a certificate that the web trusts, and asks for none.
#[derive(Clone, Debug, Default)]
pub struct Tls {
    ca: Option<Certificate>,
    identity: Option<Identity>,
}

impl Tls {
    /// Trusts the authorities in this file (PEM), and nobody else.
    #[must_use]
    pub fn with_ca(self, pem: impl AsRef<[u8]>) -> Self {
        let ca = Some(Certificate::from_pem(pem));
        Self { ca, ..self }
    }

    /// Shows this certificate with its key (PEM both), for a server that asks for one.
    #[must_use]
    pub fn with_identity(self, cert: impl AsRef<[u8]>, key: impl AsRef<[u8]>) -> Self {
        let identity = Some(Identity::from_pem(cert, key));
        Self { identity, ..self }
    }

    /// The same in the words of the transport.
    pub(crate) fn config(&self) -> ClientTlsConfig {
        let config = match &self.ca {
            Some(ca) => ClientTlsConfig::new().ca_certificate(ca.clone()),
            None => ClientTlsConfig::new().with_webpki_roots(),
        };
        match &self.identity {
            Some(identity) => config.identity(identity.clone()),
            None => config,
        }
    }
}
