//! Where a call comes from: the address of its connection, or the one that a proxy names which is trusted to.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::atomic::{AtomicBool, Ordering};

use http::HeaderMap;
use ipnet::IpNet;
use tracing::warn;

use super::HttpRequest;
use crate::incoming::Peer;

const FORWARDED_FOR: &str = "x-forwarded-for";

/// Whom limits for addresses count as one: an IPv4 address, or an IPv6 network of 64 bits, which one customer has at least.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Origin(Option<IpAddr>);

impl From<Option<IpAddr>> for Origin {
    fn from(address: Option<IpAddr>) -> Self {
        Self(address.map(|address| match address.to_canonical() {
            IpAddr::V4(address) => IpAddr::V4(address),
            IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX))),
        }))
    }
}

/// Says where calls come from.
pub(crate) struct Addresses {
    trusted: Vec<IpNet>,
    has_warned: AtomicBool,
}

impl Addresses {
    pub(crate) fn new(trusted: &[IpNet]) -> Self {
        Self {
            trusted: trusted.to_vec(),
            has_warned: AtomicBool::new(false),
        }
    }

    /// Where a call comes from.
    pub(super) fn origin(&self, request: &HttpRequest) -> Origin {
        let peer = request.extensions().get().and_then(|&Peer(address)| address);
        let is_named = request.headers().contains_key(FORWARDED_FOR);
        match peer {
            Some(peer) if self.trusts(peer) => Some(self.named(peer, request.headers())).into(),
            Some(peer) => {
                if is_named && !self.has_warned.swap(true, Ordering::Relaxed) {
                    warn!(%peer, "names the address of others and is not trusted to: a load balancer belongs to --trusted-proxies");
                }
                Some(peer).into()
            }
            None => None.into(),
        }
    }

    fn trusts(&self, address: IpAddr) -> bool {
        self.trusted.iter().any(|network| network.contains(&address))
    }

    /// The last one that was named by somebody trusted and is not trusted itself: what stands before it, anybody could have written.
    fn named(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let mut nearest = peer;
        for value in headers.get_all(FORWARDED_FOR).iter().rev() {
            for text in value.to_str().unwrap_or_default().rsplit(',') {
                let Some(address) = address(text.trim()) else {
                    return nearest;
                };
                nearest = address;
                if !self.trusts(address) {
                    return nearest;
                }
            }
        }
        nearest
    }
}

/// An address, with a port or without.
fn address(text: &str) -> Option<IpAddr> {
    let with_port = || Some(text.parse::<SocketAddr>().ok()?.ip());
    text.parse()
        .ok()
        .or_else(with_port)
        .map(|address: IpAddr| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origin(peer: &str, forwarded: &[&str]) -> Origin {
        let trusted = ["10.0.0.0/8", "fd00::/8"].map(|network| network.parse().expect("a network"));
        let mut request = HttpRequest::default();
        request
            .extensions_mut()
            .insert(Peer(Some(peer.parse().expect("an address"))));
        for value in forwarded {
            request
                .headers_mut()
                .append(FORWARDED_FOR, value.parse().expect("a value"));
        }
        Addresses::new(&trusted).origin(&request)
    }

    #[test]
    fn only_a_trusted_proxy_names_others_and_only_its_word_counts() {
        for (peer, forwarded, from) in [
            ("192.0.2.1", &[][..], "192.0.2.1"),
            ("192.0.2.1", &["192.0.2.9"], "192.0.2.1"),
            ("10.0.0.1", &[], "10.0.0.1"),
            ("10.0.0.1", &["192.0.2.9"], "192.0.2.9"),
            ("fd00::1", &["192.0.2.9:4711"], "192.0.2.9"),
            // What stands before the first untrusted one is that one's own invention.
            ("10.0.0.1", &["203.0.113.7, 192.0.2.9, 10.0.0.2"], "192.0.2.9"),
            ("10.0.0.1", &["203.0.113.7", "192.0.2.9", "10.0.0.2"], "192.0.2.9"),
            ("10.0.0.1", &["10.0.0.3, 10.0.0.2"], "10.0.0.3"),
            ("10.0.0.1", &["192.0.2.9, nobody"], "10.0.0.1"),
            ("10.0.0.1", &["192.0.2.9, nobody, 10.0.0.2"], "10.0.0.2"),
        ] {
            let from: IpAddr = from.parse().expect("an address");
            assert_eq!(origin(peer, forwarded), Some(from).into(), "{peer} {forwarded:?}");
        }
    }

    #[test]
    fn a_customer_with_ipv6_is_one() {
        let of = |text: &str| Origin::from(Some(text.parse::<IpAddr>().expect("an address")));
        assert_eq!(of("2001:db8:1:2::1"), of("2001:db8:1:2:ffff::9"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
        assert_eq!(of("::ffff:192.0.2.1"), of("192.0.2.1"));
    }
}
