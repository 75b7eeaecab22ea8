//! Where Redis is, as a URL says it.
//!
//! ```text
//! redis://[user:password@]host[:6379][/db]                              one node, or whatever answers for one
//! redis+sentinel://[user:password@]host[:26379],host…/master[/db]       the primary that Sentinel names
//! redis+cluster://[user:password@]host[:6379],host…                     Redis Cluster, found by any of its nodes
//! ```
//!
//! `rediss` instead of `redis` speaks TLS. User and password are percent-encoded.

use std::fmt;
use std::str::FromStr;

use percent_encoding::percent_decode_str;
use redis::{ConnectionAddr, TlsCertificates};
use rustls::RootCertStore;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use thiserror::Error;

const REDIS_PORT: u16 = 6379;
const SENTINEL_PORT: u16 = 26379;

/// Where Redis is, and as whom to go there. Prints without the password.
#[derive(Clone, PartialEq, Eq)]
pub struct Address {
    pub(super) layout: Layout,
    pub(super) hosts: Vec<(String, u16)>,
    pub(super) has_tls: bool,
    /// With TLS: the authorities that are trusted, in PEM; `None`: those that the web trusts.
    pub(super) roots: Option<Vec<u8>>,
    pub(super) username: Option<String>,
    pub(super) password: Option<String>,
    pub(super) db: i64,
}

/// How many nodes there are, and who knows them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Layout {
    /// One.
    Node,
    /// The primary of this name, as Sentinel knows it.
    Sentinel { master: String },
    /// Redis Cluster.
    Cluster,
}

/// Why a text is no address of Redis. Never repeats the text, which may hold a password.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum AddressError {
    /// It begins with none of the schemes.
    #[error(
        "it begins with redis://, rediss://, redis+sentinel://, rediss+sentinel://, redis+cluster:// or rediss+cluster://"
    )]
    Scheme,
    /// A host or a port is none.
    #[error("after the scheme (and user:password@) come host:port, divided by commas with Sentinel and Cluster")]
    Host,
    /// One node has one host.
    #[error("one node has one host; several are for redis+sentinel:// and redis+cluster://")]
    SeveralHosts,
    /// User or password cannot be decoded.
    #[error("user and password are percent-encoded UTF-8")]
    Credentials,
    /// The path is not what this scheme has.
    #[error("the path is /db with one node, /master or /master/db with Sentinel, and empty with Cluster")]
    Path,
    /// Certificates say nothing where there is no TLS.
    #[error("root certificates are for rediss://, rediss+sentinel:// and rediss+cluster://")]
    RootsWithoutTls,
    /// They cannot be read.
    #[error("it holds no root certificates in PEM")]
    Roots,
}

impl Address {
    /// The same Redis, trusted if its certificate is of one of these authorities (PEM), and of nobody else.
    ///
    /// # Errors
    /// If there are none, or nothing to use them for.
    pub fn trusting(self, roots: Vec<u8>) -> Result<Self, AddressError> {
        if !self.has_tls {
            return Err(AddressError::RootsWithoutTls);
        }
        let mut readable = RootCertStore::empty();
        for root in CertificateDer::pem_slice_iter(&roots) {
            let root = root.map_err(|_| AddressError::Roots)?;
            readable.add(root).map_err(|_| AddressError::Roots)?;
        }
        if readable.is_empty() {
            return Err(AddressError::Roots);
        }
        let roots = Some(roots);
        Ok(Self { roots, ..self })
    }

    /// Whom to trust, in the library's words.
    pub(super) fn certificates(&self) -> Option<TlsCertificates> {
        let root_cert = Some(self.roots.clone()?);
        Some(TlsCertificates {
            client_tls: None,
            root_cert,
        })
    }

    /// The addresses of the hosts in the library's words.
    pub(super) fn addrs(&self) -> Vec<ConnectionAddr> {
        let addr = |(host, port): &(String, u16)| match self.has_tls {
            false => ConnectionAddr::Tcp(host.clone(), *port),
            true => ConnectionAddr::TcpTls {
                host: host.clone(),
                port: *port,
                insecure: false,
                tls_params: None,
            },
        };
        self.hosts.iter().map(addr).collect()
    }
}

impl FromStr for Address {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        let (scheme, rest) = text.split_once("://").ok_or(AddressError::Scheme)?;
        let (has_tls, kind) = match scheme.strip_prefix("rediss") {
            Some(kind) => (true, kind),
            None => (false, scheme.strip_prefix("redis").ok_or(AddressError::Scheme)?),
        };
        let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
        let path: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
        let (credentials, hosts) = match authority.rsplit_once('@') {
            Some((credentials, hosts)) => (Some(credentials), hosts),
            None => (None, authority),
        };
        let db = |text: &str| text.parse().map_err(|_| AddressError::Path);
        let (layout, port, db) = match (kind, path.as_slice()) {
            ("", []) => (Layout::Node, REDIS_PORT, 0),
            ("", [number]) => (Layout::Node, REDIS_PORT, db(number)?),
            ("+sentinel", [master, rest @ ..]) => {
                let master = (*master).to_owned();
                let db = match rest {
                    [] => 0,
                    [number] => db(number)?,
                    _ => return Err(AddressError::Path),
                };
                (Layout::Sentinel { master }, SENTINEL_PORT, db)
            }
            ("+cluster", []) => (Layout::Cluster, REDIS_PORT, 0),
            ("" | "+sentinel" | "+cluster", _) => return Err(AddressError::Path),
            _ => return Err(AddressError::Scheme),
        };
        let hosts = hosts
            .split(',')
            .map(|text| host(text, port))
            .collect::<Result<Vec<_>, _>>()?;
        if layout == Layout::Node && hosts.len() > 1 {
            return Err(AddressError::SeveralHosts);
        }
        let (username, password) = match credentials.map(|text| text.split_once(':').unwrap_or((text, ""))) {
            Some((username, password)) => (decoded(username)?, decoded(password)?),
            None => (None, None),
        };
        Ok(Self {
            layout,
            hosts,
            has_tls,
            roots: None,
            username,
            password,
            db,
        })
    }
}

