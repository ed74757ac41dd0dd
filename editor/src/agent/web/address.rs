//! Which addresses are the web's. A name that leads into a private network is how a page would reach what only this machine can.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use crate::config::is_private_address;

/// Whether an address is one of the public network's: nobody's own, reserved for nothing else, and no way around to such.
pub(super) fn is_public(address: IpAddr) -> bool {
    if is_private_address(address) {
        return false;
    }
    match address {
        IpAddr::V4(address) => !is_reserved(address),
        IpAddr::V6(address) => match embedded(address) {
            Some(inner) => is_public(IpAddr::V4(inner)),
            // Global unicast, without what is for documentation and tunnels.
            None => {
                let parts = address.segments();
                let is_special = parts[0] == 0x2001 && (parts[1] < 0x0200 || parts[1] == 0x0db8);
                parts[0] & 0xe000 == 0x2000 && !is_special
            }
        },
    }
}

fn is_reserved(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    address.is_multicast()
        || address.is_documentation()
        || a >= 240
        || (a == 192 && b == 0 && c == 0)
        || (a == 198 && b & 0xfe == 18)
}

/// The address of the old network that one of the new stands for: mapped, translated (NAT64) or tunnelled (6to4).
fn embedded(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let parts = address.segments();
    let at = |index: usize| {
        let [a, b] = parts[index].to_be_bytes();
        let [c, d] = parts[index + 1].to_be_bytes();
        Ipv4Addr::new(a, b, c, d)
    };
    match parts {
        [0, 0, 0, 0, 0, 0 | 0xffff, _, _] | [0x64, 0xff9b, 0, 0, 0, 0, _, _] => Some(at(6)),
        [0x2002, ..] => Some(at(1)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_public_network_is_public() {
        for address in [
            "93.184.216.34",
            "2606:2800:220:1::1",
            "8.8.8.8",
            "::ffff:8.8.8.8",
            "64:ff9b::808:808",
        ] {
            assert!(is_public(address.parse().unwrap()), "{address}");
        }
        for address in [
            "127.0.0.1",
            "10.0.0.1",
            "172.16.5.4",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "0.0.0.0",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
            "192.0.0.8",
            "192.0.2.1",
            "198.18.0.1",
            "::",
            "::1",
            "::ffff:127.0.0.1",
            "::127.0.0.1",
            "64:ff9b::7f00:1",
            "64:ff9b:1::1",
            "2002:7f00:1::",
            "2001:db8::1",
            "2001::1",
            "fd00::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ] {
            assert!(!is_public(address.parse().unwrap()), "{address}");
        }
    }
}
