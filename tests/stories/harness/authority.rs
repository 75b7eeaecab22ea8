//! A certificate authority of a story's own.

use std::path::{Path, PathBuf};

use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use tempfile::TempDir;

/// Signs certificates, and keeps them in files that are gone when it is dropped.
pub(crate) struct Authority {
    issuer: Issuer<'static, KeyPair>,
    folder: TempDir,
}

impl Authority {
    pub(crate) fn new() -> Self {
        let mut params = CertificateParams::new([]).expect("no names");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().expect("a key");
        let own = params.self_signed(&key).expect("a certificate").pem();
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("ca.pem"), own).expect("it can be written");
        let issuer = Issuer::new(params, key);
        Self { issuer, folder }
    }

    /// The file of its own certificate.
    pub(crate) fn ca(&self) -> PathBuf {
        self.folder.path().join("ca.pem")
    }

    /// A certificate for this machine and its key, in two files with this name.
    pub(crate) fn issue(&self, name: &str) -> Issued {
        let issued = Issued {
            cert: self.folder.path().join(format!("{name}.pem")),
            key: self.folder.path().join(format!("{name}.key")),
        };
        let names = ["localhost".to_owned(), "127.0.0.1".to_owned()];
        let (params, key) = (CertificateParams::new(names), KeyPair::generate().expect("a key"));
        let cert = params
            .expect("names")
            .signed_by(&key, &self.issuer)
            .expect("a certificate");
        std::fs::write(&issued.key, key.serialize_pem()).expect("it can be written");
        std::fs::write(&issued.cert, cert.pem()).expect("it can be written");
        issued
    }
}

/// A certificate and its key.
pub(crate) struct Issued {
    pub(crate) cert: PathBuf,
    pub(crate) key: PathBuf,
}

/// What a file holds.
pub(crate) fn contents(path: &Path) -> Vec<u8> {
    std::fs::read(path).expect("the file is there")
}