/// `host`, `host:port` or `[v6]:port`.
fn host(text: &str, default_port: u16) -> Result<(String, u16), AddressError> {
    let (host, port) = match text.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, port.parse().map_err(|_| AddressError::Host)?),
        _ => (text, default_port),
    };
    let host = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'))
        .unwrap_or(host);
    if host.is_empty() || port == 0 {
        return Err(AddressError::Host);
    }
    Ok((host.to_owned(), port))
}

fn decoded(text: &str) -> Result<Option<String>, AddressError> {
    let text = percent_decode_str(text)
        .decode_utf8()
        .map_err(|_| AddressError::Credentials)?;
    Ok(Some(text.into_owned()).filter(|text| !text.is_empty()))
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.has_tls { "rediss" } else { "redis" };
        let (kind, path) = match &self.layout {
            Layout::Node => ("", String::new()),
            Layout::Sentinel { master } => ("+sentinel", format!("/{master}")),
            Layout::Cluster => ("+cluster", String::new()),
        };
        let hosts = self.hosts.iter().map(|(host, port)| format!("{host}:{port}"));
        write!(f, "{scheme}{kind}://{}{path}", hosts.collect::<Vec<_>>().join(","))
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_is_understood() {
        for (text, layout, hosts) in [
            ("redis://here", Layout::Node, vec![("here", 6379)]),
            ("rediss://here:1/2", Layout::Node, vec![("here", 1)]),
            ("redis://[::1]:7000", Layout::Node, vec![("::1", 7000)]),
            ("redis://[::1]", Layout::Node, vec![("::1", 6379)]),
            (
                "redis+sentinel://a,b:5/fives",
                Layout::Sentinel {
                    master: "fives".to_owned(),
                },
                vec![("a", 26379), ("b", 5)],
            ),
            ("redis+cluster://a:1,b:2", Layout::Cluster, vec![("a", 1), ("b", 2)]),
        ] {
            let address: Address = text.parse().unwrap();
            let hosts: Vec<(String, u16)> = hosts.into_iter().map(|(host, port)| (host.to_owned(), port)).collect();
            assert_eq!((&address.layout, &address.hosts), (&layout, &hosts), "{text}");
            assert_eq!(address.has_tls, text.starts_with("rediss"));
        }
    }

    #[test]
    fn a_password_is_understood_and_never_printed() {
        let address: Address = "redis://anna:p%40ss@here:1/3".parse().unwrap();
        assert_eq!(address.username.as_deref(), Some("anna"));
        assert_eq!(address.password.as_deref(), Some("p@ss"));
        assert_eq!(address.db, 3);
        assert_eq!(format!("{address} {address:?}"), "redis://here:1 redis://here:1");
        let only_password: Address = "redis://:secret@here".parse().unwrap();
        assert_eq!(
            (only_password.username, only_password.password.as_deref()),
            (None, Some("secret"))
        );
    }

    #[test]
    fn roots_are_certificates_and_for_tls() {
        let address = |text: &str| text.parse::<Address>().unwrap();
        let nothing = b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n".to_vec();
        for (address, roots, why) in [
            (address("redis://here"), nothing.clone(), AddressError::RootsWithoutTls),
            (address("rediss://here"), nothing, AddressError::Roots),
            (address("rediss://here"), vec![], AddressError::Roots),
        ] {
            assert_eq!(address.trusting(roots).err(), Some(why));
        }
    }

    #[test]
    fn what_is_no_address_is_told_why() {
        for (text, why) in [
            ("here:6379", AddressError::Scheme),
            ("http://here", AddressError::Scheme),
            ("redis+ring://here", AddressError::Scheme),
            ("redis://", AddressError::Host),
            ("redis://here:port", AddressError::Host),
            ("redis://here:0", AddressError::Host),
            ("redis+cluster://a,,b", AddressError::Host),
            ("redis://a,b", AddressError::SeveralHosts),
            ("redis://here/first", AddressError::Path),
            ("redis://here/1/2", AddressError::Path),
            ("redis+sentinel://a", AddressError::Path),
            ("redis+cluster://a/1", AddressError::Path),
            ("redis://%ff:x@here", AddressError::Credentials),
        ] {
            assert_eq!(text.parse::<Address>().err(), Some(why), "{text}");
        }
    }
}
