//! Which addresses the service may be sent to. A name is looked at whenever it is looked up, so that one which leads elsewhere the
//! second time gains nothing.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use ipnet::{Ipv4Net, Ipv6Net};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use thiserror::Error;
use tokio::net::lookup_host;

const fn v4(a: u8, b: u8, c: u8, len: u8) -> Ipv4Net {
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, 0), len)
}

const fn v6(a: u16, b: u16, len: u8) -> Ipv6Net {
    Ipv6Net::new_assert(Ipv6Addr::new(a, b, 0, 0, 0, 0, 0, 0), len)
}

/// What is not for everybody, after IANA's registries of special addresses.
const NOT_PUBLIC_V4: [Ipv4Net; 15] = [
    v4(0, 0, 0, 8),
    v4(10, 0, 0, 8),
    v4(100, 64, 0, 10),
    v4(127, 0, 0, 8),
    v4(169, 254, 0, 16),
    v4(172, 16, 0, 12),
    v4(192, 0, 0, 24),
    v4(192, 0, 2, 24),
    v4(192, 88, 99, 24),
    v4(192, 168, 0, 16),
    v4(198, 18, 0, 15),
    v4(198, 51, 100, 24),
    v4(203, 0, 113, 24),
    v4(224, 0, 0, 4),
    v4(240, 0, 0, 4),
];

/// Only these are given to anybody at all.
const GLOBAL_V6: Ipv6Net = v6(0x2000, 0, 3);

/// Of these, what is special: protocols (Teredo among them), documentation, 6to4.
const NOT_PUBLIC_V6: [Ipv6Net; 4] = [
    v6(0x2001, 0, 23),
    v6(0x2001, 0xdb8, 32),
    v6(0x2002, 0, 16),
    v6(0x3fff, 0, 20),
];

/// Whether an address is one that anybody in the world may be at.
pub(crate) fn is_public(ip: IpAddr) -> bool {
    match ip.to_canonical() {
        IpAddr::V4(ip) => !NOT_PUBLIC_V4.iter().any(|net| net.contains(&ip)),
        IpAddr::V6(ip) => GLOBAL_V6.contains(&ip) && !NOT_PUBLIC_V6.iter().any(|net| net.contains(&ip)),
    }
}

/// A name led to where the service must not go.
#[derive(Debug, Error)]
#[error("the target is at a private address, and `allow_private` is not set")]
pub(super) struct PrivateAddress;

/// Looks names up, and refuses those that lead to a private address.
pub(super) struct OnlyPublic;

impl Resolve for OnlyPublic {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let found: Vec<SocketAddr> = lookup_host((name.as_str(), 0)).await?.collect();
            // One is enough: nobody who means well has a name that leads to both.
            if found.iter().all(|address| is_public(address.ip())) {
                let found: Addrs = Box::new(found.into_iter());
                Ok(found)
            } else {
                Err(PrivateAddress.into())
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn private_addresses_are_known_in_every_dress() {
        for private in [
            "0.0.0.0",
            "10.1.2.3",
            "100.64.0.1",
            "127.0.0.1",
            "169.254.169.254",
            "172.31.255.255",
            "192.168.1.1",
            "198.19.0.1",
            "224.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::127.0.0.1",
            "::ffff:192.168.1.1",
            "64:ff9b::7f00:1",
            "fc00::1",
            "fe80::1",
            "ff02::1",
            "2001::1",
            "2001:db8::1",
            "2002:7f00:1::",
        ] {
            assert!(!is_public(private.parse().expect("an address")), "{private}");
        }
        for public in [
            "1.1.1.1",
            "172.32.0.1",
            "192.0.1.1",
            "::ffff:8.8.8.8",
            "2606:4700::1111",
        ] {
            assert!(is_public(public.parse().expect("an address")), "{public}");
        }
    }

    #[tokio::test]
    async fn a_name_that_leads_home_is_refused_when_it_is_looked_up() {
        let name = "localhost".parse().expect("a name");
        let refused = OnlyPublic.resolve(name).await.err().expect("refused");
        assert!(refused.is::<PrivateAddress>(), "{refused}");
    }
}
