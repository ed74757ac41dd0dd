//! Which addresses are on the public internet. A name that leads into a private network is how whoever chose the name would
//! reach what only this machine can.
//!
//! The server asks it of the hosts that plugins name, the Editor of pages and libraries that a prototype names.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Where a cloud answers every machine with its credentials, beside the link-local address.
const METADATA: Ipv4Addr = Ipv4Addr::new(168, 63, 129, 16);

/// Whether an address is on the public internet: no one of this machine or its network, reserved for nothing else, and no way
/// around to such an address. By the IANA registries of special addresses.
pub fn is_public(address: IpAddr) -> bool {
    match embedded(address) {
        IpAddr::V4(v4) => is_public_v4(v4),
        IpAddr::V6(v6) => is_public_v6(v6),
    }
}

/// The IPv4 address that an IPv6 address stands for: mapped, compatible, translated (NAT64) or tunnelled (6to4). Any other
/// address as it is.
pub fn embedded(address: IpAddr) -> IpAddr {
    let IpAddr::V6(v6) = address.to_canonical() else {
        return address.to_canonical();
    };
    let of = |high: u16, low: u16| {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        IpAddr::V4(Ipv4Addr::new(a, b, c, d))
    };
    match v6.segments() {
        // The unspecified address and loopback are IPv6's own.
        [0, 0, 0, 0, 0, 0, 0, 0 | 1] => address,
        [0, 0, 0, 0, 0, 0, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] | [0x2002, high, low, ..] => {
            of(high, low)
        }
        _ => address,
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let is_special = matches!(
        (a, b, c),
        (0 | 10 | 127, ..)
            | (100, 64..=127, _)
            | (169, 254, _)
            | (172, 16..=31, _)
            | (192, 0, 0 | 2)
            | (192, 88, 99)
            | (192, 168, _)
            | (198, 18 | 19, _)
            | (198, 51, 100)
            | (203, 0, 113)
            | (224..=255, ..)
    );
    !is_special && address != METADATA
}

/// Global unicast without Teredo, which stands for IPv4 addresses, and without documentation.
fn is_public_v6(address: Ipv6Addr) -> bool {
    let [first, second, ..] = address.segments();
    let is_global = first & 0xe000 == 0x2000;
    let is_special = matches!((first, second), (0x2001, 0..=0x1ff | 0xdb8) | (0x3fff, 0..=0xfff));
    is_global && !is_special
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn private_addresses_are_told_in_every_notation() {
        for address in [
            "127.0.0.1",
            "127.9.9.9",
            "0.0.0.0",
            "0.1.2.3",
            "10.0.0.1",
            "100.64.0.1",
            "100.100.100.200",
            "169.254.169.254",
            "168.63.129.16",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.8",
            "192.168.1.1",
            "192.0.2.1",
            "192.88.99.1",
            "198.18.0.1",
            "203.0.113.7",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::127.0.0.1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "64:ff9b::7f00:1",
            "64:ff9b:1::1",
            "2002:7f00:1::",
            "2001::1",
            "2001:0:1::1",
            "2001:db8::7",
            "3fff::1",
            "fe80::1",
            "fec0::1",
            "fc00::1",
            "fd00:ec2::254",
            "ff02::1",
        ] {
            assert!(!is_public(address.parse().unwrap()), "{address}");
        }
    }

    #[test]
    fn the_public_internet_is_told_in_every_notation() {
        for address in [
            "1.1.1.1",
            "172.32.0.1",
            "192.0.1.1",
            "::ffff:8.8.8.8",
            // How a machine without IPv4 asks one that has nothing else (RFC 6052).
            "64:ff9b::808:808",
            "2606:4700::1111",
            "2001:4860:4860::8888",
        ] {
            assert!(is_public(address.parse().unwrap()), "{address}");
        }
    }
}
